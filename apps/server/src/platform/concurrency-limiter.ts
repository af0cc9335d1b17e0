export interface ConcurrencyLimiterOptions {
  /** How many may be under way at once for one key. */
  maxConcurrent: number;
  /** How many may wait for one key. */
  maxQueued: number;
  /** The longest wait, in milliseconds. */
  maxWaitMs: number;
}

/** Too many are under way and waiting for one key; nothing was done. */
export class LimitExceeded extends Error {
  override name = 'LimitExceeded';
}

/**
 * Lets only a few run at once for each key, the others in the order in which they came: what one key asks for leaves
 * room for all others.
 * @throws LimitExceeded
 */
export function createConcurrencyLimiter({ maxConcurrent, maxQueued, maxWaitMs }: ConcurrencyLimiterOptions) {
  const slotsByKey = new Map<string, { running: number; queue: (() => void)[] }>();

  function wait(queue: (() => void)[]): Promise<void> {
    if (queue.length >= maxQueued) throw new LimitExceeded('Too much is waiting.');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(start), 1);
        reject(new LimitExceeded('This waited too long.'));
      }, maxWaitMs);
      function start() {
        clearTimeout(timer);
        resolve();
      }
      queue.push(start);
    });
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const slots = slotsByKey.get(key) ?? { running: 0, queue: [] };
    slotsByKey.set(key, slots);
    // Work that ends hands its slot on, so that nobody can slip in before those who wait.
    if (slots.running >= maxConcurrent) await wait(slots.queue);
    else slots.running += 1;
    try {
      return await work();
    } finally {
      const next = slots.queue.shift();
      if (next !== undefined) next();
      else if (--slots.running === 0) slotsByKey.delete(key);
    }
  };
}
