import { operations } from '../../identity/access/operations.ts';
import { groupByClient } from './brand.ts';
import { listBrandsOfClients, listClientsOfSearch } from './clients-brands.queries.ts';

export const clientsBrandsRoutes = {
  list: operations.clientsBrands.list.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const { clients, count } = await listClientsOfSearch(trx, input);
      const ids = clients.map(({ client_id }) => client_id);
      const brands = ids.length === 0 ? [] : await listBrandsOfClients(trx, ids);
      return { items: groupByClient(clients, brands), count };
    }),
  ),
};
