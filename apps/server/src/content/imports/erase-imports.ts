import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** The large parts of imports: by `organization_id`, or with `import_id`. */
export const importRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('content_import_rejections'),
  deleteRowsOf('content_import_parts'),
];

/** The imports themselves: by `organization_id` and `collection`. */
export const importsOfCollection: DeleteBatchOf = deleteRowsOf('content_imports');

export { listImportsOfCollection } from './imports.queries.ts';
