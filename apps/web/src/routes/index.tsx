import { createFileRoute, redirect } from '@tanstack/react-router';
import { lastOrganization } from '#web/identity/organizations/use-organization.ts';
import { checked } from '#web/platform/list-search.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { resolveSession } from '#web/identity/auth/session.ts';

export const Route = createFileRoute('/')({
  // Sign-in links redirect here, even if they are no longer valid.
  validateSearch: checked<{ error?: string }>((raw) =>
    typeof raw['error'] === 'string' ? { error: raw['error'] } : {},
  ),
  beforeLoad: async ({ context, search }) => {
    const session = await resolveSession(context.queryClient);
    if (search.error !== undefined && session.is !== 'signed_in')
      throw redirect({ to: '/sign-in', search: { after: 'link' } });
    await requireSession(context.queryClient, '/');
    const own = await import('#web/identity/organizations/organizations.ts');
    const { items } = await context.queryClient.ensureQueryData(own.organizationsQuery);
    const last = lastOrganization(items);
    if (last) throw redirect({ to: '/o/$orgId', params: { orgId: last.id } });
    // A new user starts by creating an organization, unless an invitation is pending.
    const { count } = await context.queryClient.ensureQueryData(own.myInvitationsQuery);
    throw count > 0 ? redirect({ to: '/organizations' }) : redirect({ to: '/welcome' });
  },
});
