import { inTransaction, operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { figureOrderScope, withFigures, readFigures } from '../figures/figures.ts';
import { checkQuietHours, toBrand, toColumns, groupByClient } from './brand.ts';
import {
  deleteBrand,
  getBrand,
  listBrands,
  restoreBrand,
  updateBrand,
  listBrandsOfClients,
  listClientsOfSearch,
} from './brand.queries.ts';
import { createBrand } from './create-brand.ts';

export const brandRoutes = {
  list: inTransaction(operations.brands.list, async (trx, input, context) => {
    const { rows, count } = await listBrands(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'brand', rows.map(toBrand)), count };
  }),
  create: inTransaction(operations.brands.create, (trx, { client_id, name, tracking_policy }) =>
    createBrand(trx, { client_id, name, tracking_policy }),
  ),
  get: inTransaction(operations.brands.get, async (trx, input) => toBrand(await getBrand(trx, input.id))),
  update: inTransaction(operations.brands.update, async (trx, input) => {
    const { id, ...changes } = input;
    checkQuietHours({ ...(await getBrand(trx, id)), ...changes });
    if (Object.keys(changes).length > 0) await updateBrand(trx, id, toColumns(changes));
    return toBrand(await getBrand(trx, id));
  }),
  delete: inTransaction(operations.brands.delete, async (trx, input, context) => {
    context.note({ record_name: (await deleteBrand(trx, input.id)).name });
    await denyWhileSending(trx, 'brands', input.id);
    return { id: input.id };
  }),
  restore: inTransaction(operations.brands.restore, async (trx, input) => {
    await restoreBrand(trx, input.id);
    return toBrand(await getBrand(trx, input.id));
  }),
};

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
