import { sql } from 'kysely';
import type { Row, Transaction } from '../../platform/database/database.ts';

type KeyRow = Row<'idempotency_keys', 'user_id' | 'route' | 'key'>;

/** @returns false if the key exists already */
export async function insertKey(
  trx: Transaction,
  row: KeyRow & { request_hash: string; counted_for: string | null },
): Promise<boolean> {
  const result = await trx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'route', 'key']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export const selectResponse = (trx: Transaction, row: KeyRow) =>
  trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'response'])
    .where('user_id', '=', row.user_id)
    .where('route', '=', row.route)
    .where('key', '=', row.key)
    .executeTakeFirst();

export async function updateResponse(trx: Transaction, row: KeyRow, response: unknown): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ response: JSON.stringify(response ?? null) })
    .where('user_id', '=', row.user_id)
    .where('route', '=', row.route)
    .where('key', '=', row.key)
    .execute();
}

export async function deleteKeysOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute();
}

/** Deletes expired keys of all users through a database function; the server's own role has no permission to. */
export async function deleteExpiredKeys(trx: Transaction, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select delete_old_responses(${limit}) as count`.execute(trx);
  return rows[0]?.count ?? 0;
}
