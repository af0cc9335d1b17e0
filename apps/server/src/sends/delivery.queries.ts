import { sql } from 'kysely';
import type { SendStatus } from '@reachout/contract/statuses.ts';
import type { Database, Transaction } from '../platform/database/database.ts';
import type { Outcome, Recipient } from './delivery.ts';

/** How long a lease holds without a sign of life. A worker that dies loses its leases at once (worker_is_alive). */
const leaseSeconds = 120;
/** A suppression is seen by the slice after it: its transaction may have started this long before it committed. */
const suppressionOverlapSeconds = 60;

export interface SendRef {
  organizationId: string;
  sendId: string;
}

export interface OpenSend {
  organization_id: string;
  send_id: string;
  status: SendStatus;
}

/** Sends with something to do, oldest first, over all organizations. */
export async function findOpenSends(db: Database, limit: number): Promise<OpenSend[]> {
  const { rows } = await sql<OpenSend>`select * from sends_with_work(${limit})`.execute(db);
  return rows;
}

export interface Lease {
  lo: number;
  hi: number;
  leaseToken: number;
  /** Messages up to this seq may leave: their mark is committed. */
  startedUpto: number;
  /** When it was taken, by the database's clock. */
  leasedAt: string;
}

/**
 * Takes the next free chunk and marks its first slice ahead. What a dead worker had marked in it, and left without
 * result, becomes uncertain and moves to the retries: due at once, or held, as the send's policy says.
 * @returns undefined when nothing is free or the send is not sending
 */
export async function leaseChunk(
  trx: Transaction,
  { organizationId, sendId }: SendRef,
  workerId: number,
  slice: number,
): Promise<Lease | undefined> {
  const { rows } = await sql<{
    lo: number;
    hi: number;
    lease_token: number;
    gap_lo: number;
    gap_hi: number;
    started_upto: number;
    leased_at: string;
  }>`
    with free as (
      select lo, hi, started_upto from delivery_chunks
      where organization_id = ${organizationId} and send_id = ${sendId} and not done
        and (worker_id is null or lease_until < now() or not worker_is_alive(worker_id))
        and exists (select from touchpoint_sends where organization_id = ${organizationId} and id = ${sendId} and status = 'sending')
      order by lo
      limit 1
      for update skip locked
    )
    update delivery_chunks c
    set worker_id = ${workerId}, lease_token = c.lease_token + 1, lease_until = now() + make_interval(secs => ${leaseSeconds}),
      started_upto = least(c.hi, free.started_upto + ${slice}::int)
    from free
    where c.organization_id = ${organizationId} and c.send_id = ${sendId} and c.lo = free.lo
    returning c.lo, c.hi, c.lease_token, free.lo as gap_lo, free.started_upto as gap_hi, c.started_upto, now() as leased_at
  `.execute(trx);
  const chunk = rows[0];
  if (chunk === undefined) return undefined;
  if (chunk.gap_hi >= chunk.gap_lo)
    await recoverGap(trx, { organizationId, sendId }, chunk.gap_lo, chunk.gap_hi);
  return {
    lo: chunk.lo,
    hi: chunk.hi,
    leaseToken: chunk.lease_token,
    startedUpto: chunk.started_upto,
    leasedAt: chunk.leased_at,
  };
}

/** Marked ahead, but without result and not waiting for a retry: it may have left, and nobody knows. */
export async function recoverGap(
  trx: Transaction,
  { organizationId, sendId }: SendRef,
  lo: number,
  hi: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gap as (
      insert into delivery_retries (organization_id, send_id, seq, kind, attempts, due_at, reply)
      select d.organization_id, d.send_id, d.seq, 'uncertain', 1,
        case when s.uncertain_policy = 'retry' then now() end, 'The worker stopped while this message was under way.'
      from deliveries d
      join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
      where d.organization_id = ${organizationId} and d.send_id = ${sendId} and d.seq between ${lo} and ${hi}
        and not exists (select from delivery_results r
          where r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq)
      on conflict do nothing
      returning 1
    )
    update touchpoint_sends
    set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from gap)
    where organization_id = ${organizationId} and id = ${sendId}
    returning (select count(*)::int from gap) as n
  `.execute(trx);
  return rows[0]?.n ?? 0;
}

/**
 * The recipients of a chunk that are still to be written to, with whether their address must not be mailed.
 * @param wasLeased somebody worked on the chunk before: leave out what has a result or waits for a retry
 */
export async function listRecipients(
  trx: Transaction,
  { organizationId, sendId }: SendRef,
  chunk: { lo: number; hi: number; wasLeased: boolean },
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select d.seq, d.contact_id, d.address, d.variables, 0 as attempts,
      exists (
        select from suppressions p
        where p.organization_id = ${organizationId} and p.address_key = lower(d.address) and (p.brand_id is null or p.brand_id = s.brand_id)
      ) as is_suppressed
    from deliveries d
    join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
    where d.organization_id = ${organizationId} and d.send_id = ${sendId} and d.seq between ${chunk.lo} and ${chunk.hi}
      and (${!chunk.wasLeased} or (
        not exists (select from delivery_results r
          where r.organization_id = ${organizationId} and r.send_id = ${sendId} and r.seq = d.seq)
        and not exists (select from delivery_retries r
          where r.organization_id = ${organizationId} and r.send_id = ${sendId} and r.seq = d.seq)))
    order by d.seq
  `.execute(trx);
  return rows;
}

