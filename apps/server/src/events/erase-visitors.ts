import { deleteRowsOf, type DeleteBatchOf } from '../platform/database/delete-rows.ts';
import type { Transaction } from '../platform/database/database.ts';
import { deleteOldVisits, lockOutFolds, type OldVisits } from './visitors.queries.ts';

/** As the given one, while nothing is folded. */
export const afterFolds =
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
  deleteRowsOf('visitor_count_days'),
  deleteRowsOf('visitor_value_months'),
  deleteRowsOf('visitor_days'),
  deleteRowsOf('website_drops'),
  deleteRowsOf('website_use'),
].map(afterFolds);

export { listOldVisits, lockOutFolds } from './visitors.queries.ts';

/** Deletes single events and sessions that the organization keeps no longer; totals stay. @returns the rows of the fullest table */
export async function eraseOldVisits(trx: Transaction, old: OldVisits, limit: number): Promise<number> {
  await lockOutFolds(trx);
  return await deleteOldVisits(trx, old, limit);
}
