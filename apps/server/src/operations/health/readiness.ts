import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { checkWrites } from './readiness.queries.ts';

/** Results are cached, because each check is a commit. */
const keptReadyMs = 5_000;
const keptNotReadyMs = 1_000;
/** A database that does not respond in this time is not ready. */
const longestLookMs = 3_000;

/** Whether the database accepts writes. Checks at most every 5 s, and every second while it is not ready. */
export type Readiness = () => Promise<boolean>;

export function createReadiness(db: Database, log: Log): Readiness {
  let last: { isReady: Promise<boolean>; until: number } | undefined;
  async function look(): Promise<boolean> {
    try {
      const silence = delay(longestLookMs, undefined, { ref: false }).then(() => {
        throw new Error('The database has not answered in time.');
      });
      await Promise.race([checkWrites(db), silence]);
      return true;
    } catch (error) {
      log.warn({ err: error, bound: 'database without writes' }, 'not ready');
      return false;
    }
  }
  return () => {
    if (last === undefined || performance.now() > last.until) {
      const isReady = look();
      const current = { isReady, until: Infinity };
      last = current;
      void isReady.then(
        (ready) => (current.until = performance.now() + (ready ? keptReadyMs : keptNotReadyMs)),
      );
    }
    return last.isReady;
  };
}
