import { DatabaseError } from 'pg';
import type { Step, PipelinedDatabase, PreparedStatement } from '../../platform/database/pipelined.ts';
import type { EventCondition, MessageEvent } from '../../events/event.ts';
import { eventSteps } from '../../events/store-events.ts';
import { suppressBounced, type BouncedAddress } from '../suppressions/suppressions.queries.ts';
import { isHeldChunk, lockChunk, releaseChunk, type LeaseProgress } from './chunk.queries.ts';
import type { DeliveryResult } from './delivery.ts';
import { addChunkToTotals, addStoredToTotals } from './result-totals.ts';
import {
  dueNow,
  errorAfter,
  isSendingRow,
  leaseEnd,
  lockSend,
  hasNewlySuppressed,
  ofSend,
  sendRow,
  type SendKey,
} from './send-statements.ts';

/** A bounce is an event, and suppresses an address that does not exist. */
export interface Bounce {
  event: MessageEvent;
  suppressed: BouncedAddress | undefined;
}

export interface StoredChunk {
  /** Addresses were suppressed since the chunk was leased: see `listSuppressed`. */
  hasNewlySuppressed: boolean;
}

/**
 * Stores results of a chunk and marks its next messages ahead, in one transaction: results, queue, counters and mark
 * commit together, so the counters equal the rows at every moment. Storing the same again changes nothing, because a
 * lost connection does not tell whether it was stored.
 * @param workerId undefined while the worker has no heartbeat: the lease stays as it is
 * @returns undefined when somebody else holds the chunk by now, and nothing was stored: see `storeResults`
 */
export async function storeChunk(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number | undefined,
  results: DeliveryResult[],
  bounces: Bounce[],
  { firstSeq, leaseToken, markedUpTo, release, leasedAt }: LeaseProgress,
): Promise<StoredChunk | undefined> {
  const ref = [organizationId, sendId];
  const chunk = [...ref, firstSeq, leaseToken];
  const progress = [...chunk, JSON.stringify(results.map(toStored)), markedUpTo, workerId ?? null, leasedAt];
  const waiting = results.filter(({ result }) => result.kind !== 'final');
  // Only a commit that changes more than the chunk needs the send.
  const before = release === undefined && waiting.length === 0 ? [] : [{ ...lockSend, values: ref }];
  const behind: Step[] = [];
  if (waiting.length > 0)
    behind.push({
      ...deferStatement,
      values: [...chunk, JSON.stringify(waiting.map(toStored)), waiting.map(({ seq }) => seq)],
    });
  if (release === 'done') behind.push({ ...addChunkToTotals, values: chunk });
  if (release !== undefined)
    behind.push({ ...releaseChunk, values: [...chunk, release === 'done', markedUpTo] });
  behind.push(...bounceSteps(organizationId, sendId, bounces));

  const run = async (...store: Step[]): Promise<StoredChunk | undefined> => {
    const responses = await db.transaction(organizationId, [...before, ...store, ...behind]);
    const [row] = responses[before.length + store.length - 1] as { has_newly_suppressed: boolean }[];
    return row === undefined ? undefined : { hasNewlySuppressed: row.has_newly_suppressed };
  };
  try {
    return await run({ ...storeNewStatement, values: [...progress, ...countStates(results)] });
  } catch (error) {
    if (!isStoredBefore(error)) throw error;
    return await run({ ...lockChunk, values: chunk }, { ...storeAgainStatement, values: progress });
  }
}

/** Some result has been stored by a transaction whose response got lost, or by somebody else. */
const isStoredBefore = (error: unknown): boolean => error instanceof DatabaseError && error.code === '23505';

/**
 * Stores results of queued messages, and those of a chunk that somebody else took over: what was stored for the same message
 * meanwhile stays, and is not counted twice.
 */
export async function storeResults(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  results: DeliveryResult[],
  bounces: Bounce[],
): Promise<void> {
  const seqsOf = (isFinal: boolean) =>
    results.filter(({ result }) => (result.kind === 'final') === isFinal).map(({ seq }) => seq);
  const ref = [organizationId, sendId];
  await db.transaction(organizationId, [
    { ...lockSend, values: ref },
    {
      ...storeResultsStatement,
      values: [...ref, JSON.stringify(results.map(toStored)), seqsOf(true), seqsOf(false)],
    },
    ...bounceSteps(organizationId, sendId, bounces),
  ]);
}

