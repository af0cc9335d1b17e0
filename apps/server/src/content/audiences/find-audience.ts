import { sampleAudience } from './count-audience.ts';
import { InvalidRule } from '../backend/filter-rule.ts';
import type { Transaction } from '../../platform/database/database.ts';
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

/** A contact to show a message with: the one asked for, or the first that would receive it. */
export async function findContact(
  trx: Transaction,
  organizationId: string,
  audience: Audience | string | undefined,
  contactId: string | undefined,
): Promise<{ address: string; data: Record<string, unknown> } | undefined> {
  const collection = typeof audience === 'object' ? audience.collection : 'contacts';
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
