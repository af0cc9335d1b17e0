import { nprogress, NavigationProgress } from '@mantine/nprogress';
import { useIsFetching } from '@tanstack/react-query';
import { useEffect } from 'react';

/**
 * The thin bar at the top of the page, shown after 120 ms of navigation or background loading. Polling (`meta.quiet`) does
 * not show it.
 */
export function TopBar({ navigating }: { navigating: boolean }) {
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
