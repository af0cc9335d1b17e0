import type { Period } from '@reachout/contract/period.ts';
import type { EventType } from '@reachout/contract/statuses.ts';
import { readCountedUntil } from '../../events/counted-until.ts';
import { inTransactions, operations } from '../../identity/access/operations.ts';
import { getWebsiteSettings } from '../../outreach/channels/website/website-settings.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listClickCountries, listDevices, listFailures, listProviders } from './breakdown.queries.ts';
import { readCampaignFunnel } from './campaign-funnel.ts';
import { compareEmails } from './comparison.ts';
import { listLatestEvents, listLinks } from './email-statistics.queries.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
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
  ...inTransactions(operations.statistics, {
    campaignFunnel: (trx, { id }, { organizationId }) => readCampaignFunnel(trx, organizationId, id),
    websiteStats: async (trx, input, context) => ({
      data: await getWebsiteFigures(trx, await toWebsiteRequest(trx, input, context)),
    }),
    websiteMetrics: async (trx, input, context) => ({
      data: await getWebsiteMetrics(trx, await toWebsiteRequest(trx, input, context)),
    }),
    websiteEventChart: async (trx, input, context) => ({
      data: await getWebsiteEventChart(trx, {
        ...(await toWebsiteRequest(trx, input, context)),
        period: toPeriodOf(input),
      }),
    }),
    websiteChart: async (trx, input, context) => ({
      data: await getWebsiteChart(trx, {
        ...(await toWebsiteRequest(trx, input, context)),
        period: toPeriodOf(input),
      }),
    }),
    websiteOverview: async (trx, input, context) => {
      const counted = await readCountedUntil(trx, context.organizationId, 'visitor');
      const website = await requireWebsite(trx, input, context);
      return { data: await readWebsiteOverview(trx, website, toPeriodOf(input)), counted };
    },
    websiteBreakdown: async (trx, input, context) => ({
      data: await readBreakdown(trx, await requireWebsite(trx, input, context), toPeriodOf(input), input),
    }),
    websiteNow: async (trx, input, context) => ({
      data: await readNow(trx, await requireWebsite(trx, input, context), new Date()),
    }),
    websiteConversions: async (trx, input, context) => ({
      data: await readWebsiteConversions(trx, await requireWebsite(trx, input, context), toPeriodOf(input)),
    }),
    recordCounts: async (trx, _input, context) => ({
      data: await countRecords(trx, context),
    }),
    emailMetrics: async (trx, input, context) => ({
      data: await getEmailMetrics(trx, await toEmailRequest(trx, input, context)),
    }),
    emailFailureChart: async (trx, input, context) => ({
      data: await getEmailFailureChart(trx, await toEmailRequest(trx, input, context)),
    }),
    emailStats: async (trx, input, context) => {
      const request = await toEmailRequest(trx, input, context);
      const { query, type, period } = request;
      const counted = await readCountedUntil(trx, context.organizationId, 'message');
      const data = await getEmailFigures(trx, request);
      if (type !== undefined || period === undefined) return { data, previous: null, counted };
      return { data, previous: await getPreviousEmailStats(trx, query, period), counted };
    },
    emailChart: async (trx, input, context) => ({
      data: await getEmailFiguresChart(trx, await toEmailRequest(trx, input, context)),
    }),
    emailLinks: async (trx, input, context) => ({
      data: await ofEmail(listLinks)(trx, toStatisticsQuery(input, context)),
    }),
    emailProviders: async (trx, input, context) => ({
      data: await ofEmail(listProviders)(trx, toStatisticsQuery(input, context)),
    }),
    emailFailures: async (trx, input, context) => ({
      data: await ofEmail(listFailures)(trx, toStatisticsQuery(input, context)),
    }),
    emailDevices: async (trx, input, context) => ({
      data: await ofEmail(listDevices)(trx, toStatisticsQuery(input, context)),
    }),
    emailCountries: async (trx, input, context) => ({
      data: await ofEmail(listClickCountries)(trx, toStatisticsQuery(input, context)),
    }),
    emailComparison: async (trx, input, context) => ({
      data: await compareEmails(trx, toStatisticsQuery(input, context), new Date()),
    }),
    emailEvents: async (trx, input, context) => ({
      data: await ofEmail(listLatestEvents)(trx, toStatisticsQuery(input, context), input),
    }),
  }),
  emailLinkMap: operations.statistics.emailLinkMap.handler(async ({ input, context }) => ({
    data: await readLinkMap(toStatisticsQuery(input, context), context),
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
