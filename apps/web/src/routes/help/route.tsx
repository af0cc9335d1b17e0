import { createFileRoute, Outlet } from '@tanstack/react-router';
import { requireSession } from '#web/identity/auth/guards.ts';
import { useSession } from '#web/identity/auth/session.ts';
import { loadHelpTexts, loadSettingsTexts } from '#web/i18n/i18n.ts';
import { LegalLinks } from '#web/operations/help/legal-links.tsx';
import { AccountFrame } from '#web/shell/account-frame.tsx';
import { PublicFrame } from '#web/shell/public-frame.tsx';

export const Route = createFileRoute('/help')({
  // Everybody may read it, also while the session cannot be read.
  beforeLoad: ({ context }) =>
    Promise.all([
      requireSession(context.queryClient, '/').then(loadSettingsTexts, () => undefined),
      loadHelpTexts(),
    ]).then(() => undefined),
  component: Help,
});

function Help() {
  const Frame = useSession().is === 'signed_in' ? AccountFrame : PublicFrame;
  return (
    <Frame>
      <Outlet />
      <LegalLinks />
    </Frame>
  );
}
