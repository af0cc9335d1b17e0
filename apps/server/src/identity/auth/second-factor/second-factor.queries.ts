import { sql } from 'kysely';
import type { Transaction } from '../../../platform/database/database.ts';

// All queries are for the acting user: row-level security hides other rows.

/** The factors that the user can sign in with. */
export async function findFactors(
  trx: Transaction,
  userId: string,
): Promise<{ hasTotp: boolean; passkeys: number; recoveryCodes: number }> {
  const count = (table: 'passkeys' | 'recovery_codes') =>
    trx
      .selectFrom(table)
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId);
  const [totp, passkeys, codes] = [
    await findTotp(trx, userId),
    await count('passkeys').executeTakeFirstOrThrow(),
    await count('recovery_codes').where('used_at', 'is', null).executeTakeFirstOrThrow(),
  ];
  return {
    hasTotp: totp !== undefined && totp.confirmed_at !== null,
    passkeys: passkeys.count,
    recoveryCodes: codes.count,
  };
}

export async function hasSecondFactor(trx: Transaction, userId: string): Promise<boolean> {
  const { hasTotp, passkeys } = await findFactors(trx, userId);
  return hasTotp || passkeys > 0;
}

export const findTotp = (trx: Transaction, userId: string) =>
  trx.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Stores a secret that is not a factor until it is confirmed. @returns false if there is a confirmed one */
export async function upsertUnconfirmedTotp(
  trx: Transaction,
  userId: string,
  secretSealed: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('totp_secrets')
    .values({ user_id: userId, secret_sealed: secretSealed })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret_sealed: secretSealed, created_at: sql<string>`now()` })
        .where('totp_secrets.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function confirmTotp(trx: Transaction, userId: string): Promise<void> {
  await trx
    .updateTable('totp_secrets')
    .set({ confirmed_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Uses up a code, so that an observer cannot use it again.
 * @param secretSealed  the same secret, sealed with the current key
 * @returns false if it was used before
 */
export async function redeemTotpStep(
  trx: Transaction,
  userId: string,
  { step, secretSealed }: { step: number; secretSealed: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_secrets')
    .set({ last_step: step, last_used_at: sql<string>`now()`, secret_sealed: secretSealed })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @returns false if there was none */
export async function deleteTotp(trx: Transaction, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function insertRecoveryCodes(
  trx: Transaction,
  rows: { id: string; user_id: string; code_hash: string }[],
): Promise<void> {
  await trx.insertInto('recovery_codes').values(rows).execute();
}

export async function deleteRecoveryCodes(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** @returns whether one of the codes was unused until now */
export async function redeemRecoveryCode(
  trx: Transaction,
  userId: string,
  hashes: string[],
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_codes')
    .set({ used_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
