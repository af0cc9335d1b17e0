import { createFileRoute, redirect } from '@tanstack/react-router';
import { lastOrganizationId } from '../organizations/scope.ts';
import { requireSession } from '../session/guards.ts';

export const Route = createFileRoute('/')({
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    const { organizationsQuery } = await import('../organizations/organizations.ts');
    const { items } = await context.queryClient.ensureQueryData(organizationsQuery);
    const last = items.find((organization) => organization.id === lastOrganizationId()) ?? items[0];
    throw last
      ? redirect({ to: '/o/$orgId', params: { orgId: last.id } })
      : redirect({ to: '/organizations' });
  },
});
