import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Rejected rows, by `organization_id` and `import_id`. */
export const rejectionRows: DeleteBatchOf = deleteRowsOf('content_import_rejections');

/** File parts, by `organization_id` and `import_id`. */
export const partRows: DeleteBatchOf = deleteRowsOf('content_import_parts');

export { listImportsOfCollection } from './imports.queries.ts';

export { deleteRejectionsWith } from './import-rejections.queries.ts';
