import { lacksClients } from '@reachout/contract/abilities.ts';
import type { EffectivePermission } from '@reachout/contract/organizations.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { requireWholeOrganization } from '../access/membership.ts';
import { inTransaction, operations } from '../access/operations.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { hasSecondFactor } from '../auth/second-factor/second-factor.queries.ts';
import { rejectUnknownChoice } from '../contact-details/unknown-choice.ts';
import { createOrganization, type OrganizationHooks } from './create-organization.ts';
import { countNewOrganization } from './organization-limits.ts';
import { organizationAddressRoutes, organizationContactPersonRoutes } from './organization-records.routes.ts';
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

export function createOrganizationRoutes(
  hooks: OrganizationHooks,
  { limits, secrets }: { limits: RateLimits; secrets: Secrets },
) {
  return {
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
    addresses: organizationAddressRoutes,
    contacts: organizationContactPersonRoutes,
  };
}
