import { deleteRowsOf, type DeleteBatchOf } from '../../../platform/database/delete-rows.ts';

/** Erases the settings of a website by `organization_id` and `touchpoint_id`: from then on its events are dropped. */
export const websiteRow: DeleteBatchOf = deleteRowsOf('touchpoint_websites');
