import type { Transaction } from '../../platform/database/database.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import type { DirectusClient } from '../directus/directus-client.ts';
import { DirectusError } from '../directus/directus-error.ts';
import type { Copy } from './copies.queries.ts';

/**
 * Creates, updates or deletes a record's item in a Directus. Idempotent.
 * @throws DirectusError
 */
export async function writeToDirectus(client: DirectusClient, { collection, id, item }: Copy): Promise<void> {
  if (item === null) return await removeFromDirectus(client, collection, id);
  try {
    await client.createItem(collection, { id, ...item });
  } catch (error) {
    if (!(error instanceof DirectusError && error.code === 'RECORD_NOT_UNIQUE')) throw error;
    // The conflict may be on another field, such as a template's name; the update then reports it.
    await client.updateItem(collection, id, item);
  }
}

async function removeFromDirectus(client: DirectusClient, collection: string, id: string): Promise<void> {
  try {
    await client.deleteItem(collection, id);
  } catch (error) {
    if (!isDenied(error) || (await isThere(client, collection, id))) throw error;
  }
}

/** Directus sends the same error for a missing item as for one that is not allowed. */
async function isThere(client: DirectusClient, collection: string, id: string): Promise<boolean> {
  const found = await client.readItems(collection, { filter: { id: { _eq: id } }, fields: ['id'], limit: 1 });
  return found.length > 0;
}

const isDenied = (error: unknown): error is DirectusError =>
  error instanceof DirectusError && error.failure === 'not_allowed';

/** Writes the copy to the built-in backend. Skips templates, which are already its items. */
export async function writeToBuiltIn(
  trx: Transaction,
  organizationId: string,
  { collection, id, item }: Copy,
): Promise<void> {
  if (collection === 'reachout_templates') return;
  const backend = createBuiltInBackend(trx, { organizationId, userId: null });
  const isThereAlready = (await backend.countItems(collection, { filter: { id: { _eq: id } } })) > 0;
  if (item === null) {
    if (isThereAlready) await backend.deleteItem(collection, id);
  } else if (isThereAlready) await backend.updateItem(collection, id, item);
  else await backend.createItem(collection, { id, ...item });
}
