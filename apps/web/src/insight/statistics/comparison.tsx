import { Table, Text } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { ComparedSend, EmailComparison } from '@reachout/contract/statistics.ts';
import { useQuery } from '@tanstack/react-query';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { receiptQuery } from '#web/delivery/sends/send-queries.ts';
import { withoutTags } from '#web/outreach/channels/email/shown-subject.ts';
import { SubjectText } from '#web/outreach/channels/email/subject-text.tsx';
import { LinkAnchor } from '#web/platform/links.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import type { Rate } from './change.ts';
import { judgeRates, type Verdict } from './significance.ts';
import { useRate } from './use-rate.ts';
import classes from './comparison.module.css';

/** Compares with the previous email, each at the same age. */
export function Comparison({ comparison }: { comparison: EmailComparison }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const { previous, of_campaign, age_seconds } = comparison;
  return (
    <section>
      <SectionTitle>{t('comparison.title')}</SectionTitle>
      {previous === null ? (
        <Text c="dimmed">{t('comparison.first')}</Text>
      ) : (
        <>
          <QuietText mb="sm">
            {t(of_campaign ? 'comparison.ofCampaign' : 'comparison.ofBrand', {
              age: writeAge(format.locale, age_seconds),
            })}
          </QuietText>
          <ComparisonTable current={comparison.current} previous={previous} />
        </>
      )}
    </section>
  );
}

interface Row {
  label: string;
  current: ReactNode;
  previous: ReactNode;
  verdict?: Verdict;
  /** Whether an increase is bad. */
  isBad?: boolean;
}

function ComparisonTable({ current, previous }: { current: ComparedSend; previous: ComparedSend }) {
  const { t } = useTranslation('statistics');
  const rows = [...useFacts(current, previous), ...useRates(current, previous)];
  return (
    <Table className={classes.table} aria-label={t('comparison.title')}>
      <Table.Thead>
        <Table.Tr>
          {(['what', 'current', 'previous', 'change'] as const).map((name) => (
            <Table.Th key={name}>{t(`comparison.${name}`)}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ label, verdict, isBad, ...row }) => (
          <Table.Tr key={label}>
            <Table.Th scope="row">{label}</Table.Th>
            <Table.Td>{row.current}</Table.Td>
            <Table.Td>{row.previous}</Table.Td>
            <Table.Td>{verdict && <VerdictText verdict={verdict} isBad={isBad} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** What was sent to which audience. */
function useFacts(current: ComparedSend, previous: ComparedSend): Row[] {
  const { t } = useTranslation(['statistics', 'common']);
  const format = useFormat();
  const { orgId } = useOrganization();
  const both = (label: string, tell: (send: ComparedSend) => ReactNode): Row => ({
    label,
    current: tell(current),
    previous: tell(previous),
  });
  const statistics = (
    <LinkAnchor
      to="/o/$orgId/touchpoints/$touchpointId/statistics"
      params={{ orgId, touchpointId: previous.touchpoint.id }}
    >
      {previous.touchpoint.name}
    </LinkAnchor>
  );
  return [
    { label: t('words.email'), current: current.touchpoint.name, previous: statistics },
    both(t('status.sent'), ({ send_date }) => format.dateTime(send_date)),
    both(t('words.subject'), (send) => <SentSubject send={send} />),
    both(t('words.audience'), ({ audience }) => audience ?? t('common:none')),
    both(t('words.recipients'), ({ recipients }) => format.number(recipients)),
  ];
}

/** As its first recipient got it; a subject without merge tags is the same for all. */
function SentSubject({ send: { send_id: id, subject } }: { send: ComparedSend }) {
  const receipt = useQuery({
    ...receiptQuery(useOrganization(), { id }),
    enabled: withoutTags(subject) !== subject,
    meta: { quiet: true },
  });
  return <SubjectText source={subject} rendered={receipt.data?.shown} />;
}

/** Clicks come before opens, which are labeled as an estimate. */
function useRates(current: ComparedSend, previous: ComparedSend): Row[] {
  const { t } = useTranslation(['statistics', 'common']);
  const format = useFormat();
  const rate = useRate();
  const write = ([part, base]: Rate) =>
    base === 0
      ? t('common:none')
      : t('comparison.rate', { rate: rate(part, base), number: format.number(part) });
  const row = (label: string, rateOf: (send: ComparedSend) => Rate, isBad = false): Row => ({
    label,
    current: write(rateOf(current)),
    previous: write(rateOf(previous)),
    verdict: judgeRates(rateOf(current), rateOf(previous)),
    isBad,
  });
  return [
    row(t('tiles.delivered'), ({ delivered, bounced }) => [delivered, delivered + bounced]),
    row(t('comparison.clicked'), (send) => [send.clicked, measuredOf(send)]),
    row(t('tiles.openRate'), (send) => [send.opened, measuredOf(send)]),
    row(t('tiles.unsubscribed'), ({ unsubscribed, delivered }) => [unsubscribed, delivered], true),
  ];
}

/** Formats an age as "3 hours", in the largest unit with at least two. */
function writeAge(locale: string, seconds: number): string {
  const write = (count: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(count));
  const minutes = Math.max(1, seconds / 60);
  if (minutes < 120) return write(minutes, 'minute');
  return minutes < 48 * 60 ? write(minutes / 60, 'hour') : write(minutes / 60 / 24, 'day');
}

/** Text, and for a clear difference an arrow, with a color that shows whether the change is good. */
function VerdictText({ verdict, isBad = false }: { verdict: Verdict; isBad?: boolean | undefined }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  if (verdict.kind !== 'clear') return <QuietText span>{t(`comparison.${verdict.kind}`)}</QuietText>;
  const isMore = verdict.direction === 'more';
  const Arrow = isMore ? IconArrowUp : IconArrowDown;
  return (
    <Text
      span
      size="sm"
      fw={500}
      display="inline-flex"
      style={{ gap: 2, alignItems: 'center' }}
      c={isMore === isBad ? 'var(--app-danger)' : 'var(--app-success)'}
    >
      <Arrow size={14} className="thick-icon" aria-hidden />
      {t(isMore ? 'comparison.more' : 'comparison.less', { amount: format.decimal(verdict.amount) })}
    </Text>
  );
}
