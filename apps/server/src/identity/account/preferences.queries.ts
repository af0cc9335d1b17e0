import { sql } from 'kysely';
import type { Preferences } from '@reachout/contract/me.ts';
import { notSignedIn } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';

export async function getPreferences(trx: Transaction, userId: string): Promise<Preferences> {
  const { preferences } = await trx
    .selectFrom('users')
    .select('preferences')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow(notSignedIn);
  return preferences as Preferences;
}

/**
 * One statement: of two changes at the same time, each keeps what the other set.
 * @param removed  keys that are taken away
 */
export async function mergePreferences(
  trx: Transaction,
  userId: string,
  { set, removed }: { set: Preferences; removed: string[] },
): Promise<Preferences> {
  const { preferences } = await trx
    .updateTable('users')
    .set({ preferences: sql`(preferences || ${JSON.stringify(set)}::jsonb) - ${removed}::text[]` })
    .where('id', '=', userId)
    .returning('preferences')
    .executeTakeFirstOrThrow(notSignedIn);
  return preferences as Preferences;
}

export async function replacePreferences(
  trx: Transaction,
  userId: string,
  preferences: Preferences,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ preferences: JSON.stringify(preferences) })
    .where('id', '=', userId)
    .execute();
}
