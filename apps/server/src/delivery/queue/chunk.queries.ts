import type { PipelinedDatabase, PreparedStatement } from '../../platform/database/pipelined.ts';
import type { RecipientGroup } from '../../email/recipient-groups/recipient-group.ts';
import type { Recipient } from './delivery.ts';
import {
  dueNow,
  errorAfter,
  interruptedReply,
  isSending,
  leaseEnd,
  lockSend,
  ofSend,
  recipientsAsJson,
  suppressedBetween,
  suppressedRecipients,
  uncertainDueAt,
  type SendKey,
  type WantedLane,
} from './send-statements.ts';

/** A chunk that a worker holds. */
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
  lane: RecipientGroup;
  lease: Lease;
  /** Recipients without a result, by seq. */
  recipients: Recipient[];
}

/**
 * Takes the next free chunk and marks its first messages ahead. What a dead worker had marked in it, and left without
 * result, becomes uncertain and moves to the queue: due at once, or held, as the send's policy says.
 * @param heldFirstSeqs the chunks of this send that the worker works on. Another one in its name was leased by a
 *   transaction whose response got lost, and is free.
 * @param wanted  the lanes that the chunk may be of
 * @returns undefined when nothing is free or the send is not sending
 */
export async function leaseChunk(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  wanted: readonly WantedLane[],
  heldFirstSeqs: number[],
): Promise<LeasedChunk | undefined> {
  const lanes = wanted.map(({ lane }) => lane);
  const [, , rows] = (await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...takeAbandoned, values: [organizationId, sendId, workerId, heldFirstSeqs, lanes] },
    {
      ...leaseChunkStatement,
      values: [organizationId, sendId, workerId, heldFirstSeqs, lanes, wanted.map(({ limit }) => limit)],
    },
  ])) as [unknown, unknown, LeasedRow[]];
  const row = rows[0];
  if (row === undefined) return undefined;
  const {
    lane,
    first_seq: firstSeq,
    last_seq: lastSeq,
    lease_token,
    marked_up_to,
    leased_at,
    recipients,
  } = row;
  return {
    lane,
    lease: { firstSeq, lastSeq, leaseToken: lease_token, markedUpTo: marked_up_to, leasedAt: leased_at },
    recipients,
  };
}

interface LeasedRow {
  lane: RecipientGroup;
  first_seq: number;
  last_seq: number;
  lease_token: number;
  marked_up_to: number;
  leased_at: string;
  recipients: Recipient[];
}

/** Of a message that was never tried. */
const noTries = `json_build_object('attempts', 0, 'interruptions', 0, 'uncertain', 0)`;

const isAbandoned =
  'not done and worker_id <> $3::int and (lease_until < now() or not worker_is_alive(worker_id))';

// Waits for a store under way; the next statement then sees what it has stored, and its mark. A chunk that was released
// meanwhile, or whose worker is back, is left alone.
const takeAbandoned: PreparedStatement = {
  name: 'take_abandoned_chunk',
  text: `
    update delivery_chunks
    set worker_id = $3::int, lease_until = ${leaseEnd}
    where ${ofSend} and ${isAbandoned} and first_seq = (
      select first_seq from delivery_chunks
      where ${ofSend} and ${isAbandoned} and lane = any($5::text[]) and first_seq <> all($4::int[]) and ${isSending}
      order by first_seq limit 1)`,
};

// What was taken just now comes first.
const isFree = `${ofSend} and lane = wanted.name and not done and first_seq <> all($4::int[]) and ${isSending}`;

