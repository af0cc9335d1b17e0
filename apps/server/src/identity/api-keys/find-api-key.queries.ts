import { sql } from 'kysely';
import type { Row, Transaction } from '../../platform/database/database.ts';

export type ApiKeyRow = Row<'api_keys', 'id' | 'organization_id' | 'user_id' | 'scopes' | 'last_used_at'>;

/** The key with one of these hashes, unless it was revoked, has expired, or its owner is suspended. */
export async function findApiKeyByHash(trx: Transaction, hashes: string[]): Promise<ApiKeyRow | undefined> {
  const { rows } = await sql<ApiKeyRow>`select * from api_key_by_hash(${hashes})`.execute(trx);
  return rows[0];
}

/** Updates a key in the organization of the transaction. */
export async function updateLastUsed(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}
