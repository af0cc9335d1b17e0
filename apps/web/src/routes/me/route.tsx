import { createFileRoute, Outlet } from '@tanstack/react-router';
import { MeNavigation } from '#web/identity/account/me-navigation.tsx';
import { requireSession } from '#web/identity/auth/guards.ts';
import { AccountFrame } from '#web/shell/account-frame.tsx';

export const Route = createFileRoute('/me')({
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  component: () => (
    <AccountFrame navigation={<MeNavigation />}>
      <Outlet />
    </AccountFrame>
  ),
});
