import { sql } from 'kysely';
import type { SuppressionReason } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface PastSuppression {
  id: string;
  /** Null for all brands. */
  brand_id: string | null;
  address_key: string;
  reason: SuppressionReason;
  send_id: string;
  seq: number;
  created_at: Date;
}

export async function insertPastSuppressions(
  trx: Transaction,
  organizationId: string,
  suppressions: readonly PastSuppression[],
): Promise<void> {
  await sql`
    insert into suppressions (organization_id, id, brand_id, address_key, reason, send_id, seq, created_at)
    select ${organizationId}::uuid, id, brand_id, address_key, reason, send_id, seq, created_at
    from json_to_recordset(${JSON.stringify(suppressions)}::json) as s(id uuid, brand_id uuid, address_key text, reason text,
      send_id uuid, seq int, created_at timestamptz)
    on conflict do nothing
  `.execute(trx);
}
