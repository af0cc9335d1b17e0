import { inTransaction, operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { figureOrderScope, withFigures } from '../figures/figures.ts';
import { newId } from '../../platform/ids.ts';
import { colorOfName, toBrand, toColumns } from './brand.ts';
import {
  deleteBrand,
  getBrand,
  insertBrand,
  listBrands,
  restoreBrand,
  updateBrand,
} from './brand.queries.ts';

export const brandRoutes = {
  list: inTransaction(operations.brands.list, async (trx, input, context) => {
    const { rows, count } = await listBrands(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'brand', rows.map(toBrand)), count };
  }),
  create: inTransaction(operations.brands.create, async (trx, input) => {
    const id = newId();
    const { client_id, name } = input;
    if (!(await insertBrand(trx, { id, client_id, name, color: colorOfName(name) }))) {
      throw invalidInput('client_id', 'There is no such client.');
    }
    return toBrand(await getBrand(trx, id));
  }),
  get: inTransaction(operations.brands.get, async (trx, input) => toBrand(await getBrand(trx, input.id))),
  update: inTransaction(operations.brands.update, async (trx, input) => {
    const { id, ...changes } = input;
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
