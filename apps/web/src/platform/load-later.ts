import { queryClient } from './query-client.ts';

type Load = () => Promise<unknown>;

/** The first user interactions on a page. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel'] as const;
const quietMs = 3_000;

/**
 * Loads chunks that the first page does not need but clicks on it may: on the first user interaction, otherwise some seconds
 * after the page is complete.
 * @returns a function that cancels the waiting
 */
export function loadLater(loads: readonly Load[]): () => void {
  const waiting = new AbortController();
  const start = () => {
    waiting.abort();
    // Marks the end of the first load; browser tests check its size.
    performance.mark('reachout.first-load');
    // Failed chunks are requested again when they are needed.
    for (const load of loads) load().catch(() => undefined);
  };
  for (const sign of signs) window.addEventListener(sign, start, { signal: waiting.signal, passive: true });
  const timer = window.setInterval(() => queryClient.isFetching() === 0 && start(), quietMs);
  waiting.signal.addEventListener('abort', () => window.clearInterval(timer));
  return () => waiting.abort();
}
