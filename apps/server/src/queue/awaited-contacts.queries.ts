import { sql } from 'kysely';
import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import type { Transaction } from '../platform/database/database.ts';
import { lockSend } from './send.queries.ts';

/**
 * Postpones a send while its contacts are being read.
 * @param delayMs  the send is due again after this time even if the end of the read is not reported
 */
export async function awaitContacts(
  trx: Transaction,
  id: string,
  { delayMs, error }: { delayMs: number; error: SendError | null },
): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({
      error: error && JSON.stringify(error),
      next_due_at: sql`now() + make_interval(secs => ${delayMs / 1_000})`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/** Makes the send due again, unless it has ended. */
export async function resumePreparing(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({ next_due_at: sql`now()` })
    .where('id', '=', id)
    .where('end_date', 'is', null)
    .execute();
}

/** Locks the send until the transaction ends. @returns its status */
export const lockStatus = async (trx: Transaction, id: string) => (await lockSend(trx, id)).status;
