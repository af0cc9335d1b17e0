import type { Transaction } from '../platform/database/database.ts';
import { deleteOldVisits, lockOutFolds, type OldVisits } from './visitors.queries.ts';

export { listOldVisits, lockOutFolds } from './visitors.queries.ts';

/** Deletes single events and sessions that the organization keeps no longer; totals stay. @returns the rows of the fullest table */
export async function eraseOldVisits(trx: Transaction, old: OldVisits, limit: number): Promise<number> {
  await lockOutFolds(trx);
  return await deleteOldVisits(trx, old, limit);
}
