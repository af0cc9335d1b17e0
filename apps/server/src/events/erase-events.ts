import { deleteRowsOf, type DeleteBatchOf } from '../platform/database/delete-rows.ts';

/** All that is stored of events: by `organization_id`, or by that, `touchpoint_id` and `send_id`. */
export const eventRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('delivery_event_counts'),
  deleteRowsOf('delivery_event_totals'),
  deleteRowsOf('events'),
];
