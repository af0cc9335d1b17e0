import { inTransaction, operations } from '../../identity/access/operations.ts';
import { groupByClient } from './brand.ts';
import { listBrandsOfClients, listClientsOfSearch } from './clients-brands.queries.ts';

export const clientsBrandsRoutes = {
  list: inTransaction(operations.clientsBrands.list, async (trx, input) => {
    const { clients, count } = await listClientsOfSearch(trx, input);
    const ids = clients.map(({ client_id }) => client_id);
    const brands = ids.length === 0 ? [] : await listBrandsOfClients(trx, ids);
    return { items: groupByClient(clients, brands), count };
  }),
};
