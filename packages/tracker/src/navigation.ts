/** Single-page applications change title and content after the address. */
const settleMs = 300;

/**
 * Reports each navigation within the page once it has settled, and a page that comes back from the back/forward cache.
 * @returns reports a navigation at once that has not settled yet
 */
export function watchNavigation(report: () => void): () => void {
  let address = location.href;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const settle = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    report();
  };
  const notice = (isRestored: boolean): void => {
    if (location.href === address && !isRestored) return;
    address = location.href;
    clearTimeout(timer);
    timer = setTimeout(settle, settleMs);
  };

  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function change(...args): void {
      original.apply(this, args);
      notice(false);
    };
  }
  addEventListener('popstate', () => notice(false));
  addEventListener('hashchange', () => notice(false));
  addEventListener('pageshow', ({ persisted }) => notice(persisted));
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
