// Long, because the statements from a lease to its result share their pieces, and each counts on what the others leave
// behind. What happens once in a send is in send.queries.ts and end-send.queries.ts.
import { sql } from 'kysely';
import { deliveringSendStatus, type SendStatus } from '@reachout/contract/states/send.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PipelinedDatabase, PreparedStatement, Step } from '../../platform/database/pipelined.ts';
import type { EventCondition, MessageEvent } from '../../events/event.ts';
import { eventSteps } from '../../events/store-events.ts';
import { suppressBounced, type BouncedAddress } from '../suppressions/suppressions.queries.ts';
import type { DeliveryResult, Recipient } from './delivery.ts';

// Leasing and storing deliveries happens hundreds of times a second, so these are prepared statements, several in one
// round trip. Each transaction begins with `lockSend`: transactions about one send then run one after the other, and
// each statement behind it sees all that was stored about the send before. Without it, a worker that stores what
// another one recovers at the same moment would count a message twice.
//
// Rows are looked up by arrays and ranges that are worked out first, not by joins: while a send is young, PostgreSQL
// takes its tables for empty, and a join then walks the whole send for every row (22 ms instead of 1 for a chunk).

/** How long a lease holds without a sign of life. A worker that dies loses its leases at once (worker_is_alive). */
const leaseSeconds = 120;
/** A suppression is seen by the store after it: its transaction may have started this long before it committed. */
const suppressionOverlapSeconds = 60;

export interface SendKey {
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
  const { rows } = await sql<OpenSend>`select * from due_sends(${limit})`.execute(db);
  return rows;
}

const leaseEnd = `now() + make_interval(secs => ${leaseSeconds})`;
const ofSend = 'organization_id = $1 and send_id = $2';
const sendRow = 'touchpoint_sends where organization_id = $1 and id = $2';
const isSending = `exists (select from ${sendRow} and status = '${deliveringSendStatus}')`;
const interruptedReply = `'The worker stopped while this message was under way.'`;
/** When something unclear is tried again: by itself once only, so that nobody gets a message more than twice. */
const uncertainDueAt = (isFirst: string) =>
  `case when ${isFirst} and (select uncertain_policy from ${sendRow}) = 'retry' then now() end`;
const isOfBrand = `(p.brand_id is null or p.brand_id = (select brand_id from ${sendRow}))`;

/** Of a message that was never tried. */
const noTries = `json_build_object('attempts', 0, 'interruptions', 0, 'uncertain', 0)`;

/** Rows of `recipient` (seq, contact_id, address, variables, tries) as one array of `Recipient`, by seq. */
const recipientsAsJson = `
  select coalesce(json_agg(json_build_object('seq', seq, 'contact_id', contact_id, 'address', address,
      'variables', variables, 'tries', tries,
      'is_suppressed', lower(address) in (select address_key from suppressed)) order by seq), '[]') as recipients
  from recipient`;
const suppressedRecipients = `
  select p.address_key from suppressions p
  where p.organization_id = $1 and p.address_key = any(array(select lower(address) from recipient)) and ${isOfBrand}`;

const lockSend: PreparedStatement = {
  name: 'lock_send',
  text: `select from ${sendRow} for no key update`,
};

export interface Lease {
  firstSeq: number;
  lastSeq: number;
  leaseToken: number;
  /** Messages up to this seq may leave: their mark is committed. */
  markedUpTo: number;
  /** When it was taken, by the database's clock. */
  leasedAt: string;
}

export interface LeasedChunk {
  lease: Lease;
  /** Recipients without a result, by seq. */
  recipients: Recipient[];
}

/**
 * Takes the next free chunk and marks its first messages ahead. What a dead worker had marked in it, and left without
 * result, becomes uncertain and moves to the retries: due at once, or held, as the send's policy says.
 * @param heldFirstSeqs the chunks of this send that the worker works on. Another one in its name was leased by a
 *   transaction whose response got lost, and is free.
 * @returns undefined when nothing is free or the send is not sending
 */
export async function leaseChunk(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  markCount: number,
  heldFirstSeqs: number[],
): Promise<LeasedChunk | undefined> {
  const [, rows] = (await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...leaseChunkStatement, values: [organizationId, sendId, workerId, markCount, heldFirstSeqs] },
  ])) as [unknown, LeasedRow[]];
  const row = rows[0];
  if (row === undefined) return undefined;
  const { first_seq: firstSeq, last_seq: lastSeq, lease_token, marked_up_to, leased_at, recipients } = row;
  return {
    lease: { firstSeq, lastSeq, leaseToken: lease_token, markedUpTo: marked_up_to, leasedAt: leased_at },
    recipients,
  };
}

