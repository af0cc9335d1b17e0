import {
  Group,
  NativeSelect,
  NumberInput,
  Select,
  type NumberInputProps,
  type SelectProps,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { signUpFormsQuery } from '#web/contacts/sign-ups/sign-up-queries.ts';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import { useContactLists } from '#web/content/owners/use-contact-lists.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { delayUnits, readDelay, writeDelay } from './delay.ts';
import { useBrandTouchpoints } from './graph-queries.ts';
import { useDelayText, useUnitText } from './graph-words.ts';

/** The touchpoints of the brand, its sign-up forms and the contact lists that it can use. */
export function SourceChoice({ brandId, ...props }: SelectProps & { brandId: string }) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const scope = useOrganization();
  const collectionName = useCollectionName();
  const { data: touchpoints = [] } = useBrandTouchpoints(brandId);
  const lists = useContactLists(`brand:${brandId}`);
  const forms = useQuery({ ...signUpFormsQuery(scope, brandId, {}), enabled: scope.can('read', 'Consent') });
  const toItems = (kind: string, some: readonly { id: string; name: string }[]) =>
    some.map(({ id, name }) => ({ value: `${kind}:${id}`, label: name }));
  const ofType = (type: string) =>
    toItems(
      'touchpoint',
      touchpoints.filter((one) => one.type === type),
    );
  const named = lists.map(({ collection }) => ({ id: collection, name: collectionName(collection) }));
  const groups = [
    { group: t('form.emails'), items: ofType('email') },
    { group: t('form.websites'), items: ofType('website') },
    { group: t('words.signUpForms'), items: toItems('form', forms.data?.items ?? []) },
    { group: t('form.list'), items: toItems('contacts', named) },
  ];
  return (
    <Select
      {...props}
      data-autofocus
      searchable
      allowDeselect={false}
      placeholder={t('form.source')}
      data={groups.filter(({ items }) => items.length > 0)}
    />
  );
}

/** The fields of contacts. */
export function FieldChoice({
  collection,
  isDate,
  ...props
}: SelectProps & { collection: string; isDate: boolean }) {
  const { data } = useQuery(fieldsQuery(useOrganization(), collection));
  return (
    <Select
      {...props}
      searchable
      allowDeselect={false}
      data={(data?.data ?? [])
        .filter(({ hidden, field }) => !hidden && field !== 'id')
        .filter(({ type }) => !isDate || type === 'date' || type === 'timestamp')
        .map(({ field, label }) => ({ value: field, label: label ?? field }))}
    />
  );
}

/** A number of one unit; a delay of several units is kept until another unit is chosen. */
export function DelayInput({
  value: delay,
  onChange,
  ...props
}: Omit<NumberInputProps, 'value' | 'onChange'> & { value: string; onChange: (delay: string) => void }) {
  const { t } = useTranslation('eventGraph');
  const sayDelay = useDelayText();
  const sayUnit = useUnitText();
  const { count, unit } = readDelay(delay);
  const isWhole = count === '';
  const more = delayUnits.some((one) => one === unit)
    ? []
    : [{ value: unit, label: isWhole ? sayDelay(unit) : sayUnit(unit) }];
  return (
    <Group grow align="flex-start">
      {!isWhole && (
        <NumberInput
          {...props}
          min={0}
          allowDecimal={false}
          value={count}
          onChange={(next) => onChange(writeDelay(Number(next), unit))}
        />
      )}
      <NativeSelect
        label={isWhole ? props.label : t('form.unit')}
        value={unit}
        data={[...delayUnits.map((value) => ({ value: value as string, label: sayUnit(value) })), ...more]}
        onChange={(event) => onChange(writeDelay(count || 0, event.currentTarget.value))}
      />
    </Group>
  );
}
