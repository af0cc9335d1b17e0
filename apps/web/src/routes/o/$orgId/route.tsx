import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, notFound, Outlet, retainSearchParams } from '@tanstack/react-router';
import type { Organization } from '@reachout/contract/organizations.ts';
import { Fragment, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessNotices } from '#web/identity/organizations/access-notices.tsx';
import {
  createOrganizationContext,
  organizationsQuery,
  permissionsQuery,
} from '#web/identity/organizations/organizations.ts';
import { SecondFactorNeeded } from '#web/identity/organizations/second-factor-needed.tsx';
import { OrganizationContext, rememberOrganization } from '#web/identity/organizations/use-organization.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { loadPageTexts } from '#web/i18n/i18n.ts';
import { RouteNotFound } from '#web/shell/route-states.tsx';
import { compact, readUuid } from '#web/platform/list-search.ts';
import { Shell } from '#web/shell/shell.tsx';
import { Loading, RecordSkeleton } from '#web/ui/skeletons.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';

interface Search {
  /** The current client: all pages below only show its records. */
  client?: string;
}

/** The dashboard has fewer texts than the other pages, because most users see it first. */
const isDashboard = (pathname: string) => /^\/o\/[^/]+\/?$/.test(pathname);

export const Route = createFileRoute('/o/$orgId')({
  validateSearch: (raw): Search => compact({ client: readUuid(raw['client']) }),
  search: { middlewares: [retainSearchParams<Search>(['client'])] },
  beforeLoad: async ({ context, location, params, search }) => {
    const [own] = await Promise.all([
      import('#web/identity/organizations/organizations.ts'),
      requireSession(context.queryClient, location.href),
      isDashboard(location.pathname) ? undefined : loadPageTexts(),
    ]);
    // In parallel with the list, not after it. The layout is shown regardless of the result.
    void context.queryClient.prefetchQuery(own.permissionsQuery(params.orgId));
    const find = ({ items }: { items: readonly Organization[] }) =>
      items.find((organization) => organization.id === params.orgId);
    const organization =
      find(await context.queryClient.ensureQueryData(own.organizationsQuery)) ??
      // Another tab may have just created it; an unknown id shows Not found and never switches silently.
      find(await context.queryClient.fetchQuery({ ...own.organizationsQuery, staleTime: 0 }));
    if (!organization) throw notFound();
    rememberOrganization(params.orgId);
    return { preload: own.preloadOf(organization, readUuid(search.client)) };
  },
  component: OrganizationLayout,
  notFoundComponent: RouteNotFound,
});

function OrganizationLayout() {
  const { orgId } = Route.useParams();
  const chosenClientId = readUuid(Route.useSearch().client);
  const { data } = useQuery(organizationsQuery);
  const permissions = useQuery(permissionsQuery(orgId));
  useRefreshWhenDenied(orgId);
  const organization = data?.items.find((entry) => entry.id === orgId);
  if (!organization) return <RouteNotFound />;
  const scope = createOrganizationContext(organization, permissions.data, chosenClientId);
  return (
    <OrganizationContext value={scope}>
      {/* A key per organization, so that no screen state survives a switch. */}
      <Shell key={orgId}>
        {organization.lacks_second_factor && <SecondFactorNeeded />}
        {!organization.lacks_second_factor && permissions.isPending && <Pending />}
        {!organization.lacks_second_factor && !permissions.isPending && (
          <>
            <AccessNotices retrying={permissions.isFetching} onRetry={() => void permissions.refetch()} />
            {/* Likewise a key per client. */}
            <Fragment key={scope.clientId ?? ''}>
              <Outlet />
            </Fragment>
          </>
        )}
      </Shell>
    </OrganizationContext>
  );
}

/** Permissions are loaded before a page is shown, so that buttons do not flicker. */
function Pending() {
  const { t } = useTranslation();
  return useDelayed(true) ? (
    <Loading what={t('load.page')}>
      <RecordSkeleton />
    </Loading>
  ) : null;
}

/** A denied request may mean that role, permissions or the organization's status have changed since they were loaded. */
function useRefreshWhenDenied(orgId: string) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = () => {
      const { queryKey } = permissionsQuery(orgId);
      const state = queryClient.getQueryState(queryKey);
      // Limited in frequency: several requests of a page can be denied at once, including that for the permissions.
      if (state?.status !== 'success' || Date.now() - state.dataUpdatedAt < leastPauseMs) return;
      void queryClient.invalidateQueries({ queryKey });
      void queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey });
    };
    document.addEventListener('reachout:forbidden', refresh);
    return () => document.removeEventListener('reachout:forbidden', refresh);
  }, [orgId, queryClient]);
}

const leastPauseMs = 3_000;
