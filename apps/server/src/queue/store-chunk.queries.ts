import { DatabaseError } from 'pg';
import { type PipelinedDatabase, type Step, statement } from '../platform/database/pipelined.ts';
import { processNow } from '../platform/process-clock.ts';
import { countDoneChunks } from './chunk-counts.queries.ts';
import type { DeliveryResult } from './delivery.ts';
import {
  finishChunk,
  giveBackChunk,
  isHeldChunk,
  lockChunk,
  type LeaseProgress,
} from './held-chunk.queries.ts';
import {
  countNotMeasured,
  countOf,
  insertQueued,
  insertResults,
  outcomes,
  toStored,
  type ResultEffects,
} from './result-statements.ts';
import {
  hasNewlySuppressed,
  isSendingRow,
  leaseEnd,
  lockSend,
  ofSend,
  shareSend,
  type SendKey,
} from './send-statements.ts';

export interface StoredChunk {
  /** Whether addresses were suppressed since the chunk was leased: see `listSuppressed`. */
  hasNewlySuppressed: boolean;
}

/**
 * Stores results of a chunk and marks its next messages, in one transaction: results, queue, counters and mark
 * commit together, so the counters always equal the rows. Storing is idempotent, because after a lost connection it is
 * unknown whether the transaction was committed.
 * @param workerId undefined while the worker has no heartbeat: the lease keeps its worker id
 * @returns undefined if another worker holds the chunk now, and nothing was stored: see `storeResults`
 */
export async function storeChunk(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number | undefined,
  results: DeliveryResult[],
  effects: ResultEffects,
  { firstSeq, leaseToken, markedUpTo, release, isBehindOthers = false, leasedAt }: LeaseProgress,
): Promise<StoredChunk | undefined> {
  const ref = [organizationId, sendId];
  const chunk = [...ref, firstSeq, leaseToken];
  const now = processNow();
  const toJson = (some: DeliveryResult[]) => JSON.stringify(some.map((result) => toStored(result, now)));
  const progress = [...chunk, toJson(results), markedUpTo, workerId ?? null, leasedAt];
  const waiting = results.filter(({ result }) => result.kind !== 'final');
  // The send only has to be locked by a commit that changes more than the chunk.
  const isSendChanged = release !== undefined || waiting.length > 0;
  const sendLock = isSendChanged ? lockSend : effects.suppresses ? shareSend : undefined;
  const before = sendLock === undefined ? [] : [{ ...sendLock, values: ref }];
  const behind: Step[] = [];
  if (waiting.length > 0)
    behind.push({
      ...deferStatement,
      values: [...chunk, toJson(waiting), waiting.map(({ seq }) => seq)],
    });
  if (release === 'free') behind.push({ ...giveBackChunk, values: [...chunk, markedUpTo] });
  if (release === 'done') {
    behind.push({ ...finishChunk, values: [...chunk, markedUpTo, isBehindOthers] });
    behind.push({ ...countDoneChunks, values: [...ref, false] });
  }
  behind.push(...effects.steps);

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

/** Whether a result was already stored by a transaction whose response was lost, or by another worker. */
const isStoredBefore = (error: unknown): boolean => error instanceof DatabaseError && error.code === '23505';

const countedStates = ['sent', 'bounced', 'failed', 'suppressed'] as const;

/** In the order of `chunkCounts`. */
const countStates = (results: DeliveryResult[]): number[] => {
  const countOfState = (state: string, of = results) =>
    of.filter(({ result }) => result.kind === 'final' && result.state === state).length;
  return [
    ...countedStates.map((state) => countOfState(state)),
    countOfState(
      'sent',
      results.filter(({ tracked }) => tracked === false),
    ),
  ];
};

const chunkCounts = [...countedStates.map((state) => `${state}_count`), 'not_measured_count'];

/** Assignments for `delivery_chunks`. @param counts  in the order of `chunkCounts` */
const chunkProgress = (counts: string[]) => `
  marked_up_to = greatest(marked_up_to, $6::int), worker_id = coalesce($7::int, worker_id), lease_until = ${leaseEnd},
  ${chunkCounts.map((column, index) => `${column} = ${column} + ${counts[index]}`).join(', ')}`;

const newlySuppressedColumn = `${hasNewlySuppressed('$8::timestamptz')} as has_newly_suppressed`;

// Nothing is stored unless the chunk still has this lease token: then only this worker processes its messages. The update
// waits for other transactions that lock the chunk, and checks the token afterwards. A result that exists already is a
// unique violation here, so that new results need neither a lookup nor a count in the database.
const storeNewStatement = statement('store_new')`
  with held as (
    update delivery_chunks
    set ${chunkProgress(['$9::int', '$10::int', '$11::int', '$12::int', '$13::int'])}
    where ${ofSend} and ${isHeldChunk}
    returning ${newlySuppressedColumn}
  ), stored as (
    ${insertResults(`(${outcomes('$5')}) outcome`)} and exists (select from held)
  )
  select has_newly_suppressed from held`;

// Like `store_new`, for results some of which exist already.
const storeAgainStatement = statement('store_again')`
  with stored as (
    ${insertResults(`(${outcomes('$5')}) outcome`)} and exists (select from delivery_chunks where ${ofSend} and ${isHeldChunk})
    on conflict do nothing
    returning state, tracked
  )
  update delivery_chunks
  set ${chunkProgress([...countedStates.map((state) => countOf(state)), countNotMeasured])}
  where ${ofSend} and ${isHeldChunk}
  returning ${newlySuppressedColumn}`;

// Queues messages of a chunk that this worker holds; a message that was already queued by an earlier try stays as it is.
const deferStatement = statement('defer_of_chunk')`
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
    and (next_due_at is null or next_due_at > (select min(due_at) from deferred))`;
