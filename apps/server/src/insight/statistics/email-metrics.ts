import type { TimeSpan } from '@reachout/contract/period.ts';
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

// What the statistics API tells of an email touchpoint. All throw 403 for one that is not there.

/** All metrics, or with `type` the events of that one. */
export async function getEmailFigures(trx: Transaction, request: StatisticsRequest): Promise<Figures> {
  const query = await requireTouchpoint(trx, request, 'email');
  return await countFigures(trx, query, request.type, periodOf(request));
}

/** The same with rates, beside the period before. */
export async function getEmailMetrics(trx: Transaction, request: StatisticsRequest) {
  const query = await requireTouchpoint(trx, request, 'email');
  const count = (span?: CountedSpan) => countMetrics(trx, query, request.type, span);
  const period = periodOf(request);
  if (period === undefined) return { current: await count(), previous: null };
  const { previous, granularity } = period;
  return { current: await count(period), previous: await count({ ...previous, granularity }) };
}

/** The chart that people see, or with `type` the messages that had such an event for the first time. */
export async function getEmailFiguresChart(trx: Transaction, request: StatisticsRequest) {
  const { type } = request;
  return await drawChart(trx, request, type === undefined ? chartColumns : { count: columnOf(type) });
}

/** Messages that did not arrive, by the reason. */
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

/** Events of one type: distinct messages, all by people, and those of bots. */
type EventFigures = { type: EventType } & EmailStats['opened'];
type Figures = EmailStats | EventFigures;

/** Sent and bounced messages are results; their number is that of messages in this state. */
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

/** When a span starts and ends; null over all time. */
export const limitsOf = (span: TimeSpan | undefined) => ({
  start: span?.start.toISOString() ?? null,
  end: span?.end.toISOString() ?? null,
});

/** Shares as docs/statistics.md defines them; null where there is nothing to be a share of. */
function ratesOf({ delivered, bounced, opened, clicked, unsubscribed }: EmailStats) {
  const share = (count: number, of: number) => (of === 0 ? null : count / of);
  return {
    opened: share(opened.unique, delivered),
    clicked: share(clicked.unique, delivered),
    unsubscribed: share(unsubscribed, delivered),
    bounced: share(bounced, delivered + bounced),
  };
}
