import { Button, Stack, TextInput } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasFiles } from '#web/content/files/file-queries.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { readAttribute, type Splice } from './source/attributes.ts';
import { setBlockAttribute } from './source/operations.ts';
import type { SourceElement } from './source/parse-source.ts';
import type { BlockEditor } from './use-block-editor.ts';

const EmailImageDialog = lazyPart(() => import('#web/content/files/email-image-dialog.tsx'));

/** The file of an image and the text that stands for it. */
export function ImageFields({ editor, image }: { editor: BlockEditor; image: SourceElement }) {
  const { t } = useTranslation('editor');
  const scope = useOrganization();
  const { parsed, readOnly } = editor;
  const src = readAttribute(parsed.source, image.attributes, 'src') ?? '';
  const alt = readAttribute(parsed.source, image.attributes, 'alt') ?? '';
  const change = (attributes: { src?: string; alt?: string; width?: string }) =>
    editor.set(
      inOrder(
        Object.entries(attributes).flatMap(([name, value]) => setBlockAttribute(parsed, image, name, value)),
      ),
    );
  // A new image asks for its file at once.
  const [isChoosing, setChoosing] = useState(src === '' && !readOnly && hasFiles(scope));
  const close = () => {
    setChoosing(false);
    editor.onFileDone();
  };
  return (
    <Stack gap="sm">
      {!readOnly && (
        <Button size="xs" leftSection={<IconPhoto size={16} />} onClick={() => setChoosing(true)}>
          {t(src === '' ? 'image.choose' : 'replaceImage')}
        </Button>
      )}
      <TextInput
        label={t('field.src')}
        readOnly={readOnly}
        value={src}
        onChange={({ currentTarget }) => change({ src: currentTarget.value })}
      />
      <TextInput
        label={t('field.alt')}
        description={t('altHint')}
        readOnly={readOnly}
        value={alt}
        onChange={({ currentTarget }) => change({ alt: currentTarget.value })}
      />
      {isChoosing && (
        <EmailImageDialog
          brandId={editor.brandId}
          alt={alt}
          file={editor.file}
          onClose={close}
          onChoose={({ url, alt: text, width }) => {
            close();
            change({ src: url, alt: text, width: `${width}px` });
          }}
        />
      )}
    </Stack>
  );
}

/** New attributes of one tag are written at the same place, one after the other. */
function inOrder(splices: Splice[]): Splice[] {
  const joined: Splice[] = [];
  for (const splice of splices.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last?.from === splice.from && last.to === splice.to && last.to === last.from)
      last.insert += splice.insert;
    else joined.push({ ...splice });
  }
  return joined;
}
