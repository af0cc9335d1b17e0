import { type PipelinedDatabase, statement } from '../platform/database/pipelined.ts';
import { ofSend, suppressedRecipients, type SendKey } from './send-statements.ts';

/** @returns the addresses of these messages that are suppressed now, in lower case */
export async function listSuppressed(
  db: PipelinedDatabase,
  { organizationId, sendId }: SendKey,
  seqs: number[],
): Promise<string[]> {
  const values = [organizationId, sendId, seqs];
  const [rows] = (await db.transaction(organizationId, [{ ...listSuppressedStatement, values }])) as [
    { addresses: string[] | null }[],
  ];
  return rows[0]?.addresses ?? [];
}

const listSuppressedStatement = statement('list_suppressed')`
  with recipient as materialized (
    select seq, lower(address) as address_key from deliveries where ${ofSend} and seq = any($3::int[])
  ), ${suppressedRecipients}
  select json_agg(address_key) as addresses from suppressed`;
