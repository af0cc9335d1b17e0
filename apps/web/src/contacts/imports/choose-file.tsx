import '@mantine/dropzone/styles.css';
import { Stack, Text } from '@mantine/core';
import { Dropzone, type FileRejection } from '@mantine/dropzone';
import { maxImportBytes } from '@reachout/contract/rules/storage.ts';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { Refusal } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { readFileSample, type FileSample } from './file-sample.ts';

export interface ChosenFile {
  file: File;
  sample: FileSample;
}

/** The first step of an import: selects a readable CSV or JSON file. */
export function ChooseFile({ onChosen }: { onChosen: (chosen: ChosenFile) => void }) {
  const { t } = useTranslation('collections');
  const format = useFormat();
  const [rejection, setRejection] = useState<Rejection>();
  const limit = format.size(maxImportBytes);
  const read = useMutation({
    mutationFn: async (file: File) => ({ file, sample: await readFileSample(file) }),
    onSuccess: (chosen) => {
      const found = reject(chosen);
      setRejection(found);
      if (found === undefined) onChosen(chosen);
    },
    // It was moved or changed since it was chosen.
    onError: () => setRejection('unreadable'),
  });
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
        loading={read.isPending}
        onDrop={([file]) => {
          // What was said about another file must not be taken for the result of this one.
          setRejection(undefined);
          if (file) read.mutate(file);
        }}
        onReject={(files) => setRejection(rejectUnread(files))}
        inputProps={{ 'aria-label': t('csv.drop') }}
        p="xl"
      >
        <Stack align="center" gap="xs" py="lg">
          <IconFileTypeCsv size={40} stroke={1.5} className="quiet-icon" aria-hidden />
          <Text fw={500} ta="center">
            {t('csv.drop')}
          </Text>
          <QuietText ta="center">{t('csv.dropHint', { size: limit })}</QuietText>
        </Stack>
      </Dropzone>
      <Refusal>{rejection && t(`csv.refused.${rejection}`, { size: limit })}</Refusal>
    </Stack>
  );
}

type Rejection = 'type' | 'spreadsheet' | 'size' | 'several' | 'empty' | 'rows' | 'objects' | 'unreadable';

const spreadsheet = /\.(?:xlsx?|xlsm|ods|numbers)$/i;

/** Why the files are rejected without reading them. */
function rejectUnread(files: readonly FileRejection[]): Rejection {
  if (files.length > 1) return 'several';
  if (files.some(({ errors }) => errors.some(({ code }) => code === 'file-too-large'))) return 'size';
  return files.some(({ file }) => spreadsheet.test(file.name)) ? 'spreadsheet' : 'type';
}

/** Why a file that was read contains nothing to import; undefined if it does. */
function reject({ file, sample }: ChosenFile): Rejection | undefined {
  if (file.size === 0) return 'empty';
  if (sample.isBinary) return 'type';
  if (sample.format === 'json') return sample.header.length === 0 ? 'objects' : undefined;
  return sample.rows.length === 0 ? 'rows' : undefined;
}
