import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** All items of an organization: by `organization_id`. */
export const itemRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('content_items'),
  deleteRowsOf('content_unique_values'),
];
