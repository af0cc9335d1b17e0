import type { DashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';

const runningMs = 3_000;
const resultsMs = 60_000;

const where = ({ orgId, clientId }: OrganizationContext) =>
  compact({ organization_id: orgId, client_id: clientId });

export const resultsQuery = (scope: OrganizationContext, period: DashboardPeriod) =>
  scope.api.dashboard.results.queryOptions({
    input: { ...where(scope), period, time_zone: currentTimeZone() },
    meta: { quiet: true },
    placeholderData: keepPreviousData,
    refetchInterval: resultsMs,
  });

/** Asked for again every few seconds while something runs. */
export const workQuery = (scope: OrganizationContext) =>
  scope.api.dashboard.work.queryOptions({
    input: where(scope),
    meta: { quiet: true },
    refetchInterval: ({ state }) =>
      state.data?.open.some(({ status }) => status !== 'paused') ? runningMs : false,
  });

export const recentQuery = (scope: OrganizationContext) =>
  scope.api.dashboard.recent.queryOptions({ input: where(scope), meta: { quiet: true } });
