import { Button, Stack, TextInput } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasFiles } from '#web/content/files/file-queries.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';

const EmailImageDialog = lazy(() => loadChunk(() => import('#web/content/files/email-image-dialog.tsx')));

interface Props {
  src: string;
  alt: string | undefined;
  brandId: string | undefined;
  readOnly: boolean;
  /** Dropped or pasted to make this image. */
  file: File | undefined;
  onFileDone: () => void;
  /** Attributes of the image. */
  onChange: (changes: { src: string; alt?: string; width?: string }) => void;
  onAlt: (alt: string) => void;
}

/** The file of an image and the text that stands for it. */
export function ImageFields({ src, alt, brandId, readOnly, file, onFileDone, onChange, onAlt }: Props) {
  const { t } = useTranslation('editor');
  const scope = useOrganization();
  // A new image asks for its file at once.
  const [isChoosing, setChoosing] = useState(src === '' && !readOnly && hasFiles(scope));
  const close = () => {
    setChoosing(false);
    onFileDone();
  };
  return (
    <Stack gap="sm">
      {!readOnly && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPhoto size={16} stroke={1.75} />}
          onClick={() => setChoosing(true)}
        >
          {t(src === '' ? 'chooseImage' : 'replaceImage')}
        </Button>
      )}
      <TextInput
        label={t('field.src')}
        readOnly={readOnly}
        value={src}
        onChange={({ currentTarget }) => onChange({ src: currentTarget.value })}
      />
      <TextInput
        label={t('field.alt')}
        description={t('altHint')}
        readOnly={readOnly}
        value={alt ?? ''}
        onChange={({ currentTarget }) => onAlt(currentTarget.value)}
      />
      {isChoosing && (
        <Suspense>
          <EmailImageDialog
            brandId={brandId}
            alt={alt ?? ''}
            file={file}
            onClose={close}
            onChoose={({ url, alt: text, width }) => {
              close();
              onChange({ src: url, alt: text, width: `${width}px` });
            }}
          />
        </Suspense>
      )}
    </Stack>
  );
}