interface LeasedRow {
  first_seq: number;
  last_seq: number;
  lease_token: number;
  marked_up_to: number;
  leased_at: string;
  recipients: Recipient[];
}

// A chunk that was leased before has a mark: up to there everything has a result, waits, or is unconfirmed. Above it there
// may be results too, of messages that overtook one which was given back.
const leaseChunkStatement: PreparedStatement = {
  name: 'lease_chunk',
  text: `
    with free as materialized (
      select first_seq, marked_up_to from delivery_chunks
      where ${ofSend} and not done and first_seq <> all($5::int[])
        and (worker_id is null or worker_id = $3::int or lease_until < now() or not worker_is_alive(worker_id))
        and ${isSending}
      order by first_seq
      limit 1
    ), leased as (
      update delivery_chunks
      set worker_id = $3::int, lease_token = lease_token + 1, lease_until = ${leaseEnd},
        marked_up_to = least(last_seq, marked_up_to + $4::int)
      where ${ofSend} and first_seq = (select first_seq from free)
      returning first_seq, last_seq, lease_token, (select marked_up_to from free) as previous_mark, marked_up_to
    ), unconfirmed as (
      insert into delivery_retries (organization_id, send_id, seq, kind, attempts, uncertain, recovered, due_at, reply)
      select organization_id, send_id, seq, 'uncertain', 1, 1, true, ${uncertainDueAt('true')}, ${interruptedReply}
      from deliveries
      where ${ofSend} and seq between (select first_seq from leased) and (select previous_mark from leased)
        and seq <> all(array(select seq from delivery_results
          where ${ofSend} and seq between (select first_seq from leased) and (select previous_mark from leased)))
      on conflict do nothing
      returning 1
    ), counted as (
      update touchpoint_sends
      set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from unconfirmed)
      where organization_id = $1 and id = $2 and exists (select from unconfirmed)
    ), recipient as materialized (
      select seq, contact_id, address, variables, ${noTries} as tries from deliveries
      where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)
        and ((select lease_token from leased) = 1 or (
          seq <> all(array(select seq from delivery_results
            where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)))
          and seq <> all(array(select seq from delivery_retries
            where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)))))
    ), suppressed as materialized (${suppressedRecipients}
    )
    select first_seq, last_seq, lease_token, marked_up_to, now() as leased_at, (${recipientsAsJson}) as recipients
    from leased`,
};

/**
 * Takes messages whose next attempt is due, up to `limit`. Taking them, committed, is their mark ahead. What a dead
 * worker had taken has become uncertain.
 * @param heldSeqs the retries of this send that the worker works on, also those that it took under an earlier id. Others
 * in its name were taken by a transaction whose response got lost: none of these messages has left.
 */
export async function leaseRetries(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  limit: number,
  heldSeqs: number[],
): Promise<LeasedRetries> {
  const ref = [organizationId, sendId];
  const [, , , rows] = (await db.transaction(organizationId, [
    { ...lockSend, values: ref },
    { ...releaseLostRetries, values: [...ref, workerId, heldSeqs] },
    { ...recoverRetriesStatement, values: [...ref, heldSeqs] },
    { ...leaseRetriesStatement, values: [...ref, workerId, limit] },
  ])) as [unknown, unknown, unknown, { recipients: Recipient[]; has_recovered: boolean }[]];
  return { recipients: rows[0]?.recipients ?? [], hasRecovered: rows[0]?.has_recovered === true };
}

export interface LeasedRetries {
  recipients: Recipient[];
  /** Whether there are messages for `listRecovered`, which are not taken here. */
  hasRecovered: boolean;
}

/** Messages of a dead worker that are due and not under way at another one. */
const recoveredRetries = `
  select seq from delivery_retries where ${ofSend} and recovered and due_at <= now() and worker_id is null`;

const releaseLostRetries: PreparedStatement = {
  name: 'release_lost_retries',
  text: `
    update delivery_retries set worker_id = null, lease_until = null
    where ${ofSend} and worker_id = $3::int and seq <> all($4::int[])`,
};

