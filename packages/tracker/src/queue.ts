/** Key and JSON of an event. */
export type Entry = readonly [key: string, json: string];

/** Size in characters, keys included. */
const maxEvents = 200;
const maxSize = 100_000;

const maxBatchEvents = 50;
/** Browsers keep at most 64 KiB of requests when a page is left. */
const maxBatchBytes = 60_000;

export type Queue = ReturnType<typeof createQueue>;

/**
 * Events that the server has not acknowledged yet. Each has its own key, since tabs write at the same time: with one list for all,
 * a tab would overwrite what another has just added.
 * @param prefix  of all keys
 * @param storage  undefined where the browser has none
 */
export function createQueue(prefix: string, storage?: Record<string, string> | null) {
  /** What the storage does not take. */
  const memory: Record<string, string> = {};
  const stores = [memory, storage ?? {}];

  /** In the order of keys. */
  const entries = (): Entry[] =>
    stores
      .flatMap((store) => Object.keys(store).map((key) => [key, store] as const))
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, store]): Entry => [key, store[key] ?? ''])
      // Another tab may have just removed it.
      .filter(([, json]) => json !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1));

  const remove = (removed: readonly Entry[]): void => {
    for (const [key] of removed) for (const store of stores) delete store[key];
  };

  return {
    entries,
    remove,
    has: ([key]: Entry): boolean => stores.some((store) => key in store),
    /** Removes the oldest events that it has no room for. @param name  of the event; names sort by time */
    add(name: string, json: string): void {
      const key = prefix + name;
      const others = entries();
      let size = key.length + json.length;
      let kept = 0;
      for (const [otherKey, otherJson] of others.toReversed()) {
        size += otherKey.length + otherJson.length;
        if (size > maxSize || kept === maxEvents - 1) break;
        kept += 1;
      }
      remove(others.slice(0, others.length - kept));
      try {
        stores[1]![key] = json;
      } catch {
        memory[key] = json;
      }
    },
  };
}

/** Cuts a list of events into lists that a request may have. */
export function toBatches(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let size = Infinity;
  for (const entry of entries) {
    const own = new Blob([entry[1]]).size + 1;
    if (size + own > maxBatchBytes || batches.at(-1)!.length === maxBatchEvents) {
      batches.push([]);
      size = 1;
    }
    batches.at(-1)!.push(entry);
    size += own;
  }
  return batches;
}
