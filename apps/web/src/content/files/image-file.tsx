import { Button, FileButton, Group, Input, Stack, type InputWrapperProps } from '@mantine/core';
import { shownFileTypes } from '@reachout/contract/rules/storage.ts';
import { IconPhoto, IconTrash, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { Problem } from '#web/platform/problem.ts';
import { changes } from '#web/platform/query-client.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { assetUrl, fileQuery, hasFiles } from './file-queries.ts';
import { ImageLibrary } from './image-library.tsx';
import { uploadFile } from './upload-file.ts';
import classes from './files.module.css';

interface Props {
  label?: string;
  'aria-label'?: string;
  error?: InputWrapperProps['error'];
  /** Id of a file; empty for none. */
  value?: string;
  onChange?: (id: string) => void;
}

/** Selects one of the organization's image files, or uploads a new one. */
export function ImageFile({ label, 'aria-label': hiddenLabel, error, value = '', onChange }: Props) {
  const { t } = useTranslation('files');
  const scope = useOrganization();
  const [isChoosing, setChoosing] = useState(false);
  const upload = useMutation({
    ...changes(scope.orgId),
    mutationFn: (file: File) => uploadFile(scope.orgId, file, { kind: 'image' }),
    onSuccess: ({ id }) => onChange?.(id),
  });
  const name = label ?? hiddenLabel;
  return (
    <Stack gap={6} role="group" aria-label={name}>
      {label !== undefined && <Input.Label labelElement="div">{label}</Input.Label>}
      {value !== '' && <Preview id={value} />}
      {hasFiles(scope) ? (
        <Group gap="xs">
          {scope.can('create', 'Content') && (
            <FileButton accept={shownFileTypes.join(',')} onChange={(file) => file && upload.mutate(file)}>
              {(button) => (
                <Button
                  {...button}
                  size="xs"
                  loading={upload.isPending}
                  leftSection={<IconUpload size={14} />}
                >
                  {t('image.upload')}
                </Button>
              )}
            </FileButton>
          )}
          <Button size="xs" leftSection={<IconPhoto size={14} />} onClick={() => setChoosing(true)}>
            {t('image.choose')}
          </Button>
          {value !== '' && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={14} />}
              onClick={() => onChange?.('')}
            >
              {t('words.remove')}
            </Button>
          )}
        </Group>
      ) : (
        <QuietText>{t('image.denied')}</QuietText>
      )}
      {error && <Input.Error>{error}</Input.Error>}
      <ActionError error={upload.error} />
      {isChoosing && (
        <ImagePicker
          onChoose={(id) => {
            onChange?.(id);
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </Stack>
  );
}

/** The image with its name, or a note that it was deleted. */
function Preview({ id }: { id: string }) {
  const { t } = useTranslation('files');
  const scope = useOrganization();
  const { data, error } = useQuery({ ...fileQuery(scope, id), enabled: hasFiles(scope) });
  if (error instanceof Problem && error.status === 404) return <QuietText>{t('image.missing')}</QuietText>;
  if (error) return <ActionError error={error} />;
  if (data === undefined) return null;
  return (
    <div>
      <img className={classes.preview} src={assetUrl(scope.orgId, id)} alt={data.filename_download} />
      <FinePrint mt={4} className="break">
        {data.filename_download}
      </FinePrint>
    </div>
  );
}

/** Lists the image files to choose from. Mount it to open it. */
function ImagePicker({ onChoose, onClose }: { onChoose: (id: string) => void; onClose: () => void }) {
  const { t } = useTranslation('files');
  return (
    <Dialog onClose={onClose} size="lg" title={t('image.choose')}>
      <ImageLibrary onChoose={({ id }) => onChoose(id)} />
    </Dialog>
  );
}
