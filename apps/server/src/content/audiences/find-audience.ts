import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import { sampleAudience } from './count-audience.ts';
import { InvalidRule } from '../backend/filter-rule.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { TagFields } from './check-merge-tags.ts';
import { isDirectusConnected } from '../directus/connection.queries.ts';
import { parseAudience, type Audience } from './audience.ts';
import {
  findCollectionUse,
  findContactItem,
  findFilterDefinition,
  findFirstContacts,
  listRuleFields,
} from './find-audience.queries.ts';

/** What is the matter with audiences while a Directus is connected. */
export const resting =
  'Audiences select from the built-in content backend, which rests while a Directus is connected.';

export interface FoundAudience {
  /** Undefined when there is no such filter; a text for people when it cannot be used. */
  audience: Audience | string | undefined;
  /** False where its contacts are beyond the access scope: who asks can send to them, and is told nothing of them. */
  showsContacts: boolean;
}

/**
 * The audience of a stored filter, checked against the fields as they are now, and against whom filter and contacts belong to.
 * @param brandId whose suppressions count beside those of the organization
 */
export async function findAudience(
  trx: Transaction,
  organizationId: string,
  filterId: string,
  brandId: string,
): Promise<FoundAudience> {
  const filter = await findFilterDefinition(trx, filterId);
  if (filter === undefined) return { audience: undefined, showsContacts: false };
  const { owner, brand, isVisible: showsContacts } = await findCollectionUse(trx, filter.collection, brandId);
  const refuse = (problem: string): FoundAudience => ({ audience: problem, showsContacts });
  const isForeign = (of: typeof owner) =>
    of !== undefined && (brand === undefined || !isUsableFor(of, brand));
  if (isForeign(filter)) return refuse(`The audience “${filter.name}” belongs to another client or brand.`);
  if (isForeign(owner))
    return refuse(`The contacts of the audience “${filter.name}” belong to another client or brand.`);
  // What people see then is not what the rule would select from.
  if (await isDirectusConnected(trx, organizationId))
    return refuse(`The audience “${filter.name}” can’t be used: ${resting}`);
  if (!filter.is_active) return refuse(`The audience “${filter.name}” is inactive.`);
  try {
    const fields = await listRuleFields(trx, organizationId, filter.collection);
    const { collection, rule, field_mapping } = filter;
    return { audience: parseAudience({ collection, rule, field_mapping, brandId }, fields), showsContacts };
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    return refuse(`The audience “${filter.name}” can’t be used: ${error.message}`);
  }
}

/** What an email of a brand is written for until it has an audience. */
export const findCollectionOf = async (
  trx: Transaction,
  organizationId: string,
  brandId: string,
): Promise<string> =>
  // No collection has an empty name.
  (await findFirstContacts(trx, organizationId, brandId)) ?? '';

/** @param from  the audience, or the collection of contacts until one is chosen */
export async function findTagFields(
  trx: Transaction,
  organizationId: string,
  from: Audience | string,
): Promise<TagFields> {
  const isDecided = typeof from === 'object';
  const collection = isDecided ? from.collection : from;
  const fields = await listRuleFields(trx, organizationId, collection);
  return { collection, names: fields.map(({ name }) => name).toSorted(), isDecided };
}

/**
 * A contact to show a message with: the one asked for, or the first that would receive it.
 * @param from  the audience, or the collection of contacts until one is chosen
 */
export async function findContact(
  trx: Transaction,
  organizationId: string,
  from: Audience | string,
  contactId: string | undefined,
): Promise<{ address: string; data: Record<string, unknown> } | undefined> {
  const { collection, emailField } =
    typeof from === 'object'
      ? { collection: from.collection, emailField: from.field_mapping.email }
      : { collection: from, emailField: 'email' };
  if (contactId !== undefined) {
    const data = await findContactItem(trx, organizationId, collection, contactId);
    const email = data?.[emailField];
    return data && { address: typeof email === 'string' ? email : '', data };
  }
  if (typeof from !== 'object') return undefined;
  const [first] = await sampleAudience(trx, organizationId, from, 1);
  return first && { address: first.email, data: first.data };
}
