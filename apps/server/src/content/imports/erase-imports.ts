import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** By `organization_id`, or with `import_id`. */
export const rejectionRows: DeleteBatchOf = deleteRowsOf('content_import_rejections');

/** The pieces of the files: by `organization_id`, or with `import_id`. */
export const partRows: DeleteBatchOf = deleteRowsOf('content_import_parts');

export const importPartRows: readonly DeleteBatchOf[] = [rejectionRows, partRows];

/** The imports themselves: by `organization_id` and `collection`. */
export const importRows: DeleteBatchOf = deleteRowsOf('content_imports');

export { listImportsOfCollection } from './imports.queries.ts';
