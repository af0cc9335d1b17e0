import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** By `organization_id`. */
export const suppressionRows: DeleteBatchOf = deleteRowsOf('suppressions');
