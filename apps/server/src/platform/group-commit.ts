export interface GroupCommit<T> {
  /**
   * Resolves once the item is committed.
   * @throws QueueFull if the item is not accepted; otherwise the error that `store` threw for its group
   */
  add(item: T): Promise<void>;
  /** Accepts no more items; resolves when all accepted items are committed or have failed. */
  close(): Promise<void>;
}

export interface GroupCommitOptions<T> {
  /** Items of one group share a transaction; a failing group does not affect the others. */
  groupOf: (item: T) => string;
  /** Stores `items` of one group and commits. */
  store: (group: string, items: T[]) => Promise<void>;
  /**
   * Stores the items of several groups with one commit. Returns false if nothing was stored; each group is then stored
   * separately, as they always are without this option.
   */
  storeTogether?: (groups: ReadonlyMap<string, T[]>) => Promise<boolean>;
  /** What an item counts for in the two limits. Default: 1. */
  sizeOf?: (item: T) => number;
  /** Maximum size of what is queued. */
  maxQueued: number;
  /** Maximum size of a batch of more than one item. */
  maxBatch: number;
}

export class QueueFull extends Error {
  override name = 'QueueFull';
}

/**
 * Group commit without a timer: queued items are stored as soon as the previous commit returns, so that a single item
 * does not wait and many items share a commit. Only one commit runs at a time: a second concurrent one made it slower.
 */
export function createGroupCommit<T>(options: GroupCommitOptions<T>): GroupCommit<T> {
  const { sizeOf = () => 1, maxQueued, maxBatch } = options;
  let queue: Waiting<T>[] = [];
  let queuedSize = 0;
  let draining: Promise<void> | undefined;
  let isClosed = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) await storeBatch(options, takeBatch());
    draining = undefined;
  }

  function takeBatch(): Waiting<T>[] {
    let size = 0;
    const end = queue.findIndex(({ item }, index) => (size += sizeOf(item)) > maxBatch && index > 0);
    const batch = end === -1 ? queue : queue.splice(0, end);
    if (batch === queue) queue = [];
    queuedSize = queue.length === 0 ? 0 : queuedSize - batch.reduce((sum, { item }) => sum + sizeOf(item), 0);
    return batch;
  }

  return {
    add: (item) => {
      if (isClosed) return Promise.reject(new QueueFull('This queue is closed.'));
      const size = sizeOf(item);
      if (queuedSize + size > maxQueued) return Promise.reject(new QueueFull('Too much is waiting.'));
      queuedSize += size;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ item, resolve, reject });
      // Deferred, so that all items added in the same turn of the event loop share the first commit.
      draining ??= Promise.resolve().then(drain);
      return promise;
    },
    close: async () => {
      isClosed = true;
      await draining;
    },
  };
}

interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

async function storeBatch<T>(options: GroupCommitOptions<T>, batch: Waiting<T>[]): Promise<void> {
  const groups = Map.groupBy(batch, ({ item }) => options.groupOf(item));
  if (groups.size > 1 && options.storeTogether !== undefined) {
    const items = new Map([...groups].map(([group, waiting]) => [group, waiting.map(({ item }) => item)]));
    try {
      if (await options.storeTogether(items)) {
        for (const { resolve } of batch) resolve();
        return;
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
  }
  for (const [group, waiting] of groups) await storeGroup(options, group, waiting);
}

async function storeGroup<T>(
  { store }: GroupCommitOptions<T>,
  group: string,
  waiting: Waiting<T>[],
): Promise<void> {
  try {
    await store(
      group,
      waiting.map(({ item }) => item),
    );
  } catch (error) {
    for (const { reject } of waiting) reject(error);
    return;
  }
  for (const { resolve } of waiting) resolve();
}
