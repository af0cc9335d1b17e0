import type {
  WebsiteBreakdown,
  WebsiteNow,
  WebsiteOverview,
  WebsiteTotals,
} from '@reachout/contract/statistics.ts';
import type { WebsiteDimension } from '@reachout/contract/states/website.ts';
import { listBuckets, type Period, type TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';
import {
  countActive,
  countConversions,
  countSessions,
  countVisitorEvents,
  countVisitors,
  listActivePages,
  listValues,
  type CountedVisits,
} from './website-statistics.queries.ts';

/** @returns the numbers of a website in a period and in the previous one, and over time */
export async function readWebsiteOverview(
  trx: Transaction,
  query: StatisticsQuery,
  { start, until, previous, granularity, timeZone }: Period & { timeZone: string },
): Promise<WebsiteOverview> {
  const period = { start, end: until };
  const starts = listBuckets(period, granularity, timeZone);
  const buckets = { starts, byMinute: granularity === 'minute' };
  const events = await countVisitorEvents(trx, query, period, buckets);
  const sessions = await countSessions(trx, query, period, buckets);
  const conversions = await countConversions(trx, query, period, starts);
  const rows = starts.map((at, index) => ({
    at: at.toISOString(),
    page_views: countOf(events, 'VIEW_PAGE', index),
    sessions: countOf(sessions, null, index),
    events: countOf(events, 'TRACK', index),
    conversions: conversions.find(({ bucket }) => bucket === index)?.count ?? 0,
  }));
  return {
    unit: granularity,
    time_zone: timeZone,
    period: toSpan(period),
    total: await readTotals(trx, query, period),
    previous_period: toSpan(previous),
    previous_total: await readTotals(trx, query, previous),
    rows,
  };
}

async function readTotals(trx: Transaction, query: StatisticsQuery, span: TimeSpan): Promise<WebsiteTotals> {
  const events = await countVisitorEvents(trx, query, span);
  const [conversions] = await countConversions(trx, query, span, [span.start]);
  return {
    visitors: await countVisitors(trx, query, span),
    sessions: countOf(await countSessions(trx, query, span), null, -1),
    page_views: countOf(events, 'VIEW_PAGE', -1),
    events: countOf(events, 'TRACK', -1),
    conversions: conversions?.count ?? 0,
    conversion_value: conversions?.value ?? 0,
  };
}

/** @returns the most frequent values of a dimension */
export async function readBreakdown(
  trx: Transaction,
  query: StatisticsQuery,
  { start, until, previous }: Period,
  { dimension, limit }: { dimension: WebsiteDimension; limit: number },
): Promise<WebsiteBreakdown> {
  const hasSessions = dimension !== 'path' && dimension !== 'event';
  const other = { value: '', is_other: true, count: 0, sessions: 0, previous_count: 0 };
  const total = { count: 0, sessions: 0, previous_count: 0 };
  const rows: (typeof other)[] = [];
  for (const row of await listValues(trx, query, dimension, { start, end: until }, previous)) {
    add(total, row);
    // Of a value that was not kept, other values have more, and it less than none.
    if (row.is_other || row.count < 0 || row.sessions < 0 || row.previous_count < 0) add(other, row);
    else rows.push(row);
  }
  const counted = [...rows, other]
    .filter(({ count, sessions }) => count > 0 || sessions > 0)
    .toSorted((a, b) => b.count - a.count || b.sessions - a.sessions || (a.value < b.value ? -1 : 1));
  return {
    dimension,
    total: { ...total, sessions: hasSessions ? total.sessions : null },
    values: counted.length,
    rows: counted.slice(0, limit).map((row) => ({ ...row, sessions: hasSessions ? row.sessions : null })),
  };
}

type Counts = Record<'count' | 'sessions' | 'previous_count', number>;

function add(to: Counts, { count, sessions, previous_count }: Counts): void {
  to.count += count;
  to.sessions += sessions;
  to.previous_count += previous_count;
}

/** The time for which a visitor counts as being there. */
const activeMs = 5 * 60_000;

export async function readNow(trx: Transaction, query: StatisticsQuery, now: Date): Promise<WebsiteNow> {
  const since = new Date(now.getTime() - activeMs);
  return { ...(await countActive(trx, query, since)), pages: await listActivePages(trx, query, since, 10) };
}

const countOf = (counted: readonly CountedVisits[], of: string | null, index: number): number =>
  counted.find(({ type, bucket }) => type === of && bucket === index)?.count ?? 0;

const toSpan = ({ start, end }: TimeSpan) => ({ from: start.toISOString(), until: end.toISOString() });
