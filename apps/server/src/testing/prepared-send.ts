import assert from 'node:assert/strict';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Lease, LeaseProgress } from '../queue/held-chunk.queries.ts';
import { leaseChunk, type LeasedChunk } from '../queue/lease-chunk.queries.ts';
import type { SendKey } from '../queue/send-statements.ts';
import { prepareSend } from '../delivery/worker/prepare-send.ts';
import { buildDueSend } from './send-fixture.ts';
import type { SendDatabase } from './send-worker.ts';
import { mailboxPolicies } from './mailbox-policies.ts';

/** Builds a send whose audience snapshot is stored and whose chunks are not leased. */
export async function buildPreparedSend(
  { owner, app }: SendDatabase,
  options: { contacts: number; uncertain_policy?: UncertainPolicy },
): Promise<SendKey> {
  const { organizationId, sendId } = await buildDueSend(owner, options);
  const ref = { organizationId, sendId };
  assert.ok(await prepareSend(app, mailboxPolicies, ref));
  return ref;
}

/**
 * Leases the next chunk. No worker with this id is alive, so other workers can take over its leases.
 * @param held  chunks of this send that the worker already holds
 */
export async function leaseNextChunk(
  { pipelined }: SendDatabase,
  ref: SendKey,
  { workerId, markCount, held = [] }: { workerId: number; markCount: number; held?: readonly Lease[] },
): Promise<LeasedChunk> {
  const wanted = [{ lane: 'other', limit: markCount }] as const;
  const heldSeqs = held.map(({ firstSeq }) => firstSeq);
  const leased = await leaseChunk(pipelined, ref, workerId, wanted, heldSeqs);
  assert.ok(leased !== undefined);
  return leased;
}

/** Lease progress that a worker stores with results of a chunk: the write-ahead mark, and optionally the release. */
export const upTo = (
  { firstSeq, leaseToken, leasedAt }: Lease,
  markedUpTo: number,
  release?: 'done' | 'free',
): LeaseProgress => ({ firstSeq, leaseToken, leasedAt, markedUpTo, release });
