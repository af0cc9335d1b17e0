import type { DeleteBatch } from '../../platform/database/delete-rows.ts';
import { deleteExpiredRecords } from './records.queries.ts';

/** Addresses and contacts are personal data: they are erased when they can no longer be restored. */
export const deleteOldContactDetails: DeleteBatch = deleteExpiredRecords;
