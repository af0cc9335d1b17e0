import { noteChanges } from '../../clients/outbox/note-changes.ts';
import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { deleteTemplatesOf, type ErasedOwner } from './erase-items.queries.ts';

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

/** That a collection was deleted, once nothing of it is left: by `organization_id` and `collection`. */
export const deletedCollectionRow: DeleteBatchOf = deleteRowsOf('deleted_collections');

export { listCollectionsOf, type ErasedOwner } from './erase-items.queries.ts';

/** Before a client or brand is erased. Its collections, and their items, go with it. */
export async function eraseTemplatesOf(
  trx: Transaction,
  organizationId: string,
  owner: ErasedOwner,
): Promise<void> {
  await noteChanges(trx, 'reachout_templates', await deleteTemplatesOf(trx, organizationId, owner));
}
