import type { Log } from '../../platform/log.ts';
import { withinWaitBudget, withWaitBudget } from '../../platform/wait-budget.ts';

/** Results are cached, because each check opens a connection and commits. */
const keptMs = 1_000;

/** Whether this process can do what requests need. Checks at most once a second, however often it is called. */
export type Readiness = () => Promise<boolean>;

/**
 * @param checks  work as requests do it, in the pools that they use; each fails as a request would
 * @param maxWaitMs  time for all checks together, as a request has it
 */
export function createReadiness(
  checks: readonly (() => Promise<unknown>)[],
  { log, maxWaitMs }: { log: Log; maxWaitMs: number },
): Readiness {
  let last: { isReady: Promise<boolean>; until: number } | undefined;
  async function look(): Promise<boolean> {
    try {
      await withWaitBudget(
        () => withinWaitBudget('readiness', () => Promise.all(checks.map((check) => check()))),
        maxWaitMs,
      );
      return true;
    } catch (error) {
      log.warn({ err: error, bound: 'readiness' }, 'not ready');
      return false;
    }
  }
  return () => {
    if (last === undefined || performance.now() > last.until) {
      const current = { isReady: look(), until: Infinity };
      last = current;
      void current.isReady.then(() => (current.until = performance.now() + keptMs));
    }
    return last.isReady;
  };
}
