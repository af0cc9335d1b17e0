import { listBuckets, type Period } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { limitsOf } from './email-metrics.ts';
import { chartPeriodOf, periodOf, requireTouchpoint, type StatisticsRequest } from './statistics-request.ts';
import { countSessions, countVisitorEvents, type CountedVisits } from './website-statistics.queries.ts';

// Website touchpoint metrics of the statistics API: the events of its visitors by type, or, with `distinct`, the sessions that
// have such events. A type without events has no entry. All functions throw 403 for a touchpoint that does not exist.

interface EventCount {
  type: string;
  count: number;
}

const countBy = ({ isDistinct }: StatisticsRequest) => (isDistinct ? countSessions : countVisitorEvents);

export async function getWebsiteFigures(
  trx: Transaction,
  request: StatisticsRequest,
): Promise<{ events: EventCount[] }> {
  const query = await requireTouchpoint(trx, request, 'website');
  return { events: toCounts(await countBy(request)(trx, query, periodOf(request))) };
}

/** @returns the metrics for the period and the previous period */
export async function getWebsiteMetrics(trx: Transaction, request: StatisticsRequest) {
  const query = await requireTouchpoint(trx, request, 'website');
  const period = periodOf(request);
  const count = async (span?: Pick<Period, 'start' | 'end'>) => ({
    ...limitsOf(span),
    events: toCounts(await countBy(request)(trx, query, span)),
  });
  return {
    current: await count(period),
    previous: period === undefined ? null : await count(period.previous),
  };
}

/** @returns a chart of the events by type */
export async function getWebsiteEventChart(trx: Transaction, request: StatisticsRequest) {
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
export async function getWebsiteChart(trx: Transaction, request: StatisticsRequest) {
  const { counted, ...chart } = await readChart(trx, request);
  const countOf = (index: number) =>
    counted
      .filter(({ bucket, type }) => bucket === index && (type === null) === request.isDistinct)
      .reduce((sum, { count }) => sum + count, 0);
  return { ...chart, rows: chart.rows.map((row, index) => ({ ...row, count: countOf(index) })) };
}

async function readChart(trx: Transaction, request: StatisticsRequest) {
  const query = await requireTouchpoint(trx, request, 'website');
  const { start, end, until, granularity } = chartPeriodOf(request);
  const starts = listBuckets({ start, end: until }, granularity, request.timeZone);
  return {
    unit: granularity,
    time_zone: request.timeZone,
    until: until.toISOString(),
    rows: starts.map((at) => ({ at: at.toISOString() })),
    counted: await countBy(request)(
      trx,
      query,
      { start, end },
      { starts, byMinute: granularity === 'minute' },
    ),
  };
}

const toCounts = (counted: readonly CountedVisits[]): EventCount[] =>
  counted.flatMap(({ type, count }) => (type === null ? [] : [{ type, count }]));
