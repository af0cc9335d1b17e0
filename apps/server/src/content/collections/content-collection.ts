import { isUsableFor, type Owner } from '@reachout/contract/rules/owners.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { findCollection, listVisibleCollections } from '../built-in/collections.queries.ts';
import { findEndpoint } from '../directus/connection.queries.ts';
import { findSeenCollection } from '../directus/seen-collections.queries.ts';

type Usability = 'usable' | 'unknown' | 'foreign';

/**
 * Whether a brand can show the items of a collection. Locks the collection, so that it is not deleted before a record that
 * refers to it is stored. Of a Directus, it reads what was seen last, because a transaction must not wait for another server.
 */
export async function findUsability(
  trx: Transaction,
  organizationId: string,
  collection: string,
  user: Owner,
): Promise<Usability> {
  const isBuiltIn = (await findEndpoint(trx, organizationId)) === null;
  const row = isBuiltIn
    ? await findCollection(trx, organizationId, collection, { lock: 'keyShare' })
    : await findSeenCollection(trx, organizationId, collection, { lock: 'keyShare' });
  const isHidden = row !== undefined && 'hidden' in row && row.hidden;
  if (row === undefined || isHidden || isPlatformCollection(collection)) return 'unknown';
  return isUsableFor(row, user) ? 'usable' : 'foreign';
}

/** @throws 422 on `collection` */
export async function requireUsable(...given: Parameters<typeof findUsability>): Promise<void> {
  const usability = await findUsability(...given);
  if (usability === 'unknown') throw invalidInput('collection', 'There is no such collection.');
  if (usability === 'foreign')
    throw invalidInput('collection', 'This collection belongs to another client or brand.');
}

/** @returns the first collection of contacts that a brand can use; undefined with a Directus */
export async function findContactList(
  trx: Transaction,
  organizationId: string,
  user: { client_id: string; brand_id: string },
): Promise<string | undefined> {
  if ((await findEndpoint(trx, organizationId)) !== null) return undefined;
  const usable = await listVisibleCollections(trx, organizationId, user);
  return usable.find(({ has_contacts }) => has_contacts)?.collection;
}
