import { createFileRoute } from '@tanstack/react-router';
import { loadAppTexts } from '#web/i18n/i18n.ts';
import { resolveAuthOptions } from '#web/identity/auth/auth-options.ts';
import { InvitationPage } from '#web/identity/invitations/invitation-page.tsx';

export const Route = createFileRoute('/invitation/$token')({
  beforeLoad: async ({ context }) => {
    await Promise.all([loadAppTexts(), resolveAuthOptions(context.queryClient)]);
  },
  component: Invitation,
});

function Invitation() {
  return <InvitationPage kind="email" token={Route.useParams().token} />;
}
