import '@mantine/dropzone/styles.css';
import { Alert, Stack, Text } from '@mantine/core';
import { Dropzone, type FileRejection } from '@mantine/dropzone';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { isBinary, sampleBytes } from './csv-sample.ts';
import { readFileSample, type FileSample } from './file-sample.ts';
import { maxImportBytes } from './upload-import.ts';

export interface ChosenFile {
  file: File;
  bytes: Uint8Array;
  sample: FileSample;
}

/** The first step of an import: selects a readable CSV or JSON file. */
export function ChooseFile({ onChosen }: { onChosen: (chosen: ChosenFile) => void }) {
  const { t } = useTranslation('collections');
  const format = useFormat();
  const [rejection, setRejection] = useState<Rejection>();
  const limit = format.size(maxImportBytes);
  const choose = async (files: File[]) => {
    const file = files[0];
    if (!file) return;
    const bytes = new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer());
    const sample = readFileSample(bytes, file.size <= sampleBytes);
    const found = reject(bytes, sample);
    setRejection(found);
    if (found === undefined) onChosen({ file, bytes, sample });
  };
  return (
    <Stack maw={720}>
      <Dropzone
        multiple={false}
        maxSize={maxImportBytes}
        accept={{
          'text/csv': ['.csv', '.txt', '.tsv'],
          'text/plain': ['.csv', '.txt', '.tsv'],
          'application/vnd.ms-excel': ['.csv'],
          'application/json': ['.json', '.jsonl', '.ndjson'],
        }}
        onDrop={(files) => void choose(files)}
        onReject={(files) => setRejection(rejectUnread(files))}
        inputProps={{ 'aria-label': t('csv.drop') }}
        p="xl"
      >
        <Stack align="center" gap="xs" py="lg">
          <IconFileTypeCsv size={40} stroke={1.5} className="quiet-icon" aria-hidden />
          <Text fw={500} ta="center">
            {t('csv.drop')}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            {t('csv.dropHint', { size: limit })}
          </Text>
        </Stack>
      </Dropzone>
      {rejection && (
        <Alert color="red" variant="light" role="alert">
          {t(`csv.refused.${rejection}`, { size: limit })}
        </Alert>
      )}
    </Stack>
  );
}

type Rejection = 'type' | 'spreadsheet' | 'size' | 'several' | 'empty' | 'rows' | 'objects';

const spreadsheet = /\.(?:xlsx?|xlsm|ods|numbers)$/i;

/** Why the files are rejected without reading them. */
function rejectUnread(files: readonly FileRejection[]): Rejection {
  if (files.length > 1) return 'several';
  if (files.some(({ errors }) => errors.some(({ code }) => code === 'file-too-large'))) return 'size';
  return files.some(({ file }) => spreadsheet.test(file.name)) ? 'spreadsheet' : 'type';
}

/** Why a file that was read contains nothing to import; undefined if it does. */
function reject(bytes: Uint8Array, { format, header, rows }: FileSample): Rejection | undefined {
  if (bytes.length === 0) return 'empty';
  if (isBinary(bytes)) return 'type';
  if (format === 'json') return header.length === 0 ? 'objects' : undefined;
  return rows.length === 0 ? 'rows' : undefined;
}
