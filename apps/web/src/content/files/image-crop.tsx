import { Input, SegmentedControl, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ReactCrop } from 'react-image-crop';
// Apart from the style sheet that every page loads.
import cropStyles from 'react-image-crop/dist/ReactCrop.css?inline';
import { cropTo, wholeImage, type Crop, type Size } from './image-area.ts';
import classes from './files.module.css';

interface Props {
  /** Undefined until the image is loaded. */
  size: Size | undefined;
  crop: Crop;
  onCrop: (crop: Crop) => void;
  /** The image. */
  children: ReactNode;
}

const ratios = { free: undefined, original: undefined, '1:1': 1, '16:9': 16 / 9, '3:1': 3 } as const;
type Ratio = keyof typeof ratios;

/** Selects a part of an image, with pointer or keyboard, in a free or a fixed ratio. */
export function ImageCrop({ size, crop, onCrop, children }: Props) {
  const { t } = useTranslation('files');
  const [ratio, setRatio] = useState<Ratio>('free');
  const ofImage = size && size.width / size.height;
  const aspect = ratio === 'original' ? ofImage : ratios[ratio];
  const choose = (next: Ratio) => {
    setRatio(next);
    const fixed = ratios[next];
    if (next === 'original') onCrop(wholeImage);
    else if (fixed !== undefined && size !== undefined) onCrop(cropTo(fixed, size));
  };
  return (
    <Stack gap="xs">
      <style href="react-image-crop" precedence="default">
        {cropStyles}
      </style>
      <ReactCrop
        className={classes.crop!}
        crop={crop}
        onChange={(_pixels, percent) => onCrop(percent)}
        keepSelection
        minWidth={8}
        minHeight={8}
        ariaLabels={useLabels()}
        {...(aspect === undefined ? {} : { aspect })}
      >
        {children}
      </ReactCrop>
      <Stack gap={4} align="flex-start">
        <Input.Label labelElement="div">{t('emailImage.crop')}</Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={t('emailImage.crop')}
          value={ratio}
          onChange={(value) => choose(value)}
          data={[
            { value: 'free', label: t('emailImage.free') },
            { value: 'original', label: t('emailImage.original') },
            '1:1',
            '16:9',
            '3:1',
          ]}
        />
      </Stack>
    </Stack>
  );
}

function useLabels() {
  const { t } = useTranslation('files');
  const handle = (side: 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w') =>
    t('emailImage.handle', { side: t(`emailImage.side.${side}`) });
  return {
    cropArea: t('emailImage.area'),
    nwDragHandle: handle('nw'),
    nDragHandle: handle('n'),
    neDragHandle: handle('ne'),
    eDragHandle: handle('e'),
    seDragHandle: handle('se'),
    sDragHandle: handle('s'),
    swDragHandle: handle('sw'),
    wDragHandle: handle('w'),
  };
}
