import { listBuckets, type Period } from '@reachout/contract/period.ts';
import type { VisitorEventType } from '@reachout/contract/states/website.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { limitsOf } from './email-metrics.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
import { countActivity, type CountedActivity } from './website-statistics.queries.ts';

// Website touchpoint metrics of the statistics API: the events of its visitors by type, or, with `distinct`, the sessions that
// have such events. A type without events has no entry.

export interface WebsiteRequest {
  /** A website that is known to exist. */
  query: StatisticsQuery;
  /** Undefined for all time. */
  period: Period | undefined;
  timeZone: string;
  /** Sessions instead of events. */
  isDistinct: boolean;
}

/** Of a chart, which always has a period. */
type ChartRequest = WebsiteRequest & { period: Period };

interface EventCount {
  type: VisitorEventType;
  count: number;
}

const subjectOf = ({ isDistinct }: WebsiteRequest) => [isDistinct ? 'session' : 'event'] as const;

export async function getWebsiteFigures(
  trx: Transaction,
  request: WebsiteRequest,
): Promise<{ events: EventCount[] }> {
  return { events: toCounts(await countActivity(trx, request.query, subjectOf(request), request.period)) };
}

/** @returns the metrics for the period and the previous period */
export async function getWebsiteMetrics(trx: Transaction, request: WebsiteRequest) {
  const { query, period } = request;
  const count = async (span?: Pick<Period, 'start' | 'end'>) => ({
    ...limitsOf(span),
    events: toCounts(await countActivity(trx, query, subjectOf(request), span)),
  });
  return {
    current: await count(period),
    previous: period === undefined ? null : await count(period.previous),
  };
}

/** @returns a chart of the events by type */
export async function getWebsiteEventChart(trx: Transaction, request: ChartRequest) {
  const { counted, ...chart } = await readChart(trx, request);
  return {
    ...chart,
    rows: chart.rows.map((row, index) => ({
      ...row,
      events: toCounts(counted.filter(({ bucket }) => bucket === index)),
    })),
  };
}

/** @returns a chart of all events, or sessions, together */
export async function getWebsiteChart(trx: Transaction, request: ChartRequest) {
  const { counted, ...chart } = await readChart(trx, request);
  const countOf = (index: number) =>
    counted
      .filter(({ bucket, type }) => bucket === index && (type === null) === request.isDistinct)
      .reduce((sum, { count }) => sum + count, 0);
  return { ...chart, rows: chart.rows.map((row, index) => ({ ...row, count: countOf(index) })) };
}

async function readChart(trx: Transaction, request: ChartRequest) {
  const { start, end, until, granularity } = request.period;
  const starts = listBuckets({ start, end: until }, granularity, request.timeZone);
  return {
    unit: granularity,
    time_zone: request.timeZone,
    until: until.toISOString(),
    rows: starts.map((at) => ({ at: at.toISOString() })),
    counted: await countActivity(
      trx,
      request.query,
      subjectOf(request),
      { start, end },
      { starts, byMinute: granularity === 'minute' },
    ),
  };
}

const toCounts = (counted: readonly CountedActivity[]): EventCount[] =>
  counted.flatMap(({ type, count }) => (type === null ? [] : [{ type: type as VisitorEventType, count }]));
