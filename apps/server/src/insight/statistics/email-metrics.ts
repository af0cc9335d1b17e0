import type { Period, TimeSpan } from '@reachout/contract/period.ts';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import type { EventType } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countEvents, sumEvents } from './email-statistics.queries.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
import {
  chartColumns,
  countEmailStats,
  drawEmailChart,
  toCount,
  type ChartColumn,
  type CountedSpan,
} from './email-statistics.ts';

export interface EmailRequest {
  query: StatisticsQuery;
  /** Counts only the events of this type. */
  type: EventType | undefined;
  period: Period | undefined;
  timeZone: string;
}

// Metrics of an email touchpoint that is known to exist.

/** @returns all metrics; with `type`, only the events of that type */
export const getEmailFigures = (trx: Transaction, { query, type, period }: EmailRequest): Promise<Figures> =>
  countFigures(trx, query, type, period);

/** @returns the metrics with rates, for the period and the previous period */
export async function getEmailMetrics(trx: Transaction, { query, type, period }: EmailRequest) {
  const count = (span?: CountedSpan) => countMetrics(trx, query, type, span);
  if (period === undefined) return { current: await count(), previous: null };
  const { previous, granularity } = period;
  return { current: await count(period), previous: await count({ ...previous, granularity }) };
}

/** @returns a chart of these columns; with `type`, of the messages by their first event of that type */
const drawChart =
  <Name extends string>(columns: Readonly<Record<Name, ChartColumn>>) =>
  (trx: Transaction, { query, type, ...shown }: EmailRequest & { period: Period }) =>
    type === undefined
      ? drawEmailChart(trx, query, shown, columns)
      : drawEmailChart(trx, query, shown, { count: columnOf(type) });

export const getEmailFiguresChart = drawChart(chartColumns);

/** The undelivered messages by reason. */
export const getEmailFailureChart = drawChart({
  bounced: { state: 'bounced' },
  failed: { state: 'failed' },
  suppressed: { state: 'suppressed' },
});

/** Events of one type: distinct messages, all events by people, and events by bots. */
type EventFigures = { type: EventType } & EmailStats['opened'];
type Figures = EmailStats | EventFigures;

/** Event types counted as delivery results: what a mail server took, whatever became of it later, and what bounced. */
const resultOf: Partial<Record<EventType, 'accepted' | 'bounced'>> = {
  SEND_EMAIL: 'accepted',
  BOUNCE: 'bounced',
};

const columnOf = (type: EventType): ChartColumn => {
  const column = resultOf[type];
  return column === undefined ? { event: type } : { state: column };
};

async function countFigures(
  trx: Transaction,
  query: StatisticsQuery,
  type: EventType | undefined,
  span: CountedSpan | undefined,
): Promise<Figures> {
  const result = type && resultOf[type];
  if (type === undefined || result !== undefined) {
    const stats = await countEmailStats(trx, query, span);
    if (type === undefined || result === undefined) return stats;
    return { type, unique: stats[result], total: stats[result], bots: 0 };
  }
  const events =
    span === undefined
      ? await sumEvents(trx, query)
      : await countEvents(trx, query, span, [span.start], { byMinute: span.granularity === 'minute' });
  return { type, ...toCount(events, type) };
}

async function countMetrics(
  trx: Transaction,
  query: StatisticsQuery,
  type: EventType | undefined,
  span?: CountedSpan,
) {
  const figures = await countFigures(trx, query, type, span);
  const limits = limitsOf(span);
  return 'delivered' in figures
    ? { ...limits, ...figures, rates: ratesOf(figures) }
    : { ...limits, ...figures };
}

/** @returns start and end of a span; both null for all time */
export const limitsOf = (span: TimeSpan | undefined) => ({
  start: span?.start.toISOString() ?? null,
  end: span?.end.toISOString() ?? null,
});

/** Rates as defined in docs/statistics.md; null if the denominator is 0. */
function ratesOf(stats: EmailStats) {
  const { delivered, bounced, opened, clicked, unsubscribed } = stats;
  const share = (count: number, of: number) => (of === 0 ? null : count / of);
  return {
    opened: share(opened.unique, measuredOf(stats)),
    clicked: share(clicked.unique, measuredOf(stats)),
    unsubscribed: share(unsubscribed, delivered),
    bounced: share(bounced, delivered + bounced),
  };
}
