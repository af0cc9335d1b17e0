import { LRUCache } from 'lru-cache';

/**
 * Keeps in memory what `load` found for the keys used last. Callers that ask for the same key at the same time share
 * one load. A missing value (undefined) and a failure are not kept: the next caller loads again.
 * @param size  how many keys are kept
 * @param ttlMs  how long each is kept at most; for ever without it
 */
export function createCache<K extends string | number, V extends object | string>(
  size: number,
  load: (key: K) => Promise<V | undefined>,
  ttlMs?: number,
): (key: K) => Promise<V | undefined> {
  const cache = new LRUCache<K, V>({
    max: size,
    fetchMethod: load,
    // A key that is evicted while it loads still resolves for its callers.
    ignoreFetchAbort: true,
    allowStaleOnFetchAbort: true,
    ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
  });
  return (key) => cache.fetch(key);
}
