import type { MirroredCollection } from '@reachout/contract/rules/mirrored-collections.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { enqueueMirroring, mirrorNow } from './mirror-jobs.ts';
import { insertChanges, insertEverything, retryAll } from './outbox.queries.ts';

/**
 * Notes records that this transaction has created, changed or deleted, so that they are copied to the content backend
 * after the commit. The transaction has already locked the records, so this call does not wait.
 * @param withChildren  all records that belong to them are hidden or shown, too
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

/** Columns that are part of a copy. */
const copied = ['name', 'status', 'collection'] as const;

/** Wraps `update`, so that its changes to copied columns of one record are noted. */
export const notingUpdates =
  <Changes extends object>(
    collection: MirroredCollection,
    update: (trx: Transaction, id: string, changes: Changes) => Promise<void>,
  ) =>
  async (trx: Transaction, id: string, changes: Changes): Promise<void> => {
    await update(trx, id, changes);
    if (copied.some((column) => Object.hasOwn(changes, column))) await noteChanges(trx, collection, [id]);
  };

/** Wraps a function that deletes or restores one record, and thereby hides or shows all that belongs to it. */
export const notingVisibility =
  <Row>(collection: MirroredCollection, change: (trx: Transaction, id: string) => Promise<Row>) =>
  async (trx: Transaction, id: string): Promise<Row> => {
    const row = await change(trx, id);
    await noteChanges(trx, collection, [id], { withChildren: true });
    return row;
  };

/** Notes all records, for a content backend that is empty or was unavailable for a long time. */
export async function noteEverything(trx: Transaction, organizationId: string): Promise<void> {
  await insertEverything(trx, organizationId);
  await retryCopies(trx, organizationId);
}

/** Resets the attempts of all waiting and failed changes, and retries them now. */
export async function retryCopies(trx: Transaction, organizationId: string): Promise<void> {
  await retryAll(trx, organizationId);
  await mirrorNow(trx, organizationId);
}
