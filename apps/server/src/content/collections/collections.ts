import type { FieldInput } from '@reachout/contract/content-fields.ts';
import type { Collection } from '@reachout/contract/content.ts';
import { slugOf } from '@reachout/contract/rules/slug-of.ts';
import { startingCollections } from '@reachout/contract/rules/starting-collections.ts';
import { lockForQuota } from '../../identity/organizations/quotas.ts';
import { apiError, invalidInput, tooManyRecords, orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { numberedNames } from '../../platform/numbered-names.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { systemFields } from '../backend/filter-rule.ts';
import { checkSettings, toStoredField } from '../built-in/change-field.ts';
import {
  countCollections,
  deleteCollection as deleteCollectionRow,
  findCollection,
  insertCollections,
  isNameTaken,
  listVisibleCollections,
  updateCollection,
  type CollectionRow,
} from '../built-in/collections.queries.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { isDirectusConnected } from '../directus/connection.queries.ts';
import { findSeenCollection, updateSeenCollection } from '../directus/seen-collections.queries.ts';
import { createContacts } from '../built-in/starting-collections.ts';
import type { StoredField } from '../built-in/stored-field.ts';
import { countAudiencesOf, listAudiencesOf, listOwnerNames } from '../owners/owner.queries.ts';
import { denyOwnerInUse, resolveOwner, resolveOwnerChange, withOwners } from '../owners/owners.ts';

/** Per organization, because lists of collections have no pages. */
const maxCollections = 1_000;
const maxCollectionLength = 63;

interface OwnerInput {
  client_id?: string | null | undefined;
  brand_id?: string | null | undefined;
}

interface CollectionChanges extends OwnerInput {
  collection: string;
  name?: string | undefined;
  hidden?: boolean | undefined;
  sort?: number | null | undefined;
}

interface CollectionInput extends OwnerInput {
  name: string;
  collection?: string | undefined;
  fields?: readonly FieldInput[] | undefined;
}

/**
 * Creates a collection with the given fields; without them, a collection of contacts with the default fields of contacts.
 * @throws 409 `too_many_records`, `name_taken` for `collection`; 422 on the owner or a field; 424 with a Directus connected
 */
export async function createCollection(
  trx: Transaction,
  organizationId: string,
  { name, collection: wanted, fields, ...owner }: CollectionInput,
): Promise<Collection> {
  await denyWithDirectus(trx, organizationId);
  const storedFields = fields && toNewFields(fields);
  const resolved = await resolveOwner(trx, owner);
  // Serializes concurrent creations, so that they count each other and take different names.
  await lockForQuota(trx, organizationId, 'contacts');
  if ((await countCollections(trx, organizationId)) >= maxCollections) throw tooManyRecords(maxCollections);
  const collection = wanted ?? (await findFreeName(trx, fields === undefined ? `contacts_${name}` : name));
  if (isPlatformCollection(collection) || (await isNameTaken(trx, collection))) throw apiError('name_taken');
  const created = { collection, label: name, ...resolved };
  if (storedFields === undefined) await createContacts(trx, organizationId, created);
  else await insertCollections(trx, organizationId, [{ ...created, hidden: false, fields: storedFields }]);
  return await getCollection(trx, organizationId, collection);
}

/**
 * Finds the collection of a client's contacts, and creates it, named after the client, if the client has none.
 * @throws 409 `too_many_records`; 422 on `client_id`; 424 with a Directus connected
 */
export async function ensureContactsOf(
  trx: Transaction,
  organizationId: string,
  clientId: string,
): Promise<{ collection: string; created?: Collection }> {
  await denyWithDirectus(trx, organizationId);
  await resolveOwner(trx, { client_id: clientId });
  // Serializes concurrent imports of a client, so that they share one collection.
  await lockForQuota(trx, organizationId, 'contacts');
  const usable = await listVisibleCollections(trx, organizationId, { client_id: clientId });
  const own = usable.find(
    ({ client_id, brand_id, has_contacts }) => has_contacts && client_id === clientId && brand_id === null,
  );
  if (own !== undefined) return { collection: own.collection };
  const { clients } = await listOwnerNames(trx, [{ client_id: clientId, brand_id: null }]);
  const created = await createCollection(trx, organizationId, {
    name: clients[0]!.name,
    client_id: clientId,
  });
  return { collection: created.collection, created };
}

/** @throws 422 for an invalid field, or two of the same name */
function toNewFields(fields: readonly FieldInput[]): StoredField[] {
  const names = fields.map(({ field }) => field);
  const isUnusable = names.some(
    (name, index) => names.indexOf(name) !== index || systemFields.some((known) => known.name === name),
  );
  if (isUnusable) throw invalidInput('fields', 'Two fields have the same name.');
  const stored = fields.map(toStoredField);
  for (const field of stored) checkSettings(field);
  return stored;
}

/** @throws 404; 409 `owner_in_use`; 422 on the owner */
export async function changeCollection(
  trx: Transaction,
  organizationId: string,
  { collection, name, hidden, sort, ...owner }: CollectionChanges,
): Promise<Collection> {
  // Order and visibility are those in the Directus.
  if (hidden !== undefined || sort !== undefined) await denyWithDirectus(trx, organizationId);
  const store = await storeOf(trx, organizationId);
  const current = orNotFound(await store.find(trx, organizationId, collection, { lock: 'update' }));
  const next = await resolveOwnerChange(trx, current, owner);
  if (next !== undefined) await denyOwnerInUse(trx, { kind: 'collection', key: collection }, next);
  const changes = {
    ...next,
    ...(name === undefined ? {} : { label: name }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(sort === undefined ? {} : { sort }),
  };
  if (Object.keys(changes).length > 0) await store.update(trx, organizationId, collection, changes);
  return await getCollection(trx, organizationId, collection);
}

/** The queries for names and owners of collections, for the backend in use. */
const storeOf = async (trx: Transaction, organizationId: string) =>
  (await isDirectusConnected(trx, organizationId))
    ? { find: findDirectusCollection, update: updateSeenCollection }
    : { find: findCollection, update: updateCollection };

async function findDirectusCollection(
  ...[trx, organizationId, collection, options]: Parameters<typeof findCollection>
): Promise<CollectionRow | undefined> {
  const row = await findSeenCollection(trx, organizationId, collection, options);
  if (row === undefined) return undefined;
  const { fields, items_count, key_type: _, ...rest } = row;
  const has_contacts = fields.some(({ field }) => field === 'email');
  return { ...rest, hidden: false, sort: null, item_count: items_count ?? 0, has_contacts };
}

/** Maximum audiences listed when they prevent the deletion of a collection. */
const maxNamed = 10;

/**
 * Deletes a collection. Its items, with their notes and the imports they came from, are erased in batches later
 * (`operations/retention`).
 * @returns its display name
 * @throws 404; 409 `starting_collection`, `collection_in_use`; 424 while a Directus is connected
 */
export async function deleteCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<{ name: string }> {
  await denyWithDirectus(trx, organizationId);
  const current = orNotFound(await findCollection(trx, organizationId, collection, { lock: 'update' }));
  if (startingCollections.includes(collection)) throw apiError('starting_collection');
  const count = await countAudiencesOf(trx, collection);
  if (count > 0)
    throw apiError('collection_in_use', {
      used_by: await listAudiencesOf(trx, collection, maxNamed),
      count,
    });
  await deleteCollectionRow(trx, organizationId, collection);
  return { name: current.label ?? collection };
}

async function getCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<Collection> {
  const row = orNotFound(await (await storeOf(trx, organizationId)).find(trx, organizationId, collection));
  return (await describeCollections(trx, [row]))[0]!;
}

export const describeCollections = (
  trx: Transaction,
  rows: readonly CollectionRow[],
): Promise<Collection[]> => withOwners(trx, rows);

/** Derives the permanent name, used in URLs, files and rules, from the initial display name. */
async function findFreeName(trx: Transaction, label: string): Promise<string> {
  const plain = toCollection(slugOf(label.normalize('NFKD').replaceAll(/\p{M}/gu, '')));
  const isUsable = /^[a-z]/.test(plain) && !isPlatformCollection(`${plain}_`);
  const name = (isUsable ? plain : toCollection(`list_${plain}`)).slice(0, maxCollectionLength);
  for (const wanted of numberedNames(name, maxCollectionLength)) {
    const collection = toCollection(wanted);
    if (!(await isNameTaken(trx, collection))) return collection;
  }
  throw tooManyRecords(maxCollections);
}

const toCollection = (text: string): string => text.replaceAll(/[^a-z0-9]+/g, '_').replace(/_$/, '');