/**
 * Takes messages whose next attempt is due, up to `limit`. Taking them, committed, is their mark ahead. What a dead
 * worker had taken has become uncertain.
 */
export async function leaseRetries(
  trx: Transaction,
  { organizationId, sendId }: SendRef,
  workerId: number,
  limit: number,
): Promise<Recipient[]> {
  await recoverRetries(trx, { organizationId, sendId });
  const { rows } = await sql<Recipient>`
    with due as (
      select seq from delivery_retries
      where organization_id = ${organizationId} and send_id = ${sendId} and due_at <= now() and worker_id is null
        and exists (select from touchpoint_sends where organization_id = ${organizationId} and id = ${sendId} and status = 'sending')
      order by due_at, seq
      limit ${limit}
      for update skip locked
    ), taken as (
      update delivery_retries r
      set worker_id = ${workerId}, lease_until = now() + make_interval(secs => ${leaseSeconds})
      from due
      where r.organization_id = ${organizationId} and r.send_id = ${sendId} and r.seq = due.seq
      returning r.seq, r.attempts
    )
    select d.seq, d.contact_id, d.address, d.variables, taken.attempts,
      exists (
        select from suppressions p
        where p.organization_id = ${organizationId} and p.address_key = lower(d.address) and (p.brand_id is null or p.brand_id = s.brand_id)
      ) as is_suppressed
    from taken
    join deliveries d on d.organization_id = ${organizationId} and d.send_id = ${sendId} and d.seq = taken.seq
    join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
    order by d.seq
  `.execute(trx);
  return rows;
}

/** Attempts that a dead worker had under way become uncertain. */
export async function recoverRetries(trx: Transaction, { organizationId, sendId }: SendRef): Promise<void> {
  await sql`
    with lost as (
      select seq, kind from delivery_retries
      where organization_id = ${organizationId} and send_id = ${sendId} and worker_id is not null
        and (lease_until < now() or not worker_is_alive(worker_id))
      for update skip locked
    ), recovered as (
      update delivery_retries r
      set kind = 'uncertain', worker_id = null, lease_until = null, attempts = r.attempts + 1,
        due_at = case when s.uncertain_policy = 'retry' then now() end,
        reply = 'The worker stopped while this message was under way.'
      from lost, touchpoint_sends s
      where r.organization_id = ${organizationId} and r.send_id = ${sendId} and r.seq = lost.seq
        and s.organization_id = ${organizationId} and s.id = ${sendId}
      returning lost.kind
    )
    update touchpoint_sends
    set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from recovered where kind = 'deferred')
    where organization_id = ${organizationId} and id = ${sendId} and exists (select from recovered where kind = 'deferred')
  `.execute(trx);
}

/** Gives back retries that were taken but not tried. */
export async function releaseRetries(
  trx: Transaction,
  { organizationId, sendId }: SendRef,
  workerId: number,
  seqs: number[],
): Promise<void> {
  await sql`
    update delivery_retries set worker_id = null, lease_until = null
    where organization_id = ${organizationId} and send_id = ${sendId} and seq = any(${seqs}::int[]) and worker_id = ${workerId}
  `.execute(trx);
}

export interface Progress {
  lo: number;
  leaseToken: number;
  /** The next slice may leave once this is committed. Lower than before: the rest was not started and is given back. */
  startedUpto: number;
  /** Lets go of the chunk: `done` when all of it is accounted for, `free` for somebody else to go on. */
  release: 'done' | 'free' | undefined;
  leasedAt: string;
}

export interface Stored {
  /** False when somebody else holds the chunk by now: stop at once. */
  holdsLease: boolean;
  status: SendStatus;
  /** Addresses that must not be mailed any more, since about when the chunk was leased. */
  newlySuppressed: string[];
}

/**
 * Stores outcomes and marks the next slice ahead, in one statement: results, retries, counters and mark commit
 * together, so the books balance at every moment (R7.1, R7.3; performance.md 5.5). What somebody else stored for the
 * same message stays, and is not counted twice.
 */
