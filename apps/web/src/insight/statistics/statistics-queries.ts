import type { EmailChart, EmailStats, FailureChart } from '@reachout/contract/statistics.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { inTurn } from '#web/platform/in-turn.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';

export const periods = ['life', 'first'] as const;
/** Both start when the email was sent: `life` ends now, `first` after 48 hours. */
export type Period = (typeof periods)[number];

const live = { refetchInterval: 15_000, meta: { quiet: true } };

/** For breakdowns that change slowly and are more expensive to compute. */
const slowly = { refetchInterval: 60_000, meta: { quiet: true } };

/** Queries of an email touchpoint's statistics page, except for the chart. */
export function statisticsQueries({ api, orgId }: OrganizationContext, touchpoint: string) {
  const where = { organization_id: orgId, touchpoint };
  const {
    emailStats,
    emailLinks,
    emailLinkMap,
    emailProviders,
    emailFailures,
    emailDevices,
    emailCountries,
    emailComparison,
    emailEvents,
  } = api.statistics;
  return {
    stats: emailStats.queryOptions({
      input: { ...where, time_zone: currentTimeZone() },
      // Without `type`, the response has all metrics.
      select: ({ data, ...rest }) => ({ data: data as EmailStats, ...rest }),
      ...live,
    }),
    links: inTurn(emailLinks.queryOptions({ input: where, ...live })),
    // The email of a send does not change; another send has another preview.
    linkMap: emailLinkMap.queryOptions({ input: where, staleTime: 60_000, meta: { quiet: true } }),
    providers: inTurn(emailProviders.queryOptions({ input: where, ...slowly })),
    failures: inTurn(emailFailures.queryOptions({ input: where, ...slowly })),
    devices: inTurn(emailDevices.queryOptions({ input: where, ...slowly })),
    countries: inTurn(emailCountries.queryOptions({ input: where, ...slowly })),
    comparison: inTurn(emailComparison.queryOptions({ input: where, ...slowly })),
    events: inTurn(emailEvents.queryOptions({ input: { ...where, limit: 10 }, ...live })),
    // The first sends; most emails have one.
    sends: api.sends.listOfTouchpoint.queryOptions({
      input: { id: touchpoint, order: 'send_date.asc', page: 0, page_size: 20 },
    }),
  };
}

/**
 * The numbers of a period, and of the one before.
 * @param period  in the format of the API
 */
export const periodStatsQuery = ({ api, orgId }: OrganizationContext, touchpoint: string, period: string) =>
  api.statistics.emailStats.queryOptions({
    input: { organization_id: orgId, touchpoint, time_zone: currentTimeZone(), period },
    select: ({ data, ...rest }) => ({ data: data as EmailStats, ...rest }),
    placeholderData: keepPreviousData,
    ...live,
  });

/** @param period  in the format of the API */
export const chartQuery = ({ api, orgId }: OrganizationContext, touchpoint: string, period: string) =>
  api.statistics.emailChart.queryOptions({
    input: { organization_id: orgId, touchpoint, time_zone: currentTimeZone(), period },
    select: ({ data }) => ({ data: data as EmailChart }),
    placeholderData: keepPreviousData,
    ...live,
  });

/** @param period  in the format of the API */
export const failureChartQuery = ({ api, orgId }: OrganizationContext, touchpoint: string, period: string) =>
  inTurn(
    api.statistics.emailFailureChart.queryOptions({
      input: { organization_id: orgId, touchpoint, time_zone: currentTimeZone(), period },
      select: ({ data }) => ({ data: data as FailureChart }),
      placeholderData: keepPreviousData,
      ...slowly,
    }),
  );
