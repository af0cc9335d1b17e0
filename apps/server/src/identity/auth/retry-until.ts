import { setTimeout as delay } from 'node:timers/promises';

/** Pauses between tries: short at first, then a minute. */
const firstPauseMs = 500;
const maxPauseMs = 60_000;

/**
 * Tries in the background until it works, with growing pauses. Keeps no process alive.
 * @param work  resolves to whether it worked
 * @param onError  hears of a rejection, which counts as no
 */
export function retryUntil(
  work: () => Promise<boolean>,
  onError: (error: unknown) => void,
): { stop: () => void } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        if (await work()) return;
      } catch (error) {
        onError(error);
      }
      await delay(pauseMs, undefined, { ref: false, signal }).catch(() => {});
    }
  };
  void run();
  // Does not wait for what is under way: it may hang for as long as its own limit.
  return { stop: () => stopping.abort() };
}
