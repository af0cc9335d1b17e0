import { shownClients, type DashboardResults, type Results } from '@reachout/contract/dashboard.ts';
import type { DashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { listBuckets, readPeriod, type TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { quarterOf } from './quarters.ts';
import {
  listClientNames,
  sumOrganizationResults,
  type ResultsQuery,
  type ResultsRow,
} from './organization-results.queries.ts';

interface Input extends ResultsQuery {
  period: DashboardPeriod;
  timeZone: string;
  now: Date;
}

/** The results of all emails in a period, over time, by client, and in the period before. */
export async function getOrganizationResults(trx: Transaction, input: Input): Promise<DashboardResults> {
  const { timeZone, now } = input;
  const { start, until, previous, granularity } = readPeriod(input.period, { now, timeZone });
  // The rest of a quarter would have to be counted from single events of all emails.
  const before = { start: previous.start, end: quarterOf(previous.end) };
  const buckets = listBuckets({ start, end: until }, granularity, timeZone);
  const rows = await sumOrganizationResults(trx, input, { previous: before, buckets, until });
  const inBucket = new Map(rows.map((row) => [row.bucket, toResults(row)]));
  const byBucket = buckets.map((at, index) => ({ at: at.toISOString(), ...(inBucket.get(index) ?? none) }));
  const byClient = rows.filter((row) => row.client_id !== null && hasResults(row)).toSorted(byDelivered);
  return {
    unit: granularity,
    time_zone: timeZone,
    period: toSpan({ start, end: until }),
    total: byBucket.reduce<Results>(add, none),
    previous_period: toSpan(before),
    previous_total: inBucket.get(-1) ?? none,
    rows: byBucket,
    clients: await withNames(trx, byClient.slice(0, shownClients)),
    clients_count: byClient.length,
  };
}

async function withNames(trx: Transaction, rows: readonly ResultsRow[]) {
  const names = await listClientNames(
    trx,
    rows.map((row) => row.client_id!),
  );
  return rows.map((row) => ({
    client: { id: row.client_id!, name: names.get(row.client_id!) ?? '' },
    ...toResults(row),
  }));
}

const none: Results = { delivered: 0, bounced: 0, opened: 0, clicked: 0, unsubscribed: 0 };

const toResults = ({ delivered, bounced, opened, clicked, unsubscribed }: Results): Results => ({
  delivered,
  bounced,
  opened,
  clicked,
  unsubscribed,
});

const add = (sum: Results, row: Results): Results => ({
  delivered: sum.delivered + row.delivered,
  bounced: sum.bounced + row.bounced,
  opened: sum.opened + row.opened,
  clicked: sum.clicked + row.clicked,
  unsubscribed: sum.unsubscribed + row.unsubscribed,
});

const hasResults = (row: Results): boolean => Object.values(toResults(row)).some((count) => count > 0);

/** Clients as equal as can be keep one order. */
const byDelivered = (one: ResultsRow, other: ResultsRow): number =>
  other.delivered - one.delivered ||
  other.clicked - one.clicked ||
  (one.client_id! < other.client_id! ? -1 : 1);

const toSpan = ({ start, end }: TimeSpan) => ({ from: start.toISOString(), until: end.toISOString() });
