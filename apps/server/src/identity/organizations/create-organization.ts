import type { Role } from '@reachout/contract/abilities.ts';
import { rejectUnknownChoice } from '../contact-details/unknown-choice.ts';
import { enterOrganization, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { addMember } from '../memberships/member.queries.ts';
import { insertOrganization } from './organization.queries.ts';

export interface OrganizationHooks {
  /** Runs inside the new organization, in the transaction that creates it: both are committed, or neither. */
  onCreated: (trx: Transaction, organizationId: string) => Promise<void>;
}

/**
 * Creates an organization with this user as its owner. Leaves the transaction in that organization.
 * @returns the id of the organization
 * @throws 422 for a size or country that does not exist
 */
export async function createOrganization(
  trx: Transaction,
  {
    ownerId,
    ...settings
  }: {
    name: string;
    ownerId: string;
    organization_size_id?: string | null;
    country_id?: string | null;
    website_events_days?: number;
  },
  { onCreated }: OrganizationHooks,
): Promise<string> {
  const id = newId();
  await enterOrganization(trx, id);
  await rejectUnknownChoice(() => insertOrganization(trx, { id, ...settings }));
  await addMember(trx, { organization_id: id, user_id: ownerId, role: 'owner' satisfies Role });
  await onCreated(trx, id);
  return id;
}
