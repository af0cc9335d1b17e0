import { type PipelinedDatabase, statement } from '../platform/database/pipelined.ts';
import {
  addCounts,
  countColumns,
  dueNow,
  errorAfter,
  leaseEnd,
  ofSend,
  type SendKey,
} from './send-statements.ts';

/** The lease of a chunk by a worker. */
export interface Lease {
  firstSeq: number;
  lastSeq: number;
  leaseToken: number;
  /** Messages up to this seq may be sent: their mark is committed. */
  markedUpTo: number;
  /** When the chunk was leased, by the clock of the database. */
  leasedAt: string;
}

/** Renews a lease: after it expired, another worker would take the chunk over, and messages would be sent twice. */
export async function renewChunk(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  { firstSeq, leaseToken }: Pick<Lease, 'firstSeq' | 'leaseToken'>,
): Promise<void> {
  const values = [organizationId, sendId, workerId, firstSeq, leaseToken];
  await db.transaction(organizationId, [{ ...renewChunkStatement, values }]);
}

// A worker that lost its connection continues under a new id; the token shows whether it still holds the chunk.
const renewChunkStatement = statement('renew_chunk')`
  update delivery_chunks set lease_until = ${leaseEnd}, worker_id = $3::int
  where ${ofSend} and first_seq = $4::int and lease_token = $5::int and lease_until is not null`;

/** The progress of a leased chunk that a commit stores. */
export interface LeaseProgress {
  firstSeq: number;
  leaseToken: number;
  /** Messages up to this seq may be sent once this commits. Lower than before: the rest was not started and is returned. */
  markedUpTo: number;
  /** Releases the chunk: `done` when each message has a result or is queued, `free` for another worker to continue. */
  release: 'done' | 'free' | undefined;
  /** Other sends are waiting for a place and come first. */
  isBehindOthers?: boolean;
  leasedAt: string;
}

// Not by worker_id: PostgreSQL would choose the index of leased chunks as the smallest, and read all of its dead entries.
export const isHeldChunk = 'first_seq = $3::int and lease_token = $4::int and lease_until is not null';

/** Serializes two stores of one chunk, or a store and a recovery. */
export const lockChunk = statement('lock_chunk')`
  select from delivery_chunks where ${ofSend} and ${isHeldChunk} for no key update`;

/** Returns a chunk for any worker to continue, and adds its counters to the send. The caller has locked the send. */
export const giveBackChunk = statement('give_back_chunk')`
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
  where s.organization_id = $1 and s.id = $2`;

/**
 * Marks a chunk as done; `countDoneChunks` adds its counters to the send. The send is due for its next chunk, or to end. The
 * caller has locked it. Its row only changes if it was not due, has an error to clear, or should come after others ($6).
 */
export const finishChunk = statement('finish_chunk')`
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
    and ($6::boolean or next_due_at is null or next_due_at > now() or (error is not null and finished.sent_count > 0))`;