/** Also runs when a cancelled send ends. $3: the seqs that the caller works on. */
export const recoverRetriesStatement: PreparedStatement = {
  name: 'recover_retries',
  text: `
    with lost as materialized (
      select seq, kind from delivery_retries
      where ${ofSend} and worker_id is not null and seq <> all($3::int[])
        and (lease_until < now() or not worker_is_alive(worker_id))
    ), recovered as (
      update delivery_retries
      set kind = 'uncertain', worker_id = null, lease_until = null, attempts = attempts + 1, uncertain = uncertain + 1,
        recovered = true, due_at = ${uncertainDueAt('uncertain = 0')}, reply = ${interruptedReply}
      where ${ofSend} and seq = any(array(select seq from lost))
    )
    update touchpoint_sends
    set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from lost where kind = 'deferred')
    where organization_id = $1 and id = $2 and exists (select from lost where kind = 'deferred')`,
};

const leaseRetriesStatement: PreparedStatement = {
  name: 'lease_retries',
  text: `
    with due as materialized (
      select seq from delivery_retries
      where ${ofSend} and due_at <= now() and worker_id is null and not recovered and ${isSending}
      order by due_at, seq
      limit $4::int
    ), taken as (
      update delivery_retries
      set worker_id = $3::int, lease_until = ${leaseEnd}
      where ${ofSend} and seq = any(array(select seq from due))
      returning seq, json_build_object('attempts', attempts, 'interruptions', interruptions, 'uncertain', uncertain,
        'first_attempt_at', first_attempt_at) as tries
    ), recipient as materialized (
      select seq, contact_id, address, variables, (select t.tries from taken t where t.seq = d.seq) as tries
      from deliveries d
      where ${ofSend} and seq = any(array(select seq from taken))
    ), suppressed as materialized (${suppressedRecipients}
    )
    select (${recipientsAsJson}) as recipients, exists (${recoveredRetries}) as has_recovered`,
};

/** Messages that a dead worker had under way, and that are to go again: to be built on trial first. */
export async function listRecovered(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  limit: number,
): Promise<Recipient[]> {
  const [rows] = (await db.transaction(organizationId, [
    { ...listRecoveredStatement, values: [organizationId, sendId, limit] },
  ])) as [{ recipients: Recipient[] }[]];
  return rows[0]?.recipients ?? [];
}

const listRecoveredStatement: PreparedStatement = {
  name: 'list_recovered',
  text: `
    with due as materialized (${recoveredRetries} limit $3::int), recipient as materialized (
      select d.seq, contact_id, address, variables, (
          select json_build_object('attempts', w.attempts, 'interruptions', w.interruptions, 'uncertain', w.uncertain,
            'first_attempt_at', w.first_attempt_at)
          from delivery_retries w where w.organization_id = $1 and w.send_id = $2 and w.seq = d.seq
        ) as tries
      from deliveries d
      where ${ofSend} and seq = any(array(select seq from due))
    ), suppressed as materialized (${suppressedRecipients}
    )${recipientsAsJson}`,
};

/** These were built on trial, and wait like any other. */
export async function clearRecovered(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  seqs: number[],
): Promise<void> {
  await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...clearRecoveredStatement, values: [organizationId, sendId, seqs] },
  ]);
}

const clearRecoveredStatement: PreparedStatement = {
  name: 'clear_recovered',
  text: `update delivery_retries set recovered = false where ${ofSend} and seq = any($3::int[]) and recovered`,
};

/** Gives back retries that were taken but not tried. */
export async function releaseRetries(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  seqs: number[],
): Promise<void> {
  await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...releaseRetriesStatement, values: [organizationId, sendId, workerId, seqs] },
  ]);
}

const releaseRetriesStatement: PreparedStatement = {
  name: 'release_retries',
  text: `
    update delivery_retries set worker_id = null, lease_until = null
    where ${ofSend} and seq = any($4::int[]) and worker_id = $3::int`,
};

/**
 * A sign of life for leases whose messages take long: one that ran out would be taken over, and sent twice.
 * @param previousId  differs from `workerId` after the connection of the worker was lost
 */
