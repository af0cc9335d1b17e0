import { inTransaction, operations } from '../../identity/access/operations.ts';
import { figureOrderScope, readFigures } from '../figures/figures.ts';
import { groupByClient } from './brand.ts';
import { listBrandsOfClients, listClientsOfSearch } from './clients-brands.queries.ts';

export const clientsBrandsRoutes = {
  list: inTransaction(operations.clientsBrands.list, async (trx, input, context) => {
    const scope = figureOrderScope(context, input.order);
    const { clients, count } = await listClientsOfSearch(trx, input, scope);
    const ids = clients.map(({ client_id }) => client_id);
    const brands = ids.length === 0 ? [] : await listBrandsOfClients(trx, ids, input.order, scope);
    const brandIds = brands.map(({ brand_id }) => brand_id);
    return {
      items: groupByClient(clients, brands, {
        ofClient: await readFigures(trx, context, 'client', ids),
        ofBrand: await readFigures(trx, context, 'brand', brandIds),
      }),
      count,
    };
  }),
};
