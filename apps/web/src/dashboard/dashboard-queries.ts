import type { DashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { rememberLogos } from '#web/clients/brands/known-logos.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { setupQuery } from '#web/operations/onboarding/setup-query.ts';
import { takeStart } from '#web/platform/early-start.ts';
import { compact } from '#web/platform/list-search.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';
import type { Preloaded } from '#web/platform/preload.ts';
import { queryClient } from '#web/platform/query-client.ts';

export const canReadWork = ({ can }: OrganizationContext) => can('read', 'Touchpoint');
export const canReadRecent = (scope: OrganizationContext) =>
  canReadWork(scope) && scope.can('read', 'Campaign');
export const canReadResults = ({ can }: OrganizationContext) => can('read', 'Statistics');

const runningMs = 3_000;
const resultsMs = 60_000;

const where = ({ orgId, clientId }: OrganizationContext) =>
  compact({ organization_id: orgId, client_id: clientId });

const resultsInput = (scope: OrganizationContext, period: DashboardPeriod) => ({
  ...where(scope),
  period,
  time_zone: currentTimeZone(),
});

export const resultsQuery = (scope: OrganizationContext, period: DashboardPeriod) =>
  scope.api.dashboard.results.queryOptions({
    input: resultsInput(scope, period),
    meta: { quiet: true },
    placeholderData: keepPreviousData,
    refetchInterval: resultsMs,
  });

/** Refetched every few seconds while a send is in progress. */
export const workQuery = (scope: OrganizationContext) =>
  scope.api.dashboard.work.queryOptions({
    input: where(scope),
    meta: { quiet: true },
    refetchInterval: ({ state }) =>
      state.data?.open.some(({ status }) => status !== 'paused') ? runningMs : false,
  });

export const recentQuery = (scope: OrganizationContext) =>
  scope.api.dashboard.recent.queryOptions({ input: where(scope), meta: { quiet: true } });

/**
 * The queries of all parts, for the loader. On the first load they share one response if its permissions give the same rows
 * as separate requests. If it fails, each part sends its own request and handles its own error.
 */
export function dashboardQueries(scope: OrganizationContext, period: DashboardPeriod): Preloaded[] {
  const parts = {
    setup: scope.can('create', 'Client') && setupQuery(scope),
    work: canReadWork(scope) && workQuery(scope),
    results: canReadResults(scope) && resultsQuery(scope, period),
    recent: canReadRecent(scope) && recentQuery(scope),
  };
  const queries: [name: Part, query: Preloaded][] = [];
  for (const name of ['setup', 'work', 'results', 'recent'] as const)
    if (parts[name]) queries.push([name, parts[name]]);
  const isKnown = queries.some(([, { queryKey }]) => queryClient.getQueryData(queryKey) !== undefined);
  if (isKnown || !hasOneScope(scope)) return queries.map(([, query]) => query);

  const load = async () => {
    const input = resultsInput(scope, period);
    const early = {
      organization_id: scope.orgId,
      client_id: scope.clientId,
      dashboard: { period, time_zone: input.time_zone },
    };
    const overview =
      (await takeStart('dashboard', early)) ?? (await scope.api.dashboard.overview.call(input));
    rememberLogos(overview.logos);
    return overview;
  };
  const overview = load().catch(() => undefined);
  return queries.map(([name, query]) => {
    let isFirst = true;
    const queryFn: Preloaded['queryFn'] = async (context) => {
      const known = isFirst ? overview : undefined;
      isFirst = false;
      return (await known)?.[name] ?? (await query.queryFn(context));
    };
    return { ...query, queryFn };
  });
}

type Part = 'setup' | 'work' | 'results' | 'recent';

/** Whether one transaction sees the same rows as a separate one for each part. */
function hasOneScope({ can, readScopeOf }: OrganizationContext): boolean {
  const subjects = ['Campaign', 'Touchpoint', 'Statistics'] as const;
  const scopes = subjects.map((subject) => JSON.stringify(readScopeOf(subject)));
  return subjects.every((subject) => can('read', subject)) && new Set(scopes).size === 1;
}
