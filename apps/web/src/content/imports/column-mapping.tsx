import { Badge, NativeSelect, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
import { PlainTable } from '#web/ui/plain-table.tsx';
import type { CsvSample } from './csv-sample.ts';

interface Props {
  sample: CsvSample;
  fields: readonly Field[];
  mapping: Record<string, string>;
  suggested: Record<string, string>;
  onChange: (mapping: Record<string, string>) => void;
}

export function ColumnMapping({ sample, fields, mapping, suggested, onChange }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const choose = (column: string, field: string) => {
    const { [column]: _left, ...rest } = mapping;
    onChange(field === '' ? rest : { ...rest, [column]: field });
  };
  // Required fields first.
  const offered = fields.toSorted(
    (one, other) => Number(other.required) - Number(one.required) || one.field.localeCompare(other.field),
  );
  const fieldChoice = (column: string) => (
    <span className="with-mark">
      <NativeSelect
        aria-label={`${t('csv.field')}: ${column}`}
        value={mapping[column] ?? ''}
        data={[
          { value: '', label: t('csv.skip') },
          ...offered.map((field) => ({
            value: field.field,
            label: field.required ? `${field.field} (${t('csv.required')})` : field.field,
          })),
        ]}
        onChange={(event) => choose(column, event.currentTarget.value)}
      />
      {mapping[column] !== undefined && mapping[column] === suggested[column] && (
        <Badge color="gray" className="status-badge">
          {t('csv.suggested')}
        </Badge>
      )}
    </span>
  );
  const example = (index: number) => (
    <Text size="sm" c="dimmed" className="break">
      {sample.rows.map((row) => row[index]).find((cell) => cell?.trim()) ?? t('common:none')}
    </Text>
  );
  return (
    <PlainTable
      label={t('csv.steps.columns')}
      minWidth={480}
      // Known by their place: two columns may have the same heading.
      rows={sample.header.map((column, index) => ({ column, index }))}
      rowKey={({ index }) => index}
      columns={[
        { header: t('csv.column'), cell: ({ column }) => column },
        { header: t('csv.example'), cell: ({ index }) => example(index) },
        { header: t('csv.field'), cell: ({ column }) => fieldChoice(column) },
      ]}
    />
  );
}
