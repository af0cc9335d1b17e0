import { rulesFor } from '@reachout/contract/abilities.ts';
import { call } from '../access/calls.ts';
import { createOrganization, type OrganizationHooks } from './create-organization.ts';
import {
  deleteOrganization,
  getOrganization,
  listMyOrganizations,
  updateOrganization,
} from './organization.queries.ts';
import { refuseWhileSending } from './refuse-while-sending.ts';

export function createOrganizationRoutes(hooks: OrganizationHooks) {
  return {
    list: call.organizations.list.handler(({ context }) =>
      context.transaction(async (trx) => {
        const items = await listMyOrganizations(trx);
        return { items, count: items.length };
      }),
    ),
    create: call.organizations.create.handler(({ input, context }) =>
      context.transaction(async (trx) => {
        const id = await createOrganization(trx, { name: input.name, ownerId: context.userId }, hooks);
        return { ...(await getOrganization(trx, id)), role: 'owner' };
      }),
    ),
    get: call.organizations.get.handler(({ input, context }) =>
      context.transaction(async (trx) => ({
        ...(await getOrganization(trx, input.id)),
        role: context.role,
      })),
    ),
    update: call.organizations.update.handler(({ input, context }) =>
      context.transaction(async (trx) => {
        if (input.name !== undefined) await updateOrganization(trx, input.id, { name: input.name });
        return { ...(await getOrganization(trx, input.id)), role: context.role };
      }),
    ),
    delete: call.organizations.delete.handler(({ input, context }) =>
      context.transaction(async (trx) => {
        await deleteOrganization(trx, input.id);
        await refuseWhileSending(trx, 'organizations', input.id);
        return { id: input.id };
      }),
    ),
    permissions: call.organizations.permissions.handler(({ context }) => ({
      rules: rulesFor(context.role),
    })),
  };
}
