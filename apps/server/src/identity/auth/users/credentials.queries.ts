import { sql } from 'kysely';
import type { RowOf, Transaction } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

/** A user with the data that the sign-in rules need. */
export type Credentials = RowOf<typeof selectCredentials>;

const selectCredentials = (trx: Transaction) =>
  trx
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.user_id', '=', 'users.id').on('accounts.provider_id', '=', 'credential'),
    )
    .select([
      'users.id',
      'users.email',
      'users.full_name',
      'users.status',
      // The hash; null for users who only sign in through a provider or by code.
      'accounts.password',
      // Set by the user; overrides the language of the browser.
      sql<string | null>`users.preferences ->> 'language'`.as('language'),
    ]);

/** @param email  in lower case */
export const findCredentialsByEmail = (trx: Transaction, email: string): Promise<Credentials | undefined> =>
  selectCredentials(trx).where('users.email', '=', email).executeTakeFirst();

export const findCredentials = (trx: Transaction, userId: string): Promise<Credentials | undefined> =>
  selectCredentials(trx).where('users.id', '=', userId).executeTakeFirst();

/**
 * Locks an account until the transaction ends: it cannot be deleted, and other transactions that lock it to count its
 * records wait.
 * @returns false if the account no longer exists
 */
export async function lockUser(trx: Transaction, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Inserts a user whose address is proven.
 * @returns the id; undefined if the address has an account already
 */
export async function insertUser(
  trx: Transaction,
  user: { email: string; full_name: string; language: string | undefined; password: string },
): Promise<string | undefined> {
  const id = newId();
  const { email, full_name, language, password } = user;
  const row = await trx
    .insertInto('users')
    .values({
      id,
      email,
      full_name,
      email_verified: true,
      preferences: JSON.stringify(language === undefined ? {} : { language }),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await upsertPassword(trx, id, password);
  return id;
}

/** @param password  the hash */
export async function upsertPassword(trx: Transaction, userId: string, password: string): Promise<void> {
  await trx
    .insertInto('accounts')
    // Better Auth finds a password by `account_id` and `provider_id`.
    .values({ id: newId(), user_id: userId, account_id: userId, provider_id: 'credential', password })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'account_id'])
        .doUpdateSet({ password, updated_at: sql<string>`now()` }),
    )
    .execute();
}

/** Replaces the hash of the same password, unless the password was changed meanwhile. */
export async function renewPasswordHash(
  trx: Transaction,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ password: to, updated_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('password', '=', from)
    .execute();
}
