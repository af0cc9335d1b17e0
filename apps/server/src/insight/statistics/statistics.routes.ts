import type { Period } from '@reachout/contract/period.ts';
import type { EventType } from '@reachout/contract/statuses.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { getWebsiteSettings } from '../../outreach/channels/website/website-settings.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listClickCountries, listDevices, listProviders } from './breakdown.queries.ts';
import { readCampaignFunnel } from './campaign-funnel.ts';
import { compareEmails } from './comparison.ts';
import { listLatestEvents, listLinks, type StatisticsQuery } from './email-statistics.queries.ts';
import {
  getEmailFailureChart,
  getEmailFigures,
  getEmailFiguresChart,
  getEmailMetrics,
} from './email-metrics.ts';
import { getPreviousEmailStats, ofEmail, requireStatisticsTarget, toPeriod } from './email-statistics.ts';
import { readLinkMap } from './link-map.ts';
import { countRecords } from './record-counts.queries.ts';
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

  recordCounts: inTransaction(operations.statistics.recordCounts, async (trx, _input, context) => ({
    data: await countRecords(trx, context),
  })),

  emailMetrics: inTransaction(operations.statistics.emailMetrics, async (trx, input, context) => ({
    data: await getEmailMetrics(trx, await toEmailRequest(trx, input, context)),
  })),

  emailFailureChart: inTransaction(operations.statistics.emailFailureChart, async (trx, input, context) => ({
    data: await getEmailFailureChart(trx, await toEmailRequest(trx, input, context)),
  })),

  emailStats: inTransaction(operations.statistics.emailStats, async (trx, input, context) => {
    const request = await toEmailRequest(trx, input, context);
    const { query, type, period } = request;
    const data = await getEmailFigures(trx, request);
    if (type !== undefined || period === undefined) return { data, previous: null };
    return { data, previous: await getPreviousEmailStats(trx, query, period) };
  }),

  emailChart: inTransaction(operations.statistics.emailChart, async (trx, input, context) => ({
    data: await getEmailFiguresChart(trx, await toEmailRequest(trx, input, context)),
  })),

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

/** @throws 404 as `requireStatisticsTarget`; 422 `invalid_period` */
async function toEmailRequest<P extends string | undefined>(
  trx: Transaction,
  input: {
    touchpoint: string;
    send?: string | undefined;
    type?: EventType | undefined;
    period?: P;
    time_zone: string;
  },
  context: { organizationId: string },
) {
  const { type, period, time_zone } = input;
  const query = toStatisticsQuery(input, context);
  await requireStatisticsTarget(trx, query);
  const read = period === undefined ? undefined : toPeriodOf({ period, time_zone });
  return { query, type, period: read as P extends string ? Period : Period | undefined, timeZone: time_zone };
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
