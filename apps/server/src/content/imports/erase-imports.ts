import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** The files and rejected rows of imports: by `organization_id`, or with `import_id`. */
export const importPartRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('content_import_rejections'),
  deleteRowsOf('content_import_parts'),
];

/** The imports themselves: by `organization_id` and `collection`. */
export const importRows: DeleteBatchOf = deleteRowsOf('content_imports');

export { listImportsOfCollection } from './imports.queries.ts';
