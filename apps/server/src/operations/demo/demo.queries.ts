import { setTimeout as delay } from 'node:timers/promises';
import { execute, rowsOf, type Database, type Transaction } from '../../platform/database/database.ts';

/** Whether the installation has any user account. */
export const hasUsers = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

export const hasUser = async (db: Database, email: string): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined;

/** @returns the id of the only user, if this is the address */
export async function findOnlyUser(db: Database, email: string): Promise<string | undefined> {
  const [user, ...others] = await db.selectFrom('users').select(['id', 'email']).limit(2).execute();
  return others.length === 0 && user?.email === email ? user.id : undefined;
}

/** Whether the transaction's user is a member of any organization. */
export const hasOrganization = async (trx: Transaction): Promise<boolean> =>
  (await rowsOf(trx)`select from my_organizations()`).length > 0;

/** Keep-alive interval; PostgreSQL ends a transaction that is idle for 10 s. */
const signOfLifeMs = 2_000;

/** Waits within a transaction for work outside the database, which may take long on a busy machine. */
export async function waitWithin<T>(trx: Transaction, work: Promise<T>): Promise<T> {
  const ended = work.then((value) => ({ value }));
  for (;;) {
    const result = await Promise.race([ended, delay(signOfLifeMs, undefined, { ref: false })]);
    if (result !== undefined) return result.value;
    await execute(trx)`select`;
  }
}
