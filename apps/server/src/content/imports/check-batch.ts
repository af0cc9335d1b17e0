import { inOrganization } from '../../platform/database/database.ts';
import { countUpserts } from '../built-in/upsert-items.queries.ts';
import type { HandleBatch } from './run-import.ts';
import { recordBatch } from './record-batch.ts';
import { separateBeyondQuota } from './store-batch.ts';

/**
 * Counts what storing the batches of a file would do and stores the rejected rows. Does not change items.
 * @throws JobInterrupted if another worker has taken over or the import was deleted
 */
export function createCheck(): HandleBatch {
  let planned = 0;
  return async ({ db, job, pace }, open, expectedByte, batch) => {
    const key = { organizationId: open.target.organizationId, importId: open.row.id };
    await inOrganization(db, key.organizationId, async (trx) => {
      const { rows, beyond } = await separateBeyondQuota(trx, open, batch, planned);
      const counts = await countUpserts(trx, open.target, rows);
      const outcome = { ...counts, rejections: beyond, yieldsToSends: pace.yieldsToSends };
      await recordBatch(trx, key, { job, expectedByte, batch }, outcome);
      planned += counts.created;
    });
  };
}
