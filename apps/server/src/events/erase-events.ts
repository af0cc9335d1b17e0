import { deleteRowsOf, type DeleteBatchOf } from '../platform/database/delete-rows.ts';

/** What is summed up of events: by `organization_id`, and `send_id`. */
export const eventCountRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('delivery_event_counts'),
  deleteRowsOf('delivery_event_totals'),
  deleteRowsOf('delivery_event_sums'),
  deleteRowsOf('delivery_event_days'),
];

/** Single events: by `organization_id`, and `touchpoint_id`, with which their key goes on. */
export const eventRows = deleteRowsOf('events');
