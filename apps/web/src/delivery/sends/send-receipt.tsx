import { Group, Paper, Stack, Text } from '@mantine/core';
import type { Send, SendReceipt as Receipt } from '@reachout/contract/sends.ts';
import { hasEnded, sendCan } from '@reachout/contract/states/send.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AudienceBreakdown } from '#web/contacts/audiences/audience-breakdown.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { InboxLine } from '#web/outreach/channels/email/inbox-line.tsx';
import { SubjectText } from '#web/outreach/channels/email/subject-text.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { loadForSchedules } from '#web/outreach/schedules/load-for-schedules.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import classes from '#web/ui/two-columns.module.css';
import { SendActions } from './send-actions.tsx';
import { SendError } from './send-error.tsx';
import { SendHeadline } from './send-headline.tsx';
import { receiptQuery } from './send-queries.ts';
import { ReceiptSkeleton } from './send-skeletons.tsx';

const SeriesFacts = lazyPart(() =>
  loadForSchedules(() => import('#web/delivery/schedules/series-facts.tsx')),
);

/** What is sent, as fixed at confirmation: when, by whom, to how many, and the email itself. */
export function SendReceipt({ send }: { send: Send }) {
  const { t } = useTranslation('receipt');
  const query = useQuery(receiptQuery(useOrganization(), send));
  return (
    <AsyncRegion query={query} what={t('title')} skeleton={<ReceiptSkeleton />}>
      {(receipt) => (
        <Stack gap="lg">
          <div className={send.audience_breakdown ? classes.columns : undefined}>
            <Facts send={send} receipt={receipt} />
            {send.audience_breakdown && <AudienceBreakdown isStored numbers={send.audience_breakdown} />}
          </div>
          <Content receipt={receipt} isOver={hasEnded(send)} />
        </Stack>
      )}
    </AsyncRegion>
  );
}

function Facts({ send, receipt }: { send: Send; receipt: Receipt }) {
  const { t } = useTranslation('receipt');
  const { orgId } = useOrganization();
  const rows = useFacts(send, receipt);
  const { touchpoint } = useTouchpoint();
  const isWaiting = sendCan.undo(send);
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <SectionTitle mb={4}>{t('title')}</SectionTitle>
            <SendHeadline send={send} live={!hasEnded(send)} />
          </div>
          <SendActions send={send} />
        </Group>
        <SendError send={send} />
        {isWaiting && touchpoint.is_changed && (
          <Text size="sm">
            {t('changed')}{' '}
            <LinkAnchor
              to="/o/$orgId/touchpoints/$touchpointId/email"
              params={{ orgId, touchpointId: send.touchpoint_id }}
              hash="test"
            >
              {t('seeChanges')}
            </LinkAnchor>
          </Text>
        )}
        <dl className={classes.sentences} data-wide>
          {rows.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
          {isWaiting && send.in_series && <SeriesFacts send={send} />}
        </dl>
        {!isWaiting && (
          <Group>
            <LinkButton
              size="xs"
              to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
              params={{ orgId, touchpointId: send.touchpoint_id, sendId: send.id }}
            >
              {t('details')}
            </LinkButton>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function useFacts(send: Send, receipt: Receipt) {
  const { t } = useTranslation(['receipt', 'delivery']);
  const format = useFormat();
  const {
    confirmed_at,
    started_by: name,
    from,
    reply_to,
    subject,
    audience,
    topic,
    transports,
    recipients_confirmed,
    shown,
  } = receipt;
  const when = format.dateTime(confirmed_at);
  const start = format.dateTime(send.send_date);
  const plannedTime = usePlannedTime();
  const end = send.end_date === null ? start : format.dateTime(send.end_date);
  const isWaiting = sendCan.undo(send);
  return [
    {
      label: t('words.confirmed'),
      text: name === null ? when : t('confirmedBy', { when, name }),
    },
    isWaiting
      ? { label: t('starts'), text: plannedTime(send.send_date, send.time_zone) }
      : hasEnded(send)
        ? {
            label: t('status.sent'),
            text: start === end ? start : t('sentFrom', { from: start, to: end }),
          }
        : { label: t('words.started'), text: start },
    {
      label: t('words.recipients'),
      // Single messages are not counted in advance.
      text:
        (isWaiting || sendCan.prepare(send)) && audience !== null
          ? t('counted', { number: format.number(recipients_confirmed) })
          : format.number(send.recipients_total_count),
    },
    ...(audience === null ? [] : [{ label: t('words.audience'), text: audience }]),
    ...(topic === null ? [] : [{ label: t('words.topic'), text: topic }]),
    { label: t('words.subject'), text: <SubjectText source={subject} rendered={shown} /> },
    { label: t('words.sender'), text: `${from.name} <${from.email}>`.trim() },
    ...(reply_to === null ? [] : [{ label: t('words.replyTo'), text: reply_to }]),
    ...(isOwn(transports)
      ? [
          {
            label: t('words.transport'),
            text: format.list(transports.map((transport) => transport ?? t('ofInstallation'))),
          },
        ]
      : []),
    { label: t('delivery:policy.title'), text: t(`delivery:policy.name.${send.uncertain_policy}`) },
  ];
}

/** Whether a transport of the organization took messages; most only know that of the installation. */
const isOwn = (transports: Receipt['transports']): boolean => transports.some((name) => name !== null);

function Content({ receipt: { shown, from }, isOver }: { receipt: Receipt; isOver: boolean }) {
  const { t } = useTranslation('receipt');
  return (
    <section aria-labelledby="content">
      <SectionTitle mb={4} id="content">
        {t(isOver ? 'content' : 'contentToCome')}
      </SectionTitle>
      {shown === null ? (
        <Text c="dimmed">{t('notShown')}</Text>
      ) : (
        <>
          <QuietText mb="sm">
            {shown.to === null
              ? t('withoutRecipient')
              : t(shown.is_sent ? 'shownAs' : 'shownToCome', { address: shown.to })}
          </QuietText>
          <InboxLine sender={from.name} subject={shown.subject} preheader={shown.preheader} />
          <PreviewFrame html={shown.html} text={shown.text} title={shown.subject} />
        </>
      )}
    </section>
  );
}
