import { sampleAudience } from './count-audience.ts';
import { InvalidRule } from '../backend/filter-rule.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { TagFields } from './check-merge-tags.ts';
import { parseAudience, type Audience } from './audience.ts';
import { findContactItem, findFilterDefinition, listRuleFields } from './find-audience.queries.ts';

/**
 * The audience of a stored filter, checked against the fields as they are now.
 * @param brandId whose suppressions count beside those of the organization
 * @returns undefined when there is no such filter; a text for people when it cannot be used
 */
export async function findAudience(
  trx: Transaction,
  organizationId: string,
  filterId: string,
  brandId: string,
): Promise<Audience | string | undefined> {
  const filter = await findFilterDefinition(trx, filterId);
  if (filter === undefined) return undefined;
  if (!filter.is_active) return `The audience “${filter.name}” is inactive.`;
  try {
    const fields = await listRuleFields(trx, organizationId, filter.collection);
    return parseAudience({ ...filter, brandId }, fields);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    return `The audience “${filter.name}” can’t be used: ${error.message}`;
  }
}

/** The fields of the contacts of an audience; of those of the first collection until an audience is chosen. */
export async function findTagFields(
  trx: Transaction,
  organizationId: string,
  audience: Audience | string | undefined,
): Promise<TagFields> {
  const isDecided = typeof audience === 'object';
  const collection = isDecided ? audience.collection : firstCollection;
  const fields = await listRuleFields(trx, organizationId, collection);
  return { collection, names: fields.map(({ name }) => name).toSorted(), isDecided };
}

/** The contacts that every organization starts with. */
const firstCollection = 'contacts';

/** A contact to show a message with: the one asked for, or the first that would receive it. */
export async function findContact(
  trx: Transaction,
  organizationId: string,
  audience: Audience | string | undefined,
  contactId: string | undefined,
): Promise<{ address: string; data: Record<string, unknown> } | undefined> {
  const collection = typeof audience === 'object' ? audience.collection : firstCollection;
  const emailField = typeof audience === 'object' ? audience.field_mapping.email : 'email';
  if (contactId !== undefined) {
    const data = await findContactItem(trx, organizationId, collection, contactId);
    const email = data?.[emailField];
    return data && { address: typeof email === 'string' ? email : '', data };
  }
  if (typeof audience !== 'object') return undefined;
  const [first] = await sampleAudience(trx, organizationId, audience, 1);
  return first && { address: first.email, data: first.data };
}
