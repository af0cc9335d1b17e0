import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import type { Row } from '../platform/database/database.ts';
import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import type { Recipient } from './delivery.ts';
import type { Lease } from './held-chunk.queries.ts';
import { leaseAny, leaseFrom, takeAbandoned } from './lease-statements.ts';
import { lockSend, type SendKey, type WantedLane } from './send-statements.ts';

export interface LeasedChunk {
  lane: RecipientGroup;
  lease: Lease;
  /** Recipients without a result, by seq. */
  recipients: Recipient[];
}

/**
 * Leases the next free chunk and marks its first messages. Messages that a dead worker had marked in it and that have no
 * result become uncertain and move to the queue: due at once, or on hold, depending on the policy of the send.
 * @param heldFirstSeqs the chunks of this send that the worker is processing. Any other chunk under its id was leased by a
 *   transaction whose response was lost, and is free.
 * @param wanted  lanes that the chunk may belong to
 * @returns undefined when no chunk is free or the send is not `sending`
 */
export async function leaseChunk(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  wanted: readonly WantedLane[],
  heldFirstSeqs: number[],
): Promise<LeasedChunk | undefined> {
  const values = [organizationId, sendId, workerId, heldFirstSeqs, wanted.map(({ lane }) => lane)];
  const [, , rows] = await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...takeAbandoned, values },
    { ...leaseAny, values: [...values, wanted.map(({ limit }) => limit)] },
  ]);
  return toLeasedChunk(rows as LeasedRow[]);
}

/** A lane, and where its next chunk may begin. */
export interface WantedLaneFrom extends WantedLane {
  /** Lowest allowed `first_seq`. */
  from: number;
}

/**
 * Like `leaseChunk`, but only for chunks from the given seqs on that no worker has leased. It does not read the finished
 * chunks before them: while a long transaction keeps old row versions, that read grows with each chunk.
 */
export async function leaseChunkFrom(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  wanted: readonly WantedLaneFrom[],
): Promise<LeasedChunk | undefined> {
  const columns = [
    wanted.map(({ lane }) => lane),
    wanted.map(({ limit }) => limit),
    wanted.map(({ from }) => from),
  ];
  const [, rows] = await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...leaseFrom, values: [organizationId, sendId, workerId, [], ...columns] },
  ]);
  return toLeasedChunk(rows as LeasedRow[]);
}

function toLeasedChunk([row]: LeasedRow[]): LeasedChunk | undefined {
  if (row === undefined) return undefined;
  const {
    lane,
    first_seq: firstSeq,
    last_seq: lastSeq,
    lease_token,
    marked_up_to,
    leased_at,
    not_before,
    recipients,
  } = row;
  return {
    lane,
    lease: { firstSeq, lastSeq, leaseToken: lease_token, markedUpTo: marked_up_to, leasedAt: leased_at },
    recipients:
      not_before === null
        ? recipients
        : recipients.map((recipient) => ({ ...recipient, created_at: not_before })),
  };
}

type LeasedRow = Row<
  'delivery_chunks',
  'lane' | 'first_seq' | 'last_seq' | 'lease_token' | 'marked_up_to'
> & {
  leased_at: string;
  not_before: string | null;
  recipients: Recipient[];
};
