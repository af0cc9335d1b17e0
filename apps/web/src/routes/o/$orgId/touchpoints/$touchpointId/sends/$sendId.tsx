import { Stack } from '@mantine/core';
import { sendCan } from '@reachout/contract/states/send.ts';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AudienceBreakdown } from '#web/contacts/audiences/audience-breakdown.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { useJustCompleted } from '#web/delivery/sends/celebration.tsx';
import { Recipients } from '#web/delivery/sends/recipients.tsx';
import { sendOutcome } from '#web/delivery/sends/send-outcome.ts';
import { SendSkeleton } from '#web/delivery/sends/send-skeletons.tsx';
import { SendReceipt } from '#web/delivery/sends/send-receipt.tsx';
import { SendPanel } from '#web/delivery/sends/send-panel.tsx';
import { recipientList, recipientsQuery, sendQuery } from '#web/delivery/sends/send-queries.ts';
import { useLiveSend } from '#web/delivery/sends/use-live-send.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import classes from '#web/ui/two-columns.module.css';
import { AsyncRegion } from '#web/ui/async-region.tsx';

const SingleMessages = lazyPart(() => import('#web/delivery/sends/single-messages.tsx'), {
  fallback: <PanelSkeleton height={420} />,
});

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/sends/$sendId')({
  ...recipientList.route,
  loader: ({ context, params: { sendId }, deps }) =>
    context.preload((scope) => [sendQuery(scope, sendId), recipientsQuery(scope, sendId, deps)]),
  component: SendPage,
});

function SendPage() {
  const { t } = useTranslation('sendPage');
  const { sendId } = Route.useParams();
  const search = Route.useSearch();
  const { query, live } = useLiveSend(sendId);
  const isJustCompleted = useJustCompleted(query.data);
  const outcome = live && query.data ? sendOutcome(query.data) : undefined;
  usePercentInTab(outcome?.phase === 'active' ? undefined : outcome?.percent);

  return (
    <AsyncRegion query={query} what={t('list.whatOne')} skeleton={<SendSkeleton />}>
      {(send) =>
        // It has no recipients yet: what was confirmed is all there is to see.
        sendCan.undo(send) ? (
          <SendReceipt send={send} />
        ) : (
          <Stack gap="lg">
            <div className={send.audience_breakdown ? classes.columns : undefined}>
              <SendPanel send={send} live={live} isJustCompleted={isJustCompleted} />
              {send.audience_breakdown && <AudienceBreakdown isStored numbers={send.audience_breakdown} />}
            </div>
            {send.kind === 'triggered' && live && <SingleMessages send={send} />}
            <Recipients sendId={sendId} kind={send.kind} search={search} live={live} />
          </Stack>
        )
      }
    </AsyncRegion>
  );
}

/** Shows the progress in the tab title, to be visible from another tab. */
function usePercentInTab(percent: number | undefined) {
  const format = useFormat();
  const prefix = percent === undefined ? undefined : `${format.percent(percent / 100)} · `;
  useEffect(() => {
    if (prefix === undefined) return undefined;
    const before = document.title;
    document.title = prefix + before;
    return () => {
      document.title = document.title.replace(prefix, '');
    };
  }, [prefix]);
}
