import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchOrProblem } from '../platform/fetch.ts';
import { Problem } from '../platform/problem.ts';
import { ReasonedButton } from './reasoned-button.tsx';
import { ActionError } from './states.tsx';
import { useAction } from './use-action.ts';

interface Props {
  /** "Logo", "Photo". */
  label: string;
  /** Where the stored image is; null when there is none. */
  url: string | null;
  /** `logos/organizations/{id}`, `avatars/me` and the like. */
  uploadTo: string;
  /** Shows the image that is kept, or what stands in its place. */
  preview: (url: string | null) => ReactNode;
  /** Why it cannot be changed; undefined when it can. */
  refusal?: string | undefined;
  /** After an upload or a removal: fetches whatever shows the image. */
  onChanged: () => Promise<unknown>;
}

/** The same rules as the server's; it looks into the file, this only at its name tag. */
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const maxMegabytes = 5;

/** An image that is stored at once when it is chosen: it shows what is kept, and what was chosen while it is on its way. */
export function ImageField({ label, url, uploadTo, preview, refusal, onChanged }: Props) {
  const { t } = useTranslation();
  const action = useAction();
  const [chosen, setChosen] = useState<string>();

  const upload = async (file: File | null) => {
    if (!file) return;
    await action.run(async () => {
      if (!types.includes(file.type)) throw refused(415, 'invalid_image');
      if (file.size > maxMegabytes * 1_000_000) throw refused(413, 'image_too_large');
      setChosen(await readDataUrl(file));
      await fetchOrProblem(`/api/storage/${uploadTo}`, {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'content-type': file.type },
        body: file,
      });
      await onChanged();
    });
    setChosen(undefined);
  };
  const remove = () =>
    action.run(async () => {
      if (url === null) return;
      await fetchOrProblem(url, { method: 'DELETE', credentials: 'same-origin' });
      await onChanged();
    });

  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text fw={500} size="sm">
        {label}
      </Text>
      <Group gap="md">
        {preview(chosen ?? url)}
        <Stack gap={6}>
          <Group gap="xs">
            {refusal === undefined ? (
              <FileButton onChange={(file) => void upload(file)} accept={types.join(',')}>
                {(props) => (
                  <Button
                    {...props}
                    variant="default"
                    loading={action.pending}
                    leftSection={<IconUpload size={16} stroke={1.75} />}
                  >
                    {url === null ? t('image.choose') : t('image.replace')}
                  </Button>
                )}
              </FileButton>
            ) : (
              <ReasonedButton reason={refusal} variant="default">
                {t('image.choose')}
              </ReasonedButton>
            )}
            {url !== null && refusal === undefined && (
              <Button
                variant="subtle"
                color="gray"
                disabled={action.pending}
                leftSection={<IconTrash size={16} stroke={1.75} />}
                onClick={() => void remove()}
              >
                {t('image.remove')}
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {t('image.rule', { megabytes: maxMegabytes })}
          </Text>
        </Stack>
      </Group>
      <ActionError error={action.error} />
    </Stack>
  );
}

const refused = (status: number, code: string) => new Problem({ status, code, title: code });

/** As `data:`, which the content security policy lets images be, other than `blob:`. */
const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });
