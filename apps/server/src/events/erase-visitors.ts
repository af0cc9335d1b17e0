import { deleteRowsOf, type DeleteBatchOf } from '../platform/database/delete-rows.ts';
import type { Transaction } from '../platform/database/database.ts';
import { addUpNames, deleteOldVisits, lockOutFolds, type OldVisits } from './visitors.queries.ts';

const afterFolds =
  (deleteBatch: DeleteBatchOf): DeleteBatchOf =>
  async (trx, values, limit) => {
    await lockOutFolds(trx);
    return await deleteBatch(trx, values, limit);
  };

/**
 * Delete what is stored of visitors by `organization_id` and `touchpoint_id`. Unfolded events come first: a fold would add
 * them again.
 */
export const visitorRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('unfolded_visitor_events'),
  deleteRowsOf('replaced_visitor_events'),
  deleteRowsOf('visitor_events'),
  deleteRowsOf('visitor_sessions'),
  deleteRowsOf('visitor_event_totals'),
  deleteRowsOf('visitor_day_totals'),
  deleteRowsOf('visitor_session_totals'),
  deleteRowsOf('visitor_days'),
  deleteRowsOf('website_drops'),
].map(afterFolds);

export { listOldVisits, lockOutFolds } from './visitors.queries.ts';

/** Adds up the names of events that the organization keeps no longer. @returns the rows that had one */
export async function addUpOldNames(trx: Transaction, old: OldVisits, limit: number): Promise<number> {
  await lockOutFolds(trx);
  return await addUpNames(trx, old, limit);
}

/** Deletes single events and sessions that the organization keeps no longer; totals stay. @returns the rows of the fullest table */
export async function eraseOldVisits(trx: Transaction, old: OldVisits, limit: number): Promise<number> {
  await lockOutFolds(trx);
  return await deleteOldVisits(trx, old, limit);
}
