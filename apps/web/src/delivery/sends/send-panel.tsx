import { Alert, Group, Paper, Stack, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { Celebration } from './celebration.tsx';
import { SendActions } from './send-actions.tsx';
import { SendError } from './send-error.tsx';
import { SendHeadline } from './send-headline.tsx';
import { SendStatusBadge } from './send-status-badge.tsx';
import { SendProgressBar } from './send-progress-bar.tsx';

interface Props {
  send: Send;
  /** Whether it has not ended. */
  live: boolean;
  /** Whether it was completed while the page showed it. */
  isJustCompleted: boolean;
}

/** The state of a send and its actions. */
export function SendPanel({ send, live, isJustCompleted }: Props) {
  const { t } = useTranslation('sendPage');
  const format = useFormat();
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Group gap="sm" mb={4}>
              <QuietText>
                {t('sendOf', { when: format.dateTime(send.send_date) })}
                {send.kind !== 'campaign' && ` · ${t(`kind.${send.kind}`)}`}
              </QuietText>
              <SendStatusBadge send={send} />
            </Group>
            <SendHeadline key={send.id} send={send} live={live} />
          </div>
          <SendActions send={send} />
        </Group>
        {(live || send.recipients_total_count > 0) && <SendProgressBar send={send} />}
        {isJustCompleted && <Celebration send={send} />}
        <SendError send={send} />
        <UncertainDeliveries send={send} />
        <SendLinks send={send} />
      </Stack>
    </Paper>
  );
}

/** Links to the messages of a send, their results, and the addresses that it has suppressed. */
function SendLinks({ send }: { send: Send }) {
  const { id, touchpoint_id: touchpointId } = send;
  const { t } = useTranslation('sendPage');
  const { orgId } = useOrganization();
  return (
    <Group gap="xs">
      <LinkButton
        size="xs"
        to="/o/$orgId/touchpoints/$touchpointId/statistics"
        params={{ orgId, touchpointId }}
      >
        {t('statistics')}
      </LinkButton>
      <LinkButton size="xs" to="/o/$orgId/mailbox" params={{ orgId }} search={{ send: id }}>
        {t('mailbox')}
      </LinkButton>
      <SuppressedLink send={send} />
    </Group>
  );
}

/** Shown if the send has suppressed addresses, so that they can be looked at and lifted together. */
function SuppressedLink({ send }: { send: Send }) {
  const { t } = useTranslation('sendPage');
  const { api, orgId, can } = useOrganization();
  const suppressed = useQuery(
    api.suppressions.list.queryOptions({
      input: { organization_id: orgId, send_id: send.id, page: 0, page_size: 1 },
      enabled:
        can('read', 'Consent') && can('read', 'Content') && send.recipients_total_delivery_failed_count > 0,
      meta: { quiet: true },
    }),
  );
  const count = suppressed.data?.count ?? 0;
  if (count === 0) return null;
  return (
    <LinkButton size="xs" to="/o/$orgId/suppressions" params={{ orgId }} search={{ send: send.id }}>
      {t('suppressedBySend', { count })}
    </LinkButton>
  );
}

const decisions = [
  { decision: 'retry', label: 'retryUncertain' },
  { decision: 'treat_as_sent', label: 'treatAsSent' },
] as const;

/** Deliveries with an unknown result that wait for a decision, if the send's policy requires one. */
function UncertainDeliveries({ send }: { send: Send }) {
  const { t } = useTranslation('sendPage');
  const { api } = useOrganization();
  const decide = useMutation(api.sends.resolveUncertain.mutationOptions());
  if (send.recipients_uncertain_count === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle size={18} />}
      title={t('uncertain', { count: send.recipients_uncertain_count })}
    >
      <Text size="sm" mb="sm">
        {t('uncertainBody')}
      </Text>
      <Group gap="xs">
        {decisions.map(({ decision, label }) => (
          <PermittedButton
            key={decision}
            permission={['send', 'Touchpoint']}
            size="xs"
            loading={decide.isPending}
            onClick={() => decide.mutate({ id: send.id, decision })}
          >
            {t(label)}
          </PermittedButton>
        ))}
      </Group>
      <ActionError error={decide.error} />
    </Alert>
  );
}
