import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { maxPublicBytes } from '@reachout/contract/rules/storage.ts';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { invalidImage } from './draw-image.ts';
import { areaOf, drawnSize, maxImageWidth, maxShownWidth, wholeImage, type Size } from './image-area.ts';
import { ImageCrop } from './image-crop.tsx';
import type { ImageSource } from './image-source.ts';
import { useInsertImage } from './use-insert-image.ts';
import classes from './files.module.css';

export interface InsertedImage {
  /** The public address. */
  url: string;
  /** Empty for a decorative image. */
  alt: string;
  /** In which the email shows it, in pixels. */
  width: number;
}

export interface AltText {
  alt: string;
  isDecorative: boolean;
}

interface Props {
  source: ImageSource;
  /** The brand whose library a new image is added to. */
  brandId: string | undefined;
  text: AltText;
  onText: (text: AltText) => void;
  onInsert: (image: InsertedImage) => void;
  onBack: () => void;
}

/** What most mail programs show. */
const emailTypes = ['image/jpeg', 'image/png', 'image/gif'];

/** Crop, size and alternative text of an image. */
export function ImageAdjustment({ source, brandId, text, onText, onInsert, onBack }: Props) {
  const { t } = useTranslation(['files', 'common']);
  const { can } = useOrganization();
  const isDirectus = useDirectus();
  const image = useRef<HTMLImageElement>(null);
  const altField = useRef<HTMLInputElement>(null);
  const [natural, setNatural] = useState<Size>();
  const [isBroken, setBroken] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [crop, setCrop] = useState(wholeImage);
  const [width, setWidth] = useState<number | string>(maxImageWidth);
  const insert = useInsertImage(source, brandId);
  const isGif = source.type === 'image/gif';
  const isAdjustable = !isGif && !isDirectus && can('create', 'Content', {}) && can('update', 'Content', {});
  const area = natural && areaOf(crop, natural);
  const size =
    area && (isAdjustable ? drawnSize(area, typeof width === 'number' ? width : maxImageWidth) : area);
  const isConverted = !emailTypes.includes(source.type);
  const isDrawn =
    isAdjustable &&
    (isConverted ||
      source.bytes > maxPublicBytes ||
      size?.width !== natural?.width ||
      size?.height !== natural?.height);
  const reason = useReason(source, isDrawn);
  const isMissing = !text.isDecorative && text.alt.trim() === '';

  useEffect(() => altField.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What is behind the dialog may be a form, too.
    event.stopPropagation();
    setAsked(true);
    if (isMissing) altField.current?.focus();
    if (isMissing || reason !== undefined || insert.isPending || !image.current || !area || !size) return;
    const drawing = isDrawn ? { image: image.current, area, size } : undefined;
    const shown = {
      alt: text.isDecorative ? '' : text.alt.trim(),
      width: Math.min(size.width, maxShownWidth),
    };
    insert.mutate(drawing, { onSuccess: (url) => onInsert({ url, ...shown }) });
  };

  const picture = (
    <img
      ref={image}
      src={source.url}
      alt={text.alt}
      className={classes.adjusted}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
        setNatural({ width: naturalWidth, height: naturalHeight })
      }
      onError={() => setBroken(true)}
    />
  );
  return (
    <form noValidate onSubmit={submit}>
      <div className={classes.adjustment}>
        {isAdjustable && !isBroken ? (
          <ImageCrop size={natural} crop={crop} onCrop={setCrop}>
            {picture}
          </ImageCrop>
        ) : (
          picture
        )}
        <Stack gap="md">
          {isAdjustable && area && (
            <NumberInput
              label={t('emailImage.width')}
              description={t('emailImage.widthHint', {
                max: Math.min(area.width, maxImageWidth),
                shown: maxShownWidth,
              })}
              min={1}
              max={Math.min(area.width, maxImageWidth)}
              allowDecimal={false}
              value={typeof width === 'number' ? Math.min(width, area.width) : width}
              onChange={setWidth}
            />
          )}
          {isGif && <Text size="sm">{t('emailImage.animated')}</Text>}
          {isConverted && isAdjustable && <Text size="sm">{t('emailImage.converted')}</Text>}
          {size && <QuietText>{t('emailImage.size', { width: size.width, height: size.height })}</QuietText>}
          <TextInput
            ref={altField}
            label={t('emailImage.alt')}
            description={t('emailImage.altHint')}
            disabled={text.isDecorative}
            value={text.alt}
            error={isAsked && isMissing && t('emailImage.altMissing')}
            onChange={(event) => onText({ ...text, alt: event.currentTarget.value })}
          />
          <Checkbox
            label={t('emailImage.decorative')}
            checked={text.isDecorative}
            onChange={(event) => onText({ ...text, isDecorative: event.currentTarget.checked })}
          />
        </Stack>
      </div>
      <Stack gap="md" mt="md">
        <QuietText>{t('emailImage.public')}</QuietText>
        <ActionError error={isBroken ? invalidImage() : insert.error} />
        <Group justify="flex-end" gap="xs">
          <Button onClick={onBack}>{t('emailImage.another')}</Button>
          <DisabledWithTooltip type="submit" variant="filled" loading={insert.isPending} reason={reason}>
            {t('words.insert')}
          </DisabledWithTooltip>
        </Group>
      </Stack>
    </form>
  );
}

/** Why the image cannot be inserted; undefined if it can. */
function useReason({ file, bytes }: ImageSource, isDrawn: boolean): string | undefined {
  const { t } = useTranslation('files');
  const denialReason = useDenialReason();
  const isDirectus = useDirectus();
  if (isDirectus) return t('emailImage.directus');
  const isNew = isDrawn || file instanceof File;
  if (!isNew && file.public_url !== null) return undefined;
  return (
    (isNew ? denialReason('create', 'Content', {}) : undefined) ??
    denialReason('update', 'Content', {}) ??
    (!isDrawn && bytes > maxPublicBytes ? t('emailImage.tooLarge') : undefined)
  );
}
