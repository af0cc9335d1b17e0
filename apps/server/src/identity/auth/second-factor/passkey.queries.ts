import { sql } from 'kysely';
import { notFound } from '../../../platform/http/api-error.ts';
import type { NewRow, Transaction } from '../../../platform/database/database.ts';

// All queries are for the acting user: row-level security hides other rows.

export const listPasskeys = (trx: Transaction, userId: string) =>
  trx
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** @throws 404 */
export const getPasskey = (trx: Transaction, userId: string, id: string) =>
  trx
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound);

export const findPasskeyByCredential = (trx: Transaction, userId: string, credentialId: string) =>
  trx
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'public_key', 'counter'])
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();

export const listCredentials = (trx: Transaction, userId: string) =>
  trx
    .selectFrom('passkeys')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .execute();

/** @returns false if the credential exists already */
export async function insertPasskey(trx: Transaction, row: NewRow<'passkeys'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function renamePasskey(
  trx: Transaction,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await trx
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

export async function recordPasskeyUse(trx: Transaction, id: string, counter: number): Promise<void> {
  await trx
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deletePasskey(trx: Transaction, userId: string, id: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).execute();
}
