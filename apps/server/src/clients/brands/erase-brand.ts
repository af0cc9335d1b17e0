import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Erases a brand with all remaining records below it, by `organization_id` and `id`. */
export const eraseBrand: DeleteBatchOf = deleteRowsOf('brands');
