import { Alert, Badge, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
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
  type ConsentMeaning,
} from '@reachout/contract/rules/consent-column.ts';
import { consentField } from '#web/content/collections/contact-fields.ts';
import { QuietText } from '#web/ui/text.ts';
import type { FileSample } from './file-sample.ts';
import {
  consentReadingOf,
  consentsOf,
  mapColumn,
  newField,
  skippedConsents,
  type Mapping,
} from './mapping.ts';
import { newFieldTypes, type NewFieldType } from './new-fields.ts';

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

/** Says for each column of a file which field it is imported into, and what happens to values that the field cannot have. */
export function ColumnMapping({ fields, ...props }: Props) {
  const { sample, mapping } = props;
  const { t } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const labelOf = useFieldLabel();
  // Required fields first.
  const offered = fields.toSorted(
    (one, other) =>
      Number(other.required) - Number(one.required) || labelOf(one).localeCompare(labelOf(other)),
  );
  const exampleOf = (index: number) => sample.rows.map((row) => row[index]).find((cell) => cell?.trim());
  const dropped = skippedConsents(sample, mapping);
  const skipped = sample.header.filter(
    (column) =>
      column !== '' &&
      mapping.fieldOf[column] === undefined &&
      !dropped.some(({ heading }) => heading === column),
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
          {
            header: t('csv.example'),
            cell: ({ index }) => (
              <QuietText className="break">{exampleOf(index) ?? t('common:none')}</QuietText>
            ),
          },
          {
            header: t('csv.field'),
            cell: (place) => <FieldChoice {...props} {...place} fields={offered} />,
          },
          {
            header: t('csv.unreadable.title'),
            cell: (place) => <UnreadableChoice {...props} {...place} fields={offered} />,
          },
        ]}
      />
      {dropped.map(({ heading, count }) => (
        <Alert key={heading} color="red" mt="md" role="alert" icon={<IconAlertTriangle size={18} />}>
          {t('csv.consent.dropped', { count, column: heading })}
        </Alert>
      ))}
      {skipped.length > 0 && (
        <Alert color="yellow" mt="md" icon={<IconAlertTriangle size={18} />}>
          {t('csv.skipped', { count: skipped.length, names: format.list(skipped) })}
        </Alert>
      )}
    </>
  );
}

interface ColumnProps extends Props {
  column: string;
  index: number;
}

/** The field of a column, and how its values are read. */
function FieldChoice({ sample, fields, mapping, column, index, onChange, ...props }: ColumnProps) {
  const { t } = useTranslation('collections');
  const labelOf = useFieldLabel();
  const { fieldOf, newFields } = mapping;
  const field = fieldOf[column];
  const made = newFields.find((one) => one.field === field);
  const consent = consentReadingOf(sample, mapping);
  return (
    <Group gap="xs">
      <NativeSelect
        aria-label={`${t('csv.field')}: ${column}`}
        value={made === undefined ? (field ?? '') : newField}
        data={[
          { value: '', label: t('csv.skip') },
          ...fields.map((one) => ({
            value: one.field,
            label: one.required ? `${labelOf(one)} (${t('csv.required')})` : labelOf(one),
          })),
          ...(column === '' || !props.canAddFields
            ? []
            : [{ value: newField, label: t('csv.newField', { name: column }) }]),
        ]}
        onChange={(event) => onChange(mapColumn(mapping, sample, fields, index, event.currentTarget.value))}
      />
      {made && (
        <NativeSelect
          aria-label={`${t('words.type')}: ${column}`}
          value={made.type}
          data={newFieldTypes.map((type) => ({
            value: type,
            label: t(`kinds.${type === 'decimal' ? 'float' : type}`),
          }))}
          onChange={(event) => {
            const type = event.currentTarget.value as NewFieldType;
            onChange({
              ...mapping,
              newFields: newFields.map((one) => (one === made ? { ...made, type } : one)),
            });
          }}
        />
      )}
      {field === consentField && consent && (
        <NativeSelect
          aria-label={`${t('csv.consent.yesMeans')}: ${column}`}
          value={consent.yes_means}
          data={consentMeanings.map((value) => ({ value, label: t(`csv.consent.${value}`) }))}
          onChange={(event) => {
            const yes_means = event.currentTarget.value as ConsentMeaning;
            onChange({ ...mapping, consent: { ...consent, yes_means } });
          }}
        />
      )}
      {field !== undefined && field === props.suggested[column] && (
        <Badge color="gray" className="status-badge">
          {t('csv.suggested')}
        </Badge>
      )}
    </Group>
  );
}

/** What becomes of a row whose value the field of the column cannot have. */
function UnreadableChoice({ sample, fields, mapping, keyField, column, onChange }: ColumnProps) {
  const { t } = useTranslation('collections');
  const name = mapping.fieldOf[column];
  const consent = consentReadingOf(sample, mapping);
  const label = `${t('csv.unreadable.title')}: ${column}`;
  if (name === undefined) return null;
  if (name === consentField && consent) {
    const { optedOut, unclear: unclearCount } = consentsOf(sample, column, consent.yes_means);
    return (
      <Stack gap={4}>
        <NativeSelect
          aria-label={label}
          value={consent.unclear}
          data={unclearConsents.map((value) => ({ value, label: t(`csv.consent.unclear.${value}`) }))}
          onChange={(event) => {
            const unclear = event.currentTarget.value as (typeof unclearConsents)[number];
            onChange({ ...mapping, consent: { ...consent, unclear } });
          }}
        />
        {/* Over the whole file. */}
        <QuietText>
          {t('csv.consent.optedOut', { count: optedOut })}{' '}
          {t('csv.consent.unclearCount', { count: unclearCount })}
        </QuietText>
      </Stack>
    );
  }
  const rejects = (one: Field) =>
    one.field === name && (one.required || isOfConsent(name) || isOfConsent(one.label ?? ''));
  if (name === keyField || fields.some(rejects)) return <Text size="sm">{t('csv.unreadable.reject')}</Text>;
  const others = mapping.rejectFields.filter((field) => field !== name);
  return (
    <NativeSelect
      aria-label={label}
      value={others.length < mapping.rejectFields.length ? 'reject' : 'leave_out'}
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
}

/** Whether the server never leaves out a value of this field: it says what somebody agrees to, see `unreadable-values.ts`. */
const isOfConsent = (name: string): boolean =>
  name === 'tracking_consent' || consentMeaningOf(plainHeading(name)) !== undefined;
