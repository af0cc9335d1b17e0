import { createFileRoute, Outlet } from '@tanstack/react-router';
import { MeNavigation } from '../../me/me-navigation.tsx';
import { requireSession } from '../../session/guards.ts';
import { AccountFrame } from '../../shell/account-frame.tsx';

export const Route = createFileRoute('/me')({
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  component: () => (
    <AccountFrame navigation={<MeNavigation />}>
      <Outlet />
    </AccountFrame>
  ),
});
