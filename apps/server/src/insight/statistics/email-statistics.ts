import {
  InvalidPeriod,
  listBuckets,
  readPeriod,
  type Period,
  type TimeSpan,
} from '@reachout/contract/period.ts';
import type { EmailChart, EmailStats } from '@reachout/contract/statistics.ts';
import type { EventType } from '@reachout/contract/statuses.ts';
import { apiError, notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { channels } from '../../outreach/channels/channels.ts';
import {
  countEvents,
  countResults,
  findTouchpointType,
  sumEvents,
  sumSendCounters,
  type EventMetric,
  type ResultMetric,
} from './email-statistics.queries.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
import { countConverted, sumConversions } from './conversions.queries.ts';

export interface PeriodInput {
  /** A period as described in docs/statistics.md, "Periods". */
  text: string;
  timeZone: string;
  now: Date;
}

/**
 * @returns the metrics of an email touchpoint, for all time or within a period, as defined in docs/statistics.md
 * @throws 404 if the touchpoint or its send does not exist; 422 `invalid_period`
 */
export async function getEmailStats(
  trx: Transaction,
  query: StatisticsQuery,
  period?: PeriodInput,
): Promise<EmailStats> {
  await requireStatisticsTarget(trx, query);
  return await countEmailStats(trx, query, period && toPeriod(period));
}

/** @returns the same metrics within the period before the given one */
export async function getPreviousEmailStats(
  trx: Transaction,
  query: StatisticsQuery,
  { previous, granularity }: Period,
) {
  const period = { from: previous.start.toISOString(), until: previous.end.toISOString() };
  return { ...(await countEmailStats(trx, query, { ...previous, granularity })), period };
}

/** A time span with its granularity, which decides whether it is counted by minute. */
export type CountedSpan = TimeSpan & Pick<Period, 'granularity'>;

/** @returns the same metrics for a touchpoint that is known to exist */
export async function countEmailStats(
  trx: Transaction,
  query: StatisticsQuery,
  span?: CountedSpan,
): Promise<EmailStats> {
  if (span === undefined) {
    return {
      ...(await sumSendCounters(trx, query)),
      ...toEventStats(await sumEvents(trx, query)),
      ...(await sumConversions(trx, query)),
    };
  }
  const byMinute = span.granularity === 'minute';
  const results = await countResults(trx, query, span, [span.start], { byMinute });
  const count = (state: string) => results.find((row) => row.state === state)?.count ?? 0;
  const events = await countEvents(trx, query, span, [span.start], { byMinute });
  return {
    recipients: results.reduce((sum, row) => sum + (row.state === 'accepted' ? 0 : row.count), 0),
    accepted: count('accepted'),
    delivered: count('sent'),
    not_measured: results.reduce((sum, row) => sum + row.not_measured, 0),
    bounced: count('bounced'),
    failed: count('failed'),
    suppressed: count('suppressed'),
    // These messages have no result yet, so they belong to no period.
    uncertain: 0,
    queued: 0,
    ...toEventStats(events),
    ...(await sumConversions(trx, query, span)),
  };
}

/** @returns the metrics over time, for the buckets of the period that have begun. @throws as getEmailStats */
export async function getEmailChart(
  trx: Transaction,
  query: StatisticsQuery,
  input: PeriodInput,
): Promise<EmailChart> {
  await requireStatisticsTarget(trx, query);
  return await drawEmailChart(
    trx,
    query,
    { period: toPeriod(input), timeZone: input.timeZone },
    chartColumns,
  );
}

/** What a chart column counts: messages in a state, all or those not measured, or with their first event of a type, or first conversion. */
export type ChartColumn =
  | { state: ResultMetric['state']; of?: 'not_measured' }
  | { event: EventType }
  | { conversion: 'first' };

/** Columns of the chart that users see. */
export const chartColumns = {
  delivered: { state: 'sent' },
  not_measured: { state: 'sent', of: 'not_measured' },
  bounced: { state: 'bounced' },
  opened: { event: 'OPEN_EMAIL' },
  clicked: { event: 'CLICK' },
  converted: { conversion: 'first' },
  unsubscribed: { event: 'UNSUBSCRIBE' },
  complained: { event: 'COMPLAINT' },
} as const satisfies Record<string, ChartColumn>;

/** @returns a chart with the given columns for a touchpoint that is known to exist */
export async function drawEmailChart<Name extends string>(
  trx: Transaction,
  query: StatisticsQuery,
  { period, timeZone }: { period: Period; timeZone: string },
  columns: Readonly<Record<Name, ChartColumn>>,
): Promise<Omit<EmailChart, 'rows'> & { rows: ({ at: string } & Record<Name, number>)[] }> {
  const shown = { start: period.start, end: period.until };
  const buckets = listBuckets(shown, period.granularity, timeZone);
  const entries = Object.entries<ChartColumn>(columns);
  const counts = buckets.map(() => new Map(entries.map(([name]) => [name, 0])));
  const add = (bucket: number, countOf: (column: ChartColumn) => number | undefined) => {
    for (const [name, column] of entries)
      counts[bucket]!.set(name, counts[bucket]!.get(name)! + (countOf(column) ?? 0));
  };
  const byMinute = period.granularity === 'minute';
  // No buckets means that the whole period is in the future.
  const isShown = (kind: 'state' | 'event' | 'conversion') =>
    buckets.length > 0 && entries.some(([, column]) => kind in column);
  if (isShown('state'))
    for (const row of await countResults(trx, query, period, buckets, { byMinute }))
      add(row.bucket, (column) =>
        'state' in column && column.state === row.state ? row[column.of ?? 'count'] : undefined,
      );
  if (isShown('event'))
    for (const { bucket, type, unique_count } of await countEvents(trx, query, period, buckets, { byMinute }))
      add(bucket, (column) => ('event' in column && column.event === type ? unique_count : undefined));
  if (isShown('conversion'))
    for (const { bucket, converted } of await countConverted(trx, query, period, buckets))
      add(bucket, (column) => ('conversion' in column ? converted : undefined));
  return {
    unit: period.granularity,
    time_zone: timeZone,
    until: period.until.toISOString(),
    rows: buckets.map((at, index) => ({
      at: at.toISOString(),
      ...(Object.fromEntries(counts[index]!) as Record<Name, number>),
    })),
  };
}

/** @throws 404 if the touchpoint or its send does not exist, or its channel does not emit all counted events */
export async function requireStatisticsTarget(trx: Transaction, query: StatisticsQuery): Promise<void> {
  const type = await findTouchpointType(trx, query);
  const isCounted = (event: EventType) => type !== undefined && channels[type].countedEvents.includes(event);
  if (!countedEvents.every(isCounted)) throw notFound();
}

/** @returns the same list, for an email or a send of it that must exist. It throws as `requireStatisticsTarget`. */
export const ofEmail =
  <Rest extends unknown[], Rows>(
    list: (trx: Transaction, query: StatisticsQuery, ...rest: Rest) => Promise<Rows>,
  ) =>
  async (trx: Transaction, query: StatisticsQuery, ...rest: Rest): Promise<Rows> => {
    await requireStatisticsTarget(trx, query);
    return await list(trx, query, ...rest);
  };

const countedEvents: readonly EventType[] = [
  'SEND_EMAIL',
  'OPEN_EMAIL',
  'CLICK',
  'BOUNCE',
  'COMPLAINT',
  'UNSUBSCRIBE',
];

const toEventStats = (metrics: readonly EventMetric[]) => ({
  opened: toCount(metrics, 'OPEN_EMAIL'),
  clicked: toCount(metrics, 'CLICK'),
  visited: toCount(metrics, 'VISIT').unique,
  unsubscribed: toCount(metrics, 'UNSUBSCRIBE').unique,
  complained: toCount(metrics, 'COMPLAINT').unique,
});

/** @returns the events of one type, by people and by bots */
export function toCount(metrics: readonly EventMetric[], type: EventType): EmailStats['opened'] {
  const metric = metrics.find((row) => row.type === type);
  return {
    unique: metric?.unique_count ?? 0,
    total: metric?.human_count ?? 0,
    bots: metric?.bot_count ?? 0,
  };
}

/** @throws 422 `invalid_period` */
export function toPeriod({ text, timeZone, now }: PeriodInput): Period {
  try {
    return readPeriod(text, { now, timeZone });
  } catch (error) {
    if (error instanceof InvalidPeriod) throw apiError('invalid_period', undefined, error.message);
    throw error;
  }
}
