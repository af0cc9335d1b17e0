import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/**
 * All items of an organization, by `organization_id`, or of a collection, with `collection`. Their texts come after them: until an item
 * is gone, its text may be written anew.
 */
export const itemRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('content_items'),
  deleteRowsOf('content_unique_values'),
  deleteRowsOf('content_search_texts'),
  deleteRowsOf('content_search_queue'),
];

/** Before a client or brand is erased: its templates, and the collections whose items go with it. */
export { eraseTemplatesOf, listCollectionsOf, type ErasedOwner } from './erase-items.queries.ts';
