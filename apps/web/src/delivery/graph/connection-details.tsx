import { Checkbox, Group, NativeSelect, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { maxDelayDays, touchpointEventTypes } from '@reachout/contract/rules/event-graph.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useSettled } from '#web/ui/debounce.ts';
import { delayOf, idOf, meaningOf } from './connection-values.ts';
import { delayUnits } from './delay.ts';
import { Effect } from './effect-dialogs.tsx';
import { useDelayText } from './graph-words.ts';
import { PatternMatches } from './pattern-matches.tsx';
import type { ConnectionFormState } from './use-connection-form.ts';

/** What an event of contacts is about: the field that changes, or that has the date. */
export function FieldDetails({ form: { fields }, values }: ConnectionFormState) {
  const { t } = useTranslation('eventGraph');
  const scope = useOrganization();
  const { event_type: type, source } = values;
  const isShown = meaningOf(type) === 'field';
  const isDate = type === 'REACH_DATE';
  const { data } = useQuery({ ...fieldsQuery(scope, idOf(source)), enabled: isShown });
  if (!isShown) return null;
  const choices = (data?.data ?? [])
    .filter((field) => !field.hidden && field.field !== 'id')
    .filter((field) => !isDate || field.type === 'date' || field.type === 'timestamp')
    .map(({ field, label }) => ({ value: field, label: label ?? field }));
  return (
    <Stack gap="md">
      <Select
        {...fields.getInputProps('event')}
        searchable
        allowDeselect={false}
        label={t('form.field')}
        data={choices}
        value={values.event || null}
      />
      {isDate ? (
        <>
          <Group grow align="flex-start">
            <NumberInput
              {...fields.getInputProps('days')}
              label={t('form.days')}
              min={0}
              max={maxDelayDays}
              allowDecimal={false}
            />
            <NativeSelect
              {...fields.getInputProps('side')}
              label={t('form.side')}
              data={(['before', 'after'] as const).map((value) => ({ value, label: t(`form.${value}`) }))}
            />
          </Group>
          <Checkbox {...fields.getInputProps('is_yearly', { type: 'checkbox' })} label={t('form.yearly')} />
        </>
      ) : (
        <TextInput
          {...fields.getInputProps('value')}
          label={`${t('form.value')} ${t('optional')}`}
          description={t('form.valueHint')}
        />
      )}
    </Stack>
  );
}

type Props = ConnectionFormState & { connection: Connection | undefined };

/** What most connections need not say. */
export function ConnectionDetails({ connection, ...state }: Props) {
  const { t } = useTranslation('eventGraph');
  const { form, values, isNewDelay } = state;
  const { fields } = form;
  const meaning = meaningOf(values.event_type);
  const delay = useSettled(delayOf(values));
  const { listener } = connection ?? {};
  const check = (name: 'once_per_contact' | 'quiet_hours', key: 'once' | 'quiet') => (
    <Checkbox
      {...fields.getInputProps(name, { type: 'checkbox' })}
      label={t(`form.${key}`)}
      description={t(`form.${key}Hint`)}
    />
  );
  return (
    <Stack gap="md">
      {meaning !== undefined && meaning !== 'field' && (
        <>
          <TextInput
            {...fields.getInputProps('event')}
            label={`${t(`form.${meaning}`)} ${t('optional')}`}
            description={t(`form.${meaning}Hint`)}
          />
          <PatternMatches values={values} />
        </>
      )}
      <Delay {...state} />
      {connection && listener && isNewDelay && fields.isValid('delay') && (
        <Effect eventId={connection.event.id} listenerId={listener.id} change="delay" delay={delay} />
      )}
      <Exception {...state} />
      {check('once_per_contact', 'once')}
      {check('quiet_hours', 'quiet')}
      {!connection && (
        <Switch
          {...fields.getInputProps('is_active', { type: 'checkbox' })}
          label={t('form.active')}
          description={t('form.activeHint')}
        />
      )}
    </Stack>
  );
}

/** A number of one unit; a delay of several units is kept until another unit is chosen. */
function Delay({ form: { fields }, values }: ConnectionFormState) {
  const { t } = useTranslation('eventGraph');
  const sayDelay = useDelayText();
  const { unit } = values;
  const isWhole = unit.startsWith('P');
  const units = [
    ...delayUnits.map((value) => ({ value: value as string, label: t(`unit.${value}`) })),
    ...(delayUnits.some((one) => one === unit)
      ? []
      : [{ value: unit, label: isWhole ? sayDelay(unit) : t(`unit.${unit as 'second'}`) }]),
  ];
  return (
    <Group grow align="flex-start">
      {!isWhole && (
        <NumberInput
          {...fields.getInputProps('delay')}
          label={t('form.delay')}
          min={0}
          allowDecimal={false}
        />
      )}
      <NativeSelect
        {...fields.getInputProps('unit')}
        label={isWhole ? t('form.delay') : t('form.unit')}
        data={units}
      />
    </Group>
  );
}

/** The event that makes what waits void, of the message that caused it or of another touchpoint. */
function Exception({ form: { fields }, values, touchpoints, typeOf }: ConnectionFormState) {
  const { t } = useTranslation('eventGraph');
  const { unless_type: type, unless_of: of } = values;
  const isOfEmail = typeOf(idOf(values.source)) === 'email';
  const events = touchpointEventTypes[typeOf(of) ?? 'email'];
  const hasPattern = type !== '' && meaningOf(type) !== undefined;
  return (
    <>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NativeSelect
          {...fields.getInputProps('unless_type')}
          label={t('form.unless')}
          data={[
            { value: '', label: t('form.unlessNothing') },
            ...events.map((value) => ({ value, label: t(`event.${value}`) })),
          ]}
        />
        <Select
          {...fields.getInputProps('unless_of')}
          searchable
          clearable={isOfEmail}
          label={t('form.unlessOf')}
          placeholder={isOfEmail ? t('form.unlessSame') : undefined}
          data={touchpoints.map(({ id, name }) => ({ value: id, label: name }))}
          value={of || null}
          onChange={(next) => {
            fields.setFieldValue('unless_of', next ?? '');
            fields.setFieldValue('unless_type', '');
          }}
        />
      </Group>
      {hasPattern && (
        <TextInput
          {...fields.getInputProps('unless_event')}
          label={`${t('form.unlessPattern')} ${t('optional')}`}
        />
      )}
    </>
  );
}
