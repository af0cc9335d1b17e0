import { operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { newId } from '../../platform/ids.ts';
import {
  deleteClient,
  getClient,
  insertClient,
  listClients,
  restoreClient,
  updateClient,
} from './client.queries.ts';
import {
  clientAddressRoutes,
  clientContactPersonRoutes,
  clientSocialRoutes,
} from './client-records.routes.ts';

export const clientRoutes = {
  list: operations.clients.list.handler(({ input, context }) =>
    context.transaction((trx) => listClients(trx, input)),
  ),
  create: operations.clients.create.handler(({ input, context }) =>
    context.transaction((trx) =>
      insertClient(trx, { id: newId(), organization_id: context.organizationId, name: input.name }),
    ),
  ),
  get: operations.clients.get.handler(({ input, context }) =>
    context.transaction((trx) => getClient(trx, input.id)),
  ),
  update: operations.clients.update.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      if (input.name !== undefined) await updateClient(trx, input.id, { name: input.name });
      return await getClient(trx, input.id);
    }),
  ),
  delete: operations.clients.delete.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      context.note({ record_name: await deleteClient(trx, input.id) });
      await denyWhileSending(trx, 'clients', input.id);
      return { id: input.id };
    }),
  ),
  restore: operations.clients.restore.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await restoreClient(trx, input.id);
      return await getClient(trx, input.id);
    }),
  ),
  addresses: clientAddressRoutes,
  contacts: clientContactPersonRoutes,
  socials: clientSocialRoutes,
};
