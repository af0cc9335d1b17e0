import { CompiledQuery } from 'kysely';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import { rowsOf, type Transaction } from '../platform/database/database.ts';
import { senderClasses } from './delivery.ts';
import { addToTotals, isCounted } from './result-totals.ts';
import { dueNow, ofSend, type SendKey } from './send-statements.ts';

/** What a report says about a message that a mail server took. */
export interface LateBounce {
  seq: number;
  /** The words of the report, as text of PostgreSQL; they may name the recipient, and are not kept of one who was erased. */
  reply: string;
  class: BounceClass;
}

/** A message that a report names, as it is now. */
export interface ReportedMessage {
  seq: number;
  /** In lower case; empty where the person was erased. */
  address_key: string;
  /** Null while the message has no result: its worker has not stored it yet, or nobody knows whether it was sent. */
  state: string | null;
  /** Whether `storeLateBounces` has just changed it. */
  is_changed: boolean;
}

/**
 * Turns accepted messages into bounced ones, and counts them as such from now on: in the send, or in their chunk while that is not
 * counted, and in the totals. When they were accepted stays. A message of which nobody knew whether it was accepted was, if it
 * bounces. The caller has locked the send.
 * @returns the reported messages that exist
 */
export async function storeLateBounces(
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  bounces: readonly LateBounce[],
): Promise<ReportedMessage[]> {
  const seqs = bounces.map(({ seq }) => seq);
  const ref = [organizationId, sendId];
  // First, as workers do that store results: else each could wait for what the other has.
  await trx.executeQuery(CompiledQuery.raw(lockChunks, [...ref, seqs]));
  const { rows } = await trx.executeQuery<{ changed: number[] }>(
    CompiledQuery.raw(turnIntoBounced, [...ref, JSON.stringify(bounces), seqs]),
  );
  return await findReported(trx, { organizationId, sendId }, seqs, rows[0]?.changed);
}

/** @returns those of the messages that exist */
export const findReported = (
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  seqs: readonly number[],
  changed: readonly number[] = [],
) => rowsOf<ReportedMessage>(trx)`
  select d.seq, lower(d.address) as address_key, d.seq = any(${changed}::int[]) as is_changed,
    (select r.state from delivery_results r
      where r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq) as state
  from deliveries d
  where d.organization_id = ${organizationId} and d.send_id = ${sendId} and d.seq = any(${seqs}::int[])
`;

/** Consecutive messages of a send that are judged together. */
export const windowSize = 50;

/** Results of consecutive messages of a send. */
export interface ResultWindow {
  first_seq: number;
  sent: number;
  bounced: number;
  /** Of the bounced: those of the sender. */
  of_sender: number;
}

/** Counts the results of the windows that these messages are in. */
export const countWindows = (
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  seqs: readonly number[],
) => rowsOf<ResultWindow>(trx)`
  select w.first_seq, count(*) filter (where r.state = 'sent')::int as sent, count(*) filter (where r.state = 'bounced')::int as bounced,
    count(*) filter (where r.state = 'bounced' and r.class = any(${senderClasses}::text[]))::int as of_sender
  from unnest(${[...new Set(seqs.map(windowOf))]}::int[]) w (first_seq)
  join delivery_results r on r.organization_id = ${organizationId} and r.send_id = ${sendId}
    and r.seq >= w.first_seq and r.seq < w.first_seq + ${windowSize}
  group by w.first_seq
`;

/** @returns the first message of the window */
export const windowOf = (seq: number): number => seq - ((seq - 1) % windowSize);

const countIn = (table: string, condition = 'true') =>
  `(select count(*)::int from ${table} where ${condition})`;
const heldSum = (column: string) => `(select coalesce(sum(${column}), 0)::int from held)`;
const leftTurned = `(${countIn('turned')} - ${heldSum('measured + unmeasured')})`;

// Those that are counted do not change any more.
const lockChunks = `
  select from delivery_chunks
  where ${ofSend} and not counted and first_seq = any(array(
    select (select first_seq from delivery_chunks where ${ofSend} and first_seq <= reported.seq order by first_seq desc limit 1)
    from unnest($3::int[]) reported (seq)))
  order by first_seq
  for no key update`;

