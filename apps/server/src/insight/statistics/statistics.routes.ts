import { inTransaction, operations } from '../../identity/access/operations.ts';
import { getWebsiteSettings } from '../../outreach/channels/website/website-settings.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listClickCountries, listDevices, listProviders } from './breakdown.queries.ts';
import { readCampaignFunnel } from './campaign-funnel.ts';
import { compareEmails } from './comparison.ts';
import { listLatestEvents, listLinks, type StatisticsQuery } from './email-statistics.queries.ts';
import {
  getEmailChart,
  getEmailStats,
  getPreviousEmailStats,
  ofEmail,
  toPeriod,
} from './email-statistics.ts';
import { readLinkMap } from './link-map.ts';
import { readWebsiteConversions } from './website-conversions.ts';
import {
  getWebsiteChart,
  getWebsiteEventChart,
  getWebsiteFigures,
  getWebsiteMetrics,
  type WebsiteRequest,
} from './website-metrics.ts';
import { readBreakdown, readNow, readWebsiteOverview } from './website-overview.ts';

export const statisticsRoutes = {
  campaignFunnel: inTransaction(operations.statistics.campaignFunnel, (trx, { id }, { organizationId }) =>
    readCampaignFunnel(trx, organizationId, id),
  ),

  websiteStats: inTransaction(operations.statistics.websiteStats, async (trx, input, context) => ({
    data: await getWebsiteFigures(trx, await toWebsiteRequest(trx, input, context)),
  })),

  websiteMetrics: inTransaction(operations.statistics.websiteMetrics, async (trx, input, context) => ({
    data: await getWebsiteMetrics(trx, await toWebsiteRequest(trx, input, context)),
  })),

  websiteEventChart: inTransaction(operations.statistics.websiteEventChart, async (trx, input, context) => ({
    data: await getWebsiteEventChart(trx, {
      ...(await toWebsiteRequest(trx, input, context)),
      period: toPeriodOf(input),
    }),
  })),

  websiteChart: inTransaction(operations.statistics.websiteChart, async (trx, input, context) => ({
    data: await getWebsiteChart(trx, {
      ...(await toWebsiteRequest(trx, input, context)),
      period: toPeriodOf(input),
    }),
  })),

  websiteOverview: inTransaction(operations.statistics.websiteOverview, async (trx, input, context) => ({
    data: await readWebsiteOverview(trx, await requireWebsite(trx, input, context), toPeriodOf(input)),
  })),

  websiteBreakdown: inTransaction(operations.statistics.websiteBreakdown, async (trx, input, context) => ({
    data: await readBreakdown(trx, await requireWebsite(trx, input, context), toPeriodOf(input), input),
  })),

  websiteNow: inTransaction(operations.statistics.websiteNow, async (trx, input, context) => ({
    data: await readNow(trx, await requireWebsite(trx, input, context), new Date()),
  })),

  websiteConversions: inTransaction(
    operations.statistics.websiteConversions,
    async (trx, input, context) => ({
      data: await readWebsiteConversions(trx, await requireWebsite(trx, input, context), toPeriodOf(input)),
    }),
  ),

  emailStats: inTransaction(operations.statistics.emailStats, async (trx, input, context) => {
    const { period: text, time_zone: timeZone } = input;
    const period = text === undefined ? undefined : { text, timeZone, now: new Date() };
    const query = toStatisticsQuery(input, context);
    const data = await getEmailStats(trx, query, period);
    return { data, previous: period === undefined ? null : await getPreviousEmailStats(trx, query, period) };
  }),

  emailChart: inTransaction(operations.statistics.emailChart, async (trx, input, context) => {
    const period = { text: input.period, timeZone: input.time_zone, now: new Date() };
    return { data: await getEmailChart(trx, toStatisticsQuery(input, context), period) };
  }),

  emailLinks: inTransaction(operations.statistics.emailLinks, async (trx, input, context) => ({
    data: await ofEmail(listLinks)(trx, toStatisticsQuery(input, context)),
  })),

  emailLinkMap: operations.statistics.emailLinkMap.handler(async ({ input, context }) => ({
    data: await readLinkMap(toStatisticsQuery(input, context), context),
  })),

  emailProviders: inTransaction(operations.statistics.emailProviders, async (trx, input, context) => ({
    data: await ofEmail(listProviders)(trx, toStatisticsQuery(input, context)),
  })),

  emailDevices: inTransaction(operations.statistics.emailDevices, async (trx, input, context) => ({
    data: await ofEmail(listDevices)(trx, toStatisticsQuery(input, context)),
  })),

  emailCountries: inTransaction(operations.statistics.emailCountries, async (trx, input, context) => ({
    data: await ofEmail(listClickCountries)(trx, toStatisticsQuery(input, context)),
  })),

  emailComparison: inTransaction(operations.statistics.emailComparison, async (trx, input, context) => ({
    data: await compareEmails(trx, toStatisticsQuery(input, context), new Date()),
  })),

  emailEvents: inTransaction(operations.statistics.emailEvents, async (trx, input, context) => ({
    data: await ofEmail(listLatestEvents)(trx, toStatisticsQuery(input, context), input),
  })),
};

/** @throws 404 if the touchpoint does not exist, or is no website */
async function requireWebsite(
  trx: Transaction,
  { touchpoint }: { touchpoint: string },
  { organizationId }: { organizationId: string },
): Promise<StatisticsQuery> {
  await getWebsiteSettings(trx, touchpoint);
  return { organizationId, touchpointId: touchpoint };
}

async function toWebsiteRequest(
  trx: Transaction,
  input: { touchpoint: string; period?: string | undefined; time_zone: string; distinct: 'true' | 'false' },
  context: { organizationId: string },
): Promise<WebsiteRequest> {
  const { period, time_zone: timeZone, distinct } = input;
  return {
    query: await requireWebsite(trx, input, context),
    period: period === undefined ? undefined : toPeriodOf({ period, time_zone: timeZone }),
    timeZone,
    isDistinct: distinct === 'true',
  };
}

const toPeriodOf = ({ period, time_zone: timeZone }: { period: string; time_zone: string }) => ({
  ...toPeriod({ text: period, timeZone, now: new Date() }),
  timeZone,
});

const toStatisticsQuery = (
  input: { touchpoint: string; send?: string | undefined },
  { organizationId }: { organizationId: string },
): StatisticsQuery => ({ organizationId, touchpointId: input.touchpoint, sendId: input.send });
