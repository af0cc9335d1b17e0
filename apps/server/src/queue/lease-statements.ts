import { type PreparedStatement, statement } from '../platform/database/pipelined.ts';
import {
  dueNow,
  isSending,
  judgedAudience,
  leaseEnd,
  ofSend,
  recipientColumns,
  recipientsAsJson,
  storeUntracked,
  handedOverAt,
  uncertainDueAt,
  workerStopped,
} from './send-statements.ts';

// Statements of `lease-chunk.queries.ts`. $3 is the worker, $4 the first seqs of the chunks that it holds, $5 the lanes.

/** `Tries` of a message without attempts. A literal, because json_build_object would run for each message. */
const noTries = `'${JSON.stringify({ attempts: 0, interruptions: 0, uncertain: 0 })}'::json`;

const isAbandoned =
  'not done and worker_id <> $3::int and (lease_until < now() or not worker_is_alive(worker_id))';

// Waits for a store in progress; the next statement then sees its results and its mark. A chunk that was released in the
// meantime, or whose worker is back, is not changed.
export const takeAbandoned = statement('take_abandoned_chunk')`
  update delivery_chunks
  set worker_id = $3::int, lease_until = ${leaseEnd}
  where ${ofSend} and ${isAbandoned} and first_seq = (
    select first_seq from delivery_chunks
    where ${ofSend} and ${isAbandoned} and lane = any($5::text[]) and first_seq <> all($4::int[]) and ${isSending}
    order by first_seq limit 1)`;

// Chunks are ordered by their time within a lane, so those whose time has come are found first.
const isDue = 'worker_id is null and (not_before is null or not_before <= now())';

// A chunk that `takeAbandoned` just took comes first (rank 0).
const isFree = `${ofSend} and lane = wanted.name and not done and first_seq <> all($4::int[]) and ${isSending}`;

// A chunk that was leased before has a mark: every message up to it has a result, is queued, or is unconfirmed. Above it
// there may be results too, from messages that were sent before an earlier one which was given back.
/** @param free  selects candidates, the first of which is leased: first_seq, marked_up_to, lane, rank, mark_count */
const leaseFirst = (free: string) => `
    with free as materialized (
      ${free}
      order by rank, first_seq
      limit 1
    ), leased as (
      update delivery_chunks
      set worker_id = $3::int, lease_token = lease_token + 1, lease_until = ${leaseEnd},
        marked_up_to = least(last_seq, marked_up_to + (select mark_count from free))
      where ${ofSend} and first_seq = (select first_seq from free)
      returning first_seq, last_seq, lease_token, not_before, (select marked_up_to from free) as previous_mark, marked_up_to
    ), unconfirmed as (
      insert into delivery_queue (organization_id, send_id, seq, lane, kind, attempts, uncertain, recovered, first_attempt_at, due_at, error)
      select organization_id, send_id, seq, (select lane from free), 'uncertain', 1, 1, true, ${handedOverAt},
        ${uncertainDueAt('true')}, '${JSON.stringify(workerStopped)}'::jsonb
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
      select ${recipientColumns}, ${noTries} as tries from deliveries
      where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)
        and ((select lease_token from leased) = 1 or (
          seq <> all(array(select seq from delivery_results
            where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)))
          and seq <> all(array(select seq from delivery_queue
            where ${ofSend} and seq between (select previous_mark + 1 from leased) and (select last_seq from leased)))))
    ), ${judgedAudience}, untracked as (${storeUntracked}
    )
    select (select lane from free) as lane, first_seq, last_seq, lease_token, marked_up_to, not_before, now() as leased_at,
      (${recipientsAsJson}) as recipients
    from leased`;

/** Leases any chunk, those under the id of the worker first. $6: maximum number of messages to mark, by lane. */
export const leaseAny: PreparedStatement = {
  name: 'lease_any_chunk',
  text: leaseFirst(`
      select of_lane.*, wanted.mark_count from unnest($5::text[], $6::int[]) wanted(name, mark_count)
      cross join lateral (
        (select first_seq, marked_up_to, lane, 0 as rank from delivery_chunks
         where ${isFree} and worker_id = $3::int order by first_seq limit 1)
        union all
        (select first_seq, marked_up_to, lane, 1 from delivery_chunks
         where ${isFree} and ${isDue} order by first_seq limit 1)
      ) of_lane`),
};

/** Like `leaseAny`, but only free chunks from a seq on. $7: the seqs, by lane. */
export const leaseFrom: PreparedStatement = {
  name: 'lease_chunk_from',
  text: leaseFirst(`
      select of_lane.*, wanted.mark_count from unnest($5::text[], $6::int[], $7::int[]) wanted(name, mark_count, from_seq)
      cross join lateral (
        select first_seq, marked_up_to, lane, 1 as rank from delivery_chunks
        where ${isFree} and ${isDue} and first_seq >= wanted.from_seq
        order by first_seq limit 1
      ) of_lane`),
};
