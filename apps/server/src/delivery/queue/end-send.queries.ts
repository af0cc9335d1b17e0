import { CompiledQuery, sql } from 'kysely';
import { deliveringSendStatus } from '@reachout/contract/states/send.ts';
import { recipientGroups, type RecipientGroup } from '../../email/recipient-groups/recipient-group.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { recoverQueuedStatement } from './delivery-queue.queries.ts';
import { addOpenChunksToTotals, addStoredToTotals } from './result-totals.ts';
import { ofSend as ofSendKey, type SendKey } from './send-statements.ts';

export interface OpenWork {
  /** Chunks that are not done, or messages that wait. */
  isOpen: boolean;
  /** Some of it is under way at a worker that lives. */
  isLeased: boolean;
}

export async function findOpenWork(trx: Transaction, sendId: string): Promise<OpenWork> {
  const ofSend = sql`organization_id = current_organization_id() and send_id = ${sendId}`;
  const isLeased = sql`worker_id is not null and lease_until >= now() and worker_is_alive(worker_id)`;
  const { rows } = await sql<OpenWork>`
    select
      exists (select from delivery_chunks where ${ofSend} and not done)
        or exists (select from delivery_queue where ${ofSend}) as "isOpen",
      exists (select from delivery_chunks where ${ofSend} and ${isLeased})
        or exists (select from delivery_queue where ${ofSend} and ${isLeased}) as "isLeased"
  `.execute(trx);
  return rows[0]!;
}

/** A lane of which nothing is taken for now. */
export interface WaitingLane {
  lane: RecipientGroup;
  waitMs: number;
  /** For the screen. */
  reason: string;
}

/**
 * Nothing of the send is free to be taken now: it is due again when a queued message is, or when the lane of its
 * chunks goes on. The caller has locked it.
 */
export async function scheduleSend(
  trx: Transaction,
  sendId: string,
  waiting: readonly WaitingLane[],
): Promise<void> {
  const ofLane = sql`organization_id = current_organization_id() and send_id = ${sendId} and lane = l.lane`;
  const waits = recipientGroups.map((group) => waiting.find(({ lane }) => lane === group));
  await sql`
    with next as materialized (
      select greatest(work.due_at, now() + make_interval(secs => l.wait_ms / 1000.0)) as due_at,
        case when work.due_at <= now() then l.reason end as reason
      from unnest(${[...recipientGroups]}::text[], ${waits.map((wait) => wait?.waitMs ?? 0)}::int[],
        ${waits.map((wait) => wait?.reason.slice(0, 500) ?? null)}::text[]) l(lane, wait_ms, reason)
      cross join lateral (
        select now() as due_at
        where exists (select from delivery_chunks where ${ofLane} and not done and worker_id is null)
        union all
        (select due_at from delivery_queue where ${ofLane} and worker_id is null and due_at is not null
          order by due_at limit 1)
      ) work
      order by 1, reason nulls last
      limit 1
    )
    update touchpoint_sends
    set next_due_at = (select due_at from next), error_content = coalesce((select reason from next), error_content)
    where id = ${sendId}
  `.execute(trx);
}

/** Chunks that a dead worker left: what it had marked ahead, and nobody knows of, is to be recovered. */
export async function listAbandonedChunks(
  trx: Transaction,
  sendId: string,
): Promise<{ first_seq: number; marked_up_to: number }[]> {
  const { rows } = await sql<{ first_seq: number; marked_up_to: number }>`
    select first_seq, marked_up_to from delivery_chunks
    where send_id = ${sendId} and organization_id = current_organization_id() and not done and marked_up_to >= first_seq
    order by first_seq
    for update
  `.execute(trx);
  return rows;
}

/** Messages that were marked ahead, and that have no result and are not queued, may have left: they become uncertain. */
export async function recoverUnconfirmed(
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  firstSeq: number,
  lastSeq: number,
): Promise<void> {
  await sql`
    with unconfirmed as (
      insert into delivery_queue (organization_id, send_id, seq, lane, kind, attempts, uncertain, recovered, due_at, reply)
      select d.organization_id, d.send_id, d.seq, c.lane, 'uncertain', 1, 1, true,
        case when s.uncertain_policy = 'retry' then now() end, 'The worker stopped while this message was under way.'
      from deliveries d
      join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
      join delivery_chunks c on c.organization_id = d.organization_id and c.send_id = d.send_id and c.first_seq = ${firstSeq}
      where d.organization_id = ${organizationId} and d.send_id = ${sendId} and d.seq between ${firstSeq} and ${lastSeq}
        and not exists (select from delivery_results r
          where r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq)
      on conflict do nothing
      returning 1
    )
    update touchpoint_sends
    set recipients_uncertain_count = recipients_uncertain_count + (select count(*) from unconfirmed)
    where organization_id = ${organizationId} and id = ${sendId}
  `.execute(trx);
}

