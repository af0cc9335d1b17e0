import { shownClients, type DashboardResults, type Results } from '@reachout/contract/dashboard.ts';
import type { DashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { listBuckets, readPeriod, type TimeSpan } from '@reachout/contract/period.ts';
import { readCountedUntil } from '../../events/counted-until.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addUp } from './add-up.ts';
import { quarterOf } from './quarters.ts';
import {
  listClientNames,
  sumOrganizationResults,
  type ResultCount,
  type ResultsQuery,
} from './organization-results.queries.ts';

interface Input extends ResultsQuery {
  period: DashboardPeriod;
  timeZone: string;
  now: Date;
}

/** @returns the results of all emails in a period: in total, over time, by client, and for the previous period */
export async function getOrganizationResults(trx: Transaction, input: Input): Promise<DashboardResults> {
  const { timeZone, now } = input;
  const { start, until, previous, granularity } = readPeriod(input.period, { now, timeZone });
  // A partial quarter hour would have to be counted from single events of all emails.
  const before = { start: previous.start, end: quarterOf(previous.end) };
  const buckets = listBuckets({ start, end: until }, granularity, timeZone);
  const counted = await readCountedUntil(trx, input.organizationId, 'message');
  const counts = await sumOrganizationResults(trx, input, { previous: before, buckets, until });
  const inBucket = toResults(counts, ({ bucket }) => bucket);
  const byBucket = buckets.map((at, index) => ({ at: at.toISOString(), ...(inBucket.get(index) ?? none) }));
  const byClient = [...toResults(counts, (count) => count.client_id)].toSorted(byDelivered);
  return {
    unit: granularity,
    time_zone: timeZone,
    period: toSpan({ start, end: until }),
    total: addUp(byBucket, Object.values(figureOf)),
    previous_period: toSpan(before),
    previous_total: inBucket.get(-1) ?? none,
    rows: byBucket,
    clients: await withNames(trx, byClient.slice(0, shownClients)),
    clients_count: byClient.length,
    counted,
  };
}

async function withNames(trx: Transaction, rows: readonly ClientResults[]) {
  const names = await listClientNames(
    trx,
    rows.map(([id]) => id),
  );
  return rows.map(([id, results]) => ({ client: { id, name: names.get(id) ?? '' }, ...results }));
}

type ClientResults = readonly [id: string, results: Results];

const none: Results = {
  delivered: 0,
  not_measured: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
  converted: 0,
  unsubscribed: 0,
  complained: 0,
};

const figureOf: Record<ResultCount['kind'], keyof Results> = {
  sent: 'delivered',
  not_measured: 'not_measured',
  bounced: 'bounced',
  OPEN_EMAIL: 'opened',
  CLICK: 'clicked',
  converted: 'converted',
  UNSUBSCRIBE: 'unsubscribed',
  COMPLAINT: 'complained',
};

/** @param keyOf  returns null for counts to leave out */
function toResults<K>(
  counts: readonly ResultCount[],
  keyOf: (count: ResultCount) => K | null,
): Map<K, Results> {
  const results = new Map<K, Results>();
  for (const count of counts) {
    const key = keyOf(count);
    if (key !== null)
      results.set(key, { ...(results.get(key) ?? none), [figureOf[count.kind]]: count.count });
  }
  return results;
}

/** The id makes the order of clients with equal results stable. */
const byDelivered = ([oneId, one]: ClientResults, [otherId, other]: ClientResults): number =>
  other.delivered - one.delivered || other.clicked - one.clicked || (oneId < otherId ? -1 : 1);

const toSpan = ({ start, end }: TimeSpan) => ({ from: start.toISOString(), until: end.toISOString() });
