import { Badge, NativeSelect, Table } from '@mantine/core';
import type { Field } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
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
  return (
    <Table.ScrollContainer minWidth={480} tabIndex={0} aria-label={t('csv.steps.columns')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('csv.column')}</Table.Th>
            <Table.Th>{t('csv.example')}</Table.Th>
            <Table.Th>{t('csv.field')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sample.header.map((column, index) => (
            // Known by its place: two columns may have the same heading.
            <Table.Tr key={index}>
              <Table.Th scope="row" fw={500} className="break">
                {column}
              </Table.Th>
              <Table.Td c="dimmed" className="break">
                {sample.rows.map((row) => row[index]).find((cell) => cell?.trim()) ?? t('common:none')}
              </Table.Td>
              <Table.Td>
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
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
