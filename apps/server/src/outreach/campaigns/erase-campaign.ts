import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** With everything that is left below it: by `organization_id` and `id`. */
export const eraseCampaign: DeleteBatchOf = deleteRowsOf('campaigns');
