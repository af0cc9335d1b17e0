import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Suppressions, by `organization_id`. */
export const suppressionRows: DeleteBatchOf = deleteRowsOf('suppressions');
