import { sql } from 'kysely';
import { firstRowOf, type Transaction } from '../../platform/database/database.ts';

/** Finds who confirmed a send, null once the account is deleted, and how many recipients were counted then. */
export const findConfirmation = (trx: Transaction, sendId: string) =>
  trx
    .selectFrom('touchpoint_sends as s')
    .leftJoin('users as u', 'u.id', 's.user_created')
    .where('s.id', '=', sendId)
    .select(['u.full_name as started_by', 's.recipients_confirmed_count as recipients_confirmed'])
    .executeTakeFirstOrThrow();

interface FoundDelivery {
  to: string;
  variables: Record<string, unknown>;
}

/** Finds the first delivery with the state `sent`; undefined while there is none. */
export const findFirstSent = (trx: Transaction, sendId: string): Promise<FoundDelivery | undefined> =>
  findDelivery(
    trx,
    sendId,
    sql`
      select seq from delivery_results
      where organization_id = current_organization_id() and send_id = ${sendId}::uuid and state = 'sent'
      order by seq limit 1`,
  );

/** Finds the first delivery without a result; undefined before the audience snapshot, and if all have one. */
export const findNextDelivery = (trx: Transaction, sendId: string): Promise<FoundDelivery | undefined> =>
  findDelivery(
    trx,
    sendId,
    sql`
      select d.seq from deliveries d
      where d.organization_id = current_organization_id() and d.send_id = ${sendId}::uuid and not exists (
        select from delivery_results r
        where r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq)
      order by d.seq limit 1`,
  );

const findDelivery = (
  trx: Transaction,
  sendId: string,
  seq: ReturnType<typeof sql>,
) => firstRowOf<FoundDelivery>(trx)`
  select address as "to", variables from deliveries
  where organization_id = current_organization_id() and send_id = ${sendId}::uuid and seq = (${seq})
`;
