import { operations } from '../../identity/access/operations.ts';
import { listLatestEvents, listLinks, type StatisticsQuery } from './email-statistics.queries.ts';
import { getEmailChart, getEmailStats, requireStatisticsTarget } from './email-statistics.ts';

export const statisticsRoutes = {
  emailStats: operations.statistics.emailStats.handler(async ({ input, context }) => {
    const period =
      input.period === undefined
        ? undefined
        : { text: input.period, timeZone: input.time_zone, now: new Date() };
    return {
      data: await context.transaction((trx) => getEmailStats(trx, toStatisticsQuery(input, context), period)),
    };
  }),

  emailChart: operations.statistics.emailChart.handler(async ({ input, context }) => {
    const period = { text: input.period, timeZone: input.time_zone, now: new Date() };
    return {
      data: await context.transaction((trx) => getEmailChart(trx, toStatisticsQuery(input, context), period)),
    };
  }),

  emailLinks: operations.statistics.emailLinks.handler(async ({ input, context }) => {
    const query = toStatisticsQuery(input, context);
    const data = await context.transaction(async (trx) => {
      await requireStatisticsTarget(trx, query);
      return await listLinks(trx, query);
    });
    return { data };
  }),

  emailEvents: operations.statistics.emailEvents.handler(async ({ input, context }) => {
    const query = toStatisticsQuery(input, context);
    const data = await context.transaction(async (trx) => {
      await requireStatisticsTarget(trx, query);
      return await listLatestEvents(trx, query, input);
    });
    return { data };
  }),
};

const toStatisticsQuery = (
  input: { touchpoint: string; send?: string | undefined },
  { organizationId }: { organizationId: string },
): StatisticsQuery => ({ organizationId, touchpointId: input.touchpoint, sendId: input.send });
