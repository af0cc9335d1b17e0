import { setupTasks, type EffectivePermission } from '@reachout/contract/organizations.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { operations } from '../access/operations.ts';
import type { RateLimits } from '../access/rate-limits.ts';
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
import { denyWhileSending } from './deny-while-sending.ts';
import { findDoneTasks } from './setup.queries.ts';
import { listTrash } from './trash.queries.ts';

export function createOrganizationRoutes(hooks: OrganizationHooks, { limits }: { limits: RateLimits }) {
  return {
    list: operations.organizations.list.handler(({ context }) =>
      context.transaction(async (trx) => {
        const items = await listMyOrganizations(trx);
        return { items, count: items.length };
      }),
    ),
    create: operations.organizations.create.handler(({ input, context }) =>
      context.transaction(async (trx) => {
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
    ),
    get: operations.organizations.get.handler(({ input, context }) =>
      context.transaction((trx) => getMyOrganization(trx, input.id)),
    ),
    update: operations.organizations.update.handler(({ input: { id, ...changes }, context }) =>
      context.transaction(async (trx) => {
        if (Object.keys(changes).length > 0)
          await rejectUnknownChoice(() => updateOrganization(trx, id, changes));
        return await getMyOrganization(trx, id);
      }),
    ),
    delete: operations.organizations.delete.handler(({ input, context }) =>
      context.transaction(async (trx) => {
        context.note({ record_name: await deleteOrganization(trx, input.id) });
        await denyWhileSending(trx, 'organizations', input.id);
        return { id: input.id };
      }),
    ),
    permissions: operations.organizations.permissions.handler(({ context }) => ({
      role: context.role,
      rules: context.rules as EffectivePermission[],
    })),
    setup: operations.organizations.setup.handler(({ input, context }) =>
      context.transaction(async (trx) => {
        const done = await findDoneTasks(trx, input.id);
        return { id: input.id, tasks: setupTasks.map((task) => ({ task, done: done[task] })) };
      }),
    ),
    trash: operations.organizations.trash.handler(({ input, context }) =>
      context.transaction((trx) => listTrash(trx, input)),
    ),
    addresses: organizationAddressRoutes,
    contacts: organizationContactPersonRoutes,
  };
}
