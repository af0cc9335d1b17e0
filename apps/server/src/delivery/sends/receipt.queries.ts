import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/** Finds the name of the user who confirmed a send; null once the account is deleted. */
export async function findStarter(trx: Transaction, sendId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('touchpoint_sends as s')
    .innerJoin('users as u', 'u.id', 's.user_created')
    .where('s.id', '=', sendId)
    .select('u.full_name')
    .executeTakeFirst();
  return row?.full_name ?? null;
}

export interface FirstDelivery {
  address: string;
  variables: Record<string, unknown>;
}

/** Finds the first delivery with the state `sent`; undefined while there is none. */
export async function findFirstSent(trx: Transaction, sendId: string): Promise<FirstDelivery | undefined> {
  const { rows } = await sql<FirstDelivery>`
    select address, variables from deliveries
    where organization_id = current_organization_id() and send_id = ${sendId}::uuid and seq = (
      select seq from delivery_results
      where organization_id = current_organization_id() and send_id = ${sendId}::uuid and state = 'sent'
      order by seq limit 1)
  `.execute(trx);
  return rows[0];
}
