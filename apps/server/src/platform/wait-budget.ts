import { AsyncLocalStorage } from 'node:async_hooks';
import { LimitExceeded, retryAfter } from './limit-exceeded.ts';

/** For connections, of all waits of one request together: after it the response is 503. Milliseconds. */
export const maxWaitMs = 1_500;

interface Budget {
  leftMs: number;
  /** At its beginning. */
  maxMs: number;
}

const budgets = new AsyncLocalStorage<Budget>();

/**
 * Gives all waits of `work` one budget. A request gets one; what lasts on purpose, such as a stream or an upload, gives
 * one to each of its steps.
 * @param maxMs  the budget; a step has that of its request if not told
 */
export const withWaitBudget = <T>(work: () => T, maxMs: number = budgets.getStore()?.maxMs ?? maxWaitMs): T =>
  budgets.run({ leftMs: maxMs, maxMs }, work);

export interface Wait {
  leftMs: () => number;
  /** Takes the time since the start from the budget. */
  end: () => void;
}

/** Work without a budget, as that of workers, has a full one for each wait. Waits at the same time count once. */
export function startWait(): Wait {
  const budget = budgets.getStore() ?? { leftMs: maxWaitMs, maxMs: maxWaitMs };
  const leftAtStart = budget.leftMs;
  const started = performance.now();
  const leftMs = () => Math.max(0, leftAtStart - (performance.now() - started));
  return { leftMs, end: () => (budget.leftMs = Math.min(budget.leftMs, leftMs())) };
}

/**
 * Counts all of `work` as a wait. It goes on when the budget is used up, since others may share its result; its own
 * waits have a budget of their own.
 * @param bound  what is waited for, for the log
 * @throws LimitExceeded `unavailable` when the budget is used up
 */
export async function withinWaitBudget<T>(bound: string, work: () => Promise<T>): Promise<T> {
  const wait = startWait();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new LimitExceeded(bound, 'unavailable', retryAfter(maxWaitMs))),
      wait.leftMs(),
    );
  });
  try {
    return await Promise.race([withWaitBudget(work), late]);
  } finally {
    clearTimeout(timer);
    wait.end();
  }
}
