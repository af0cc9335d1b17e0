import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import type { PipelinedDatabase, PreparedStatement } from '../../platform/database/pipelined.ts';
import type { Recipient } from './delivery.ts';
import type { Lease } from './held-chunk.queries.ts';
import {
  dueNow,
  isSending,
  leaseEnd,
  lockSend,
  ofSend,
  recipientsAsJson,
  suppressedRecipients,
  uncertainDueAt,
  type SendKey,
  type WantedLane,
  workerStopped,
} from './send-statements.ts';

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

/** Of a message that was never tried. As text: an object that is built would be built for each message. */
const noTries = `'${JSON.stringify({ attempts: 0, interruptions: 0, uncertain: 0 })}'::json`;

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
      insert into delivery_queue (organization_id, send_id, seq, lane, kind, attempts, uncertain, recovered, due_at, error)
      select organization_id, send_id, seq, (select lane from free), 'uncertain', 1, 1, true, ${uncertainDueAt('true')}, '${JSON.stringify(workerStopped)}'::jsonb
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
