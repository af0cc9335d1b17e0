import { setTimeout as delay } from 'node:timers/promises';

/** Pauses between tries: short at first, then a minute. */
const firstPauseMs = 500;
const longestPauseMs = 60_000;

/**
 * Tries in the background until it works, with growing pauses. Keeps no process alive.
 * @param work  resolves to whether it worked; a rejection counts as no
 */
export function retryUntil(work: () => Promise<boolean>): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    for (
      let pauseMs = firstPauseMs;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    ) {
      if (await work().catch(() => false)) return;
      await delay(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
