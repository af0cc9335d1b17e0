import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { sql } from 'kysely';
import { deliveringSendStatus } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../platform/database/database.ts';

/** Postpones a send. @param delayMs  milliseconds until it is due again */
export async function postponeSend(
  trx: Transaction,
  id: string,
  delayMs: number,
  changes: { failure_count: number; worker_deaths: number; error: SendError },
): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({
      ...changes,
      error: JSON.stringify(changes.error),
      next_due_at: sql`now() + make_interval(secs => ${delayMs / 1_000})`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/** Counts the results of a send, including those of chunks in progress. */
export async function countBounces(trx: Transaction, id: string): Promise<{ sent: number; bounced: number }> {
  const { rows } = await sql<{ sent: number; bounced: number }>`
    select recipients_total_sent_count as sent, recipients_total_delivery_failed_count as bounced
    from counted_sends where id = ${id}
  `.execute(trx);
  return rows[0] ?? { sent: 0, bounced: 0 };
}

/** Runs before an operation that may crash the process, so that a crash of the worker is counted. */
export async function countWorkerDeath(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({ worker_deaths: sql`worker_deaths + 1` })
    .where('id', '=', id)
    .execute();
}

/** Resets the failure counters of a send once it makes progress again. */
export async function forgetFailures(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({
      failure_count: 0,
      worker_deaths: 0,
      error: sql`case when failure_count = 0 then error end`,
    })
    .where('id', '=', id)
    .execute();
}

/** Records on the send what is wrong while it is being retried. */
export async function recordSendError(trx: Transaction, id: string, error: SendError): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({ error: JSON.stringify(error), updated_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', deliveringSendStatus)
    .execute();
}

/** Clears the error after the mail server accepts messages again. */
export async function clearSendError(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({ error: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', deliveringSendStatus)
    .where('failure_count', '=', 0)
    .execute();
}
