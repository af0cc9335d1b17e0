import { LimitExceeded, retryAfter } from './limit-exceeded.ts';

export interface ConcurrencyLimiterOptions {
  /** What is limited, for the log; see `LimitExceeded`. */
  bound: string;
  /** Maximum concurrent tasks per key. */
  maxConcurrent: number;
  /** Maximum queued tasks per key. */
  maxQueued: number;
  /** Maximum wait, in milliseconds. */
  maxWaitMs: number;
}

/**
 * Runs `work` once a slot is free.
 * @param key  compared by identity
 * @param maxWaitMs  overrides the limiter's own, for work that has already waited elsewhere
 * @throws LimitExceeded `unavailable` if the queue is full or the wait was too long
 */
export type ConcurrencyLimiter = <T>(key: unknown, work: () => Promise<T>, maxWaitMs?: number) => Promise<T>;

/**
 * Limits the concurrent tasks of each key; further ones are queued first in, first out. The tasks of one key cannot use
 * up the slots of another.
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
    // A finished task passes its slot to the next queued one, so that a new task cannot overtake the queue.
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
