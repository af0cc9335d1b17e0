import { createFileRoute } from '@tanstack/react-router';
import { SharedItemPage } from '#web/content/shares/shared-item-page.tsx';
import { loadAuthTexts, loadContactTexts } from '#web/i18n/i18n.ts';

export const Route = createFileRoute('/shares/$organizationId/$shareId')({
  // People open it without an account.
  beforeLoad: async () => {
    await Promise.all([loadAuthTexts(), loadContactTexts()]);
  },
  component: SharedItemRoute,
});

function SharedItemRoute() {
  const { organizationId, shareId } = Route.useParams();
  return <SharedItemPage key={shareId} organizationId={organizationId} id={shareId} />;
}
