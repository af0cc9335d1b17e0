import { mirroredCollections } from '@reachout/contract/rules/mirrored-collections.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ConnectionColumns } from './connection.queries.ts';
import { namesForPeople, readCollections, type SeenCollection } from './describe-fields.ts';
import { DirectusError } from './directus-error.ts';
import type { DirectusClient } from './directus-client.ts';
import { storeSeenCollections } from './seen-collections.queries.ts';

/** The result of a successful connection check. */
export interface CheckedDirectus {
  server_version: string | null;
  missing_collections: string[];
  collections: SeenCollection[];
}

/**
 * Checks everything that the platform needs from a Directus: that the server is a Directus, the user of the token, the
 * version, the platform's collections, and the collections of users.
 * @throws DirectusError
 */
export async function checkDirectus(client: DirectusClient): Promise<CheckedDirectus> {
  if ((await client.ping()).trim() !== 'pong') {
    throw new DirectusError('malformed', 'The response is not one of Directus.');
  }
  const { id } = await client.me();
  if (typeof id !== 'string') throw new DirectusError('credentials', 'The token belongs to nobody.');
  const { version } = await client.info();
  const missing: string[] = [];
  for (const collection of mirroredCollections) {
    if (!(await isThere(client, collection))) missing.push(collection);
  }
  return {
    server_version: typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version) ? version : null,
    missing_collections: missing,
    collections: await listCollections(client),
  };
}

/** Directus sends the same error for a missing collection as for one that is not allowed. */
async function isThere(client: DirectusClient, collection: string): Promise<boolean> {
  try {
    await client.readItems(collection, { limit: 1, fields: ['id'] });
    return true;
  } catch (error) {
    if (error instanceof DirectusError && error.failure === 'not_allowed') return false;
    throw error;
  }
}

/** @returns the collections of users with their item counts. @throws DirectusError */
export async function listCollections(client: DirectusClient): Promise<SeenCollection[]> {
  const collections = await client.listCollections();
  const fields = await listFields(client, collections);
  const seen = readCollections(collections, fields, await listRelations(client));
  const counts = await Promise.all(seen.map(({ collection }) => client.countItems(collection)));
  return seen.map((collection, index) => ({ ...collection, items_count: counts[index]! }));
}

/** Reads all fields in one response, or per collection if that response is too large (it includes Directus' own fields). */
async function listFields(
  client: DirectusClient,
  collections: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  try {
    return await client.listFields();
  } catch (error) {
    if (!(error instanceof DirectusError) || error.failure !== 'too_large') throw error;
  }
  const fields: Record<string, unknown>[] = [];
  for (const collection of namesForPeople(collections)) fields.push(...(await client.listFields(collection)));
  return fields;
}

/** A token that cannot read relations gets none, as one of a backend without relations. */
async function listRelations(client: DirectusClient): Promise<Record<string, unknown>[]> {
  try {
    return await client.listRelations();
  } catch (error) {
    if (error instanceof DirectusError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

/** Maps a check result to the columns of `organization_directus`. */
export const toState = ({ server_version, missing_collections }: CheckedDirectus) =>
  ({ state: 'connected', failure: null, error_content: null, server_version, missing_collections }) as const;

export const toFailingState = (error: DirectusError) =>
  ({ state: 'failing', failure: error.failure, error_content: error.message }) satisfies Pick<
    ConnectionColumns,
    'state' | 'failure' | 'error_content'
  >;

export const storeChecked = (trx: Transaction, organizationId: string, { collections }: CheckedDirectus) =>
  storeSeenCollections(trx, organizationId, collections);
