import type { User } from '@reachout/contract/me.ts';
import { notSignedIn } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** @throws 401 for somebody who was removed since the session was looked up */
export const getUser = (trx: Transaction, id: string): Promise<User> =>
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
    .$castTo<User>()
    .executeTakeFirstOrThrow(notSignedIn);
