import { type PipelinedDatabase, statement } from '../platform/database/pipelined.ts';
import { processNow } from '../platform/process-clock.ts';
import type { Recipient, Tries } from './delivery.ts';
import {
  dueNow,
  judgedRecipients,
  lockSend,
  ofSend,
  recipientColumns,
  singleRecipientsAsJson,
  uncertainDueAt,
  workerStopped,
  type SendKey,
  leaseEnd,
} from './send-statements.ts';

export const leasedRows = `delivery_queue where ${ofSend} and worker_id is not null`;

/** Makes messages leased by dead workers uncertain; also runs when a cancelled send ends. $3: seqs that the caller holds. */
export const recoverQueuedStatement = statement('recover_queued')`
  with lost as materialized (
    select seq, kind from ${leasedRows} and seq <> all($3::int[])
      and (lease_until < now() or worker_id <> all(array(select living_workers())))
  ), recovered as (
    update delivery_queue
    set kind = 'uncertain', worker_id = null, lease_until = null, attempts = attempts + 1, uncertain = uncertain + 1,
      recovered = true, due_at = ${uncertainDueAt('uncertain = 0')}, reply = null,
      error = '${JSON.stringify(workerStopped)}'
    where ${ofSend} and seq = any(array(select seq from lost))
  )
  update touchpoint_sends s
  set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from lost where kind <> 'uncertain'),
    next_due_at = ${dueNow}
  where organization_id = $1 and id = $2 and exists (select from lost)`;

export const waitingRows = `delivery_queue where ${ofSend} and worker_id is null and due_at <= now()`;

/** Messages of a dead worker that are due and not leased by another one. */
export const recoveredRows = `select seq from ${waitingRows} and recovered`;

export const triesAsJson = `json_build_object('attempts', attempts, 'interruptions', interruptions, 'uncertain', uncertain,
  'age_ms', (extract(epoch from now() - first_attempt_at) * 1000)::float8) as tries`;

/** A recipient whose first attempt was `age_ms` ago by the clock of the database. */
export type AgedRecipient<T extends Recipient = Recipient> = Omit<T, 'tries'> & {
  tries: Omit<Tries, 'first_attempt_at'> & { age_ms: number };
};

/** @returns the recipient with the time of its first attempt by the clock of this process, like all times of a worker */
export function byProcessClock<T extends Recipient>({
  tries: { age_ms, ...tries },
  ...rest
}: AgedRecipient<T>) {
  const first_attempt_at = new Date(processNow().getTime() - age_ms).toISOString();
  return { ...rest, tries: { ...tries, first_attempt_at } };
}

/** Column of `deliveries d`: when a single message was accepted, or the time of the chunk of another. */
export const acceptedAt = `coalesce(
  (select m.created_at from messages m where ${ofSend} and m.seq = d.seq),
  (select c.not_before from delivery_chunks c where ${ofSend} and c.first_seq <= d.seq order by c.first_seq desc limit 1)) as created_at`;

/** Lists messages that a dead worker had in progress and that are due again; a trial build comes first. */
export async function listRecovered(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  limit: number,
): Promise<Recipient[]> {
  const [rows] = (await db.transaction(organizationId, [
    { ...listRecoveredStatement, values: [organizationId, sendId, limit] },
  ])) as [{ recipients: AgedRecipient[] }[]];
  return rows[0]?.recipients.map(byProcessClock) ?? [];
}

const listRecoveredStatement = statement('list_recovered')`
  with due as materialized (${recoveredRows} limit $3::int), tried as materialized (
    select seq, ${triesAsJson} from delivery_queue
    where ${ofSend} and seq = any(array(select seq from due))
  ), recipient as materialized (
    select ${recipientColumns}, (select t.tries from tried t where t.seq = d.seq) as tries, ${acceptedAt}
    from deliveries d
    where ${ofSend} and seq = any(array(select seq from due))
  ), ${judgedRecipients}${singleRecipientsAsJson}`;

/** Clears the flag of messages whose trial build succeeded; they can then be leased like any other. */
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

const clearRecoveredStatement = statement('clear_recovered')`
  with cleared as (
    update delivery_queue set recovered = false where ${ofSend} and seq = any($3::int[]) and recovered
    returning 1
  )
  update touchpoint_sends s
  set next_due_at = ${dueNow}
  where s.organization_id = $1 and s.id = $2 and exists (select from cleared)`;

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

const releaseQueuedStatement = statement('release_queued')`
  with released as (
    update delivery_queue set worker_id = null, lease_until = null
    where ${ofSend} and seq = any($4::int[]) and worker_id = $3::int
    returning 1
  )
  update touchpoint_sends s
  set next_due_at = ${dueNow}
  where organization_id = $1 and id = $2 and exists (select from released)`;

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

const renewQueuedStatement = statement('renew_queued')`
  update delivery_queue set lease_until = ${leaseEnd}, worker_id = $3::int
  where ${ofSend} and seq = any($4::int[]) and worker_id in ($3::int, $5::int)`;