function bounceSteps(organizationId: string, sendId: string, bounces: Bounce[]): Step[] {
  const suppressed = bounces.flatMap((bounce) => bounce.suppressed ?? []);
  const events = bounces.map(({ event }) => event);
  return [
    ...(suppressed.length > 0 ? [suppressBounced(organizationId, sendId, suppressed)] : []),
    ...eventSteps(organizationId, events, isStoredAsBounced),
  ];
}

/** Somebody else may have stored another result of the same message before. */
const isStoredAsBounced: EventCondition = {
  name: 'bounced',
  text: `exists (select from delivery_results r
    where r.organization_id = $1 and r.send_id = e.send_id and r.seq = e.seq and r.state = 'bounced')`,
};

function toStored({ seq, tries, reply, at, stage, class: bounceClass, result }: DeliveryResult) {
  // PostgreSQL stores neither NUL nor half a character; an error here would block the whole batch for ever.
  const text = reply?.toWellFormed().replaceAll('\0', '') ?? null;
  return result.kind === 'final'
    ? { seq, attempts: tries.attempts, reply: text, at, stage, class: bounceClass, state: result.state }
    : { seq, ...tries, reply: text, kind: result.kind, due_at: result.dueAt };
}

/** @param parameter  the results, as JSON */
const outcomes = (parameter: string) => `
  select * from json_to_recordset(${parameter}::json)
    as o(seq int, attempts smallint, interruptions smallint, uncertain smallint, first_attempt_at timestamptz,
      reply text, at timestamptz, stage text, class text, state text, kind text, due_at timestamptz)`;

/** @param source  with the columns of `outcomes` */
const insertResults = (source: string) => `
  insert into delivery_results
    (organization_id, send_id, seq, state, attempts, reply, at, accepted_at, stage, class)
  select $1::uuid, $2::uuid, seq, state, attempts, reply, at, case when state = 'sent' then at end, stage, class
  from ${source}
  where state is not null`;

const countOf = (state: string, source = 'stored') =>
  `(select count(*) from ${source} where state = '${state}')`;

const countedStates = ['sent', 'bounced', 'failed', 'suppressed'] as const;

const countStates = (results: DeliveryResult[]): number[] =>
  countedStates.map(
    (state) => results.filter(({ result }) => result.kind === 'final' && result.state === state).length,
  );

/** Of `delivery_chunks`. @param counts  in the order of `countedStates` */
const chunkProgress = (counts: string[]) => `
  marked_up_to = greatest(marked_up_to, $6::int), worker_id = coalesce($7::int, worker_id), lease_until = ${leaseEnd},
  ${countedStates.map((state, index) => `${state}_count = ${state}_count + ${counts[index]}`).join(', ')}`;

const newlySuppressedColumn = `${hasNewlySuppressed('$8::timestamptz')} as has_newly_suppressed`;

// Nothing is stored unless the token is still that of the chunk: then this worker alone has its messages. The update waits
// for whoever else has the chunk, and looks at the token after that. A result that is there already is an error here:
// results that are surely new need not be looked for, nor counted by the database.
const storeNewStatement: PreparedStatement = {
  name: 'store_new',
  text: `
    with held as (
      update delivery_chunks
      set ${chunkProgress(['$9::int', '$10::int', '$11::int', '$12::int'])}
      where ${ofSend} and ${isHeldChunk}
      returning ${newlySuppressedColumn}
    ), stored as (
      ${insertResults(`(${outcomes('$5')}) outcome`)} and exists (select from held)
    )
    select has_newly_suppressed from held`,
};

// As above, for results of which some are there already.
const storeAgainStatement: PreparedStatement = {
  name: 'store_again',
  text: `
    with stored as (
      ${insertResults(`(${outcomes('$5')}) outcome`)} and exists (select from delivery_chunks where ${ofSend} and ${isHeldChunk})
      on conflict do nothing
      returning state
    )
    update delivery_chunks
    set ${chunkProgress(countedStates.map((state) => countOf(state)))}
    where ${ofSend} and ${isHeldChunk}
    returning ${newlySuppressedColumn}`,
};

