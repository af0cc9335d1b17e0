import { inTransaction, operations } from '../../identity/access/operations.ts';
import { listLatestEvents, listLinks, type StatisticsQuery } from './email-statistics.queries.ts';
import { getEmailChart, getEmailStats, requireStatisticsTarget } from './email-statistics.ts';

export const statisticsRoutes = {
  emailStats: inTransaction(operations.statistics.emailStats, async (trx, input, context) => {
    const { period: text, time_zone: timeZone } = input;
    const period = text === undefined ? undefined : { text, timeZone, now: new Date() };
    return { data: await getEmailStats(trx, toStatisticsQuery(input, context), period) };
  }),

  emailChart: inTransaction(operations.statistics.emailChart, async (trx, input, context) => {
    const period = { text: input.period, timeZone: input.time_zone, now: new Date() };
    return { data: await getEmailChart(trx, toStatisticsQuery(input, context), period) };
  }),

  emailLinks: inTransaction(operations.statistics.emailLinks, async (trx, input, context) => {
    const query = toStatisticsQuery(input, context);
    await requireStatisticsTarget(trx, query);
    return { data: await listLinks(trx, query) };
  }),

  emailEvents: inTransaction(operations.statistics.emailEvents, async (trx, input, context) => {
    const query = toStatisticsQuery(input, context);
    await requireStatisticsTarget(trx, query);
    return { data: await listLatestEvents(trx, query, input) };
  }),
};

const toStatisticsQuery = (
  input: { touchpoint: string; send?: string | undefined },
  { organizationId }: { organizationId: string },
): StatisticsQuery => ({ organizationId, touchpointId: input.touchpoint, sendId: input.send });
