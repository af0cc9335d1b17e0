import type { PipelinedDatabase, PreparedStatement } from '../../platform/database/pipelined.ts';
import type { RecipientGroup } from '../../email/recipient-groups/recipient-group.ts';
import type { Recipient } from './delivery.ts';
import {
  dueNow,
  interruptedReply,
  isSending,
  leaseEnd,
  lockSend,
  ofSend,
  queuedRecipientsAsJson,
  singleRecipientsAsJson,
  suppressedRecipients,
  uncertainDueAt,
  type RecipientsRow,
  type SendKey,
  type WantedLane,
} from './send-statements.ts';

const leasedRows = `delivery_queue where ${ofSend} and worker_id is not null`;

export interface QueuedRecipient extends Recipient {
  lane: RecipientGroup;
}

export interface LeasedQueued {
  recipients: QueuedRecipient[];
  /** Whether there are messages for `listRecovered`, which are not taken here. */
  hasRecovered: boolean;
}

/**
 * Takes queued messages that are due. Taking them, committed, is their mark ahead. What a dead worker had taken has become
 * uncertain.
 * @param options.wanted  the lanes that they may be of
 * @param options.limit  of all lanes
 * @param options.heldSeqs  the queued messages of this send that the worker works on, also those that it took under an
 * earlier id. Others in its name were taken by a transaction whose response got lost: none of these messages has left.
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
  return { recipients: rows[0]?.recipients ?? [], hasRecovered: rows[0]?.has_recovered === true };
}

interface LeasedQueuedRow {
  recipients: QueuedRecipient[];
  has_recovered: boolean;
}

const releaseLostQueued: PreparedStatement = {
  name: 'release_lost_queued',
  text: `
    update delivery_queue set worker_id = null, lease_until = null
    where ${ofSend} and seq = any(array(select seq from ${leasedRows} and worker_id = $3::int and seq <> all($4::int[])))`,
};

/** Also runs when a cancelled send ends. $3: the seqs that the caller works on. */
export const recoverQueuedStatement: PreparedStatement = {
  name: 'recover_queued',
  text: `
    with lost as materialized (
      select seq, kind from ${leasedRows} and seq <> all($3::int[])
        and (lease_until < now() or worker_id <> all(array(select living_workers())))
    ), recovered as (
      update delivery_queue
      set kind = 'uncertain', worker_id = null, lease_until = null, attempts = attempts + 1, uncertain = uncertain + 1,
        recovered = true, due_at = ${uncertainDueAt('uncertain = 0')}, reply = ${interruptedReply}
      where ${ofSend} and seq = any(array(select seq from lost))
    )
    update touchpoint_sends s
    set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from lost where kind <> 'uncertain'),
      next_due_at = ${dueNow}
    where organization_id = $1 and id = $2 and exists (select from lost)`,
};

const waitingRows = `delivery_queue where ${ofSend} and worker_id is null and due_at <= now()`;

/** Messages of a dead worker that are due and not under way at another one. */
const recoveredRows = `select seq from ${waitingRows} and recovered`;

const triesAsJson = `json_build_object('attempts', attempts, 'interruptions', interruptions, 'uncertain', uncertain,
  'first_attempt_at', first_attempt_at) as tries`;

/** Of `deliveries d`. */
const acceptedAt = `(select m.created_at from messages m where ${ofSend} and m.seq = d.seq) as created_at`;

const leaseQueuedStatement: PreparedStatement = {
  name: 'lease_queued',
  text: `
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
      select seq, contact_id, address, variables, (select t.tries from taken t where t.seq = d.seq) as tries, ${acceptedAt},
        (select t.lane from taken t where t.seq = d.seq) as lane
      from deliveries d
      where ${ofSend} and seq = any(array(select seq from taken))
    ), suppressed as materialized (${suppressedRecipients}
    )
    select (${queuedRecipientsAsJson}) as recipients, exists (${recoveredRows}) as has_recovered`,
};

/** Messages that a dead worker had under way, and that are to go again: to be built on trial first. */
export async function listRecovered(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  limit: number,
): Promise<Recipient[]> {
  const [rows] = (await db.transaction(organizationId, [
    { ...listRecoveredStatement, values: [organizationId, sendId, limit] },
  ])) as [RecipientsRow[]];
  return rows[0]?.recipients ?? [];
}

const listRecoveredStatement: PreparedStatement = {
  name: 'list_recovered',
  text: `
    with due as materialized (${recoveredRows} limit $3::int), tried as materialized (
      select seq, ${triesAsJson} from delivery_queue
      where ${ofSend} and seq = any(array(select seq from due))
    ), recipient as materialized (
      select seq, contact_id, address, variables, (select t.tries from tried t where t.seq = d.seq) as tries, ${acceptedAt}
      from deliveries d
      where ${ofSend} and seq = any(array(select seq from due))
    ), suppressed as materialized (${suppressedRecipients}
    )${singleRecipientsAsJson}`,
};

/** These were built on trial, and wait like any other. */
export async function clearRecovered(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  seqs: number[],
): Promise<void> {
  await db.transaction(organizationId, [
    { ...lockSend, values: [organizationId, sendId] },
    { ...clearRecoveredStatement, values: [organizationId, sendId, seqs] },
  ]);
}

const clearRecoveredStatement: PreparedStatement = {
  name: 'clear_recovered',
  text: `
    with cleared as (
      update delivery_queue set recovered = false where ${ofSend} and seq = any($3::int[]) and recovered
      returning 1
    )
    update touchpoint_sends s
    set next_due_at = ${dueNow}
    where s.organization_id = $1 and s.id = $2 and exists (select from cleared)`,
};

/** Gives back messages that were taken but not tried. */
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
 * A sign of life: messages whose lease ran out would be taken over, and sent twice.
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