/** Attempts that a dead worker had under way become uncertain. The caller has locked the send. */
export async function recoverQueued(trx: Transaction, { organizationId, sendId }: SendKey): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(recoverQueuedStatement.text, [organizationId, sendId, []]));
}

/** Closes the accounts of a cancelled send: what never left counts as cancelled, what is unclear stays uncertain. */
export async function cancelRest(trx: Transaction, { organizationId, sendId }: SendKey): Promise<void> {
  await sql`
    delete from delivery_queue where send_id = ${sendId} and organization_id = current_organization_id() and kind <> 'uncertain'
  `.execute(trx);
  await sql`
    update delivery_queue set due_at = null where send_id = ${sendId} and organization_id = current_organization_id()
  `.execute(trx);
  await trx.executeQuery(CompiledQuery.raw(addOpenChunksToTotals, [organizationId, sendId]));
  await sql`
    with counted as (
      select coalesce(sum(sent_count), 0)::integer as sent_count, coalesce(sum(bounced_count), 0)::integer as bounced_count,
        coalesce(sum(failed_count), 0)::integer as failed_count, coalesce(sum(suppressed_count), 0)::integer as suppressed_count,
        coalesce(sum(uncertain_count), 0)::integer as uncertain_count
      from delivery_chunks where send_id = ${sendId} and organization_id = current_organization_id() and not done
    ), done as (
      update delivery_chunks
      set done = true, worker_id = null, lease_until = null, lease_token = lease_token + 1, sent_count = 0, bounced_count = 0,
        failed_count = 0, suppressed_count = 0, uncertain_count = 0
      where send_id = ${sendId} and organization_id = current_organization_id() and not done
    )
    update touchpoint_sends
    set recipients_accepted_count = recipients_accepted_count + counted.sent_count,
      recipients_total_sent_count = recipients_total_sent_count + counted.sent_count,
      recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + counted.bounced_count,
      recipients_total_failed_count = recipients_total_failed_count + counted.failed_count,
      recipients_suppressed_count = recipients_suppressed_count + counted.suppressed_count,
      recipients_uncertain_count = recipients_uncertain_count + counted.uncertain_count
    from counted
    where id = ${sendId}
  `.execute(trx);
  await sql`
    update touchpoint_sends
    set recipients_cancelled_count = recipients_total_count - recipients_total_sent_count - recipients_total_delivery_failed_count
        - recipients_total_failed_count - recipients_suppressed_count - recipients_skipped_count - recipients_uncertain_count,
      end_date = now(), next_due_at = null, updated_at = now()
    where id = ${sendId}
  `.execute(trx);
}

/**
 * Decides about all messages whose result is unclear: due again at once, or counted as sent. The caller has locked the
 * send.
 */
export async function resolveUncertain(
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  decision: 'retry' | 'treat_as_sent',
): Promise<void> {
  if (decision === 'retry') {
    await sql`update touchpoint_sends set next_due_at = now() where id = ${sendId} and status = ${deliveringSendStatus}`.execute(
      trx,
    );
    await sql`
      update delivery_queue set due_at = now()
      where send_id = ${sendId} and organization_id = current_organization_id() and kind = 'uncertain' and worker_id is null
    `.execute(trx);
    return;
  }
  await trx.executeQuery(CompiledQuery.raw(treatAsSent, [organizationId, sendId]));
}

const treatAsSent = `
  with decided as (
    delete from delivery_queue where ${ofSendKey} and kind = 'uncertain' and worker_id is null
    returning seq, attempts
  ), stored as (
    insert into delivery_results (organization_id, send_id, seq, state, attempts, reply, at, accepted_at)
    select $1::uuid, $2::uuid, seq, 'sent', attempts, 'The outcome was unclear; a person counted it as sent.', now(), now()
    from decided
    on conflict do nothing
    returning seq, state, class, at
  ), added as (${addStoredToTotals('stored')}
  )
  update touchpoint_sends
  set recipients_uncertain_count = recipients_uncertain_count - (select count(*) from decided),
    recipients_total_sent_count = recipients_total_sent_count + (select count(*) from stored),
    recipients_accepted_count = recipients_accepted_count + (select count(*) from stored),
    next_due_at = case when status = '${deliveringSendStatus}' then now() else next_due_at end, updated_at = now()
  where organization_id = $1 and id = $2`;
