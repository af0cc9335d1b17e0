import type { Item } from '@reachout/contract/content.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isItemKey } from '../../content/directus/check-names.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { listContacts, type StoredContact } from './subscription.queries.ts';

/** The consent data of contacts in any content backend. `read` never requests a remote server within its transaction. */
export interface FoundContacts {
  /** Whether the contacts are in a Directus, where nothing is locked or changed. */
  isRemote: boolean;
  collection: string;
  /** Reads the existing contacts, unordered. */
  read: (trx: Transaction) => Promise<StoredContact[]>;
}

type ContactPlace = Pick<OperationContext, 'organizationId' | 'userId' | 'transaction'>;

/**
 * Finds contacts. Those in a Directus are requested here; built-in ones are read in the transaction passed to `read`.
 * @throws 404, 424 `backend_failed`
 */
export async function findContacts(
  deps: DirectusDeps,
  { organizationId, userId, transaction }: ContactPlace,
  collection: string,
  keys: readonly string[],
): Promise<FoundContacts> {
  const open = await openBackend(deps, { organizationId, userId }, transaction, { isAwaited: true });
  if (open.kind === 'built_in') {
    const read = (trx: Transaction) => listContacts(trx, { organizationId, collection }, keys);
    return { isRemote: false, collection, read };
  }
  const known = keys.filter(isItemKey);
  const query = { filter: { id: { _in: known } }, limit: known.length, offset: 0 };
  const items = known.length === 0 ? [] : await open.backend.findItems(collection, query);
  const contacts = items.map(toContact);
  return { isRemote: true, collection, read: () => Promise.resolve(contacts) };
}

/** @returns the single contact. @throws 404 */
export async function getContact(trx: Transaction, { read }: FoundContacts): Promise<StoredContact> {
  const [contact] = await read(trx);
  if (contact === undefined) throw notFound();
  return contact;
}

const toContact = ({ id, email, unsubscribed }: Item): StoredContact => ({
  // The adapter returns keys as text.
  id: id as string,
  email: typeof email === 'string' ? email : null,
  is_unsubscribed: unsubscribed === true,
});
