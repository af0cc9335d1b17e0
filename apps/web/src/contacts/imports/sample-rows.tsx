import { csvSeparators } from '@reachout/contract/rules/csv-rows.ts';
import { Group, NativeSelect, Table, Text } from '@mantine/core';
import { fileEncodings, type FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { useTranslation } from 'react-i18next';
import type { CsvChoice, FileSample } from './file-sample.ts';

const encodingNames: Record<FileEncoding, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
};

interface Props {
  sample: FileSample;
  isDisabled: boolean;
  onChange: (choice: CsvChoice) => void;
}

/** Shows how the file was parsed, with its first rows, so that the user can correct a wrong guess. */
export function SampleRows({ sample, isDisabled, onChange }: Props) {
  const { t } = useTranslation('collections');
  const { encoding, separator } = sample;
  const separators: { value: string; label: string }[] = csvSeparators.map((value) => ({
    value,
    label: t(`csv.separators.${value}`),
  }));
  return (
    <div>
      {sample.format === 'csv' && (
        <Group mb="md">
          <NativeSelect
            label={t('csv.separator')}
            value={separator}
            data={
              separators.some(({ value }) => value === separator)
                ? separators
                : [...separators, { value: separator, label: separator }]
            }
            disabled={isDisabled || sample.isSeparatorNamed}
            onChange={(event) => onChange({ encoding, separator: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('csv.encoding')}
            value={encoding}
            data={fileEncodings.map((value) => ({ value, label: encodingNames[value] }))}
            disabled={isDisabled || sample.isEncodingNamed}
            onChange={(event) => onChange({ separator, encoding: event.currentTarget.value as FileEncoding })}
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
