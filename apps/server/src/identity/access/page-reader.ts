import { setTimeout as delay } from 'node:timers/promises';
import type { Actor, Database, Transaction } from '../../platform/database/database.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';
import { limitedTransaction } from './limited-transaction.ts';

/** Maximum wait of one page. */
const patienceMs = 60_000;
const pauseMs = 500;

export type ReadPage = <T>(read: (trx: Transaction) => Promise<T>) => Promise<T>;

/**
 * Reads the pages of an export, each in its own transaction, so that a slow client holds no connection. While the first one
 * is read, the response can still be an error; the later ones wait for their turn, because the file would break off.
 * @throws LimitExceeded
 */
export function createPageReader(db: Database, who: Actor): ReadPage {
  let isFirst = true;
  return async (read) => {
    const end = isFirst ? 0 : performance.now() + patienceMs;
    isFirst = false;
    for (;;) {
      try {
        return await withWaitBudget(() => limitedTransaction(db, who, read, 'expensive'));
      } catch (error) {
        if (!(error instanceof LimitExceeded) || performance.now() > end) throw error;
        await delay(pauseMs);
      }
    }
  };
}
