import type { TimeSpan } from '@reachout/contract/period.ts';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import type { EventType } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countEvents, sumEvents, type StatisticsQuery } from './email-statistics.queries.ts';
import {
  chartColumns,
  countEmailStats,
  drawEmailChart,
  toCount,
  type ChartColumn,
  type CountedSpan,
} from './email-statistics.ts';
import { chartPeriodOf, periodOf, requireTouchpoint, type StatisticsRequest } from './statistics-request.ts';

// Email touchpoint metrics of the statistics API. All functions throw 403 for a touchpoint that does not exist.

/** @returns all metrics; with `type`, only the events of that type */
export async function getEmailFigures(trx: Transaction, request: StatisticsRequest): Promise<Figures> {
  const query = await requireTouchpoint(trx, request, 'email');
  return await countFigures(trx, query, request.type, periodOf(request));
}

/** @returns the metrics with rates, for the period and the previous period */
export async function getEmailMetrics(trx: Transaction, request: StatisticsRequest) {
  const query = await requireTouchpoint(trx, request, 'email');
  const count = (span?: CountedSpan) => countMetrics(trx, query, request.type, span);
  const period = periodOf(request);
  if (period === undefined) return { current: await count(), previous: null };
  const { previous, granularity } = period;
  return { current: await count(period), previous: await count({ ...previous, granularity }) };
}

/** @returns the default chart; with `type`, the messages by their first event of that type */
export async function getEmailFiguresChart(trx: Transaction, request: StatisticsRequest) {
  const { type } = request;
  return await drawChart(trx, request, type === undefined ? chartColumns : { count: columnOf(type) });
}

/** @returns the undelivered messages by reason */
export const getEmailFailureChart = (trx: Transaction, request: StatisticsRequest) =>
  drawChart(trx, request, {
    bounced: { state: 'bounced' },
    failed: { state: 'failed' },
    suppressed: { state: 'suppressed' },
  });

async function drawChart(
  trx: Transaction,
  request: StatisticsRequest,
  columns: Readonly<Record<string, ChartColumn>>,
) {
  const query = await requireTouchpoint(trx, request, 'email');
  return await drawEmailChart(
    trx,
    query,
    { period: chartPeriodOf(request), timeZone: request.timeZone },
    columns,
  );
}

/** Events of one type: distinct messages, all events by people, and events by bots. */
type EventFigures = { type: EventType } & EmailStats['opened'];
type Figures = EmailStats | EventFigures;

/** Event types counted as delivery results: the number of messages in this state. */
const resultOf: Partial<Record<EventType, 'delivered' | 'bounced'>> = {
  SEND_EMAIL: 'delivered',
  BOUNCE: 'bounced',
};

const columnOf = (type: EventType): ChartColumn => {
  const column = resultOf[type];
  return column === undefined ? { event: type } : chartColumns[column];
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
  return { ...limitsOf(span), ...figures, ...('delivered' in figures ? { rates: ratesOf(figures) } : {}) };
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
