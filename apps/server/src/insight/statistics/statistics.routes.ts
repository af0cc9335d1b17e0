import { operations } from '../../identity/access/operations.ts';
import { listLatestEvents, listLinks, type Scope } from './email-statistics.queries.ts';
import { getEmailChart, getEmailStats, requireScope } from './email-statistics.ts';

export const statisticsRoutes = {
  emailStats: operations.statistics.emailStats.handler(async ({ input, context }) => {
    const period =
      input.period === undefined
        ? undefined
        : { text: input.period, timeZone: input.time_zone, now: new Date() };
    return {
      data: await context.transaction((trx) => getEmailStats(trx, toScope(input, context), period)),
    };
  }),

  emailChart: operations.statistics.emailChart.handler(async ({ input, context }) => {
    const period = { text: input.period, timeZone: input.time_zone, now: new Date() };
    return {
      data: await context.transaction((trx) => getEmailChart(trx, toScope(input, context), period)),
    };
  }),

  emailLinks: operations.statistics.emailLinks.handler(async ({ input, context }) => {
    const scope = toScope(input, context);
    const data = await context.transaction(async (trx) => {
      await requireScope(trx, scope);
      return await listLinks(trx, scope);
    });
    return { data };
  }),

  emailEvents: operations.statistics.emailEvents.handler(async ({ input, context }) => {
    const scope = toScope(input, context);
    const data = await context.transaction(async (trx) => {
      await requireScope(trx, scope);
      return await listLatestEvents(trx, scope, input);
    });
    return { data };
  }),
};

const toScope = (
  input: { touchpoint: string; send?: string | undefined },
  { organizationId }: { organizationId: string },
): Scope => ({ organizationId, touchpointId: input.touchpoint, sendId: input.send });
