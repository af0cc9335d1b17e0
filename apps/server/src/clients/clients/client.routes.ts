import { call } from '../../identity/access/operations.ts';
import { refuseWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { newId } from '../../platform/ids.ts';
import {
  deleteClient,
  getClient,
  insertClient,
  listClients,
  restoreClient,
  updateClient,
} from './client.queries.ts';
import { clientAddressRoutes, clientContactRoutes, clientSocialRoutes } from './client-records.routes.ts';

export const clientRoutes = {
  list: call.clients.list.handler(({ input, context }) =>
    context.transaction((trx) => listClients(trx, input)),
  ),
  create: call.clients.create.handler(({ input, context }) =>
    context.transaction((trx) =>
      insertClient(trx, { id: newId(), organization_id: context.organizationId, name: input.name }),
    ),
  ),
  get: call.clients.get.handler(({ input, context }) =>
    context.transaction((trx) => getClient(trx, input.id)),
  ),
  update: call.clients.update.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      if (input.name !== undefined) await updateClient(trx, input.id, { name: input.name });
      return await getClient(trx, input.id);
    }),
  ),
  delete: call.clients.delete.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      context.note({ record_name: await deleteClient(trx, input.id) });
      await refuseWhileSending(trx, 'clients', input.id);
      return { id: input.id };
    }),
  ),
  restore: call.clients.restore.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await restoreClient(trx, input.id);
      return await getClient(trx, input.id);
    }),
  ),
  addresses: clientAddressRoutes,
  contacts: clientContactRoutes,
  socials: clientSocialRoutes,
};
