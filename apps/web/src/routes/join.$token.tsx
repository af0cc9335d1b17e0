import { createFileRoute } from '@tanstack/react-router';
import { loadAppTexts } from '#web/i18n/i18n.ts';
import { InvitationPage } from '#web/identity/invitations/invitation-page.tsx';

export const Route = createFileRoute('/join/$token')({
  beforeLoad: loadAppTexts,
  component: Join,
});

function Join() {
  return <InvitationPage kind="link" token={Route.useParams().token} />;
}
