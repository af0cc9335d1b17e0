import { CompiledQuery, sql } from 'kysely';
import { execute, rowsOf, type Transaction } from '../platform/database/database.ts';
import { countDoneChunksNow } from './chunk-counts.queries.ts';
import { recoverQueuedStatement } from './recover-queued.queries.ts';
import { workerStopped, type SendKey } from './send-statements.ts';

/** Locks and lists the open chunks with marked messages; a dead worker may have left some of these without a result. */
export const listAbandonedChunks = (trx: Transaction, sendId: string) => rowsOf<{
  first_seq: number;
  marked_up_to: number;
}>(trx)`
  select first_seq, marked_up_to from delivery_chunks
  where send_id = ${sendId} and organization_id = current_organization_id() and not done and marked_up_to >= first_seq
  order by first_seq
  for update
`;

/** Queues marked messages as uncertain if they have no result and are not queued: they may have been sent. */
export const recoverUnconfirmed = (
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  firstSeq: number,
  lastSeq: number,
) => execute(trx)`
  with unconfirmed as (
    insert into delivery_queue (organization_id, send_id, seq, lane, kind, attempts, uncertain, recovered, due_at, error)
    select d.organization_id, d.send_id, d.seq, c.lane, 'uncertain', 1, 1, true,
      case when s.uncertain_policy = 'retry' then now() end, ${JSON.stringify(workerStopped)}::jsonb
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
`;

/** Makes the attempts that a dead worker had in progress uncertain. The caller has locked the send. */
export async function recoverQueued(trx: Transaction, { organizationId, sendId }: SendKey): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(recoverQueuedStatement.text, [organizationId, sendId, []]));
}

/** Ends a cancelled send: unsent messages are counted as cancelled, uncertain ones stay uncertain. */
export async function cancelRest(trx: Transaction, { organizationId, sendId }: SendKey): Promise<void> {
  await sql`
    delete from delivery_queue where send_id = ${sendId} and organization_id = current_organization_id() and kind <> 'uncertain'
  `.execute(trx);
  await sql`
    update delivery_queue set due_at = null where send_id = ${sendId} and organization_id = current_organization_id()
  `.execute(trx);
  await sql`
    update delivery_chunks
    set done = true, counted = lease_token = 0, worker_id = null, lease_until = null, lease_token = lease_token + (lease_token > 0)::int
    where send_id = ${sendId} and organization_id = current_organization_id() and not done
  `.execute(trx);
  await countDoneChunksNow(trx, { organizationId, sendId });
  await sql`
    update touchpoint_sends
    set recipients_cancelled_count = recipients_total_count - recipients_total_sent_count - recipients_total_delivery_failed_count
        - recipients_total_failed_count - recipients_suppressed_count - recipients_skipped_count - recipients_uncertain_count,
      end_date = now(), next_due_at = null, updated_at = now()
    where id = ${sendId}
  `.execute(trx);
}
