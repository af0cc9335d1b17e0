import { queryClient } from './query-client.ts';

type Load = () => Promise<unknown>;

/** What a person does first on a page. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel'] as const;
const quietMs = 3_000;

/**
 * Loads what the first page does not need, and clicks on it may: as soon as somebody does anything, otherwise when the page
 * has been complete for some seconds.
 * @returns stops waiting
 */
export function loadLater(loads: readonly Load[]): () => void {
  const waiting = new AbortController();
  const start = () => {
    waiting.abort();
    // Up to here went the first load, of which the browser tests know the size.
    performance.mark('reachout.first-load');
    // Whatever cannot be loaded now is asked for again when it is needed.
    for (const load of loads) load().catch(() => undefined);
  };
  for (const sign of signs) window.addEventListener(sign, start, { signal: waiting.signal, passive: true });
  const timer = window.setInterval(() => queryClient.isFetching() === 0 && start(), quietMs);
  waiting.signal.addEventListener('abort', () => window.clearInterval(timer));
  return () => waiting.abort();
}
