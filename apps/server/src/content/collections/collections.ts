import type { Collection } from '@reachout/contract/content.ts';
import { slugOf } from '@reachout/contract/rules/slug-of.ts';
import { lockForQuota } from '../../identity/organizations/quotas.ts';
import { notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { numberedNames } from '../../platform/numbered-names.ts';
import {
  collectionExists,
  countCollections,
  findCollection,
  updateCollection,
  type CollectionRow,
} from '../built-in/collections.queries.ts';
import { createContacts } from '../built-in/starting-collections.ts';
import { denyOwnerInUse, resolveOwner, resolveOwnerChange, withOwners } from '../owners/owners.ts';

/** Of one organization: a list of them has no pages. */
const maxCollections = 1_000;
const maxCollectionLength = 63;

interface OwnerInput {
  client_id?: string | null | undefined;
  brand_id?: string | null | undefined;
}

/**
 * A collection of contacts with the fields that contacts start with.
 * @throws 409 `too_many_records`; 422 on the owner
 */
export async function createCollection(
  trx: Transaction,
  organizationId: string,
  { name, ...owner }: OwnerInput & { name: string },
): Promise<Collection> {
  const resolved = await resolveOwner(trx, owner);
  // Two at the same moment count each other, and take different names.
  await lockForQuota(trx, organizationId, 'contacts');
  if ((await countCollections(trx, organizationId)) >= maxCollections) throw tooManyRecords(maxCollections);
  const collection = await findFreeName(trx, name);
  await createContacts(trx, organizationId, { collection, label: name, ...resolved });
  return await getCollection(trx, organizationId, collection);
}

/** @throws 404; 409 `owner_in_use`; 422 on the owner */
export async function changeCollection(
  trx: Transaction,
  organizationId: string,
  { collection, name, ...owner }: OwnerInput & { collection: string; name?: string | undefined },
): Promise<Collection> {
  const current = await findCollection(trx, organizationId, collection, { forUpdate: true });
  if (current === undefined) throw notFound();
  const next = await resolveOwnerChange(trx, current, owner);
  if (next !== undefined) await denyOwnerInUse(trx, { kind: 'collection', key: collection }, next);
  if (next !== undefined || name !== undefined)
    await updateCollection(trx, organizationId, collection, {
      ...next,
      ...(name === undefined ? {} : { label: name }),
    });
  return await getCollection(trx, organizationId, collection);
}

async function getCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<Collection> {
  const row = await findCollection(trx, organizationId, collection);
  if (row === undefined) throw notFound();
  return (await describeCollections(trx, [row]))[0]!;
}

export const describeCollections = (
  trx: Transaction,
  rows: readonly CollectionRow[],
): Promise<Collection[]> => withOwners(trx, rows);

/** What addresses, files and rules call it: made of its first name, and never changed. */
async function findFreeName(trx: Transaction, label: string): Promise<string> {
  const plain = slugOf(label.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
  const name = toCollection(`contacts_${plain}`).slice(0, maxCollectionLength);
  for (const wanted of numberedNames(name, maxCollectionLength)) {
    const collection = toCollection(wanted);
    if (!(await collectionExists(trx, collection))) return collection;
  }
  throw tooManyRecords(maxCollections);
}

const toCollection = (text: string): string => text.replaceAll(/[^a-z0-9]+/g, '_').replace(/_$/, '');
