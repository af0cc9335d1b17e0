import { createFileRoute, Outlet } from '@tanstack/react-router';
import { MeNavigation } from '#web/identity/account/me-navigation.tsx';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { AccountFrame } from '#web/shell/account-frame.tsx';

export const Route = createFileRoute('/me')({
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    await loadSettingsTexts();
  },
  component: () => (
    <AccountFrame navigation={<MeNavigation />}>
      <Outlet />
    </AccountFrame>
  ),
});
