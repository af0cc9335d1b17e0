import { createFileRoute, redirect } from '@tanstack/react-router';
import { lastOrganizationId } from '../organizations/scope.ts';
import { requireSession } from '../session/guards.ts';

/** The address the start script prints: leads to the mailbox of the organization used last. */
export const Route = createFileRoute('/mailbox')({
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    const { organizationsQuery } = await import('../organizations/organizations.ts');
    const { items } = await context.queryClient.ensureQueryData(organizationsQuery);
    const last = items.find((organization) => organization.id === lastOrganizationId()) ?? items[0];
    throw last
      ? redirect({ to: '/o/$orgId/mailbox', params: { orgId: last.id } })
      : redirect({ to: '/organizations' });
  },
});
