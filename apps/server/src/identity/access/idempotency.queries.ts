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
