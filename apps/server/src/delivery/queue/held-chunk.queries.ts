import type { PipelinedDatabase, PreparedStatement } from '../../platform/database/pipelined.ts';
import {
  addCounts,
  countColumns,
  dueNow,
  errorAfter,
  leaseEnd,
  ofSend,
  type SendKey,
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
    where ${ofSend} and first_seq = $4::int and lease_token = $5::int and lease_until is not null`,
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
  /** Other sends wait for room, and come first. */
  isBehindOthers?: boolean;
  leasedAt: string;
}

// Not by worker_id: PostgreSQL would take the index of leased chunks for the smallest one, and read all of its old entries.
export const isHeldChunk = 'first_seq = $3::int and lease_token = $4::int and lease_until is not null';

/** Before a store: two stores of one chunk, or a store and a recovery, run one after the other. */
export const lockChunk: PreparedStatement = {
  name: 'lock_chunk',
  text: `select from delivery_chunks where ${ofSend} and ${isHeldChunk} for no key update`,
};

/** What somebody else may go on with: what was counted in it so far is added to its send. The send is locked. */
export const giveBackChunk: PreparedStatement = {
  name: 'give_back_chunk',
  text: `
    with counted as materialized (
      select ${countColumns.join(', ')} from delivery_chunks where ${ofSend} and ${isHeldChunk}
    ), released as (
      update delivery_chunks
      set marked_up_to = $5::int, worker_id = null, lease_until = null, ${countColumns.map((column) => `${column} = 0`).join(', ')}
      where ${ofSend} and ${isHeldChunk}
    )
    update touchpoint_sends s
    set ${addCounts('counted')}, next_due_at = ${dueNow}, error = ${errorAfter('counted.sent_count')},
      updated_at = now()
    from counted
    where s.organization_id = $1 and s.id = $2`,
};

/**
 * All of the chunk is accounted for; `countDoneChunks` adds it to its send. The send has something to do: a next chunk, or its
 * end. It is locked, and changed only where that is news, or where it is to come behind others ($6).
 */
export const finishChunk: PreparedStatement = {
  name: 'finish_chunk',
  text: `
    with finished as (
      update delivery_chunks
      set done = true, marked_up_to = $5::int, worker_id = null, lease_until = null
      where ${ofSend} and ${isHeldChunk}
      returning sent_count
    )
    update touchpoint_sends s
    set next_due_at = ${dueNow}, error = ${errorAfter('finished.sent_count')}, updated_at = now()
    from finished
    where s.organization_id = $1 and s.id = $2
      and ($6::boolean or next_due_at is null or next_due_at > now() or (error is not null and finished.sent_count > 0))`,
};
