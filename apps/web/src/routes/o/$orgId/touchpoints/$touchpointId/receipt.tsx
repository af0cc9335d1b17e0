import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { findLiveSend, liveSendsQuery } from '#web/delivery/sends/send-queries.ts';
import { SendReceipt } from '#web/delivery/sends/send-receipt.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { NotFoundState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/receipt')({
  loader: ({ context, params }) => context.preload((scope) => [liveSendsQuery(scope, params.touchpointId)]),
  component: Receipt,
});

function Receipt() {
  const { t } = useTranslation('sends');
  const { touchpointId } = Route.useParams();
  const query = useQuery(liveSendsQuery(useOrganization(), touchpointId));
  return (
    <AsyncRegion query={query} what={t('receipt.title')} skeleton={<PanelSkeleton height={480} />}>
      {({ items }) => {
        const send = findLiveSend(items);
        return send === undefined ? <NotFoundState order={2} /> : <SendReceipt send={send} />;
      }}
    </AsyncRegion>
  );
}
