import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { CompiledQuery, sql } from 'kysely';
import { deliveringSendStatus } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../platform/database/database.ts';
import { maxUncertain } from './delivery.ts';
import { countNotMeasured } from './result-statements.ts';
import { addStoredToTotals } from './result-totals.ts';
import { ofSend, type SendKey } from './send-statements.ts';

/**
 * Applies the decision on all uncertain messages: they are due again at once, or counted as sent. The caller has locked
 * the send.
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
      update delivery_queue set due_at = now(), uncertain = greatest(uncertain, ${maxUncertain})
      where send_id = ${sendId} and organization_id = current_organization_id() and kind = 'uncertain' and worker_id is null
    `.execute(trx);
    return;
  }
  const error = JSON.stringify(sendError('counted_as_sent'));
  await trx.executeQuery(
    CompiledQuery.raw(treatAsSent(`kind = 'uncertain'`), [organizationId, sendId, error]),
  );
}

/**
 * Counts messages as sent of which nobody knew whether they were accepted, because their recipients have them. The caller has locked
 * the send.
 */
export async function acceptUncertain(
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  seqs: readonly number[],
): Promise<void> {
  if (seqs.length === 0) return;
  const condition = `(kind = 'uncertain' or uncertain > 0) and seq = any($4::int[])`;
  await trx.executeQuery(
    CompiledQuery.raw(treatAsSent(condition), [organizationId, sendId, null, [...seqs]]),
  );
}

const treatAsSent = (condition: string) => `
  with decided as (
    delete from delivery_queue where ${ofSend} and ${condition} and worker_id is null
    returning seq, attempts, kind
  ), stored as (
    insert into delivery_results (organization_id, send_id, seq, state, attempts, error, at, accepted_at, tracked)
    select $1::uuid, $2::uuid, seq, 'sent', attempts, $3::jsonb, now(), now(),
      coalesce((select tracked from deliveries d where ${ofSend} and d.seq = decided.seq), true)
    from decided
    on conflict do nothing
    returning seq, state, class, at, accepted_at, tracked
  ), added as (${addStoredToTotals('stored')}
  )
  update touchpoint_sends
  set recipients_uncertain_count = recipients_uncertain_count - (select count(*) from decided where kind = 'uncertain'),
    recipients_total_sent_count = recipients_total_sent_count + (select count(*) from stored),
    recipients_accepted_count = recipients_accepted_count + (select count(*) from stored),
    recipients_not_measured_count = recipients_not_measured_count + ${countNotMeasured},
    next_due_at = case when status = '${deliveringSendStatus}' then now() else next_due_at end, updated_at = now()
  where organization_id = $1 and id = $2`;
