import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { transactionAs, type Actor, type Database, type Transaction } from './database.ts';

/** Between two attempts to cancel: PostgreSQL ignores those that come between two statements. */
const repeatMs = 100;

/**
 * `transactionAs`, whose statements are cancelled when the signal is aborted. The transaction then fails with the error of
 * a cancelled statement, or ends if it has no further statement.
 * @param db  has one connection more than concurrent transactions, to cancel them
 */
export const cancellableTransaction = <T>(
  db: Database,
  actor: Actor,
  signal: AbortSignal,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> =>
  transactionAs(db, actor, async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const { pid } = rows[0]!;
    const ended = new AbortController();
    let cancelling: Promise<void> | undefined;
    const cancel = () => {
      cancelling ??= cancelUntil(db, pid, ended.signal);
    };
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
    try {
      return await work(trx);
    } finally {
      signal.removeEventListener('abort', cancel);
      ended.abort();
      // The connection is given back afterwards, so that no later transaction is cancelled.
      await cancelling;
    }
  });

async function cancelUntil(db: Database, pid: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    // If the database cannot be reached, the statement fails by itself.
    await sql`select pg_cancel_backend(${pid})`.execute(db).catch(() => undefined);
    await delay(repeatMs, undefined, { signal: ended }).catch(() => undefined);
  }
}
