import { deleteRowsOf, type DeleteBatchOf } from '../platform/database/delete-rows.ts';

/** Delete the rows of a send's messages, up to millions, by `organization_id` and `send_id`. */
export const deliveryRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('deliveries'),
  deleteRowsOf('contact_deliveries'),
  deleteRowsOf('delivery_exclusions'),
  deleteRowsOf('delivery_chunks'),
  deleteRowsOf('delivery_results'),
  deleteRowsOf('delivery_result_totals'),
  deleteRowsOf('delivery_queue'),
  deleteRowsOf('messages'),
  deleteRowsOf('touchpoint_send_contents'),
];

/** Deletes the send itself by `organization_id` and `id`. */
export const eraseSend: DeleteBatchOf = deleteRowsOf('touchpoint_sends');
