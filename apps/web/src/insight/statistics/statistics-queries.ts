import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';

export const periods = ['first', '1day', '7day', '30day', '12month'] as const;
/** `first`: the first 48 hours since the email was sent. */
export type Period = (typeof periods)[number];

const live = { refetchInterval: 15_000, meta: { quiet: true } };

/** Shares that hardly change from one moment to the next, and that cost more to count. */
const slowly = { refetchInterval: 60_000, meta: { quiet: true } };

/** What the statistics of an email touchpoint show, beside the chart. */
export function statisticsQueries({ api, orgId }: OrganizationContext, touchpoint: string) {
  const where = { organization_id: orgId, touchpoint };
  const { emailStats, emailLinks, emailLinkMap, emailProviders, emailDevices, emailComparison, emailEvents } =
    api.statistics;
  return {
    stats: emailStats.queryOptions({ input: { ...where, time_zone: currentTimeZone() }, ...live }),
    links: emailLinks.queryOptions({ input: where, ...live }),
    // What was sent does not change; another send has another picture.
    linkMap: emailLinkMap.queryOptions({ input: where, staleTime: 60_000, meta: { quiet: true } }),
    providers: emailProviders.queryOptions({ input: where, ...slowly }),
    devices: emailDevices.queryOptions({ input: where, ...slowly }),
    comparison: emailComparison.queryOptions({ input: where, ...slowly }),
    events: emailEvents.queryOptions({ input: { ...where, limit: 10 }, ...live }),
    // The newest, among which is the first one of an email that is young.
    sends: api.sends.listOfTouchpoint.queryOptions({ input: { id: touchpoint, page: 0, page_size: 20 } }),
  };
}

/** @param period  as the API reads it; undefined while it is not known */
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
