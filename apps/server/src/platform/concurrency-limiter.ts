import { LimitExceeded, retryAfter } from './limit-exceeded.ts';

export interface ConcurrencyLimiterOptions {
  /** What is limited, for the log; see `LimitExceeded`. */
  bound: string;
  /** How many may be under way at once for one key. */
  maxConcurrent: number;
  /** How many may wait for one key. */
  maxQueued: number;
  /** The longest wait, in milliseconds. */
  maxWaitMs: number;
}

/**
 * Runs `work` in its turn.
 * @param key  compared by identity
 * @param maxWaitMs  instead of the limiter's own, for work that has waited elsewhere already
 * @throws LimitExceeded `unavailable` when too many wait, or when the wait was too long
 */
export type ConcurrencyLimiter = <T>(key: unknown, work: () => Promise<T>, maxWaitMs?: number) => Promise<T>;

/**
 * Lets only a few run at once for each key, the others in the order in which they came: what one key asks for leaves
 * room for all others.
 */
export function createConcurrencyLimiter(options: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const { bound, maxConcurrent, maxQueued } = options;
  const slotsByKey = new Map<unknown, { running: number; queue: (() => void)[] }>();
  const exceeded = () => new LimitExceeded(bound, 'unavailable', retryAfter(options.maxWaitMs));

  function wait(queue: (() => void)[], maxWaitMs: number): Promise<void> {
    if (queue.length >= maxQueued) throw exceeded();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(start), 1);
        reject(exceeded());
      }, maxWaitMs);
      function start() {
        clearTimeout(timer);
        resolve();
      }
      queue.push(start);
    });
  }

  return async (key, work, maxWaitMs = options.maxWaitMs) => {
    const slots = slotsByKey.get(key) ?? { running: 0, queue: [] };
    slotsByKey.set(key, slots);
    // Work that ends hands its slot on, so that nobody can slip in before those who wait.
    if (slots.running >= maxConcurrent) await wait(slots.queue, maxWaitMs);
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
