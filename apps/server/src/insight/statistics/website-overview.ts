import type {
  WebsiteBreakdown,
  WebsiteNow,
  WebsiteOverview,
  WebsiteTotals,
} from '@reachout/contract/statistics.ts';
import { hasSessions, type WebsiteDimension } from '@reachout/contract/states/website.ts';
import { listBuckets, type Period, type TimeSpan } from '@reachout/contract/period.ts';
import { toShownHost } from '../../outreach/channels/website/website-settings.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addUp } from './add-up.ts';
import type { Buckets, StatisticsQuery } from './running-counts.queries.ts';
import { countConversions, countConvertedVisitors } from './website-conversions.queries.ts';
import {
  countActive,
  countVisitors,
  countActivity,
  listActivePages,
  listValues,
} from './website-statistics.queries.ts';

/** @returns the numbers of a website in a period and in the previous one, and over time */
export async function readWebsiteOverview(
  trx: Transaction,
  query: StatisticsQuery,
  { start, until, previous, granularity, timeZone }: Period & { timeZone: string },
): Promise<WebsiteOverview> {
  const period = { start, end: until };
  const starts = listBuckets(period, granularity, timeZone);
  const rows = await countBuckets(trx, query, period, { starts, byMinute: granularity === 'minute' });
  return {
    unit: granularity,
    time_zone: timeZone,
    period: toSpan(period),
    total: await sumTotals(trx, query, period, rows),
    previous_period: toSpan(previous),
    previous_total: await sumTotals(
      trx,
      query,
      previous,
      await countBuckets(trx, query, previous, { starts: [previous.start], byMinute: false }),
    ),
    rows: rows.map(({ page_views, sessions, events, conversions }, index) => ({
      at: starts[index]!.toISOString(),
      page_views,
      sessions,
      events,
      conversions,
    })),
  };
}

const summed = ['sessions', 'page_views', 'events', 'conversions', 'conversion_value'] as const;
type Summed = Record<(typeof summed)[number], number>;

async function countBuckets(
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
  buckets: Buckets,
): Promise<Summed[]> {
  const rows = buckets.starts.map((): Summed => ({
    sessions: 0,
    page_views: 0,
    events: 0,
    conversions: 0,
    conversion_value: 0,
  }));
  for (const { subject, type, bucket, count } of await countActivity(
    trx,
    query,
    ['event', 'session'],
    span,
    buckets,
  )) {
    const row = rows[bucket]!;
    if (subject === 'session' && type === null) row.sessions = count;
    if (subject === 'event' && type === 'VIEW_PAGE') row.page_views = count;
    if (subject === 'event' && type === 'TRACK') row.events = count;
  }
  for (const { bucket, count, value } of await countConversions(trx, query, span, buckets)) {
    rows[bucket]!.conversions = count;
    rows[bucket]!.conversion_value = value;
  }
  return rows;
}

const sumTotals = async (
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
  rows: readonly Summed[],
): Promise<WebsiteTotals> => ({
  visitors: await countVisitors(trx, query, span),
  converted_visitors: await countConvertedVisitors(trx, query, span),
  ...addUp(rows, summed),
});

/** @returns the most frequent values of a dimension */
export async function readBreakdown(
  trx: Transaction,
  query: StatisticsQuery,
  { start, until, previous }: Period,
  { dimension, limit }: { dimension: WebsiteDimension; limit: number },
): Promise<WebsiteBreakdown> {
  const withSessions = hasSessions(dimension);
  const other = { value: '', is_other: true, count: 0, sessions: 0, previous_count: 0 };
  const total = { count: 0, sessions: 0, previous_count: 0 };
  const rows: (typeof other)[] = [];
  const values = await listValues(trx, query, dimension, { start, end: until }, previous);
  const toShown = toShownValue(
    dimension,
    values.map(({ value }) => value),
  );
  for (const row of values) {
    add(total, row);
    // Of a value that was not kept, other values have more, and it less than none.
    if (row.is_other || row.count < 0 || row.sessions < 0 || row.previous_count < 0) add(other, row);
    else rows.push({ ...row, value: toShown(row.value) });
  }
  const counted = [...rows, other]
    .filter(({ count, sessions }) => count > 0 || sessions > 0)
    .toSorted((a, b) => b.count - a.count || b.sessions - a.sessions || (a.value < b.value ? -1 : 1));
  return {
    dimension,
    total: { ...total, sessions: withSessions ? total.sessions : null },
    values: counted.length,
    rows: counted.slice(0, limit).map((row) => ({ ...row, sessions: withSessions ? row.sessions : null })),
  };
}

function toShownValue(dimension: WebsiteDimension, values: readonly string[]): (value: string) => string {
  if (dimension === 'path') return toShownPages(values);
  return dimension === 'host' ? toShownHost : (value) => value;
}

/** Pages have their host before their path: it is left out if all have the same. */
function toShownPages(pages: readonly string[]): (page: string) => string {
  const hostOf = (page: string) => page.slice(0, page.indexOf('/'));
  // All other pages are in a row without a name.
  const hosts = new Set(pages.filter((page) => page !== '').map(hostOf));
  return (page) => {
    const path = page.slice(hostOf(page).length);
    return hosts.size > 1 ? toShownHost(hostOf(page)) + path : path;
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
  const pages = await listActivePages(trx, query, since, 10);
  const toShown = toShownPages(pages.map(({ path }) => path));
  return {
    ...(await countActive(trx, query, since)),
    pages: pages.map((page) => ({ ...page, path: toShown(page.path) })),
  };
}

const toSpan = ({ start, end }: TimeSpan) => ({ from: start.toISOString(), until: end.toISOString() });
