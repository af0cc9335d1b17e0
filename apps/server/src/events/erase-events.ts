import { deleteRowsOf, type DeleteBatchOf } from '../platform/database/delete-rows.ts';

/**
 * Delete unfolded events, and the aggregated counts of events, by `organization_id` and `send_id`. Unfolded ones come first:
 * a fold would add them again.
 */
export const eventCountRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('unfolded_message_events'),
  deleteRowsOf('delivery_event_counts'),
  deleteRowsOf('delivery_event_totals'),
  deleteRowsOf('delivery_event_sums'),
  deleteRowsOf('delivery_event_days'),
];

/** Deletes single events by `organization_id` and `touchpoint_id`, the first columns of their key. */
export const eventRows = deleteRowsOf('events');
