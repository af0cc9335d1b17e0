import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Erases a campaign with all remaining records below it, by `organization_id` and `id`. */
export const eraseCampaign: DeleteBatchOf = deleteRowsOf('campaigns');
