import { useEffect, useRef, type RefObject } from 'react';

/** After a navigation, moves the keyboard focus from the followed link to the new page. */
export function useFocusAfterNavigation(pathname: string, main: RefObject<HTMLElement | null>) {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const inDialog = document.activeElement?.closest('[role=dialog]');
    const inTabs = document.activeElement?.closest('[data-workspace-tabs], [data-beside]');
    if (!inDialog && !inTabs) main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}
