import { sql } from 'kysely';
import type { User, Preferences } from '@reachout/contract/me.ts';
import { invalidUser } from '@reachout/contract/operation.ts';
import { notSignedIn } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** A user without `is_operator`, which comes from a setting. */
type StoredUser = Omit<User, 'is_operator'>;

/** @throws 401 if the user was removed after the session look-up */
export const getUser = (trx: Transaction, id: string): Promise<StoredUser> =>
  trx
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.email',
      'u.full_name',
      'u.company',
      'u.phone',
      'u.website',
      'u.avatar_url',
      'u.status',
      'u.inserted_at',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('accounts as a')
            .select('a.id')
            .whereRef('a.user_id', '=', 'u.id')
            .where('a.password', 'is not', null),
        )
        .$castTo<boolean>()
        .as('has_password'),
    )
    .where('u.id', '=', id)
    .executeTakeFirstOrThrow(() => notSignedIn(invalidUser.not_signed_in.message));

/** Whether the user has verified one of these addresses. @param addresses  in lower case */
export async function hasAddressOf(
  trx: Transaction,
  id: string,
  addresses: readonly string[],
): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('email_verified', '=', true)
    .where(sql`lower(email)`, '=', sql`any(${addresses}::text[])`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function getPreferences(trx: Transaction, userId: string): Promise<Preferences> {
  const { preferences } = await trx
    .selectFrom('users')
    .select('preferences')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow(() => notSignedIn(invalidUser.not_signed_in.message));
  return preferences;
}
