import type { MirroredCollection } from '@reachout/contract/rules/mirrored-collections.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { enqueueMirroring, mirrorNow } from './mirror-jobs.ts';
import { insertChanges, insertEverything, retryAll } from './outbox.queries.ts';

/**
 * Notes records that this transaction has created, changed or deleted, so that the content backend gets them once it has
 * committed. The transaction has locked them: it waits for nobody here.
 * @param withChildren  all that belongs to them disappears, or comes back, too
 */
export async function noteChanges(
  trx: Transaction,
  collection: MirroredCollection,
  ids: readonly string[],
  { withChildren = false }: { withChildren?: boolean } = {},
): Promise<void> {
  const organizationId = await insertChanges(trx, { collection, ids, withChildren });
  if (organizationId !== undefined) await enqueueMirroring(trx, organizationId);
}

/** Columns that a copy has. */
const copied = ['name', 'status', 'collection'] as const;

/** The same for the changes that `update` makes to columns of one record. */
export const notingUpdates =
  <Changes extends object>(
    collection: MirroredCollection,
    update: (trx: Transaction, id: string, changes: Changes) => Promise<void>,
  ) =>
  async (trx: Transaction, id: string, changes: Changes): Promise<void> => {
    await update(trx, id, changes);
    if (copied.some((column) => Object.hasOwn(changes, column))) await noteChanges(trx, collection, [id]);
  };

/** The same for what deletes or restores one record, and thereby hides or shows all that belongs to it. */
export const notingVisibility =
  <Row>(collection: MirroredCollection, change: (trx: Transaction, id: string) => Promise<Row>) =>
  async (trx: Transaction, id: string): Promise<Row> => {
    const row = await change(trx, id);
    await noteChanges(trx, collection, [id], { withChildren: true });
    return row;
  };

/** For a content backend that has nothing yet, or was away for long. */
export async function noteEverything(trx: Transaction, organizationId: string): Promise<void> {
  await insertEverything(trx, organizationId);
  await retryCopies(trx, organizationId);
}

/** Everything that waits or has failed, now and with all its attempts. */
export async function retryCopies(trx: Transaction, organizationId: string): Promise<void> {
  await retryAll(trx, organizationId);
  await mirrorNow(trx, organizationId);
}
