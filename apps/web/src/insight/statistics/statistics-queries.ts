import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';

export const periods = ['1day', '7day', '30day', '12month'] as const;
export type Period = (typeof periods)[number];

const live = { refetchInterval: 15_000, meta: { quiet: true } };

/** What the statistics of an email touchpoint show. */
export function statisticsQueries({ api, orgId }: OrganizationContext, touchpoint: string, period: Period) {
  const where = { organization_id: orgId, touchpoint };
  const time_zone = currentTimeZone();
  const { emailStats, emailChart, emailLinks, emailEvents } = api.statistics;
  return {
    stats: emailStats.queryOptions({ input: { ...where, time_zone }, ...live }),
    chart: emailChart.queryOptions({
      input: { ...where, period, time_zone },
      placeholderData: keepPreviousData,
      ...live,
    }),
    links: emailLinks.queryOptions({ input: where, ...live }),
    events: emailEvents.queryOptions({ input: { ...where, limit: 10 }, ...live }),
    latestSend: api.sends.listOfTouchpoint.queryOptions({ input: { id: touchpoint, page: 0, page_size: 1 } }),
  };
}
