import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

export interface MyApiKeyRow {
  id: string;
  organization_id: string;
  organization_name: string;
  name: string;
  prefix: string;
  scopes: string[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string;
}

/** Valid keys that the acting user created, by organization. */
export async function listMyApiKeys(trx: Transaction): Promise<MyApiKeyRow[]> {
  const { rows } = await sql<MyApiKeyRow>`select * from my_api_keys()`.execute(trx);
  return rows;
}
