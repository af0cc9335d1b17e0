import { type PipelinedDatabase, statement } from '../platform/database/pipelined.ts';
import { processNow } from '../platform/process-clock.ts';
import type { DeliveryResult } from './delivery.ts';
import {
  countNotMeasured,
  countOf,
  insertQueued,
  insertResults,
  outcomes,
  toStored,
  type ResultEffects,
} from './result-statements.ts';
import { addStoredToTotals } from './result-totals.ts';
import { dueNow, errorAfter, lockSend, ofSend, type SendKey } from './send-statements.ts';

/**
 * Stores results of queued messages, and of a chunk that another worker took over: a result that was stored for the same
 * message in the meantime is kept, and not counted twice.
 */
export async function storeResults(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  results: DeliveryResult[],
  effects: ResultEffects,
): Promise<void> {
  const seqsOf = (isFinal: boolean) =>
    results.filter(({ result }) => (result.kind === 'final') === isFinal).map(({ seq }) => seq);
  const ref = [organizationId, sendId];
  const now = processNow();
  await db.transaction(organizationId, [
    { ...lockSend, values: ref },
    {
      ...storeResultsStatement,
      values: [
        ...ref,
        JSON.stringify(results.map((result) => toStored(result, now))),
        seqsOf(true),
        seqsOf(false),
      ],
    },
    ...effects.steps,
  ]);
}

// deferred: the queue entry of a message that another worker took over is not changed, except when an attempt that was
// recorded as uncertain turns out to have been rejected. Nothing is queued after a cancelled send has ended.
const storeResultsStatement = statement('store_results')`
  with outcome as materialized (${outcomes('$3')}
  ), stored as (
    ${insertResults('outcome')}
    on conflict do nothing
    returning seq, state, class, at, accepted_at, tracked
  ), added as (${addStoredToTotals('stored')}
  ), processed as (
    delete from delivery_queue where ${ofSend} and seq = any($4::int[])
    returning kind
  ), was_uncertain as (
    select seq from delivery_queue where ${ofSend} and seq = any($5::int[]) and kind = 'uncertain'
  ), deferred as (
    ${insertQueued('$5')}
    on conflict (organization_id, send_id, seq) do update
    set kind = excluded.kind, attempts = excluded.attempts, interruptions = excluded.interruptions,
      uncertain = excluded.uncertain, due_at = excluded.due_at, reply = excluded.reply, error = excluded.error,
      worker_id = null, lease_until = null
    where r.attempts < excluded.attempts
      or (r.attempts = excluded.attempts and r.kind = 'uncertain' and r.worker_id is null and excluded.kind = 'deferred')
    returning r.seq, r.kind, r.due_at
  )
  update touchpoint_sends s
  set recipients_accepted_count = recipients_accepted_count + ${countOf('sent')},
    recipients_total_sent_count = recipients_total_sent_count + ${countOf('sent')},
    recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + ${countOf('bounced')},
    recipients_total_failed_count = recipients_total_failed_count + ${countOf('failed')},
    recipients_suppressed_count = recipients_suppressed_count + ${countOf('suppressed')},
    recipients_not_measured_count = recipients_not_measured_count + ${countNotMeasured},
    recipients_uncertain_count = recipients_uncertain_count
      + (select count(*) from deferred where kind = 'uncertain')
      - (select count(*) from deferred where seq in (select seq from was_uncertain))
      - (select count(*) from processed where kind = 'uncertain'),
    next_due_at = ${dueNow}, error = ${errorAfter(countOf('sent'))},
    updated_at = now()
  where s.organization_id = $1 and s.id = $2`;
