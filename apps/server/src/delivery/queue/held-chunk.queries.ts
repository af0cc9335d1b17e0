import type { PipelinedDatabase, PreparedStatement } from '../../platform/database/pipelined.ts';
import { dueNow, errorAfter, leaseEnd, ofSend, type SendKey } from './send-statements.ts';

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
    where ${ofSend} and first_seq = $4::int and lease_token = $5::int and worker_id is not null`,
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
      next_due_at = ${dueNow}, error = ${errorAfter('counted.sent_count')},
      updated_at = now()
    from counted
    where s.organization_id = $1 and s.id = $2`,
};