// A result is counted in its chunk, or in the send where it came from the queue. The sums are right wherever it is taken from, so
// each chunk gives as many as it has, measured and not measured ones, and the send the rest. What a chunk has as sent counts as
// accepted, too: the send takes over that part.
const turnIntoBounced = `
  with report as materialized (
    select p.seq, p.class, case when d.address <> '' then p.reply end as reply
    from json_to_recordset($3::json) as p (seq int, reply text, class text)
    join deliveries d on d.organization_id = $1 and d.send_id = $2 and d.seq = p.seq
  ), decided as (
    delete from delivery_queue where ${ofSend} and seq = any($4::int[]) and (kind = 'uncertain' or uncertain > 0)
      and worker_id is null
    returning seq, attempts, kind
  ), ended as (
    insert into delivery_results (organization_id, send_id, seq, state, attempts, reply, at, accepted_at, class, tracked)
    select $1::uuid, $2::uuid, d.seq, 'bounced', d.attempts, p.reply, now(), now(), p.class,
      coalesce((select tracked from deliveries m where ${ofSend} and m.seq = d.seq), true)
    from decided d
    join report p on p.seq = d.seq
    on conflict do nothing
    returning seq, class, at, accepted_at
  ), turned as (
    update delivery_results r set state = 'bounced', class = p.class, reply = p.reply, error = null, at = now()
    from report p
    where r.organization_id = $1 and r.send_id = $2 and r.seq = any($4::int[]) and r.state = 'sent' and p.seq = r.seq
    returning r.seq, r.class, r.at, r.accepted_at, r.tracked
  ), held as materialized (
    select c.first_seq, least(n.measured, c.sent_count - c.not_measured_count) as measured,
      least(n.unmeasured, c.not_measured_count) as unmeasured
    from (
      select (select first_seq from delivery_chunks where ${ofSend} and first_seq <= t.seq order by first_seq desc limit 1) as first_seq,
        count(*) filter (where t.tracked)::int as measured, count(*) filter (where not t.tracked)::int as unmeasured
      from turned t
      group by 1
    ) n
    join delivery_chunks c on c.organization_id = $1 and c.send_id = $2 and c.first_seq = n.first_seq and not c.counted
  ), recounted as (
    update delivery_chunks c
    set sent_count = c.sent_count - h.measured - h.unmeasured, bounced_count = c.bounced_count + h.measured + h.unmeasured,
      not_measured_count = c.not_measured_count - h.unmeasured
    from held h
    where c.organization_id = $1 and c.send_id = $2 and c.first_seq = h.first_seq
  ), totals as (${addToTotals(
    `
    select date_bin('15 minutes', k.at, 'epoch') as at, k.state, k.class, sum(k.number)::bigint as count,
      sum(k.not_measured)::bigint as not_measured
    from (
      select seq, at, 'bounced' as state, class, 1 as number, 0 as not_measured from turned
      union all
      select seq, accepted_at, 'sent', '', -1, case when tracked then 0 else -1 end from turned
      union all
      select seq, at, 'bounced', class, 1, 0 from ended
      union all
      select seq, accepted_at, 'accepted', '', 1, 0 from ended
    ) k
    where ${isCounted('k.seq')}
    group by 1, 2, 3`,
    'select seq, accepted_at from ended',
  )}
  )
  update touchpoint_sends s
  set recipients_accepted_count = recipients_accepted_count + ${countIn('ended')} + ${heldSum('measured + unmeasured')},
    recipients_total_sent_count = recipients_total_sent_count - ${leftTurned},
    recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + ${leftTurned} + ${countIn('ended')},
    recipients_not_measured_count = recipients_not_measured_count - ${countIn('turned', 'not tracked')} + ${heldSum('unmeasured')},
    recipients_uncertain_count = recipients_uncertain_count - ${countIn('decided', `kind = 'uncertain'`)},
    next_due_at = case when exists (select from decided) then ${dueNow} else next_due_at end, updated_at = now()
  where s.organization_id = $1 and s.id = $2
  returning array(select seq from turned union all select seq from ended) as changed`;
