import { queryClient } from './query-client.ts';

type Load = () => Promise<unknown>;

/** The first user interactions on a page. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel'] as const;
const quietMs = 3_000;

/**
 * Loads chunks that the first page does not need.
 * @param soon  chunks that the next click may need: on the first user interaction, otherwise some seconds after the page is
 *   complete
 * @param onUse  chunks that take a second step to reach: on the first user interaction
 * @returns a function that cancels the waiting
 */
export function loadLater(soon: readonly Load[], onUse: readonly Load[]): () => void {
  const isUsed = new AbortController();
  const cancel = () => {
    isUsed.abort();
    window.clearInterval(timer);
  };
  // Failed chunks are requested again when they are needed.
  const start = (loads: readonly Load[]) => {
    // Marks the end of the first load; browser tests check its size.
    performance.mark('reachout.first-load');
    for (const load of loads) load().catch(() => undefined);
  };
  const timer = window.setInterval(() => {
    if (queryClient.isFetching() > 0) return;
    window.clearInterval(timer);
    start(soon);
  }, quietMs);
  const use = () => {
    cancel();
    start([...soon, ...onUse]);
  };
  for (const sign of signs) window.addEventListener(sign, use, { signal: isUsed.signal, passive: true });
  return cancel;
}
