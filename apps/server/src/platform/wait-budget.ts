import { AsyncLocalStorage } from 'node:async_hooks';
import { LimitExceeded, retryAfter } from './limit-exceeded.ts';

/** Maximum total wait of one request for connections, in milliseconds; after it the response is 503. */
export const maxWaitMs = 1_500;

/**
 * A light user waits this many times longer for an expensive operation, if only others hold its connections: longer than
 * a statement may last.
 */
const patience = 4;

export interface WaitBudget {
  leftMs: number;
  /** For expensive operations. */
  patientLeftMs: number;
  /** Whether running expensive operations of heavier users are cut off for this one. */
  isPatient: boolean;
  /** The initial budget. */
  maxMs: number;
}

const budgets = new AsyncLocalStorage<WaitBudget>();

/**
 * Runs `work` with one budget for all of its waits. A request gets one; an intentionally long one, such as a stream or an
 * upload, gives a new one to each of its steps.
 * @param maxMs  the budget; defaults to that of the enclosing request
 */
export const withWaitBudget = <T>(work: () => T, maxMs: number = budgets.getStore()?.maxMs ?? maxWaitMs): T =>
  within(createWaitBudget(maxMs), work);

/** For a request whose waits are in several places: all are deducted from the same budget. */
export const createWaitBudget = (maxMs: number): WaitBudget => ({
  leftMs: maxMs,
  patientLeftMs: maxMs * patience,
  isPatient: true,
  maxMs,
});

/** Runs `work` that can be done without: it waits for at most `maxMs`, and nobody is cut off for it. */
export const withoutPatience = <T>(work: () => T, maxMs: number): T =>
  within({ leftMs: maxMs, patientLeftMs: maxMs, isPatient: false, maxMs }, work);

export const within = <T>(budget: WaitBudget, work: () => T): T => budgets.run(budget, work);

export interface Wait {
  leftMs: () => number;
  isPatient: boolean;
  /** At most the usual wait of a request. */
  usualLeftMs: () => number;
  /** Deducts the time since the start from the budget. */
  end: () => void;
}

/**
 * Starts a wait. Without a budget, as in workers, each wait gets a full one. Concurrent waits count once.
 * @param of  expensive operations have a separate, larger budget, so that a request that waited for one still has time
 *   for others
 */
export function startWait(of: 'leftMs' | 'patientLeftMs' = 'leftMs'): Wait {
  const budget = budgets.getStore() ?? createWaitBudget(maxWaitMs);
  const leftAtStart = budget[of];
  const started = performance.now();
  const leftMs = () => Math.max(0, leftAtStart - (performance.now() - started));
  return {
    leftMs,
    isPatient: budget.isPatient,
    usualLeftMs: () => Math.min(budget.maxMs, leftMs()),
    end: () => (budget[of] = Math.min(budget[of], leftMs())),
  };
}

/**
 * Counts all of `work` as a wait. `work` continues after the budget is used up, since other requests may share its
 * result; its own waits have a separate budget.
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
