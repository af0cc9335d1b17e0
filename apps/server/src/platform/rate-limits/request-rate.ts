import { LRUCache } from 'lru-cache';

export interface RequestRateOptions {
  /** Sustained rate of one key. */
  perMinute: number;
  /** Burst size: as many requests as the rate allows in this time. */
  burstMs: number;
  /** Bounds the memory; the most recently used keys are kept. */
  maxKeys: number;
}

/**
 * Counts requests by key in the memory of this process with the generic cell rate algorithm (ITU-T I.371). It keeps one
 * number per key: the time at which all of its requests would have been due. Unlike fixed windows, it does not allow
 * twice the rate around the end of a window, and keys do not all reach the limit at the same time.
 * @returns 0 if the request was counted; otherwise the milliseconds after which the next one would be
 */
export function createRequestRate({ perMinute, burstMs, maxKeys }: RequestRateOptions) {
  const intervalMs = 60_000 / perMinute;
  // Bounded by size, not `max`, which allocates memory for all keys up front and takes 4 ms at every start.
  const dueByKey = new LRUCache<string, number>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  return (key: string, cost = 1): number => {
    const now = performance.now();
    const due = Math.max(now, dueByKey.get(key) ?? 0) + cost * intervalMs;
    const waitMs = due - now - burstMs;
    // A rejected request is not counted, so that repeated requests do not extend the wait.
    if (waitMs > 0) return waitMs;
    dueByKey.set(key, due);
    return 0;
  };
}
