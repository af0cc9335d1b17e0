import { InvalidPeriod, listBuckets, readPeriod, type Period } from '@reachout/contract/period.ts';
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
  type StatisticsQuery,
} from './email-statistics.queries.ts';

interface PeriodInput {
  /** docs/statistics.md, "Periods". */
  text: string;
  timeZone: string;
  now: Date;
}

/**
 * The metrics of an email touchpoint, over all time or within a period. docs/statistics.md defines each.
 * @throws 404 when the touchpoint, or its send, is not there; 422 `invalid_period`
 */
export async function getEmailStats(
  trx: Transaction,
  query: StatisticsQuery,
  period?: PeriodInput,
): Promise<EmailStats> {
  await requireStatisticsTarget(trx, query);
  if (period === undefined) {
    return { ...(await sumSendCounters(trx, query)), ...toEventStats(await sumEvents(trx, query)) };
  }
  const span = toPeriod(period);
  const byMinute = span.granularity === 'minute';
  const results = await countResults(trx, query, span, [span.start], { byMinute });
  const count = (state: string) => results.find((row) => row.state === state)?.count ?? 0;
  const events = await countEvents(trx, query, span, [span.start], { byMinute });
  return {
    recipients: results.reduce((sum, row) => sum + row.count, 0),
    delivered: count('sent'),
    bounced: count('bounced'),
    failed: count('failed'),
    suppressed: count('suppressed'),
    // These have not ended yet, so they belong to no time.
    uncertain: 0,
    queued: 0,
    ...toEventStats(events),
  };
}

/** The same metrics over time, in the buckets of the period that have begun. @throws as getEmailStats */
export async function getEmailChart(
  trx: Transaction,
  query: StatisticsQuery,
  input: PeriodInput,
): Promise<EmailChart> {
  await requireStatisticsTarget(trx, query);
  const period = toPeriod(input);
  const shown = { start: period.start, end: period.until };
  const buckets = listBuckets(shown, period.granularity, input.timeZone);
  const rows = buckets.map((at) => ({
    at: at.toISOString(),
    delivered: 0,
    opened: 0,
    clicked: 0,
    bounced: 0,
    unsubscribed: 0,
  }));
  const chart = {
    unit: period.granularity,
    time_zone: input.timeZone,
    until: period.until.toISOString(),
    rows,
  };
  // All of the period is still to come.
  if (buckets.length === 0) return chart;
  const byMinute = period.granularity === 'minute';
  for (const { bucket, state, count } of await countResults(trx, query, period, buckets, { byMinute })) {
    const row = rows[bucket]!;
    if (state === 'sent') row.delivered += count;
    if (state === 'bounced') row.bounced += count;
  }
  for (const { bucket, type, unique_count } of await countEvents(trx, query, period, buckets, { byMinute })) {
    const column = chartColumns[type];
    if (column !== undefined) rows[bucket]![column] += unique_count;
  }
  return chart;
}

/** @throws 404 when the touchpoint, or its send, is not there, or its channel has no such events */
export async function requireStatisticsTarget(trx: Transaction, query: StatisticsQuery): Promise<void> {
  const type = await findTouchpointType(trx, query);
  const isCounted = (event: EventType) => type !== undefined && channels[type].emits.includes(event);
  if (!countedEvents.every(isCounted)) throw notFound();
}

const countedEvents: readonly EventType[] = ['SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'BOUNCE', 'UNSUBSCRIBE'];

const chartColumns: Partial<Record<EventType, 'opened' | 'clicked' | 'unsubscribed'>> = {
  OPEN_EMAIL: 'opened',
  CLICK: 'clicked',
  UNSUBSCRIBE: 'unsubscribed',
};

function toEventStats(metrics: readonly EventMetric[]) {
  const count = (type: EventType) => {
    const metric = metrics.find((row) => row.type === type);
    return {
      unique: metric?.unique_count ?? 0,
      total: metric?.human_count ?? 0,
      bots: metric?.bot_count ?? 0,
    };
  };
  return {
    opened: count('OPEN_EMAIL'),
    clicked: count('CLICK'),
    unsubscribed: count('UNSUBSCRIBE').unique,
  };
}

function toPeriod({ text, timeZone, now }: PeriodInput): Period {
  try {
    return readPeriod(text, { now, timeZone });
  } catch (error) {
    if (error instanceof InvalidPeriod) throw apiError('invalid_period', undefined, error.message);
    throw error;
  }
}
