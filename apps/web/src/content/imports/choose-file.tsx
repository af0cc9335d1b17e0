import '@mantine/dropzone/styles.css';
import { Alert, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
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

/** The first step of an import: a file that can be read as CSV or JSON. */
export function ChooseFile({ onChosen }: { onChosen: (chosen: ChosenFile) => void }) {
  const { t } = useTranslation('collections');
  const format = useFormat();
  const [rejection, setRejection] = useState<string>();
  const limit = format.size(maxImportBytes);
  const choose = async (files: File[]) => {
    const file = files[0];
    if (!file) return;
    const bytes = new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer());
    if (isBinary(bytes)) {
      setRejection(t('csv.refused', { size: limit }));
      return;
    }
    const sample = readFileSample(bytes, file.size <= sampleBytes);
    if (sample.rows.length === 0) setRejection(t('csv.empty'));
    else onChosen({ file, bytes, sample });
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
        onReject={() => setRejection(t('csv.refused', { size: limit }))}
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
          {rejection}
        </Alert>
      )}
    </Stack>
  );
}
