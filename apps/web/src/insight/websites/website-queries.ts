import { mostRows } from '@reachout/contract/rules/statistics-tables.ts';
import type { WebsiteDimension } from '@reachout/contract/states/website.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { inTurn } from '#web/platform/in-turn.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';

/** Together, so that sums of tables agree with the tiles. */
const slowly = { refetchInterval: 60_000, placeholderData: keepPreviousData, meta: { quiet: true } };

export const topRows = 10;

const inputOf = ({ orgId }: OrganizationContext, touchpoint: string, period: string) => ({
  organization_id: orgId,
  touchpoint,
  period,
  time_zone: currentTimeZone(),
});

export const breakdownQuery = (
  scope: OrganizationContext,
  touchpoint: string,
  period: string,
  dimension: WebsiteDimension,
  limit = topRows,
) =>
  inTurn(
    scope.api.statistics.websiteBreakdown.queryOptions({
      input: { ...inputOf(scope, touchpoint, period), dimension, limit },
      ...slowly,
    }),
  );

/** @param period  in the format of the API */
export const websiteStatisticsQueries = (scope: OrganizationContext, touchpoint: string, period: string) => {
  const input = inputOf(scope, touchpoint, period);
  const { websiteOverview, websiteConversions, websiteNow } = scope.api.statistics;
  return {
    overview: inTurn(websiteOverview.queryOptions({ input, ...slowly })),
    conversions: inTurn(websiteConversions.queryOptions({ input, ...slowly })),
    now: websiteNow.queryOptions({
      input: { organization_id: scope.orgId, touchpoint },
      refetchInterval: 10_000,
      meta: { quiet: true },
    }),
    /** All, for the map. */
    countries: breakdownQuery(scope, touchpoint, period, 'country', mostRows),
  };
};
