import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Erases a client with all remaining records below it, by `organization_id` and `id`. */
export const eraseClient: DeleteBatchOf = deleteRowsOf('clients');
