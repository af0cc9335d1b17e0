import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { runPrepared, type PreparedStatement } from './run-prepared.ts';
import { getRow } from './rows.ts';

const states = ['sent', 'bounced', 'failed', 'suppressed', 'skipped', 'cancelled', 'uncertain'] as const;
/** Beside the states: what a mail server took, and what is sent without being measured. */
const counted = [...states, 'accepted', 'not_measured'] as const;
type Counted = (typeof counted)[number];

/** The counters and rows of one send, read in one statement and therefore in one snapshot. */
export interface Accounts {
  status: string;
  hasEnded: boolean;
  total: number;
  /** The counters of the send. */
  counters: Record<Counted, number>;
  /** Counted rows. Cancelled messages have no rows, so that number is copied from the counter. */
  rows: Record<Counted, number>;
  /** Results according to the totals that statistics read. */
  totals: Record<string, number>;
  /** The same results, counted from their rows. */
  results: Record<string, number>;
  /** Accepted messages by quarter of an hour, from the totals and from the rows. */
  accepted: [totals: Record<string, number>, results: Record<string, number>];
  /** Messages that have neither ended nor an uncertain result. */
  queued: number;
}

interface AccountsRow {
  status: string;
  has_ended: boolean;
  total: number;
  counters: Record<Counted, number>;
  states: Partial<Record<Counted, number>>;
  totals: Record<string, number>;
  results: Record<string, number>;
  accepted_totals: Record<string, number>;
  accepted_results: Record<string, number>;
}

const accountsOfSend: PreparedStatement<AccountsRow> = {
  name: 'accounts_of_send',
  prepare: sql`
    prepare accounts_of_send(uuid) as
    select s.status, s.end_date is not null as has_ended, s.recipients_total_count as total,
      json_build_object('sent', recipients_total_sent_count, 'bounced', recipients_total_delivery_failed_count,
        'failed', recipients_total_failed_count, 'suppressed', recipients_suppressed_count,
        'skipped', recipients_skipped_count, 'cancelled', recipients_cancelled_count,
        'uncertain', recipients_uncertain_count, 'accepted', recipients_accepted_count, 'not_measured', recipients_not_measured_count) as counters,
      coalesce((
        select json_object_agg(state, n) from (
          select state, count(*) as n from delivery_results r
          where r.organization_id = s.organization_id and r.send_id = s.id group by state
          union all
          select 'uncertain', count(*) from delivery_queue w
          where w.organization_id = s.organization_id and w.send_id = s.id and w.kind = 'uncertain'
          union all
          select 'accepted', count(accepted_at) from delivery_results r
          where r.organization_id = s.organization_id and r.send_id = s.id
          union all
          select 'not_measured', count(*) from delivery_results r
          where r.organization_id = s.organization_id and r.send_id = s.id and r.state = 'sent' and not r.tracked
        ) as counted
      ), '{}') as states,
      coalesce((
        select json_object_agg(key, n) from (
          select concat_ws(' ', at at time zone 'UTC', state, nullif(class, '')) as key, sum(count) as n from counted_results
          where organization_id = s.organization_id and touchpoint_id = s.touchpoint_id and send_id = s.id and state <> 'accepted'
          group by 1
          having sum(count) <> 0
          union all
          select 'not_measured', sum(not_measured) from counted_results
          where organization_id = s.organization_id and touchpoint_id = s.touchpoint_id and send_id = s.id
          having sum(not_measured) > 0
        ) as summed
      ), '{}') as totals,
      coalesce((
        select json_object_agg(key, n) from (
          select concat_ws(' ', date_bin('15 minutes', r.at, 'epoch') at time zone 'UTC', r.state, r.class) as key, count(*) as n
          from delivery_results r
          where r.organization_id = s.organization_id and r.send_id = s.id
          group by 1
          union all
          select 'not_measured', count(*) from delivery_results r
          where r.organization_id = s.organization_id and r.send_id = s.id and r.state = 'sent' and not r.tracked
          having count(*) > 0
        ) as summed
      ), '{}') as results,
      coalesce((
        select json_object_agg(at, n) from (
          select at, sum(count) as n from counted_results
          where organization_id = s.organization_id and touchpoint_id = s.touchpoint_id and send_id = s.id and state = 'accepted'
          group by 1
        ) as summed
      ), '{}') as accepted_totals,
      coalesce((
        select json_object_agg(at, n) from (
          select date_bin('15 minutes', r.accepted_at, 'epoch') as at, count(*) as n from delivery_results r
          where r.organization_id = s.organization_id and r.send_id = s.id and r.accepted_at is not null
          group by 1
        ) as summed
      ), '{}') as accepted_results
    from counted_sends s
    where s.id = $1
  `,
};

/** @param owner logs in as the owner of the tables */
export async function countAccounts(owner: Database, sendId: string): Promise<Accounts> {
  const rows = await runPrepared(owner, accountsOfSend, [sendId]);
  const row = rows[0];
  if (row === undefined) throw new Error(`There is no send ${sendId}`);
  const rowsByState = Object.fromEntries(counted.map((state) => [state, row.states[state] ?? 0]));
  return {
    status: row.status,
    hasEnded: row.has_ended,
    total: row.total,
    counters: row.counters,
    rows: { ...(rowsByState as Record<Counted, number>), cancelled: row.counters.cancelled },
    totals: row.totals,
    results: row.results,
    accepted: [row.accepted_totals, row.accepted_results],
    queued: row.total - states.reduce((sum, state) => sum + row.counters[state], 0),
  };
}

/** @returns what the send shows as its problem */
export async function readSendError(owner: Database, sendId: string): Promise<SendError | null> {
  const { error } = await getRow(owner, 'touchpoint_sends', '*', { id: sendId });
  return error;
}
