import { listBuckets, type Period } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { limitsOf } from './email-metrics.ts';
import { chartPeriodOf, periodOf, requireTouchpoint, type StatisticsRequest } from './statistics-request.ts';
import { countStoredEvents, type StoredEvents } from './website-statistics.queries.ts';

// What the statistics API tells of a website touchpoint: the events that are stored of it, by type. A type without events
// has no entry. All throw 403 for a touchpoint that is not there.

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

/** Beside those of the period before. */
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

/** By type. */
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

/** All events together. */
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
