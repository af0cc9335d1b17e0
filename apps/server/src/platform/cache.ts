/**
 * Remembers what `load` found for the keys used last, in memory. Callers that ask for the same key meanwhile share one
 * load. What is not there (undefined) and what failed is asked for again.
 * @param size  how many keys are remembered
 */
export function createCache<K, V>(
  size: number,
  load: (key: K) => Promise<V | undefined>,
): (key: K) => Promise<V | undefined> {
  const entries = new Map<K, Promise<V | undefined>>();

  async function loadEntry(key: K): Promise<V | undefined> {
    try {
      const value = await load(key);
      if (value === undefined) entries.delete(key);
      return value;
    } catch (error) {
      entries.delete(key);
      throw error;
    }
  }

  return (key) => {
    const known = entries.get(key);
    // A Map keeps its order of insertion: the first key is the one that was not used for longest.
    if (known !== undefined) entries.delete(key);
    const entry = known ?? loadEntry(key);
    entries.set(key, entry);
    if (entries.size > size) entries.delete(entries.keys().next().value!);
    return entry;
  };
}
