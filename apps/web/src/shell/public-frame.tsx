import { useLocation, useRouterState } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '#web/i18n/i18n.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { LanguageSwitch } from '#web/ui/language-switch.tsx';
import { TopBar } from '#web/ui/top-bar.tsx';
import { useFocusAfterNavigation } from './use-focus-after-navigation.ts';
import classes from './public-frame.module.css';

/** The frame of pages that people read without signing in. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['help', 'shell', 'common']);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const navigating = useRouterState({ select: (state) => state.status === 'pending' });
  useFocusAfterNavigation(pathname, main);
  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        {t('shell:skip')}
      </a>
      <TopBar navigating={navigating} />
      <header className={classes.bar}>
        <LinkAnchor to="/help" className={classes.product}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <span>{t('common:product')}</span>
        </LinkAnchor>
        <div className={classes.language}>
          <LanguageSwitch onChange={(language) => void changeLanguage(language)} />
        </div>
        <LinkButton to="/sign-in" variant="default">
          {t('signIn')}
        </LinkButton>
      </header>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  );
}
