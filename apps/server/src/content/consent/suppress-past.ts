import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { insertPastSuppressions, type PastSuppression } from './past-suppressions.queries.ts';

/** Inserts many backdated suppressions, for a brand or, with `brand_id` null, for all brands. */
export const suppressPast = (
  trx: Transaction,
  organizationId: string,
  suppressions: readonly Omit<PastSuppression, 'id'>[],
): Promise<void> =>
  insertPastSuppressions(
    trx,
    organizationId,
    suppressions.map((suppression) => ({ ...suppression, id: newId() })),
  );
