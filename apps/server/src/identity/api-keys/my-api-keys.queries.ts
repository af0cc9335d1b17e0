import type { MyApiKey } from '@reachout/contract/me.ts';
import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

export type MyApiKeyRow = Omit<MyApiKey, 'organization'> & {
  organization_id: string;
  organization_name: string;
};

/** Valid keys that the acting user created, by organization. */
export async function listMyApiKeys(trx: Transaction): Promise<MyApiKeyRow[]> {
  const { rows } = await sql<MyApiKeyRow>`select * from my_api_keys()`.execute(trx);
  return rows;
}
