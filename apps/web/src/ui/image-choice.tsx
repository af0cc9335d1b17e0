import { Button, FileButton, Group, Input, Stack } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buckets } from '@reachout/contract/rules/storage.ts';
import { ActionError } from './states.tsx';
import { FinePrint, QuietText } from './text.ts';

interface Props {
  /** "Logo", "Photo". */
  label: string;
  /** The image or a placeholder. */
  preview: ReactNode;
  /** Whether there is an image to remove. */
  hasImage: boolean;
  pending?: boolean;
  error?: unknown;
  /** Why it cannot be changed; undefined if it can. */
  denialReason?: string | undefined;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

/** An image with buttons to choose another one or remove it. */
export function ImageChoice(props: Props) {
  const { label, preview, hasImage, pending = false, error, denialReason, onChoose, onRemove } = props;
  const { t } = useTranslation();
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Input.Label labelElement="div">{label}</Input.Label>
      <Group gap="md">
        {preview}
        {denialReason === undefined ? (
          <Stack gap={6}>
            <Group gap="xs">
              <FileButton onChange={(file) => file && onChoose(file)} accept={buckets.logos.types.join(',')}>
                {(button) => (
                  <Button {...button} loading={pending} leftSection={<IconUpload size={16} />}>
                    {hasImage ? t('image.replace') : t('image.choose')}
                  </Button>
                )}
              </FileButton>
              {hasImage && (
                <Button
                  variant="subtle"
                  color="gray"
                  disabled={pending}
                  leftSection={<IconTrash size={16} />}
                  onClick={onRemove}
                >
                  {t('words.remove')}
                </Button>
              )}
            </Group>
            <FinePrint>{t('image.rule', { megabytes: buckets.logos.maxBytes / 1_000_000 })}</FinePrint>
          </Stack>
        ) : (
          <QuietText flex="1 1 240px" maw={520}>
            {denialReason}
          </QuietText>
        )}
      </Group>
      <ActionError error={error} />
    </Stack>
  );
}
