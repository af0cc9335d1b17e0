import { noteChanges } from '../../clients/outbox/note-changes.ts';
import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { deleteTemplatesOf, type ErasedOwner } from './erase-items.queries.ts';

/**
 * Deletes all items of an organization, by `organization_id`, or of a collection, with `collection`. Search texts are
 * deleted after the items, because the text of an existing item may be written again.
 */
export const itemRows: readonly DeleteBatchOf[] = [
  deleteRowsOf('content_items'),
  deleteRowsOf('content_unique_values'),
  deleteRowsOf('content_search_texts'),
  deleteRowsOf('content_search_queue'),
];

/** Deletes the record of a deleted collection once its content is erased, by `organization_id` and `collection`. */
export const deletedCollectionRow: DeleteBatchOf = deleteRowsOf('deleted_collections');

export { listCollectionsOf, type ErasedOwner } from './erase-items.queries.ts';

/** Deletes the templates of a client or brand before it is erased. Its collections and their items are erased with it. */
export async function eraseTemplatesOf(
  trx: Transaction,
  organizationId: string,
  owner: ErasedOwner,
): Promise<void> {
  await noteChanges(trx, 'reachout_templates', await deleteTemplatesOf(trx, organizationId, owner));
}
