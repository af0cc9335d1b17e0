import { Stack } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import { brandShades, type BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import { IconSend } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { BrandMark } from './brand-mark.tsx';
import classes from './brand-kit-preview.module.css';

type Theme = 'light' | 'dark';
type Shown = Pick<Brand, 'name' | 'color' | 'logo_url' | 'dark_logo_url' | 'from_name' | 'postal_address'> & {
  client: { name: string };
};

/** How the brand looks in the app and in an email, in both themes regardless of the page's. */
export function BrandKitPreview({ brand }: { brand: Shown }) {
  const { t } = useTranslation('brandKit');
  return (
    <Stack component="section" gap={12} pos="sticky" top={80} aria-label={t('words.preview')}>
      <SectionTitle>{t('words.preview')}</SectionTitle>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme}>
          <QuietText mb={4}>{t(theme)}</QuietText>
          <BrandTheme color={brand.color} theme={theme}>
            <Sample brand={brand} theme={theme} />
          </BrandTheme>
        </div>
      ))}
    </Stack>
  );
}

/** Sample chip, button and email header, all inactive. */
function Sample({ brand, theme }: { brand: Shown; theme: Theme }) {
  const { t } = useTranslation('brandKit');
  const lines = brand.postal_address.split('\n').filter((line) => line.trim() !== '');
  return (
    <div className={classes.pane}>
      <div className={classes.row}>
        <span className={classes.chip}>
          <BrandMark brand={brand} size={20} theme={theme} />
          <span>
            {brand.client.name} › {brand.name}
          </span>
        </span>
        <span className={classes.button}>
          <IconSend size={16} aria-hidden />
          {t('send')}
        </span>
      </div>
      <div className={classes.email}>
        <div className={classes.row}>
          <BrandMark brand={brand} size={36} theme={theme} />
          <span className={classes.sender}>{brand.from_name || brand.name}</span>
        </div>
        <p className={classes.subject}>{t('previewSubject')}</p>
        <p className={classes.address}>{lines.length === 0 ? t('previewAddress') : lines.join(' · ')}</p>
      </div>
    </div>
  );
}

/** Sets the colors of a brand in one theme, regardless of the page's. */
export function BrandTheme({
  color,
  theme,
  children,
}: {
  color: BrandColor;
  theme: Theme;
  children: ReactNode;
}) {
  const { fill, on_fill, text, tint } = brandShades[color][theme];
  const style = {
    '--brand-fill': fill,
    '--brand-on-fill': on_fill,
    '--brand-text': text,
    '--brand-tint': tint,
  } as CSSProperties;
  return (
    <div className={classes.theme} data-theme={theme} style={style}>
      {children}
    </div>
  );
}
