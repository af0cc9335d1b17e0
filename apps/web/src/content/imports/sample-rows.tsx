import { Group, NativeSelect, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { separators, type Encoding, type Separator } from './csv-sample.ts';
import type { FileSample } from './file-sample.ts';

interface Props {
  sample: FileSample;
  onChange: (choose: { encoding: Encoding; separator: Separator }) => void;
}

/** Shows how the file was parsed, with its first rows, so that the user can correct a wrong guess. */
export function SampleRows({ sample, onChange }: Props) {
  const { t } = useTranslation('collections');
  const { encoding, separator } = sample;
  return (
    <div>
      {sample.format === 'csv' && (
        <Group mb="md">
          <NativeSelect
            label={t('csv.separator')}
            value={separator}
            data={separators.map((value) => ({ value, label: t(`csv.separators.${value}`) }))}
            onChange={(event) => onChange({ encoding, separator: event.currentTarget.value as Separator })}
          />
          <NativeSelect
            label={t('csv.encoding')}
            value={encoding}
            data={[
              { value: 'utf-8', label: 'UTF-8' },
              { value: 'windows-1252', label: 'Windows-1252' },
            ]}
            onChange={(event) => onChange({ separator, encoding: event.currentTarget.value as Encoding })}
          />
        </Group>
      )}
      <Text fw={500} mb="xs">
        {t('csv.firstRows')}
      </Text>
      <Table.ScrollContainer minWidth={480} tabIndex={0} aria-label={t('csv.firstRows')}>
        <Table withTableBorder withColumnBorders>
          <Table.Thead>
            <Table.Tr>
              {sample.header.map((column, index) => (
                // Identified by position: two columns may have the same heading.
                <Table.Th key={index}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sample.rows.map((row, line) => (
              // Rows of a file have no key other than their position.
              <Table.Tr key={line}>
                {sample.header.map((_column, index) => (
                  <Table.Td key={index}>{row[index]}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
