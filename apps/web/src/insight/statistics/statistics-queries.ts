import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';

export const periods = ['first', '1day', '7day', '30day', '12month'] as const;
/** `first`: the first 48 hours after the email was sent. */
export type Period = (typeof periods)[number];

const live = { refetchInterval: 15_000, meta: { quiet: true } };

/** For breakdowns that change slowly and are more expensive to compute. */
const slowly = { refetchInterval: 60_000, meta: { quiet: true } };

/** Queries of an email touchpoint's statistics page, except for the chart. */
export function statisticsQueries({ api, orgId }: OrganizationContext, touchpoint: string) {
  const where = { organization_id: orgId, touchpoint };
  const { emailStats, emailLinks, emailLinkMap, emailProviders, emailDevices, emailComparison, emailEvents } =
    api.statistics;
  return {
    stats: emailStats.queryOptions({ input: { ...where, time_zone: currentTimeZone() }, ...live }),
    links: emailLinks.queryOptions({ input: where, ...live }),
    // The email of a send does not change; another send has another preview.
    linkMap: emailLinkMap.queryOptions({ input: where, staleTime: 60_000, meta: { quiet: true } }),
    providers: emailProviders.queryOptions({ input: where, ...slowly }),
    devices: emailDevices.queryOptions({ input: where, ...slowly }),
    comparison: emailComparison.queryOptions({ input: where, ...slowly }),
    events: emailEvents.queryOptions({ input: { ...where, limit: 10 }, ...live }),
    // The newest sends, which include the first one of a recent email.
    sends: api.sends.listOfTouchpoint.queryOptions({ input: { id: touchpoint, page: 0, page_size: 20 } }),
  };
}

/** @param period  in the format of the API; undefined while unknown */
export const chartQuery = (
  { api, orgId }: OrganizationContext,
  touchpoint: string,
  period: string | undefined,
) => ({
  ...api.statistics.emailChart.queryOptions({
    input: { organization_id: orgId, touchpoint, time_zone: currentTimeZone(), ...compact({ period }) },
    placeholderData: keepPreviousData,
    ...live,
  }),
  enabled: period !== undefined,
});
