import { LRUCache } from 'lru-cache';

/**
 * Caches the results of `load` in memory for the most recently used keys. Concurrent callers with the same key share one
 * load. A missing value (undefined) and a failure are not cached: the next caller loads again.
 * @param size  maximum number of keys
 * @param ttlMs  maximum age of an entry; unlimited if unset
 */
export function createCache<K extends string | number, V extends object | string>(
  size: number,
  load: (key: K) => Promise<V | undefined>,
  ttlMs?: number,
): (key: K) => Promise<V | undefined> {
  const cache = new LRUCache<K, V>({
    max: size,
    fetchMethod: load,
    // A key that is evicted during its load still resolves for its callers.
    ignoreFetchAbort: true,
    allowStaleOnFetchAbort: true,
    ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
  });
  return (key) => cache.fetch(key);
}
