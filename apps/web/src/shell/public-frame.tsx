import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '#web/i18n/i18n.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { LanguageSwitch } from '#web/ui/language-switch.tsx';
import { FrameTop, Main } from './frame-parts.tsx';
import classes from './public-frame.module.css';

/** The frame of pages that people read without signing in. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['help', 'shell', 'common']);
  return (
    <div className={classes.frame}>
      <FrameTop />
      <header className={classes.bar}>
        <LinkAnchor to="/help" className={classes.product}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <span>{t('common:product')}</span>
        </LinkAnchor>
        <div className={classes.language}>
          <LanguageSwitch onChange={(language) => void changeLanguage(language)} />
        </div>
        <LinkButton to="/sign-in">{t('signIn')}</LinkButton>
      </header>
      <Main className={classes.main}>{children}</Main>
    </div>
  );
}
