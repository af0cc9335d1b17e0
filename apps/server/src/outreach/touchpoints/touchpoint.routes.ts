import { operations } from '../../identity/access/operations.ts';
import { restoreTouchpoint, changeTouchpoint, removeTouchpoint } from './change-touchpoint.ts';
import { createTouchpoint } from './create-touchpoint.ts';
import { getTouchpoint, listRecentTouchpoints, listTouchpoints } from './touchpoint.queries.ts';
import { toTouchpoint } from './touchpoint.ts';

/** What touchpoints of all channels have in common. */
export const touchpointRoutes = {
  list: operations.touchpoints.list.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const { rows, count } = await listTouchpoints(trx, input);
      return { items: rows.map(toTouchpoint), count };
    }),
  ),
  recent: operations.touchpoints.recent.handler(({ context }) =>
    context.transaction(async (trx) => (await listRecentTouchpoints(trx)).map(toTouchpoint)),
  ),
  create: operations.touchpoints.create.handler(({ input, context }) =>
    context.transaction(async (trx) => toTouchpoint(await createTouchpoint(trx, input))),
  ),
  get: operations.touchpoints.get.handler(({ input, context }) =>
    context.transaction(async (trx) => toTouchpoint(await getTouchpoint(trx, input.id))),
  ),
  update: operations.touchpoints.update.handler(({ input: { id, ...changes }, context }) =>
    context.transaction(async (trx) => {
      await changeTouchpoint(trx, id, changes);
      return toTouchpoint(await getTouchpoint(trx, id));
    }),
  ),
  delete: operations.touchpoints.delete.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      context.note({ record_name: await removeTouchpoint(trx, input.id) });
      return { id: input.id };
    }),
  ),
  restore: operations.touchpoints.restore.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await restoreTouchpoint(trx, input.id);
      return toTouchpoint(await getTouchpoint(trx, input.id));
    }),
  ),
};

export const createTouchpointRoute = operations.rpc.createTouchpoint.handler(({ input, context }) =>
  context.transaction(async (trx) => toTouchpoint(await createTouchpoint(trx, input))),
);
