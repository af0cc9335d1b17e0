export interface GroupCommit<T> {
  /**
   * Resolves once the item is committed.
   * @throws QueueFull without having stored it; or whatever `store` threw for the item's group
   */
  add(item: T): Promise<void>;
  /** Accepts nothing more, and resolves when everything accepted is committed or has failed. */
  close(): Promise<void>;
}

export interface GroupCommitOptions<T> {
  /** Items of one group share a transaction, and a group that fails takes no other with it. */
  groupOf: (item: T) => string;
  /** Stores `items` of one group and commits. */
  store: (group: string, items: T[]) => Promise<void>;
  /**
   * Stores the items of several groups with one commit. False when nothing was stored: then each group is stored alone.
   * Without it they always are.
   */
  storeTogether?: (groups: ReadonlyMap<string, T[]>) => Promise<boolean>;
  /** Items that may wait. */
  maxQueued: number;
  /** Items that are taken up at once. */
  maxBatch: number;
}

export class QueueFull extends Error {
  override name = 'QueueFull';
}

/**
 * Group commit without a timer: whatever has gathered is stored as soon as the commit before it returns, so a lone item
 * waits for nothing and a flood shares its commits. One commit is under way at a time: a second one made it slower.
 */
export function createGroupCommit<T>(options: GroupCommitOptions<T>): GroupCommit<T> {
  let queue: Waiting<T>[] = [];
  let draining: Promise<void> | undefined;
  let isClosed = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.length > options.maxBatch ? queue.splice(0, options.maxBatch) : queue;
      if (batch === queue) queue = [];
      await storeBatch(options, batch);
    }
    draining = undefined;
  }

  return {
    add: (item) => {
      if (isClosed) return Promise.reject(new QueueFull('This queue is closed.'));
      if (queue.length >= options.maxQueued) return Promise.reject(new QueueFull('Too much is waiting.'));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ item, resolve, reject });
      // Not at once, so that all that comes in the same turn of the loop shares the first commit.
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
