import { noteChanges } from '../../clients/outbox/note-changes.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findFields } from './collections.queries.ts';
import { lockItem, type ItemKey } from './items.queries.ts';
import { uniqueValuesOf } from './stored-field.ts';
import { updateItem } from './write-item.queries.ts';
import { deleteTemplatesOf, type ErasedOwner } from './erase-items.queries.ts';

export { listCollectionsOf, type ErasedOwner } from './erase-items.queries.ts';

/** Deletes the templates of a client or brand before it is erased. Its collections and their items are erased with it. */
export async function eraseTemplatesOf(
  trx: Transaction,
  organizationId: string,
  owner: ErasedOwner,
): Promise<void> {
  await noteChanges(trx, 'reachout_templates', await deleteTemplatesOf(trx, organizationId, owner));
}

/** Empties those of the fields that still have such a value, also required ones. Does nothing if the item is gone. */
export async function clearFields(
  trx: Transaction,
  key: ItemKey,
  names: readonly string[],
  isCleared: (value: unknown) => boolean,
): Promise<void> {
  const fields = await findFields(trx, key.organizationId, key.collection);
  const before = await lockItem(trx, key);
  if (fields === undefined || before === undefined) return;
  const cleared = names.filter((name) => isCleared(before.data[name]));
  if (cleared.length === 0) return;
  await updateItem(trx, {
    ...key,
    data: { ...before.data, ...Object.fromEntries(cleared.map((name) => [name, null])) },
    claims: [],
    released: uniqueValuesOf(fields, before.data).filter(({ field }) => cleared.includes(field)),
  });
}
