import { listBuckets, type Period } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { limitsOf } from './email-metrics.ts';
import { chartPeriodOf, periodOf, requireTouchpoint, type StatisticsRequest } from './statistics-request.ts';
import { countStoredEvents, type StoredEvents } from './website-statistics.queries.ts';

// Website touchpoint metrics of the statistics API: its stored events by type. A type without events has no entry.
// All functions throw 403 for a touchpoint that does not exist.

interface EventCount {
  type: string;
  count: number;
}

export async function getWebsiteFigures(
  trx: Transaction,
  request: StatisticsRequest,
): Promise<{ events: EventCount[] }> {
  const query = await requireTouchpoint(trx, request, 'website');
  return { events: toCounts(await countStoredEvents(trx, query, periodOf(request))) };
}

/** @returns the metrics for the period and the previous period */
export async function getWebsiteMetrics(trx: Transaction, request: StatisticsRequest) {
  const query = await requireTouchpoint(trx, request, 'website');
  const period = periodOf(request);
  const count = async (span?: Pick<Period, 'start' | 'end'>) => ({
    ...limitsOf(span),
    events: toCounts(await countStoredEvents(trx, query, span)),
  });
  return {
    current: await count(period),
    previous: period === undefined ? null : await count(period.previous),
  };
}

/** @returns a chart of the events by type */
export async function getWebsiteEventChart(trx: Transaction, request: StatisticsRequest) {
  const { stored, ...chart } = await readChart(trx, request);
  return {
    ...chart,
    rows: chart.rows.map((row, index) => ({
      ...row,
      events: toCounts(stored.filter(({ bucket }) => bucket === index)),
    })),
  };
}

/** @returns a chart of all events together */
export async function getWebsiteChart(trx: Transaction, request: StatisticsRequest) {
  const { stored, ...chart } = await readChart(trx, request);
  const countOf = (index: number) =>
    stored.filter(({ bucket }) => bucket === index).reduce((sum, { count }) => sum + count, 0);
  return { ...chart, rows: chart.rows.map((row, index) => ({ ...row, count: countOf(index) })) };
}

async function readChart(trx: Transaction, request: StatisticsRequest) {
  const query = await requireTouchpoint(trx, request, 'website');
  const { start, end, until, granularity } = chartPeriodOf(request);
  const buckets = listBuckets({ start, end: until }, granularity, request.timeZone);
  return {
    unit: granularity,
    time_zone: request.timeZone,
    until: until.toISOString(),
    rows: buckets.map((at) => ({ at: at.toISOString() })),
    stored: await countStoredEvents(trx, query, { start, end }, buckets),
  };
}

const toCounts = (stored: readonly StoredEvents[]): EventCount[] =>
  stored.map(({ type, count }) => ({ type, count }));
