import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { apiOf } from '../../../api.ts';
import { createScope, organizationsQuery } from '../../../organizations/organizations.ts';
import { OrganizationContext, rememberOrganization } from '../../../organizations/scope.ts';
import { requireSession } from '../../../session/guards.ts';
import { RouteNotFound } from '../../../shell/route-states.tsx';
import { Shell } from '../../../shell/shell.tsx';

export const Route = createFileRoute('/o/$orgId')({
  beforeLoad: async ({ context, location, params }) => {
    await requireSession(context.queryClient, location.href);
    const own = await import('../../../organizations/organizations.ts');
    const { items } = await context.queryClient.ensureQueryData(own.organizationsQuery);
    if (!items.some((organization) => organization.id === params.orgId)) {
      // Another tab may have just made it; a foreign id shows Not found and never switches silently.
      const { items: fresh } = await context.queryClient.fetchQuery({
        ...own.organizationsQuery,
        staleTime: 0,
      });
      if (!fresh.some((organization) => organization.id === params.orgId)) throw notFound();
    }
    rememberOrganization(params.orgId);
  },
  component: OrganizationLayout,
  notFoundComponent: RouteNotFound,
});

function OrganizationLayout() {
  const { orgId } = Route.useParams();
  const { data } = useQuery(organizationsQuery);
  const organization = data?.items.find((entry) => entry.id === orgId);
  if (!organization) return <RouteNotFound />;
  return (
    <OrganizationContext value={createScope(organization, apiOf(orgId))}>
      {/* A key per organization: no state of one organization's screens survives a switch. */}
      <Shell key={orgId}>
        <Outlet />
      </Shell>
    </OrganizationContext>
  );
}
