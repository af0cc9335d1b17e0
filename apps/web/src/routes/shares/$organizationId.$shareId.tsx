import { createFileRoute } from '@tanstack/react-router';
import { SharedItemPage } from '#web/content/shares/shared-item-page.tsx';
import { loadSharedItemTexts } from '#web/i18n/i18n.ts';

export const Route = createFileRoute('/shares/$organizationId/$shareId')({
  beforeLoad: loadSharedItemTexts,
  component: SharedItemRoute,
});

function SharedItemRoute() {
  const { organizationId, shareId } = Route.useParams();
  return <SharedItemPage key={shareId} organizationId={organizationId} id={shareId} />;
}