/** That of the chunk that a message belongs to. A single message has none; it is in the queue already. */
const laneOf = (seq: string) => `coalesce(
    (select lane from delivery_chunks where ${ofSend} and first_seq <= ${seq} order by first_seq desc limit 1),
    (select lane from delivery_queue where ${ofSend} and seq = ${seq}))`;

const insertQueued = (seqs: string) => `
  insert into delivery_queue as r
    (organization_id, send_id, seq, lane, kind, attempts, interruptions, uncertain, first_attempt_at, due_at, reply)
  select $1::uuid, $2::uuid, seq, ${laneOf('outcome.seq')}, kind, attempts, interruptions, uncertain, first_attempt_at,
    due_at, reply
  from outcome
  where kind is not null and (select end_date from ${sendRow}) is null
    and seq <> all(array(select seq from delivery_results where ${ofSend} and seq = any(${seqs}::int[])))`;

// A message of a chunk that this worker holds waits for the first time, or was stored as waiting before.
const deferStatement: PreparedStatement = {
  name: 'defer_of_chunk',
  text: `
    with outcome as materialized (${outcomes('$5')}
    ), deferred as (
      ${insertQueued('$6')} and exists (select from delivery_chunks where ${ofSend} and ${isHeldChunk})
      on conflict do nothing
      returning kind, due_at
    ), counted as (
      update delivery_chunks
      set uncertain_count = uncertain_count + (select count(*) from deferred where kind = 'uncertain')
      where ${ofSend} and ${isHeldChunk} and exists (select from deferred where kind = 'uncertain')
    )
    update touchpoint_sends s
    set next_due_at = (select min(due_at) from deferred)
    where s.organization_id = $1 and s.id = $2 and ${isSendingRow}
      and (next_due_at is null or next_due_at > (select min(due_at) from deferred))`,
};

// deferred: of a message that somebody else took over meanwhile, nothing is changed, except that an attempt which was
// given up as unclear turns out to have been rejected. After the end of a cancelled send nothing starts to wait.
const storeResultsStatement: PreparedStatement = {
  name: 'store_results',
  text: `
    with outcome as materialized (${outcomes('$3')}
    ), stored as (
      ${insertResults('outcome')}
      on conflict do nothing
      returning seq, state, class, at
    ), added as (${addStoredToTotals('stored')}
    ), processed as (
      delete from delivery_queue where ${ofSend} and seq = any($4::int[])
      returning kind
    ), was_uncertain as (
      select seq from delivery_queue where ${ofSend} and seq = any($5::int[]) and kind = 'uncertain'
    ), deferred as (
      ${insertQueued('$5')}
      on conflict (organization_id, send_id, seq) do update
      set kind = excluded.kind, attempts = excluded.attempts, interruptions = excluded.interruptions,
        uncertain = excluded.uncertain, due_at = excluded.due_at, reply = excluded.reply,
        worker_id = null, lease_until = null
      where r.attempts < excluded.attempts
        or (r.attempts = excluded.attempts and r.kind = 'uncertain' and r.worker_id is null and excluded.kind = 'deferred')
      returning r.seq, r.kind, r.due_at
    )
    update touchpoint_sends s
    set recipients_accepted_count = recipients_accepted_count + ${countOf('sent')},
      recipients_total_sent_count = recipients_total_sent_count + ${countOf('sent')},
      recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + ${countOf('bounced')},
      recipients_total_failed_count = recipients_total_failed_count + ${countOf('failed')},
      recipients_suppressed_count = recipients_suppressed_count + ${countOf('suppressed')},
      recipients_uncertain_count = recipients_uncertain_count
        + (select count(*) from deferred where kind = 'uncertain')
        - (select count(*) from deferred where seq in (select seq from was_uncertain))
        - (select count(*) from processed where kind = 'uncertain'),
      next_due_at = ${dueNow}, error_content = ${errorAfter(countOf('sent'))},
      updated_at = now()
    where s.organization_id = $1 and s.id = $2`,
};
