import { useComputedColorScheme } from '@mantine/core';
import type { BrandSummary } from '@reachout/contract/clients.ts';
import { useState } from 'react';
import { initials } from '#web/ui/initials.ts';
import { knownLogo } from './known-logos.ts';
import classes from './brand-mark.module.css';

export type MarkedBrand = Pick<BrandSummary, 'name' | 'color' | 'logo_url' | 'dark_logo_url'>;

interface Props {
  brand: MarkedBrand;
  /** In px. */
  size?: number;
  /** Theme of a preview that differs from the page's; its container sets the colors. */
  theme?: 'light' | 'dark';
}

/** Size in px up to which the known small logos are sharp enough on high-density screens. */
const maxSmall = 40;

/** The logo of a brand in a frame of its color, or its initials on the color. Always shown beside the name. */
export function BrandMark({ brand, size = 28, theme }: Props) {
  const pageTheme = useComputedColorScheme('light');
  const isDark = (theme ?? pageTheme) === 'dark';
  const logo = (isDark && brand.dark_logo_url) || brand.logo_url;
  const [broken, setBroken] = useState<string>();
  const hasLogo = logo !== null && logo !== broken;
  return (
    <span
      className={classes.mark}
      data-brand-color={theme === undefined ? brand.color : undefined}
      data-logo={hasLogo ? (logo === brand.logo_url ? 'light' : 'dark') : undefined}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.4) }}
      aria-hidden
    >
      {hasLogo ? (
        <img
          className={classes.logo}
          src={size > maxSmall ? logo : knownLogo(logo)}
          alt=""
          onError={() => setBroken(logo)}
        />
      ) : (
        initials(brand.name)
      )}
    </span>
  );
}
