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

/** How often a record is written that the content backend does not take. */
const maxAttempts = 5;
const changesAtOnce = 50;

/** What waits in one organization, for one round: what fails is not tried twice in it. Each method is part of a transaction. */
export async function openOutbox(trx: Transaction, organizationId: string) {
  const triedBefore = await readClock(trx);
  return {
    /** @returns none at the end of the round */
    listChanges: (now: Transaction): Promise<Change[]> =>
      listWaiting(now, organizationId, { triedBefore, limit: changesAtOnce }),
    /** The copy is written. */
    settle: (now: Transaction, change: Change): Promise<void> => deleteChange(now, organizationId, change),
    /** The content backend works, and does not take this record. */
    reject: (now: Transaction, change: Change, errorContent: string): Promise<void> =>
      storeFailure(now, organizationId, change, { errorContent, maxAttempts }),
    /** The content backend cannot be used: everything that waits has this error. */
    delay: async (now: Transaction, change: Change, errorContent: string): Promise<void> => {
      await storeErrorOfAll(now, organizationId, errorContent);
      await storeFailure(now, organizationId, change, { errorContent, maxAttempts: undefined });
    },
  };
}

export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/** What still waits is not tried again by itself. */
export const giveUpChanges = (trx: Transaction, organizationId: string): Promise<void> =>
  failAll(trx, organizationId);
