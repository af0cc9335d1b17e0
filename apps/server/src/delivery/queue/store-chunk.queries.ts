import { DatabaseError } from 'pg';
import type { PipelinedDatabase, PreparedStatement, Step } from '../../platform/database/pipelined.ts';
import { bounceSteps, type Bounce } from './bounces.ts';
import { countDoneChunks } from './chunk-counts.queries.ts';
import type { DeliveryResult } from './delivery.ts';
import {
  finishChunk,
  giveBackChunk,
  isHeldChunk,
  lockChunk,
  type LeaseProgress,
} from './held-chunk.queries.ts';
import { countOf, insertQueued, insertResults, outcomes, toStored } from './result-statements.ts';
import {
  hasNewlySuppressed,
  isSendingRow,
  leaseEnd,
  lockSend,
  ofSend,
  type SendKey,
} from './send-statements.ts';

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
  { firstSeq, leaseToken, markedUpTo, release, isBehindOthers = false, leasedAt }: LeaseProgress,
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
  if (release === 'free') behind.push({ ...giveBackChunk, values: [...chunk, markedUpTo] });
  if (release === 'done') {
    behind.push({ ...finishChunk, values: [...chunk, markedUpTo, isBehindOthers] });
    behind.push({ ...countDoneChunks, values: [...ref, false] });
  }
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
