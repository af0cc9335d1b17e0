import type { Transaction } from '../../platform/database/database.ts';

/** The name of the person who confirmed a send; null once the account is gone. */
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

/** Undefined before the audience snapshot was taken. */
export const findFirstDelivery = (trx: Transaction, sendId: string): Promise<FirstDelivery | undefined> =>
  trx
    .selectFrom('deliveries')
    .where('send_id', '=', sendId)
    .where('seq', '=', 1)
    .select(['address', 'variables'])
    .$castTo<FirstDelivery>()
    .executeTakeFirst();
