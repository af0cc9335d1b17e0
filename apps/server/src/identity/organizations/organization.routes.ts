import { ORPCError } from '@orpc/contract';
import { lacksClients } from '@reachout/contract/abilities.ts';
import type { EffectivePermission } from '@reachout/contract/organizations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { requireWholeOrganization } from '../access/membership.ts';
import { inTransaction, inTransactions, operations, type OperationContext } from '../access/operations.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { hasSecondFactor } from '../auth/second-factor/second-factor.queries.ts';
import { lockUser } from '../auth/users/credentials.queries.ts';
import { restorableHandlers } from '../contact-details/contact-details.ts';
import { rejectUnknownChoice } from '../contact-details/unknown-choice.ts';
import { createOrganization, type OrganizationHooks } from './create-organization.ts';
import {
  deleteOrganization,
  getMyOrganization,
  listMyOrganizations,
  updateOrganization,
} from './organization.queries.ts';
import { listOwnerNames } from '../memberships/member.queries.ts';
import { findLinkToken } from '../invitations/link-token.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { denyWhileSending } from './deny-while-sending.ts';
import { getSetup } from './setup.ts';
import { listQuotas } from './quotas.ts';
import { listTrash } from './trash.queries.ts';

export const createOrganizationRoutes = (
  hooks: OrganizationHooks,
  { limits, secrets }: { limits: RateLimits; secrets: Secrets },
) => ({
  list: inTransaction(operations.organizations.list, async (trx) => {
    const items = await listMyOrganizations(trx);
    return { items, count: items.length };
  }),
  create: inTransaction(operations.organizations.create, async (trx, input, context) => {
    const { userId, origin } = context;
    const organizationId = await createOrganization(trx, { ...input, ownerId: userId }, hooks);
    await countNewOrganization(trx, limits, context.userId);
    await writeAuditEntry(
      trx,
      { userId, apiKey: undefined, organizationId, origin },
      'organizations.create',
      { record_type: 'organizations', record_id: organizationId, record_name: input.name },
    );
    return await getMyOrganization(trx, organizationId);
  }),
  get: inTransaction(operations.organizations.get, async (trx, input, context) => ({
    ...(await getMyOrganization(trx, input.id)),
    invitation_token: await findLinkToken(trx, secrets, context),
  })),
  update: inTransaction(operations.organizations.update, async (trx, { id, ...changes }) => {
    if (Object.keys(changes).length > 0)
      await rejectUnknownChoice(() => updateOrganization(trx, id, changes));
    return await getMyOrganization(trx, id);
  }),
  requireSecondFactor: inTransaction(
    operations.organizations.requireSecondFactor,
    async (trx, { id, is_required }, context) => {
      // The user who sets the requirement must not be locked out by it.
      if (is_required && !(await hasSecondFactor(trx, context.userId)))
        throw apiError('second_factor_required');
      await updateOrganization(trx, id, { requires_second_factor: is_required });
      context.note({ details: { is_required } });
      return await getMyOrganization(trx, id);
    },
  ),
  delete: inTransaction(operations.organizations.delete, async (trx, input, context) => {
    context.note({ record_name: (await deleteOrganization(trx, input.id)).name });
    await denyWhileSending(trx, 'organizations', input.id);
    return { id: input.id };
  }),
  permissions: operations.organizations.permissions.handler(async ({ context }) => ({
    role: context.role,
    rules: context.rules as EffectivePermission[],
    client_wanted_from: lacksClients(context.rules) ? await context.transaction(listOwnerNames) : null,
  })),
  setup: inTransaction(operations.organizations.setup, (trx, { id }) => getSetup(trx, id)),
  quotas: inTransaction(operations.organizations.quotas, async (trx, input, context) => {
    // Quotas count the content of all clients.
    requireWholeOrganization(context, 'read', 'Content');
    const items = await listQuotas(trx, input.id);
    return { items, count: items.length };
  }),
  trash: inTransaction(operations.organizations.trash, (trx, input) => listTrash(trx, input)),
  addresses: inTransactions(operations.organizations.addresses, addresses),
  contacts: inTransactions(operations.organizations.contacts, contactPersons),
});

/**
 * Maximum organizations per owner. Each has a content backend, roles and sends, and an audit log that records every
 * sign-in of its members.
 */
const maxOwned = 20;

/**
 * Counts a newly created organization, in the transaction that creates it: one over the limit is rolled back. Locks the
 * user until the transaction ends, so that concurrent requests are counted.
 * @throws 409 `too_many_organizations`
 */
async function countNewOrganization(trx: Transaction, limits: RateLimits, userId: string): Promise<void> {
  await lockUser(trx, userId);
  const owned = (await listMyOrganizations(trx)).filter(({ role }) => role === 'owner');
  if (owned.length > maxOwned) throw tooManyOrganizations(`You own ${maxOwned} organizations already.`);
  try {
    // Also counts organizations that were deleted since.
    await limits.count(['organizations_of_person', userId]);
  } catch (error) {
    if (!(error instanceof ORPCError) || error.status !== 429) throw error;
    throw tooManyOrganizations('You have created many organizations within a day. Wait until tomorrow.');
  }
}

const tooManyOrganizations = (message: string) => apiError('too_many_organizations', undefined, message);

/** The audit log records these as changes of the organization; it does not store whose address or contact it is. */
function ownerOf(_trx: Transaction, { id }: { id: string }, { note }: Pick<OperationContext, 'note'>) {
  note({ record_id: id, record_name: undefined });
  return { kind: 'organization', organization_id: id } as const;
}

const addresses = restorableHandlers('address', 'address_id', ownerOf);
const contactPersons = restorableHandlers('contact', 'contact_id', ownerOf);