export async function renewLeases(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  { workerId, previousId }: { workerId: number; previousId: number },
  held: { lease: Lease | undefined; seqs: number[] },
): Promise<void> {
  const { lease, seqs } = held;
  const step: Step =
    lease === undefined
      ? { ...renewRetriesStatement, values: [organizationId, sendId, workerId, seqs, previousId] }
      : {
          ...renewChunkStatement,
          values: [organizationId, sendId, workerId, lease.firstSeq, lease.leaseToken],
        };
  await db.transaction(organizationId, [{ ...lockSend, values: [organizationId, sendId] }, step]);
}

const renewRetriesStatement: PreparedStatement = {
  name: 'renew_retries',
  text: `
    update delivery_retries set lease_until = ${leaseEnd}, worker_id = $3::int
    where ${ofSend} and seq = any($4::int[]) and worker_id in ($3::int, $5::int)`,
};

// A worker whose connection broke goes on under another id; the token says whether the chunk is still its own.
const renewChunkStatement: PreparedStatement = {
  name: 'renew_chunk',
  text: `
    update delivery_chunks set lease_until = ${leaseEnd}, worker_id = $3::int
    where ${ofSend} and first_seq = $4::int and lease_token = $5::int and worker_id is not null`,
};

export interface LeaseProgress {
  firstSeq: number;
  leaseToken: number;
  /**
   * The next messages may leave once this is committed. Lower than before: the rest was not started and is given back.
   */
  markedUpTo: number;
  /** Releases the chunk: `done` when all of it is accounted for, `free` for another worker to continue. */
  release: 'done' | 'free' | undefined;
  leasedAt: string;
}

export interface StoreResult {
  /** False when somebody else holds the chunk by now: stop at once. */
  holdsLease: boolean;
  status: SendStatus;
  /** Addresses of the chunk that must not be mailed any more. */
  newlySuppressed: string[];
}

/**
 * Stores results and marks the next messages ahead, in one transaction: results, retries, counters and mark commit
 * together, so the counters equal the rows at every moment. Storing the same again changes
 * nothing, because a lost connection does not tell whether it was stored. What somebody else stored for the same
 * message stays, and is not counted twice.
 * @param workerId undefined while the worker has no heartbeat: the lease stays as it is
 */
export async function storeResults(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number | undefined,
  results: DeliveryResult[],
  bounces: Bounce[],
  progress: LeaseProgress | undefined,
): Promise<StoreResult> {
  const seqsOf = (isFinal: boolean) =>
    results.filter(({ result }) => (result.kind === 'final') === isFinal).map(({ seq }) => seq);
  const ref = [organizationId, sendId];
  const steps: Step[] = [
    { ...lockSend, values: ref },
    {
      ...storeResultsStatement,
      values: [
        ...ref,
        JSON.stringify(results.map(toStored)),
        seqsOf(true),
        seqsOf(false),
        progress?.firstSeq ?? null,
        progress?.leaseToken ?? null,
        progress?.markedUpTo ?? null,
        progress?.release ?? null,
        workerId ?? null,
        progress?.leasedAt ?? new Date().toISOString(),
      ],
    },
  ];
  const suppressed = bounces.flatMap((bounce) => bounce.suppressed ?? []);
  if (suppressed.length > 0) steps.push(suppressBounced(organizationId, sendId, suppressed));
  steps.push(
    ...eventSteps(
      organizationId,
      bounces.map(({ event }) => event),
      isStoredAsBounced,
    ),
  );
  const [, rows] = (await db.transaction(organizationId, steps)) as [unknown, StoredRow[]];
  const row = rows[0];
  if (row === undefined) return { holdsLease: false, status: 'cancelled', newlySuppressed: [] };
  return {
    holdsLease: progress === undefined || row.holds_lease,
    status: row.status,
    newlySuppressed: row.newly_suppressed ?? [],
  };
}

/** Somebody else may have stored another result of the same message before. */
const isStoredAsBounced: EventCondition = {
  name: 'bounced',
  text: `exists (select from delivery_results r
    where r.organization_id = $1 and r.send_id = e.send_id and r.seq = e.seq and r.state = 'bounced')`,
};

/** A bounce is an event, and suppresses an address that does not exist. */
export interface Bounce {
  event: MessageEvent;
  suppressed: BouncedAddress | undefined;
}

interface StoredRow {
  status: SendStatus;
  holds_lease: boolean;
  newly_suppressed: string[] | null;
}

