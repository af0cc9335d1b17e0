import type { Owner } from '@reachout/contract/rules/owners.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findCollection } from '../built-in/collections.queries.ts';
import type { SeenCollection } from '../directus/describe-fields.ts';
import { findEndpoint } from '../directus/connection.queries.ts';
import { findSeenCollection } from '../directus/seen-collections.queries.ts';
import type { AudienceField } from './audience.ts';
import { findRemoteCollection, listRuleFields } from './find-audience.queries.ts';

/** What audiences and emails need to know of a collection, wherever its contacts are. */
export interface ContactCollection extends Owner {
  /** Of the content backend, where that is not the built-in one. */
  endpoint: string | null;
  fields: AudienceField[];
}

/**
 * A collection of the content backend that is in use, within the access scope. Of a remote one, this is what was seen last: a transaction
 * waits for no other server.
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

/** The fields of a collection, also of one beyond the access scope. */
export async function listContactFields(
  trx: Transaction,
  organizationId: string,
  { collection, endpoint }: { collection: string; endpoint: string | null },
): Promise<AudienceField[]> {
  if (endpoint === null) return await listRuleFields(trx, organizationId, collection);
  const seen = await findRemoteCollection(trx, collection);
  return seen === undefined ? [] : toRuleFields(seen);
}

const ownerOf = ({ client_id, brand_id }: Owner): Owner => ({ client_id, brand_id });

const toRuleFields = ({ fields }: Pick<SeenCollection, 'fields'>) =>
  fields.map(({ field, type, unique }): AudienceField => ({ name: field, type, unique }));
