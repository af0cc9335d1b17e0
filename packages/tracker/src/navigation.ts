/** Single-page applications change title and content after the address. */
const settleMs = 300;

/**
 * Notices each change of the address within the page, also by routers that have kept the functions of `history` from before, where
 * the browser has the Navigation API; and a page that comes back from the back/forward cache.
 * @param isOther  whether a change leads to another page
 * @param report  called when another page has settled
 * @returns ends the wait for a page to settle; reports it at once, unless told not to
 */
export function watchNavigation(
  isOther: (from: string, to: string, isReplaced?: boolean) => boolean,
  report: () => void,
): (isReported?: boolean) => void {
  let address = location.href;
  let settled = address;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRestored = false;

  const settle = (isReported = true): void => {
    const isView = timer !== undefined && (isRestored || isOther(settled, address));
    clearTimeout(timer);
    timer = undefined;
    isRestored = false;
    settled = address;
    if (isView && isReported) report();
  };
  const notice = (isReplaced?: boolean, isBack = false): void => {
    const from = address;
    address = location.href;
    if (isBack || isOther(from, address, isReplaced)) {
      isRestored ||= isBack;
      clearTimeout(timer);
      timer = setTimeout(settle, settleMs);
    } else if (timer === undefined) settled = address;
  };

  // TypeScript does not know it yet.
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation)
    navigation.addEventListener('currententrychange', (event) =>
      notice((event as { navigationType?: string | null }).navigationType === 'replace'),
    );
  else {
    for (const name of ['pushState', 'replaceState'] as const) {
      const original = history[name];
      history[name] = function change(...args): void {
        original.apply(this, args);
        notice(name === 'replaceState');
      };
    }
    for (const name of ['popstate', 'hashchange']) addEventListener(name, () => notice());
  }
  addEventListener('pageshow', ({ persisted }) => persisted && notice(false, true));
  return settle;
}

/** Calls when the page has its title and is shown: browsers also load pages in advance. */
export function whenShown(work: () => void): void {
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', () => whenShown(work), { once: true });
  else if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', work, { once: true });
  else work();
}