export async function storeOutcomes(
  trx: Transaction,
  { organizationId, sendId }: SendRef,
  outcomes: Outcome[],
  progress: Progress | undefined,
): Promise<Stored> {
  const finals = outcomes.flatMap(({ seq, attempts, reply, at, result }) =>
    result.kind === 'final' ? [{ seq, attempts, reply, at, state: result.state }] : [],
  );
  const waiting = outcomes.flatMap(({ seq, attempts, reply, result }) =>
    result.kind === 'final' ? [] : [{ seq, attempts, reply, kind: result.kind, due_at: result.dueAt }],
  );
  const { rows } = await sql<{ status: SendStatus; holds_lease: boolean; newly_suppressed: string[] }>`
    with final as (
      select * from json_to_recordset(${JSON.stringify(finals)}::json) as f(seq int, attempts smallint, reply text, at timestamptz, state text)
    ), waiting as (
      select * from json_to_recordset(${JSON.stringify(waiting)}::json) as w(seq int, attempts smallint, reply text, kind text, due_at timestamptz)
    ), stored as (
      insert into delivery_results (organization_id, send_id, seq, state, attempts, reply, at)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, state, attempts, reply, at from final
      on conflict do nothing
      returning state
    ), was_waiting as (
      select seq, kind from delivery_retries
      where organization_id = ${organizationId} and send_id = ${sendId}
        and seq = any(${outcomes.map(({ seq }) => seq)}::int[])
    ), settled as (
      delete from delivery_retries r using final f
      where r.organization_id = ${organizationId} and r.send_id = ${sendId} and r.seq = f.seq
    ), put_off as (
      insert into delivery_retries (organization_id, send_id, seq, kind, attempts, due_at, reply)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, kind, attempts, due_at, reply from waiting w
      where not exists (select from delivery_results r
        where r.organization_id = ${organizationId} and r.send_id = ${sendId} and r.seq = w.seq)
      on conflict (organization_id, send_id, seq) do update
      set kind = excluded.kind, attempts = excluded.attempts, due_at = excluded.due_at, reply = excluded.reply,
        worker_id = null, lease_until = null
      returning kind
    ), chunk as (
      update delivery_chunks
      set started_upto = ${progress?.startedUpto ?? 0}, done = ${progress?.release === 'done'},
        worker_id = case when ${progress?.release === undefined} then worker_id end,
        lease_until = case when ${progress?.release === undefined} then now() + make_interval(secs => ${leaseSeconds}) end
      where ${progress !== undefined} and organization_id = ${organizationId} and send_id = ${sendId} and lo = ${progress?.lo ?? 0}
        and lease_token = ${progress?.leaseToken ?? 0}
      returning 1
    )
    update touchpoint_sends s
    set recipients_total_sent_count = recipients_total_sent_count + (select count(*) from stored where state = 'sent'),
      recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + (select count(*) from stored where state = 'bounced'),
      recipients_total_failed_count = recipients_total_failed_count + (select count(*) from stored where state = 'failed'),
      recipients_suppressed_count = recipients_suppressed_count + (select count(*) from stored where state = 'suppressed'),
      recipients_uncertain_count = recipients_uncertain_count
        + (select count(*) from put_off where kind = 'uncertain') - (select count(*) from was_waiting where kind = 'uncertain'),
      error_content = case when s.status = 'sending' and exists (select from stored where state = 'sent') then null else error_content end,
      updated_at = now()
    where organization_id = ${organizationId} and id = ${sendId}
    returning s.status, exists (select from chunk) or ${progress === undefined} as holds_lease, coalesce((
      select json_agg(p.address_key) from suppressions p
      where p.organization_id = ${organizationId} and (p.brand_id is null or p.brand_id = s.brand_id)
        and p.created_at > ${progress?.leasedAt ?? new Date().toISOString()}::timestamptz - make_interval(secs => ${suppressionOverlapSeconds})
    ), '[]') as newly_suppressed
  `.execute(trx);
  const row = rows[0];
  if (row === undefined) return { holdsLease: false, status: 'cancelled', newlySuppressed: [] };
  return { holdsLease: row.holds_lease, status: row.status, newlySuppressed: row.newly_suppressed };
}

export interface Bounce {
  id: string;
  seq: number;
  at: string;
  suppressionId: string | undefined;
  addressKey: string;
}

/** A refusal of an address is an event of its own, and its address is not written to again where it does not exist. */
export async function storeBounces(
  trx: Transaction,
  { organizationId, sendId }: SendRef,
  bounces: Bounce[],
): Promise<void> {
  await sql`
    with bounced as (
      select * from json_to_recordset(${JSON.stringify(bounces)}::json)
        as b(id uuid, seq int, at timestamptz, "suppressionId" uuid, "addressKey" text)
    ), suppressed as (
      insert into suppressions (id, organization_id, address_key, reason, send_id, seq)
      select "suppressionId", ${organizationId}::uuid, "addressKey", 'bounce', ${sendId}::uuid, seq from bounced where "suppressionId" is not null
      on conflict do nothing
    ), first as (
      insert into delivery_event_counts (organization_id, send_id, type, seq, link_no, touchpoint_id, human_count, automatic_count, first_human_at)
      select ${organizationId}::uuid, ${sendId}::uuid, 'BOUNCE', b.seq, -1, s.touchpoint_id, 1, 0, b.at
      from bounced b, touchpoint_sends s
      where s.organization_id = ${organizationId} and s.id = ${sendId}
      on conflict do nothing
      returning seq, touchpoint_id
    )
    insert into events (organization_id, id, touchpoint_id, send_id, seq, type, at)
    select ${organizationId}::uuid, b.id, f.touchpoint_id, ${sendId}::uuid, b.seq, 'BOUNCE', b.at
    from bounced b
    join first f on f.seq = b.seq
  `.execute(trx);
}
