import { nprogress, NavigationProgress } from '@mantine/nprogress';
import { useIsFetching } from '@tanstack/react-query';
import { useLocation, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#web/ui/frame.module.css';

/** What all frames begin with: the skip link, and the bar that shows that something is being loaded. */
export function FrameTop() {
  const { t } = useTranslation('shell');
  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <ProgressBar />
    </>
  );
}

/**
 * The thin bar at the top of the page, shown after 120 ms of navigation or background loading. Polling (`meta.quiet`) does
 * not show it.
 */
function ProgressBar() {
  const navigating = useRouterState({ select: (state) => state.status === 'pending' });
  const fetching = useIsFetching({ predicate: (query) => query.meta?.['quiet'] !== true }) > 0;
  const busy = navigating || fetching;
  useEffect(() => {
    if (!busy) {
      nprogress.complete();
      return undefined;
    }
    const timer = window.setTimeout(() => nprogress.start(), 120);
    return () => window.clearTimeout(timer);
  }, [busy]);
  return <NavigationProgress size={2} aria-hidden />;
}

/** The page within a frame. After a navigation, it takes the keyboard focus from the followed link. */
export function Main({ className, children }: { className: string | undefined; children: ReactNode }) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const inDialog = document.activeElement?.closest('[role=dialog]');
    const inTabs = document.activeElement?.closest('[data-workspace-tabs], [data-beside]');
    if (!inDialog && !inTabs) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main id="main" ref={main} tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
