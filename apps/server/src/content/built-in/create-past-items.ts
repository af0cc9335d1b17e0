import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { notUnique, validationFailed } from '../backend/content-errors.ts';
import type { BackendOwner } from './built-in-backend.ts';
import { findFields } from './collections.queries.ts';
import { insertPastItems } from './past-items.queries.ts';
import { checkNewItem, uniqueValuesOf, type StoredField } from './stored-field.ts';

export interface NewPastItem {
  id: string;
  at: Date;
  data: Item;
}

/**
 * Creates many items at once, with creation dates in the past. Opt-outs of contacts are stored separately.
 * @throws 409 when two items have the same value in a unique field; 422
 */
export async function createPastItems(
  trx: Transaction,
  { organizationId, userId }: BackendOwner,
  collection: string,
  items: readonly NewPastItem[],
): Promise<void> {
  const fields: StoredField[] = (await findFields(trx, organizationId, collection)) ?? [];
  const checked = items.map(({ id, at, data: given }) => {
    const result = checkNewItem(fields, given);
    if ('errors' in result) throw validationFailed(result.errors);
    return { id, at, data: result.data, claims: uniqueValuesOf(fields, result.data) };
  });
  const claims = checked.reduce((sum, item) => sum + item.claims.length, 0);
  const owner = { organizationId, collection, userCreated: userId };
  if ((await insertPastItems(trx, owner, checked)) < claims) throw notUnique('id');
}
