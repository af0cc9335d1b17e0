import { inTransaction, operations } from '../../identity/access/operations.ts';
import { listDevices, listProviders } from './breakdown.queries.ts';
import { compareEmails } from './comparison.ts';
import { listLatestEvents, listLinks, type StatisticsQuery } from './email-statistics.queries.ts';
import { getEmailChart, getEmailStats, requireStatisticsTarget } from './email-statistics.ts';
import { readLinkMap } from './link-map.ts';

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

  emailLinkMap: operations.statistics.emailLinkMap.handler(async ({ input, context }) => ({
    data: await readLinkMap(toStatisticsQuery(input, context), context),
  })),

  emailProviders: inTransaction(operations.statistics.emailProviders, async (trx, input, context) => {
    const query = toStatisticsQuery(input, context);
    await requireStatisticsTarget(trx, query);
    return { data: await listProviders(trx, query) };
  }),

  emailDevices: inTransaction(operations.statistics.emailDevices, async (trx, input, context) => {
    const query = toStatisticsQuery(input, context);
    await requireStatisticsTarget(trx, query);
    return { data: await listDevices(trx, query) };
  }),

  emailComparison: inTransaction(operations.statistics.emailComparison, async (trx, input, context) => ({
    data: await compareEmails(trx, toStatisticsQuery(input, context), new Date()),
  })),

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
