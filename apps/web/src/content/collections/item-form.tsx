import { Checkbox, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { consentField, hasSubscriptions } from '#web/content/consent/subscription-queries.ts';
import { useFieldLabel } from './field-label.ts';
import { byImportance } from './field-order.ts';
import { useItemWords } from './item-words.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { valueText } from '#web/ui/value-text.ts';
import { notify } from '#web/ui/notify.tsx';

type Value = string | number | boolean | string[];
type Values = Record<string, Value>;

interface Props {
  collection: string;
  fields: readonly Field[];
  /** What is edited; undefined makes a new one. */
  item?: Item | undefined;
  onClose: () => void;
}

const numbers = new Set(['integer', 'bigInteger', 'float', 'decimal']);

/**
 * An item's fields, each by its type. Empty fields are stored as no value. Whether a contact gets mail is no field among
 * them: its page shows that, and it is changed by acts of its own.
 */
export function ItemForm({ collection, fields, item, onClose }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const { api, orgId } = useOrganization();
  const isContact = hasSubscriptions(fields);
  const words = useItemWords(isContact);
  const labelOf = useFieldLabel();
  const onSuccess = () => {
    notify(words.saved);
    onClose();
  };
  const create = useMutation(api.content.createItem.mutationOptions({ onSuccess }));
  const update = useMutation(api.content.updateItem.mutationOptions({ onSuccess }));
  const editable = fields
    .filter(({ readonly, field }) => !readonly && field !== 'id' && !(isContact && field === consentField))
    .toSorted(byImportance);
  const checks = Object.fromEntries(
    editable
      .filter((field) => field.required && field.type !== 'boolean')
      .map((field) => [field.field, (value: Value) => (value === '' ? t('common:form.required') : null)]),
  );
  const form = useServerForm<Values>({
    initial: Object.fromEntries(editable.map((field) => [field.field, initialValue(field, item)])),
    checks,
    submit: (values) => {
      const data = Object.fromEntries(
        editable.map((field) => [field.field, storedValue(field, values[field.field])]),
      );
      const place = { organization_id: orgId, collection, data };
      return item ? update.mutateAsync({ ...place, key: valueText(item['id']) }) : create.mutateAsync(place);
    },
  });
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={item ? words.edit : words.add}
      form={form}
      submitLabel={t('common:actions.save')}
    >
      {editable.map((field) => (
        <FieldInput
          key={field.field}
          field={field}
          name={labelOf(field)}
          input={form.fields.getInputProps(field.field, {
            type: field.type === 'boolean' ? 'checkbox' : 'input',
          })}
        />
      ))}
    </FormDrawer>
  );
}

function FieldInput({ field, name, input }: { field: Field; name: string; input: object }) {
  const { t } = useTranslation(['collections', 'common']);
  const label = field.required ? name : `${name} ${t('common:optional')}`;
  if (field.type === 'boolean') return <Checkbox label={name} {...input} />;
  if (field.type === 'csv')
    return <TagsInput label={label} description={t('listHint')} acceptValueOnBlur {...input} />;
  if (field.type === 'text' || field.type === 'json')
    return <Textarea autosize minRows={3} label={label} {...input} />;
  if (numbers.has(field.type)) return <NumberInput hideControls label={label} {...input} />;
  return <TextInput type={inputTypes[field.type] ?? 'text'} label={label} {...input} />;
}

const inputTypes: Partial<Record<Field['type'], string>> = {
  date: 'date',
  time: 'time',
  dateTime: 'datetime-local',
  timestamp: 'datetime-local',
};

function initialValue(field: Field, item: Item | undefined): Value {
  const value = item?.[field.field];
  if (field.type === 'boolean') return value === true;
  if (field.type === 'csv') return Array.isArray(value) ? value.map(valueText) : [];
  if (value === null || value === undefined) return '';
  if (field.type === 'timestamp' && typeof value === 'string') return localMoment(value);
  if (typeof value === 'object') return JSON.stringify(value, null, 2);
  return value;
}

function storedValue(field: Field, value: Value | undefined) {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  if (field.type === 'timestamp' && typeof value === 'string') return new Date(value).toISOString();
  if (field.type === 'json' && typeof value === 'string') return parseJson(value);
  return value;
}

/** Text that is no JSON goes as it is; the server says what is wrong with it. */
function parseJson(text: string) {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** An instant as `datetime-local` wants it: the reader's own wall time. */
function localMoment(instant: string): string {
  const moment = new Date(instant);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
