import { LRUCache } from 'lru-cache';

/**
 * Keeps in memory what `load` found for the keys used last. Callers that ask for the same key at the same time share
 * one load. A missing value (undefined) and a failure are not kept: the next caller loads again.
 * @param size  how many keys are kept
 */
export function createCache<K extends string | number, V extends object | string>(
  size: number,
  load: (key: K) => Promise<V | undefined>,
): (key: K) => Promise<V | undefined> {
  const cache = new LRUCache<K, V>({
    max: size,
    fetchMethod: load,
    // A key that is evicted while it loads still resolves for its callers.
    ignoreFetchAbort: true,
    allowStaleOnFetchAbort: true,
  });
  return (key) => cache.fetch(key);
}
