import { inTransaction, operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { figureOrderScope, withFigures } from '../figures/figures.ts';
import { deleteClient, getClient, listClients, restoreClient, updateClient } from './client.queries.ts';
import { createClient } from './create-client.ts';
import {
  clientAddressRoutes,
  clientContactPersonRoutes,
  clientSocialRoutes,
} from './client-records.routes.ts';

export const clientRoutes = {
  list: inTransaction(operations.clients.list, async (trx, input, context) => {
    const { items, count } = await listClients(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'client', items), count };
  }),
  create: inTransaction(operations.clients.create, (trx, input, context) =>
    createClient(trx, { organization_id: context.organizationId, name: input.name }),
  ),
  get: inTransaction(operations.clients.get, (trx, input) => getClient(trx, input.id)),
  update: inTransaction(operations.clients.update, async (trx, input) => {
    if (input.name !== undefined) await updateClient(trx, input.id, { name: input.name });
    return await getClient(trx, input.id);
  }),
  delete: inTransaction(operations.clients.delete, async (trx, input, context) => {
    context.note({ record_name: (await deleteClient(trx, input.id)).name });
    await denyWhileSending(trx, 'clients', input.id);
    return { id: input.id };
  }),
  restore: inTransaction(operations.clients.restore, async (trx, input) => {
    await restoreClient(trx, input.id);
    return await getClient(trx, input.id);
  }),
  addresses: clientAddressRoutes,
  contacts: clientContactPersonRoutes,
  socials: clientSocialRoutes,
};
