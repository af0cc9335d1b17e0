import {
  eraseTemplatesOf,
  itemRows,
  listCollectionsOf,
  type ErasedOwner,
} from '../../content/built-in/erase-items.ts';
import { noteRows, visitorContactRows } from '../../contacts/people/erase-contact.ts';
import { importPartRows, importRows, listImportsOfCollection } from '../../contacts/imports/erase-imports.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import type { ErasableCollection } from './erase.queries.ts';

type Step = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
type Erase = (deleteBatch: DeleteBatchOf, values: Readonly<Record<string, string>>) => Promise<void>;

/**
 * Erases the templates of a client or brand and the content of its collections. The collections themselves and the audiences
 * are deleted with their owner.
 * @param step  runs one short transaction
 * @param erase  repeats a batch, each in a step, until no rows are left
 */
export async function eraseContentOf(
  organization_id: string,
  owner: ErasedOwner,
  step: Step,
  erase: Erase,
): Promise<void> {
  const collections = await step((trx) => listCollectionsOf(trx, organization_id, owner));
  for (const collection of collections)
    await eraseCollectionContent({ organization_id, collection }, step, erase);
  await step((trx) => eraseTemplatesOf(trx, organization_id, owner));
}

/** Erases the content of a collection: its items with what is stored about them, and its imports. */
export async function eraseCollectionContent(
  { organization_id, collection }: ErasableCollection,
  step: Step,
  erase: Erase,
): Promise<void> {
  const imports = await step((trx) => listImportsOfCollection(trx, organization_id, collection));
  for (const import_id of imports)
    for (const rows of importPartRows) await erase(rows, { organization_id, import_id });
  for (const rows of [importRows, noteRows, visitorContactRows, ...itemRows])
    await erase(rows, { organization_id, collection });
}
