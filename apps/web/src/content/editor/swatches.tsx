import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './mail-editor.module.css';
import type { BlockEditor } from './use-block-editor.ts';

/** A color as it is written, and how it looks. */
type Color = readonly [written: string, shown: string];

export interface SwatchesProps {
  colors: readonly Color[];
  /** The color that is set, where that is shown. */
  value?: string;
  onChoose: (color: string) => void;
}

export function Swatches({ colors, value, onChoose }: SwatchesProps) {
  const { t } = useTranslation('editor');
  return colors.map(([color, shown]) => (
    <UnstyledButton
      key={color}
      className={classes.swatch}
      aria-label={color.startsWith('{') ? t('brandColor') : color}
      {...(value !== undefined && { 'aria-pressed': color === value })}
      title={color.startsWith('{') ? t('brandColor') : color}
      style={{ background: shown }}
      onClick={() => onChoose(color)}
    />
  ));
}

const mostColors = 8;

/** @returns the colors of the brand, and those that the email has already */
export function colorsOf({ parsed, texts }: BlockEditor): Color[] {
  const used = [...parsed.source.matchAll(/["':]\s*(#[\da-f]{6})\b/gi)].map(([, color]) =>
    color!.toLowerCase(),
  );
  return ['{{ brand.color }}', '{{ brand.tint }}', ...new Set([...used, '#1f2933', '#ffffff'])]
    .slice(0, mostColors)
    .map((color) => [color, texts.values[color.replaceAll(/[{}\s]/g, '')] ?? color]);
}
