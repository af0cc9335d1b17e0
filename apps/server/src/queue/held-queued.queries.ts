import type { PipelinedDatabase, PreparedStatement } from '../platform/database/pipelined.ts';
import { dueNow, leaseEnd, lockSend, ofSend, type SendKey } from './send-statements.ts';

/** Returns leased messages that were not attempted to the queue. */
export async function releaseQueued(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  workerId: number,
  seqs: number[],
): Promise<void> {
  await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...releaseQueuedStatement, values: [organizationId, sendId, workerId, seqs] },
  ]);
}

const releaseQueuedStatement: PreparedStatement = {
  name: 'release_queued',
  text: `
    with released as (
      update delivery_queue set worker_id = null, lease_until = null
      where ${ofSend} and seq = any($4::int[]) and worker_id = $3::int
      returning 1
    )
    update touchpoint_sends s
    set next_due_at = ${dueNow}
    where organization_id = $1 and id = $2 and exists (select from released)`,
};

/**
 * Renews leases: messages whose lease expired would be taken over, and sent twice.
 * @param previousId  differs from `workerId` after the connection of the worker was lost
 */
export async function renewQueued(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  { workerId, previousId }: { workerId: number; previousId: number },
  seqs: number[],
): Promise<void> {
  await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...renewQueuedStatement, values: [organizationId, sendId, workerId, seqs, previousId] },
  ]);
}

const renewQueuedStatement: PreparedStatement = {
  name: 'renew_queued',
  text: `
    update delivery_queue set lease_until = ${leaseEnd}, worker_id = $3::int
    where ${ofSend} and seq = any($4::int[]) and worker_id in ($3::int, $5::int)`,
};
