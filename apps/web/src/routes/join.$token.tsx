import { createFileRoute } from '@tanstack/react-router';
import { loadInvitationTexts } from '#web/i18n/i18n.ts';
import { resolveAuthOptions } from '#web/identity/auth/auth-options.ts';
import { InvitationPage } from '#web/identity/invitations/invitation-page.tsx';

export const Route = createFileRoute('/join/$token')({
  beforeLoad: async ({ context }) => {
    await Promise.all([loadInvitationTexts(), resolveAuthOptions(context.queryClient)]);
  },
  component: Join,
});

function Join() {
  return <InvitationPage kind="link" token={Route.useParams().token} />;
}
