import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Rejected rows, by `organization_id` and optionally `import_id`. */
export const rejectionRows: DeleteBatchOf = deleteRowsOf('content_import_rejections');

/** File parts, by `organization_id` and optionally `import_id`. */
export const partRows: DeleteBatchOf = deleteRowsOf('content_import_parts');

export const importPartRows: readonly DeleteBatchOf[] = [rejectionRows, partRows];

/** Imports, by `organization_id` and `collection`. */
export const importRows: DeleteBatchOf = deleteRowsOf('content_imports');

export { listImportsOfCollection } from './imports.queries.ts';

export { deleteRejectionsWith } from './import-rejections.queries.ts';
