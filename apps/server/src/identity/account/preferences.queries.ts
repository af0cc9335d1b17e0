import type { Preferences } from '@reachout/contract/me.ts';
import { invalidUser } from '@reachout/contract/operation.ts';
import { notSignedIn } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';

export async function getPreferences(trx: Transaction, userId: string): Promise<Preferences> {
  const { preferences } = await trx
    .selectFrom('users')
    .select('preferences')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow(() => notSignedIn(invalidUser.not_signed_in.message));
  return preferences;
}
