import { LRUCache } from 'lru-cache';

export interface RequestRateOptions {
  /** What one key may ask for in the long run. */
  perMinute: number;
  /** How long a pause is saved up for: this much of the rate may come at once. */
  burstMs: number;
  /** Bounds the memory; those that were seen last are kept. */
  maxKeys: number;
}

/**
 * Counts requests by key in the memory of this process, as the generic cell rate algorithm does (ITU-T I.371): one
 * number for each key, the time at which all that it asked for would have been due. Unlike counters of fixed windows
 * it lets nobody ask twice as much around the end of a window, and the limit is never reached for all at once.
 * @returns 0 for a request that was counted; else the milliseconds after which the next one would be
 */
export function createRequestRate({ perMinute, burstMs, maxKeys }: RequestRateOptions) {
  const intervalMs = 60_000 / perMinute;
  // By size, not `max`: that makes room for all keys at once, which takes 4 ms at every start.
  const dueByKey = new LRUCache<string, number>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  return (key: string, cost = 1): number => {
    const now = performance.now();
    const due = Math.max(now, dueByKey.get(key) ?? 0) + cost * intervalMs;
    const waitMs = due - now - burstMs;
    // A request that is refused costs nothing: whoever keeps asking is not kept out for longer.
    if (waitMs > 0) return waitMs;
    dueByKey.set(key, due);
    return 0;
  };
}
