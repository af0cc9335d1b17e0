import { Alert, Badge, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { NewField } from '@reachout/contract/content-imports.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { useFormat } from '#web/i18n/format.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import {
  consentMeaningOf,
  consentMeanings,
  plainHeading,
  unclearConsents,
} from '@reachout/contract/rules/consent-column.ts';
import { consentField } from '#web/content/collections/contact-fields.ts';
import type { FileSample } from './file-sample.ts';
import { consentReadingOf, consentsOf, skippedConsents, type Mapping } from './mapping.ts';
import { newFieldFor, newFieldTypes, type NewFieldType } from './new-fields.ts';

interface Props {
  sample: FileSample;
  fields: readonly Field[];
  mapping: Mapping;
  suggested: Record<string, string>;
  /** The field by which items are found: a row without it is rejected. */
  keyField: string | null;
  /** Whether new fields can be created for columns. */
  canAddFields: boolean;
  onChange: (mapping: Mapping) => void;
}

/** Placeholder in the field selection; no field can have this name. */
const makeNew = '+';

export function ColumnMapping({
  sample,
  fields,
  mapping,
  suggested,
  keyField,
  canAddFields,
  onChange,
}: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const labelOf = useFieldLabel();
  const { fieldOf, newFields, rejectFields } = mapping;
  const consent = consentReadingOf(sample, mapping);
  const newFieldOf = (column: string) => newFields.find(({ field }) => field === fieldOf[column]);
  const choose = (column: string, index: number, chosen: string) => {
    const { [column]: before, ...rest } = fieldOf;
    const others = newFields.filter(({ field }) => field !== before);
    // Another column of opt-outs is read in its own way.
    const isOfConsent = before === consentField || chosen === consentField;
    const kept = { ...mapping, newFields: others, ...(isOfConsent && { consent: undefined }) };
    if (chosen === '') return onChange({ ...kept, fieldOf: rest });
    if (chosen !== makeNew) return onChange({ ...kept, fieldOf: { ...rest, [column]: chosen } });
    const taken = [...fields, ...others].map(({ field }) => field);
    const made = newFieldFor(column, sample.columns[index]!, taken);
    return onChange({ ...kept, fieldOf: { ...rest, [column]: made.field }, newFields: [...others, made] });
  };
  const changeType = (made: NewField, type: NewFieldType) =>
    onChange({
      ...mapping,
      newFields: newFields.map((field) => (field === made ? { ...made, type } : field)),
    });
  // Required fields first.
  const offered = fields.toSorted(
    (one, other) =>
      Number(other.required) - Number(one.required) || labelOf(one).localeCompare(labelOf(other)),
  );
  const fieldChoice = (column: string, index: number) => {
    const made = newFieldOf(column);
    return (
      <Group gap="xs">
        <NativeSelect
          aria-label={`${t('csv.field')}: ${column}`}
          value={made === undefined ? (fieldOf[column] ?? '') : makeNew}
          data={[
            { value: '', label: t('csv.skip') },
            ...offered.map((field) => ({
              value: field.field,
              label: field.required ? `${labelOf(field)} (${t('csv.required')})` : labelOf(field),
            })),
            ...(column === '' || !canAddFields
              ? []
              : [{ value: makeNew, label: t('csv.newField', { name: column }) }]),
          ]}
          onChange={(event) => choose(column, index, event.currentTarget.value)}
        />
        {made && (
          <NativeSelect
            aria-label={`${t('csv.type')}: ${column}`}
            value={made.type}
            data={newFieldTypes.map((type) => ({ value: type, label: t(`csv.types.${type}`) }))}
            onChange={(event) => changeType(made, event.currentTarget.value as NewFieldType)}
          />
        )}
        {fieldOf[column] === consentField && consent && (
          <NativeSelect
            aria-label={`${t('csv.consent.yesMeans')}: ${column}`}
            value={consent.yes_means}
            data={consentMeanings.map((value) => ({ value, label: t(`csv.consent.${value}`) }))}
            onChange={(event) => {
              const yes_means = event.currentTarget.value as (typeof consentMeanings)[number];
              onChange({ ...mapping, consent: { ...consent, yes_means } });
            }}
          />
        )}
        {fieldOf[column] !== undefined && fieldOf[column] === suggested[column] && (
          <Badge color="gray" className="status-badge">
            {t('csv.suggested')}
          </Badge>
        )}
      </Group>
    );
  };
  const unreadableChoice = (column: string) => {
    const name = fieldOf[column];
    if (name === undefined) return undefined;
    if (name === consentField && consent)
      return (
        <Stack gap={4}>
          <NativeSelect
            aria-label={`${t('csv.unreadable.title')}: ${column}`}
            value={consent.unclear}
            data={unclearConsents.map((value) => ({ value, label: t(`csv.consent.unclear.${value}`) }))}
            onChange={(event) => {
              const unclear = event.currentTarget.value as (typeof unclearConsents)[number];
              onChange({ ...mapping, consent: { ...consent, unclear } });
            }}
          />
          <ConsentCounts {...consentsOf(sample, column, consent.yes_means)} />
        </Stack>
      );
    const rejects = ({ field, label, required }: Field) =>
      field === name && (required || isOfConsent(field) || isOfConsent(label ?? ''));
    if (name === keyField || fields.some(rejects)) return <Text size="sm">{t('csv.unreadable.reject')}</Text>;
    const others = rejectFields.filter((field) => field !== name);
    return (
      <NativeSelect
        aria-label={`${t('csv.unreadable.title')}: ${column}`}
        value={rejectFields.includes(name) ? 'reject' : 'leave_out'}
        data={(['leave_out', 'reject'] as const).map((value) => ({
          value,
          label: t(`csv.unreadable.${value}`),
        }))}
        onChange={(event) =>
          onChange({
            ...mapping,
            rejectFields: event.currentTarget.value === 'reject' ? [...others, name] : others,
          })
        }
      />
    );
  };
  const example = (index: number) => (
    <Text size="sm" c="dimmed" className="break">
      {sample.rows.map((row) => row[index]).find((cell) => cell?.trim()) ?? t('common:none')}
    </Text>
  );
  const dropped = skippedConsents(sample, mapping);
  const skipped = sample.header.filter(
    (column) =>
      column !== '' && fieldOf[column] === undefined && !dropped.some(({ heading }) => heading === column),
  );
  return (
    <>
      <PlainTable
        label={t('csv.steps.columns')}
        minWidth={480}
        // Identified by position: two columns may have the same heading.
        rows={sample.header.map((column, index) => ({ column, index }))}
        rowKey={({ index }) => index}
        columns={[
          { header: t('csv.column'), cell: ({ column }) => column },
          { header: t('csv.example'), cell: ({ index }) => example(index) },
          { header: t('csv.field'), cell: ({ column, index }) => fieldChoice(column, index) },
          { header: t('csv.unreadable.title'), cell: ({ column }) => unreadableChoice(column) },
        ]}
      />
      {dropped.map(({ heading, count }) => (
        <Alert
          key={heading}
          color="red"
          variant="light"
          mt="md"
          role="alert"
          icon={<IconAlertTriangle size={18} stroke={1.75} />}
        >
          {t('csv.consent.dropped', { count, column: heading })}
        </Alert>
      ))}
      {skipped.length > 0 && (
        <Alert color="yellow" variant="light" mt="md" icon={<IconAlertTriangle size={18} stroke={1.75} />}>
          {t('csv.skipped', { count: skipped.length, names: format.list(skipped) })}
        </Alert>
      )}
    </>
  );
}

/** Whether the server never leaves out a value of this field: it says what somebody agrees to, see `unreadable-values.ts`. */
const isOfConsent = (name: string): boolean =>
  name === 'tracking_consent' || consentMeaningOf(plainHeading(name)) !== undefined;

/** What the cells of the column of opt-outs say, over the whole file. */
function ConsentCounts({ optedOut, unclear }: { optedOut: number; unclear: number }) {
  const { t } = useTranslation('collections');
  return (
    <Text size="sm" c="dimmed">
      {t('csv.consent.optedOut', { count: optedOut })} {t('csv.consent.unclearCount', { count: unclear })}
    </Text>
  );
}
