import type { Transaction } from '../platform/database/database.ts';

export const findUser = (trx: Transaction, id: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'inserted_at'])
    .where('id', '=', id)
    .executeTakeFirst();
