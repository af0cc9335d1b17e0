import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { findLiveSend, liveSendsQuery } from '#web/delivery/sends/send-queries.ts';
import { ReceiptSkeleton } from '#web/delivery/sends/send-skeletons.tsx';
import { SendReceipt } from '#web/delivery/sends/send-receipt.tsx';
import { useLiveSend } from '#web/delivery/sends/use-live-send.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { NotFoundState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/receipt')({
  loader: ({ context, params }) => context.preload((scope) => [liveSendsQuery(scope, params.touchpointId)]),
  component: Receipt,
});

function Receipt() {
  const { t } = useTranslation('receipt');
  const { touchpointId } = Route.useParams();
  const query = useQuery(liveSendsQuery(useOrganization(), touchpointId));
  return (
    <AsyncRegion query={query} what={t('title')} skeleton={<ReceiptSkeleton />}>
      {({ items }) => {
        const send = findLiveSend(items);
        return send === undefined ? <NotFoundState order={2} /> : <LiveReceipt sendId={send.id} />;
      }}
    </AsyncRegion>
  );
}

function LiveReceipt({ sendId }: { sendId: string }) {
  const { t } = useTranslation('receipt');
  const { query } = useLiveSend(sendId);
  return (
    <AsyncRegion query={query} what={t('title')} skeleton={<ReceiptSkeleton />}>
      {(send) => <SendReceipt send={send} />}
    </AsyncRegion>
  );
}