function toStored({ seq, tries, reply, at, result }: DeliveryResult) {
  // PostgreSQL stores neither NUL nor half a character; an error here would block the whole batch for ever.
  const text = reply?.toWellFormed().replaceAll('\0', '') ?? null;
  return result.kind === 'final'
    ? { seq, attempts: tries.attempts, reply: text, at, state: result.state }
    : { seq, ...tries, reply: text, kind: result.kind, due_at: result.dueAt };
}

// chunk: while it is ours, none of its messages can wait for a retry, so that there is nothing to settle.
// deferred: of a message that somebody else took over meanwhile, nothing is changed, except that an attempt which was
// given up as unclear turns out to have been rejected. After the end of a cancelled send nothing starts to wait.
const storeResultsStatement: PreparedStatement = {
  name: 'store_results',
  text: `
    with outcome as materialized (
      select * from json_to_recordset($3::json)
        as o(seq int, attempts smallint, interruptions smallint, uncertain smallint, first_attempt_at timestamptz,
          reply text, at timestamptz, state text, kind text, due_at timestamptz)
    ), chunk as (
      update delivery_chunks
      set marked_up_to = $8::int, done = coalesce($9::text = 'done', false),
        worker_id = case when $9::text is null then coalesce($10::int, worker_id) end,
        lease_until = case when $9::text is null then ${leaseEnd} end
      where ${ofSend} and first_seq = $6::int and lease_token = $7::int
      returning last_seq
    ), stored as (
      insert into delivery_results (organization_id, send_id, seq, state, attempts, reply, at)
      select $1::uuid, $2::uuid, seq, state, attempts, reply, at from outcome where state is not null
      on conflict do nothing
      returning state
    ), processed as (
      delete from delivery_retries
      where ${ofSend} and seq = any($4::int[]) and not exists (select from chunk)
      returning kind
    ), was_uncertain as (
      select seq from delivery_retries where ${ofSend} and seq = any($5::int[]) and kind = 'uncertain'
    ), deferred as (
      insert into delivery_retries as r
        (organization_id, send_id, seq, kind, attempts, interruptions, uncertain, first_attempt_at, due_at, reply)
      select $1::uuid, $2::uuid, seq, kind, attempts, interruptions, uncertain, first_attempt_at, due_at, reply from outcome
      where kind is not null and (select end_date from ${sendRow}) is null
        and seq <> all(array(select seq from delivery_results where ${ofSend} and seq = any($5::int[])))
      on conflict (organization_id, send_id, seq) do update
      set kind = excluded.kind, attempts = excluded.attempts, interruptions = excluded.interruptions,
        uncertain = excluded.uncertain, due_at = excluded.due_at, reply = excluded.reply,
        worker_id = null, lease_until = null
      where r.attempts < excluded.attempts
        or (r.attempts = excluded.attempts and r.kind = 'uncertain' and r.worker_id is null and excluded.kind = 'deferred')
      returning r.seq, r.kind
    )
    update touchpoint_sends s
    set recipients_total_sent_count = recipients_total_sent_count + (select count(*) from stored where state = 'sent'),
      recipients_total_delivery_failed_count = recipients_total_delivery_failed_count
        + (select count(*) from stored where state = 'bounced'),
      recipients_total_failed_count = recipients_total_failed_count + (select count(*) from stored where state = 'failed'),
      recipients_suppressed_count = recipients_suppressed_count
        + (select count(*) from stored where state = 'suppressed'),
      recipients_uncertain_count = recipients_uncertain_count
        + (select count(*) from deferred where kind = 'uncertain')
        - (select count(*) from deferred where seq in (select seq from was_uncertain))
        - (select count(*) from processed where kind = 'uncertain'),
      error_content = case when s.status = '${deliveringSendStatus}' and exists (select from stored where state = 'sent')
        then null else error_content end,
      updated_at = now()
    where organization_id = $1 and id = $2
    returning s.status, exists (select from chunk) as holds_lease,
      case when exists (select from suppressions where organization_id = $1
          and created_at > $11::timestamptz - make_interval(secs => ${suppressionOverlapSeconds}))
        then (select json_agg(address) from (
            select lower(address) as address from deliveries
            where ${ofSend} and seq between $6::int and (select last_seq from chunk)
          ) unsent
          where (select true from suppressions p
            where p.organization_id = $1 and p.address_key = unsent.address and ${isOfBrand} limit 1))
      end as newly_suppressed`,
};
