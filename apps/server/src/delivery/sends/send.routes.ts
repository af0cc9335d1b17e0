import type { Send } from '@reachout/contract/sends.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { call } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { cancelSend, decideUncertain, pauseSend, resumeSend } from './change-send.ts';
import { toSend } from './send.ts';
import { getSend, listDeliveries, listRecentSends, listSendsOfTouchpoint } from './send-list.queries.ts';
import { startSend } from './start-send.ts';
import { watchSend } from './watch-send.ts';

const answer = async (trx: Transaction, id: string): Promise<Send> => toSend(await getSend(trx, id));

export const createSendRoutes = ({ transport }: { transport: Review['transport'] }) => ({
  start: call.sends.start.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const id = await startSend(
        trx,
        {
          touchpointId: input.id,
          userId: context.userId,
          immediately: input.immediately,
          uncertainPolicy: input.uncertain_policy,
          expectedRecipients: input.expected_recipients,
          transport,
        },
        new Date(),
      );
      return await answer(trx, id);
    }),
  ),
  listOfTouchpoint: call.sends.listOfTouchpoint.handler(({ input: { id, ...page }, context }) =>
    context.transaction(async (trx) => {
      await requireTouchpoint(trx, id);
      const { items, count } = await listSendsOfTouchpoint(trx, id, page);
      return { items: items.map(toSend), count };
    }),
  ),
  recent: call.sends.recent.handler(({ context }) =>
    context.transaction(async (trx) => (await listRecentSends(trx)).map(toSend)),
  ),
  get: call.sends.get.handler(({ input, context }) => context.transaction((trx) => answer(trx, input.id))),
  progress: call.sends.progress.handler(async ({ input, context, signal }) => {
    const read = () => context.transaction((trx) => answer(trx, input.id));
    // Where there is nothing to be seen, the answer is a refusal and no stream.
    await read();
    return watchSend({ userId: context.userId, read, confirm: context.confirm }, signal);
  }),
  deliveries: call.sends.deliveries.handler(({ input: { id, ...page }, context }) =>
    context.transaction(async (trx) => {
      await getSend(trx, id);
      return await listDeliveries(trx, id, page);
    }),
  ),
  pause: call.sends.pause.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await pauseSend(trx, input.id);
      return await answer(trx, input.id);
    }),
  ),
  resume: call.sends.resume.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await resumeSend(trx, input.id);
      return await answer(trx, input.id);
    }),
  ),
  cancel: call.sends.cancel.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await cancelSend(trx, input.id);
      return await answer(trx, input.id);
    }),
  ),
  resolveUncertain: call.sends.resolveUncertain.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await decideUncertain(trx, input.id, input.decision);
      return await answer(trx, input.id);
    }),
  ),
});
