import type { Transaction } from '../../platform/database/database.ts';

interface KeyRow {
  user_id: string;
  route: string;
  key: string;
}

/** @returns false when the key is there already */
export async function insertKey(trx: Transaction, row: KeyRow & { request_hash: string }): Promise<boolean> {
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
    .select(['request_hash', 'answer'])
    .where('user_id', '=', row.user_id)
    .where('route', '=', row.route)
    .where('key', '=', row.key)
    .executeTakeFirst();

export async function updateResponse(trx: Transaction, row: KeyRow, response: unknown): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(response ?? null) })
    .where('user_id', '=', row.user_id)
    .where('route', '=', row.route)
    .where('key', '=', row.key)
    .execute();
}
