import { ownContentScope } from '@reachout/contract/abilities.ts';
import type { MyApiKey } from '@reachout/contract/me.ts';
import { sql } from 'kysely';
import { notFound } from '../../platform/http/api-error.ts';
import { type Transaction, firstRowOf, type Row, rowsOf } from '../../platform/database/database.ts';
import { countRows, type Paging } from '../../platform/database/list-page.ts';

const selectKeys = (trx: Transaction) =>
  trx
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select([
      'k.id',
      'k.name',
      'k.prefix',
      'k.scopes',
      'k.created_at',
      'k.last_used_at',
      'k.expires_at',
      'k.revoked_at',
      sql<{ id: string; full_name: string }>`jsonb_build_object('id', u.id, 'full_name', u.full_name)`.as(
        'created_by',
      ),
    ]);

/** Lists keys, latest first, including revoked and expired ones. */
export async function listApiKeys(trx: Transaction, { page, page_size }: Paging) {
  const items = await selectKeys(trx)
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(trx.selectFrom('api_keys')) };
}

const selectWorking = (trx: Transaction) =>
  trx
    .selectFrom('api_keys')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`);

const isContentToken = sql<boolean>`scopes = ${[ownContentScope]}::text[]`;

/** Keys of the organization that are neither revoked nor expired, without the content tokens of members. */
export const countWorkingKeys = (trx: Transaction): Promise<number> =>
  countRows(selectWorking(trx).where(sql<boolean>`not ${isContentToken}`));

/** Content tokens of a member that are neither revoked nor expired. */
export const countContentTokens = (trx: Transaction, userId: string): Promise<number> =>
  countRows(selectWorking(trx).where('user_id', '=', userId).where(isContentToken));

/** @throws 404 */
export const getApiKey = (trx: Transaction, id: string) =>
  selectKeys(trx).where('k.id', '=', id).executeTakeFirstOrThrow(notFound);

export async function insertApiKey(
  trx: Transaction,
  {
    days,
    ...row
  }: {
    id: string;
    organization_id: string;
    name: string;
    prefix: string;
    key_hash: string;
    scopes: string[];
    user_id: string;
    days: number;
  },
): Promise<void> {
  await trx
    .insertInto('api_keys')
    .values({ ...row, expires_at: sql`now() + make_interval(days => ${days}::int)` })
    .execute();
}

/** Revokes one key, or all keys that a member created. A second call changes nothing. */
export async function revokeKeys(trx: Transaction, column: 'id' | 'user_id', value: string): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where(column, '=', value)
    .where('revoked_at', 'is', null)
    .execute();
}

type ApiKeyRow = Row<'api_keys', 'id' | 'organization_id' | 'user_id' | 'scopes' | 'last_used_at'>;

/** The key with one of these hashes, unless it was revoked, has expired, or its owner is suspended. */
export const findApiKeyByHash = (trx: Transaction, hashes: string[]) =>
  firstRowOf<ApiKeyRow>(trx)`select * from api_key_by_hash(${hashes})`;

/** Updates a key in the organization of the transaction. */
export async function updateLastUsed(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export type MyApiKeyRow = Omit<MyApiKey, 'organization'> & {
  organization_id: string;
  organization_name: string;
};

/** Valid keys that the acting user created, by organization. */
export const listMyApiKeys = (trx: Transaction) => rowsOf<MyApiKeyRow>(trx)`select * from my_api_keys()`;
