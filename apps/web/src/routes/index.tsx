import { createFileRoute, redirect } from '@tanstack/react-router';
import { lastOrganization } from '#web/identity/organizations/use-organization.ts';
import { checked } from '#web/platform/list-search.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { resolveSession } from '#web/identity/auth/session.ts';

export const Route = createFileRoute('/')({
  // Links that sign in come here, also when they no longer work.
  validateSearch: checked<{ error?: string }>((raw) =>
    typeof raw['error'] === 'string' ? { error: raw['error'] } : {},
  ),
  beforeLoad: async ({ context, search }) => {
    const session = await resolveSession(context.queryClient);
    if (search.error !== undefined && session.is !== 'signed_in')
      throw redirect({ to: '/sign-in', search: { after: 'link' } });
    await requireSession(context.queryClient, '/');
    const { organizationsQuery } = await import('#web/identity/organizations/organizations.ts');
    const { items } = await context.queryClient.ensureQueryData(organizationsQuery);
    const last = lastOrganization(items);
    throw last
      ? redirect({ to: '/o/$orgId', params: { orgId: last.id } })
      : redirect({ to: '/organizations' });
  },
});
