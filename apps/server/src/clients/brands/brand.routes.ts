import { operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { toBrand } from './brand.ts';
import {
  deleteBrand,
  getBrand,
  insertBrand,
  listBrands,
  restoreBrand,
  updateBrand,
} from './brand.queries.ts';

export const brandRoutes = {
  list: operations.brands.list.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const { rows, count } = await listBrands(trx, input);
      return { items: rows.map(toBrand), count };
    }),
  ),
  create: operations.brands.create.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const id = newId();
      if (!(await insertBrand(trx, { id, client_id: input.client_id, name: input.name }))) {
        throw invalidInput('client_id', 'There is no such client.');
      }
      return toBrand(await getBrand(trx, id));
    }),
  ),
  get: operations.brands.get.handler(({ input, context }) =>
    context.transaction(async (trx) => toBrand(await getBrand(trx, input.id))),
  ),
  update: operations.brands.update.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      if (input.name !== undefined) await updateBrand(trx, input.id, { name: input.name });
      return toBrand(await getBrand(trx, input.id));
    }),
  ),
  delete: operations.brands.delete.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      context.note({ record_name: await deleteBrand(trx, input.id) });
      await denyWhileSending(trx, 'brands', input.id);
      return { id: input.id };
    }),
  ),
  restore: operations.brands.restore.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await restoreBrand(trx, input.id);
      return toBrand(await getBrand(trx, input.id));
    }),
  ),
};
