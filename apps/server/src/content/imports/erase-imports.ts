import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** The large parts of imports: by `organization_id`. */
export const importRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('content_import_rejections'),
  deleteRowsOf('content_import_parts'),
];
