import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** With all that is left beneath it: by `organization_id` and `id`. */
export const eraseClient: DeleteBatchOf = deleteRowsOf('clients');
