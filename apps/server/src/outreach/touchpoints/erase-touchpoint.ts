import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Erases a touchpoint with all remaining records below it, by `organization_id` and `id`. */
export const eraseTouchpoint: DeleteBatchOf = deleteRowsOf('touchpoints');
