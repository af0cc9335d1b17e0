import { sql } from 'kysely';
import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockSend } from './send.queries.ts';

/** While the contacts of a send are being read, workers leave it alone. @param delayMs  in case that nobody says when they are there */
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

/** The send goes on. */
export async function resumePreparing(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({ next_due_at: sql`now()` })
    .where('id', '=', id)
    .where('end_date', 'is', null)
    .execute();
}

/** Locks the send until the transaction ends. */
export const lockStatus = async (trx: Transaction, id: string) => (await lockSend(trx, id)).status;
