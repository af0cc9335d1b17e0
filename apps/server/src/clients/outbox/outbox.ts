import type { Transaction } from '../../platform/database/database.ts';
import type { Change } from './change.ts';
import {
  deleteChange,
  failAll,
  listWaiting,
  readClock,
  storeErrorOfAll,
  storeFailure,
} from './outbox.queries.ts';

/** Maximum attempts for a record that the content backend rejects. */
const maxAttempts = 5;
const changesAtOnce = 50;

/**
 * The waiting changes of one organization, for one round: a failed change is not tried twice in it. Each method is part
 * of a transaction.
 */
export async function openOutbox(trx: Transaction, organizationId: string) {
  const triedBefore = await readClock(trx);
  return {
    /** @returns an empty list at the end of the round */
    listChanges: (now: Transaction): Promise<Change[]> =>
      listWaiting(now, organizationId, { triedBefore, limit: changesAtOnce }),
    /** Removes a change whose copy was written. */
    settle: (now: Transaction, change: Change): Promise<void> => deleteChange(now, organizationId, change),
    /** For a record that the content backend, although available, rejects. */
    reject: (now: Transaction, change: Change, errorContent: string): Promise<void> =>
      storeFailure(now, organizationId, change, { errorContent, maxAttempts }),
    /** For an unavailable content backend: all waiting changes get this error. */
    delay: async (now: Transaction, change: Change, errorContent: string): Promise<void> => {
      await storeErrorOfAll(now, organizationId, errorContent);
      await storeFailure(now, organizationId, change, { errorContent, maxAttempts: undefined });
    },
  };
}

export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/** Marks the waiting changes as failed: they are not retried automatically. */
export const giveUpChanges = (trx: Transaction, organizationId: string): Promise<void> =>
  failAll(trx, organizationId);
