import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { Preferences } from '@reachout/contract/me.ts';
import type { OperatedUser } from '@reachout/contract/operator.ts';
import type { UserStatus } from '@reachout/contract/statuses.ts';
import { containsPattern, countRows, type Paging } from '../../../platform/database/list-page.ts';
import { notFound, notSignedIn } from '../../../platform/http/api-error.ts';
import type { Transaction, Row } from '../../../platform/database/database.ts';
import { updateRow } from '../../../platform/database/restorable.ts';

export const updateUser = updateRow('users');

/**
 * @returns false if the user is not active, or the address belongs to another account by now; in the latter case the
 *   transaction is aborted
 */
export async function updateEmail(trx: Transaction, userId: string, email: string): Promise<boolean> {
  try {
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ email, updated_at: sql<string>`now()` })
      .where('id', '=', userId)
      .where('status', '=', 'active')
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  } catch (error) {
    // Only the index detects an account that is created concurrently.
    if (error instanceof DatabaseError && error.constraint === 'users_email_key') return false;
    throw error;
  }
}

const selectAvatar = (trx: Transaction, userId: string) =>
  trx.selectFrom('users').select('avatar_url').where('id', '=', userId);

export const findAvatar = async (trx: Transaction, userId: string): Promise<string | null> =>
  (await selectAvatar(trx, userId).executeTakeFirst())?.avatar_url ?? null;

/** Like `findAvatar`, for the acting user; locks the row until the transaction ends. */
export const lockAvatar = async (trx: Transaction, userId: string): Promise<string | null> =>
  (await selectAvatar(trx, userId).forNoKeyUpdate().executeTakeFirst())?.avatar_url ?? null;

/**
 * Merges in one statement, so that concurrent changes keep each other's values.
 * @param removed  keys to remove
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
    .executeTakeFirstOrThrow(() => notSignedIn());
  return preferences;
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

/** Deletes a user with all sessions, sign-in methods, addresses, links, memberships and API keys. */
export async function deleteUser(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute();
}

/** Locks a user until the transaction ends. @throws 404 if the account does not exist */
export const lockUserStatus = (trx: Transaction, id: string) =>
  trx
    .selectFrom('users')
    .select(['full_name', 'email', 'status', 'status_reason'])
    .select(sql<string | null>`preferences ->> 'language'`.as('language'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound);

/** Lists users of the installation, newest first. */
export async function listUsers(
  trx: Transaction,
  {
    search,
    status,
    page,
    page_size,
  }: Paging & { search?: string | undefined; status?: UserStatus | undefined },
): Promise<{ items: OperatedUser[]; count: number }> {
  let found = trx.selectFrom('users');
  if (status !== undefined) found = found.where('status', '=', status);
  if (search !== undefined)
    found = found.where(sql<boolean>`strpos(lower(concat_ws(' ', full_name, email)), lower(${search})) > 0`);
  const items = await found
    .select(['id', 'full_name', 'email', 'status', 'status_reason', 'inserted_at as created_at'])
    .orderBy('inserted_at', 'desc')
    .orderBy('id')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(found) };
}

type Person = Row<'users', 'id' | 'email'>;

const ofPerson = ({ id, email }: Person) => sql<boolean>`(email = ${email} or user_id = ${id})`;

/** Ids of codes and links that were emailed to the user, or are about the account. */
export async function listTokenIdsOf(trx: Transaction, person: Person): Promise<string[]> {
  const tokens = await trx.selectFrom('one_time_tokens').select('id').where(ofPerson(person)).execute();
  return tokens.map(({ id }) => id);
}

export async function deleteTokensOf(trx: Transaction, person: Person): Promise<void> {
  await trx.deleteFrom('one_time_tokens').where(ofPerson(person)).execute();
}

export async function deleteVerificationsOf(trx: Transaction, { id, email }: Person): Promise<void> {
  await trx
    .deleteFrom('verifications')
    .where((eb) =>
      eb.or([
        eb('identifier', '=', email),
        eb('value', 'like', containsPattern(email)),
        eb('value', '=', id),
      ]),
    )
    .execute();
}
