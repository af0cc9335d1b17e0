import type { Owner } from '@reachout/contract/rules/owners.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findCollection } from '../built-in/collections.queries.ts';
import type { SeenCollection } from '../directus/describe-fields.ts';
import type { Relate } from '../backend/filter-rule.ts';
import { loadRelate } from '../directus/directus-rule.ts';
import { findEndpoint } from '../directus/connection.queries.ts';
import { findSeenCollection } from '../directus/seen-collections.queries.ts';
import { findRemoteCollection, listRuleFields, type AudienceField } from './contact-collection.queries.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import type { DirectusBackend } from '../directus/directus-backend.ts';
import { changedBackend } from '../directus/directus-error.ts';
import { openBackend } from './with-content.ts';

/** What audiences and emails need to know about a collection in any content backend. */
export interface ContactCollection extends Owner {
  /** Endpoint of the content backend; null for the built-in one. */
  endpoint: string | null;
  fields: AudienceField[];
}

/**
 * Finds a collection of the active content backend within the access scope. For a remote backend, returns what was seen
 * last, because a transaction must not wait for another server.
 */
export async function findContactCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<ContactCollection | undefined> {
  const endpoint = await findEndpoint(trx, organizationId);
  if (endpoint === null) {
    const row = await findCollection(trx, organizationId, collection);
    return (
      row && { ...ownerOf(row), endpoint, fields: await listRuleFields(trx, organizationId, collection) }
    );
  }
  const seen = await findSeenCollection(trx, organizationId, collection);
  return seen && { ...ownerOf(seen), endpoint, fields: toRuleFields(seen) };
}

/** Lists the fields of a collection, also outside the access scope. */
export async function listContactFields(
  trx: Transaction,
  organizationId: string,
  { collection, endpoint }: { collection: string; endpoint: string | null },
): Promise<AudienceField[]> {
  if (endpoint === null) return await listRuleFields(trx, organizationId, collection);
  const seen = await findRemoteCollection(trx, collection);
  return seen === undefined ? [] : toRuleFields(seen);
}

/** The relations that a rule over a collection of a Directus may use; undefined for the built-in backend. */
export const findRelate = async (
  trx: Transaction,
  organizationId: string,
  { endpoint, collection, rule }: { endpoint: string | null; collection: string; rule: unknown },
  of: 'caller' | 'organization',
): Promise<Relate | undefined> =>
  endpoint === null ? undefined : (await loadRelate(trx, organizationId, { collection, rule }, of)).relate;

const ownerOf = ({ client_id, brand_id }: Owner): Owner => ({ client_id, brand_id });

const toRuleFields = ({ fields }: Pick<SeenCollection, 'fields'>) =>
  fields.map(({ field, type, unique }): AudienceField => ({ name: field, type, unique }));

/** Dependencies for requests to a remote content backend. */
export interface BackendAccess {
  deps: DirectusDeps;
  organizationId: string;
  /** Opens a short transaction of this organization. */
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
}

/**
 * Opens the remote content backend of an audience.
 * @param run  opens a short transaction of this organization
 * @param isAwaited  whether a user is waiting for the response
 * @throws 424 `backend_failed` if another backend, or none, is connected by now
 */
export async function openContacts(
  deps: DirectusDeps,
  organizationId: string,
  endpoint: string,
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  { isAwaited }: { isAwaited: boolean },
): Promise<DirectusBackend> {
  const open = await openBackend(deps, { organizationId, userId: null }, run, {
    isAwaited,
    // The rule was validated when it was stored. Who uses it may see less than its author.
    relatedOf: 'organization',
  });
  if (open.kind === 'directus' && open.endpoint === endpoint) return open.backend;
  throw changedBackend();
}
