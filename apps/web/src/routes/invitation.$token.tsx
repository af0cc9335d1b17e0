import { createFileRoute } from '@tanstack/react-router';
import { loadInvitationTexts } from '#web/i18n/i18n.ts';
import { resolveAuthOptions } from '#web/identity/auth/auth-options.ts';
import { checked } from '#web/platform/list-search.ts';
import { InvitationPage } from '#web/identity/invitations/invitation-page.tsx';

const readSearch = checked<{ proof?: string }>(({ proof }) =>
  typeof proof === 'string' ? { proof: proof.slice(0, 200) } : {},
);

export const Route = createFileRoute('/invitation/$token')({
  validateSearch: readSearch,
  beforeLoad: async ({ context }) => {
    await Promise.all([loadInvitationTexts(), resolveAuthOptions(context.queryClient)]);
  },
  component: Invitation,
});

function Invitation() {
  return <InvitationPage kind="email" token={Route.useParams().token} proof={Route.useSearch().proof} />;
}
