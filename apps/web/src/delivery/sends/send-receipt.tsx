import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Send, SendReceipt as Receipt } from '@reachout/contract/sends.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AudienceBreakdown } from '#web/content/audiences/audience-breakdown.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { InboxLine } from '#web/outreach/channels/email/inbox-line.tsx';
import { LinkButton } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import classes from '#web/ui/two-columns.module.css';
import { SendError } from './send-error.tsx';
import { SendHeadline } from './send-headline.tsx';
import { receiptQuery } from './send-queries.ts';
import { ReceiptSkeleton } from './send-skeletons.tsx';

/** What was sent: when, by whom, to how many, and the email itself, as fixed at confirmation. */
export function SendReceipt({ send }: { send: Send }) {
  const { t } = useTranslation('sends');
  const query = useQuery(receiptQuery(useOrganization(), send.id));
  return (
    <AsyncRegion query={query} what={t('receipt.title')} skeleton={<ReceiptSkeleton />}>
      {(receipt) => (
        <Stack gap="lg">
          <div className={send.audience_breakdown ? classes.columns : undefined}>
            <Facts send={send} receipt={receipt} />
            {send.audience_breakdown && <AudienceBreakdown isStored numbers={send.audience_breakdown} />}
          </div>
          <Content receipt={receipt} />
        </Stack>
      )}
    </AsyncRegion>
  );
}

function Facts({ send, receipt }: { send: Send; receipt: Receipt }) {
  const { t } = useTranslation('sends');
  const format = useFormat();
  const { orgId } = useOrganization();
  const { started_by: name, from, reply_to, subject } = receipt;
  const when = format.dateTime(send.created_at);
  const start = format.dateTime(send.send_date);
  const end = send.end_date === null ? start : format.dateTime(send.end_date);
  const rows = [
    {
      label: t('receipt.confirmed'),
      text: name === null ? when : t('receipt.confirmedBy', { when, name }),
    },
    {
      label: t('receipt.sent'),
      text: start === end ? start : t('receipt.sentFrom', { from: start, to: end }),
    },
    { label: t('receipt.recipients'), text: format.number(send.recipients_total_count) },
    { label: t('receipt.subject'), text: subject },
    { label: t('receipt.sender'), text: `${from.name} <${from.email}>`.trim() },
    ...(reply_to === null ? [] : [{ label: t('receipt.replyTo'), text: reply_to }]),
  ];
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" mb={4}>
            {t('receipt.title')}
          </Title>
          <SendHeadline send={send} live={false} />
        </div>
        <SendError send={send} />
        <dl className={classes.sentences} data-wide>
          {rows.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Group>
          <LinkButton
            size="xs"
            variant="default"
            to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
            params={{ orgId, touchpointId: send.touchpoint_id, sendId: send.id }}
          >
            {t('receipt.details')}
          </LinkButton>
        </Group>
      </Stack>
    </Paper>
  );
}

function Content({ receipt: { shown, from } }: { receipt: Receipt }) {
  const { t } = useTranslation('sends');
  const { can } = useOrganization();
  return (
    <section aria-labelledby="content">
      <Title order={2} size="h3" mb={4} id="content">
        {t('receipt.content')}
      </Title>
      {shown === null ? (
        <Text c="dimmed">{t(can('read', 'Content') ? 'receipt.notShown' : 'receipt.hidden')}</Text>
      ) : (
        <>
          <Text c="dimmed" size="sm" mb="sm">
            {t('receipt.shownAs', { address: shown.to })}
          </Text>
          <InboxLine sender={from.name} subject={shown.subject} preheader={shown.preheader} />
          <PreviewFrame html={shown.html} text={shown.text} title={shown.subject} />
        </>
      )}
    </section>
  );
}
