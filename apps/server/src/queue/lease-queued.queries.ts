import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { type PipelinedDatabase, statement } from '../platform/database/pipelined.ts';
import type { Recipient } from './delivery.ts';
import {
  acceptedAt,
  byProcessClock,
  leasedRows,
  recoveredRows,
  recoverQueuedStatement,
  triesAsJson,
  waitingRows,
  type AgedRecipient,
} from './recover-queued.queries.ts';
import {
  isSending,
  judgedRecipients,
  leaseEnd,
  lockSend,
  ofSend,
  queuedRecipientsAsJson,
  recipientColumns,
  storeUntracked,
  type SendKey,
  type WantedLane,
} from './send-statements.ts';

export interface QueuedRecipient extends Recipient {
  lane: RecipientGroup;
}

export interface LeasedQueued {
  recipients: QueuedRecipient[];
  /** Whether there are messages for `listRecovered`; they are not leased here. */
  hasRecovered: boolean;
}

/**
 * Leases queued messages that are due. The committed lease is also their write-ahead mark. Messages that a dead worker had
 * leased become uncertain.
 * @param options.wanted  lanes that the messages may belong to
 * @param options.limit  maximum over all lanes
 * @param options.heldSeqs  the queued messages of this send that the worker is processing, including those that it leased
 * under an earlier id. Others under its id were leased by a transaction whose response was lost: none of them was sent.
 */
export async function leaseQueued(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  {
    workerId,
    wanted,
    limit,
    heldSeqs,
  }: { workerId: number; wanted: readonly WantedLane[]; limit: number; heldSeqs: number[] },
): Promise<LeasedQueued> {
  const ref = [organizationId, sendId];
  const [, , , rows] = (await db.transaction(organizationId, [
    { ...lockSend, values: ref },
    { ...releaseLostQueued, values: [...ref, workerId, heldSeqs] },
    { ...recoverQueuedStatement, values: [...ref, heldSeqs] },
    {
      ...leaseQueuedStatement,
      values: [...ref, workerId, limit, wanted.map(({ lane }) => lane), wanted.map((each) => each.limit)],
    },
  ])) as [unknown, unknown, unknown, LeasedQueuedRow[]];
  return {
    recipients: rows[0]?.recipients.map(byProcessClock) ?? [],
    hasRecovered: rows[0]?.has_recovered === true,
  };
}

interface LeasedQueuedRow {
  recipients: AgedRecipient<QueuedRecipient>[];
  has_recovered: boolean;
}

const releaseLostQueued = statement('release_lost_queued')`
  update delivery_queue set worker_id = null, lease_until = null
  where ${ofSend} and seq = any(array(select seq from ${leasedRows} and worker_id = $3::int and seq <> all($4::int[])))`;

const leaseQueuedStatement = statement('lease_queued')`
  with due as materialized (
    select of_lane.seq from unnest($5::text[], $6::int[]) wanted(name, lane_limit)
    cross join lateral (
      select seq, due_at from ${waitingRows} and lane = wanted.name and not recovered and ${isSending}
      order by due_at, seq
      limit wanted.lane_limit
    ) of_lane
    order by due_at, seq
    limit $4::int
  ), taken as (
    update delivery_queue
    set worker_id = $3::int, lease_until = ${leaseEnd}
    where ${ofSend} and seq = any(array(select seq from due))
    returning seq, lane, ${triesAsJson}
  ), recipient as materialized (
    select ${recipientColumns}, (select t.tries from taken t where t.seq = d.seq) as tries, ${acceptedAt},
      (select t.lane from taken t where t.seq = d.seq) as lane
    from deliveries d
    where ${ofSend} and seq = any(array(select seq from taken))
  ), ${judgedRecipients}, untracked as (${storeUntracked}
  )
  select (${queuedRecipientsAsJson}) as recipients, exists (${recoveredRows}) as has_recovered`;