// A chunk that was leased before has a mark: up to there everything has a result, waits, or is unconfirmed. Above it there
// may be results too, of messages that overtook one which was given back.
const leaseChunkStatement: PreparedStatement = {
  name: 'lease_chunk',
  text: `
    with free as materialized (
      select of_lane.*, wanted.mark_count from unnest($5::text[], $6::int[]) wanted(name, mark_count)
      cross join lateral (
        (select first_seq, marked_up_to, lane, 0 as rank from delivery_chunks
         where ${isFree} and worker_id = $3::int order by first_seq limit 1)
        union all
        (select first_seq, marked_up_to, lane, 1 from delivery_chunks
         where ${isFree} and worker_id is null order by first_seq limit 1)
      ) of_lane
      order by rank, first_seq
      limit 1
    ), leased as (
      update delivery_chunks
      set worker_id = $3::int, lease_token = lease_token + 1, lease_until = ${leaseEnd},
        marked_up_to = least(last_seq, marked_up_to + (select mark_count from free))
      where ${ofSend} and first_seq = (select first_seq from free)
      returning first_seq, last_seq, lease_token, (select marked_up_to from free) as previous_mark, marked_up_to
    ), unconfirmed as (
      insert into delivery_queue (organization_id, send_id, seq, lane, kind, attempts, uncertain, recovered, due_at, reply)
      select organization_id, send_id, seq, (select lane from free), 'uncertain', 1, 1, true, ${uncertainDueAt('true')}, ${interruptedReply}
      from deliveries
      where ${ofSend} and seq between (select first_seq from leased) and (select previous_mark from leased)
        and seq <> all(array(select seq from delivery_results
          where ${ofSend} and seq between (select first_seq from leased) and (select previous_mark from leased)))
      on conflict do nothing
      returning 1
    ), counted as (
      update touchpoint_sends s
      set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from unconfirmed),
        next_due_at = ${dueNow}
      where organization_id = $1 and id = $2 and exists (select from unconfirmed)
    ), recipient as materialized (
      select seq, contact_id, address, variables, ${noTries} as tries from deliveries
      where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)
        and ((select lease_token from leased) = 1 or (
          seq <> all(array(select seq from delivery_results
            where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)))
          and seq <> all(array(select seq from delivery_queue
            where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)))))
    ), suppressed as materialized (${suppressedRecipients}
    )
    select (select lane from free) as lane, first_seq, last_seq, lease_token, marked_up_to, now() as leased_at,
      (${recipientsAsJson}) as recipients
    from leased`,
};

/** A sign of life: a chunk whose lease ran out would be taken over, and its messages sent twice. */
export async function renewChunk(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  { firstSeq, leaseToken }: Pick<Lease, 'firstSeq' | 'leaseToken'>,
): Promise<void> {
  const values = [organizationId, sendId, workerId, firstSeq, leaseToken];
  await db.transaction(organizationId, [{ ...renewChunkStatement, values }]);
}

// A worker whose connection broke goes on under another id; the token says whether the chunk is still its own.
const renewChunkStatement: PreparedStatement = {
  name: 'renew_chunk',
  text: `
    update delivery_chunks set lease_until = ${leaseEnd}, worker_id = $3::int
    where ${ofSend} and first_seq = $4::int and lease_token = $5::int and worker_id is not null`,
};

/** @returns addresses of the chunk that must not be mailed any more, in lower case */
export async function listSuppressed(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  { firstSeq, lastSeq }: Lease,
): Promise<string[]> {
  const values = [organizationId, sendId, firstSeq, lastSeq];
  const [rows] = (await db.transaction(organizationId, [{ ...listSuppressedStatement, values }])) as [
    { addresses: string[] | null }[],
  ];
  return rows[0]?.addresses ?? [];
}

const listSuppressedStatement: PreparedStatement = {
  name: 'list_suppressed',
  text: suppressedBetween('$3::int', '$4::int'),
};

/** What a chunk comes to when its lease moves on. */
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

export const isHeldChunk = 'first_seq = $3::int and lease_token = $4::int and worker_id is not null';

/** Before a store: two stores of one chunk, or a store and a recovery, run one after the other. */
export const lockChunk: PreparedStatement = {
  name: 'lock_chunk',
  text: `select from delivery_chunks where ${ofSend} and ${isHeldChunk} for no key update`,
};

/**
 * Releases a chunk and adds what was counted in it to its send, which then has something to do: a next chunk, or its
 * end. The send is locked. $5: whether all of the chunk is accounted for.
 */
export const releaseChunk: PreparedStatement = {
  name: 'release_chunk',
  text: `
    with counted as materialized (
      select sent_count, bounced_count, failed_count, suppressed_count, uncertain_count
      from delivery_chunks where ${ofSend} and ${isHeldChunk}
    ), released as (
      update delivery_chunks
      set done = $5::boolean, marked_up_to = $6::int, worker_id = null, lease_until = null, sent_count = 0,
        bounced_count = 0, failed_count = 0, suppressed_count = 0, uncertain_count = 0
      where ${ofSend} and ${isHeldChunk}
    )
    update touchpoint_sends s
    set recipients_accepted_count = recipients_accepted_count + sent_count,
      recipients_total_sent_count = recipients_total_sent_count + sent_count,
      recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + bounced_count,
      recipients_total_failed_count = recipients_total_failed_count + failed_count,
      recipients_suppressed_count = recipients_suppressed_count + suppressed_count,
      recipients_uncertain_count = recipients_uncertain_count + uncertain_count,
      next_due_at = ${dueNow}, error_content = ${errorAfter('counted.sent_count')},
      updated_at = now()
    from counted
    where s.organization_id = $1 and s.id = $2`,
};
