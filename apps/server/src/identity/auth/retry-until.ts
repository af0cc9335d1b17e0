import { setTimeout as delay } from 'node:timers/promises';

/** Back-off between attempts: short at first, then up to a minute. */
const firstPauseMs = 500;
const maxPauseMs = 60_000;

/**
 * Retries in the background with growing pauses until it succeeds. Does not keep the process alive.
 * @param work  resolves to whether it succeeded
 * @param onError  called with a rejection, which counts as a failure
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
  // Does not wait for a running attempt, which may take as long as its own time limit.
  return { stop: () => stopping.abort() };
}
