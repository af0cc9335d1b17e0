import { Radio } from '@mantine/core';
import { brandColors, type BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './brand-color-field.module.css';

interface Props {
  value?: BrandColor;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** Selects a brand color by name, with a sample of each. */
export function BrandColorField(props: Props) {
  const { t } = useTranslation('brandKit');
  return (
    <Radio.Group label={t('words.color')} description={t('colorHint')} {...props}>
      <div className={classes.colors}>
        {brandColors.map((color) => (
          <Radio
            key={color}
            value={color}
            label={
              <span className={classes.name}>
                <span className={classes.sample} data-brand-color={color} aria-hidden />
                {t(`colors.${color}`)}
              </span>
            }
          />
        ))}
      </div>
    </Radio.Group>
  );
}
