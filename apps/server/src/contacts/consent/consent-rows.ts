import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** What is known about addresses, by `organization_id`. */
export const consentRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('suppressions'),
  deleteRowsOf('topic_choices'),
  deleteRowsOf('pauses'),
  deleteRowsOf('tracking_choices'),
];
