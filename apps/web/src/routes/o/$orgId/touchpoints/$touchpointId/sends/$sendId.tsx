import { Alert, Group, Paper, Stack, Text } from '@mantine/core';
import { sendCan } from '@reachout/contract/states/send.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AudienceBreakdown } from '#web/content/audiences/audience-breakdown.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { Recipients } from '#web/delivery/sends/recipients.tsx';
import { SendActions } from '#web/delivery/sends/send-actions.tsx';
import { SendHeadline } from '#web/delivery/sends/send-headline.tsx';
import { recipientList, recipientsQuery, sendQuery } from '#web/delivery/sends/send-queries.ts';
import { sendOutcome } from '#web/delivery/sends/send-outcome.ts';
import { SendProgressBar } from '#web/delivery/sends/send-progress-bar.tsx';
import { UncertainDeliveries } from '#web/delivery/sends/uncertain-deliveries.tsx';
import { useLiveSend } from '#web/delivery/sends/use-live-send.ts';
import classes from '#web/ui/two-columns.module.css';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/sends/$sendId')({
  ...recipientList.route,
  loader: ({ context, params: { sendId }, deps }) =>
    context.preload((scope) => [sendQuery(scope, sendId), recipientsQuery(scope, sendId, deps)]),
  component: SendPage,
});

function SendPage() {
  const { t } = useTranslation('sends');
  const format = useFormat();
  const { orgId } = useOrganization();
  const { touchpointId, sendId } = Route.useParams();
  const search = Route.useSearch();
  const { query, live } = useLiveSend(sendId);
  const outcome = live && query.data ? sendOutcome(query.data) : undefined;
  usePercentInTab(outcome?.phase === 'active' ? undefined : outcome?.percent);

  return (
    <AsyncRegion query={query} what={t('whatOne')} skeleton={<PanelSkeleton height={320} />}>
      {(send) => (
        <Stack gap="lg">
          <div className={send.audience_breakdown ? classes.columns : undefined}>
            <Paper withBorder p="lg" radius="md">
              <Stack gap="md">
                <Group justify="space-between" align="flex-start">
                  <div>
                    <Group gap="sm" mb={4}>
                      <Text c="dimmed" size="sm">
                        {t('sendOf', { when: format.dateTime(send.send_date) })}
                        {send.kind !== 'campaign' && ` · ${t(`kind.${send.kind}`)}`}
                      </Text>
                      <StatusBadge status={send.status} />
                    </Group>
                    <SendHeadline key={send.id} send={send} live={live} />
                  </div>
                  <SendActions send={send} />
                </Group>
                {!sendCan.undo(send) && (live || send.recipients_total_count > 0) && (
                  <SendProgressBar send={send} />
                )}
                {send.error_content && (
                  <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} stroke={1.75} />}>
                    {send.error_content}
                  </Alert>
                )}
                <UncertainDeliveries send={send} />
                <Group gap="xs">
                  <LinkButton
                    size="xs"
                    variant="default"
                    to="/o/$orgId/touchpoints/$touchpointId/statistics"
                    params={{ orgId, touchpointId }}
                  >
                    {t('statistics')}
                  </LinkButton>
                  <LinkButton
                    size="xs"
                    variant="default"
                    to="/o/$orgId/mailbox"
                    params={{ orgId }}
                    search={{ send: sendId }}
                  >
                    {t('mailbox')}
                  </LinkButton>
                </Group>
              </Stack>
            </Paper>
            {send.audience_breakdown && <AudienceBreakdown numbers={send.audience_breakdown} />}
          </div>
          <Recipients sendId={sendId} search={search} live={live && !sendCan.undo(send)} />
        </Stack>
      )}
    </AsyncRegion>
  );
}

/** A running send is seen from another tab. */
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
