import { sql } from 'kysely';
import type { Share } from '@reachout/contract/content-shares.ts';
import type { Row, Transaction } from '../../platform/database/database.ts';
import { countRows, type Paging } from '../../platform/database/list-page.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { SystemRows } from '../built-in/system-rows.queries.ts';

const columns = [
  'id',
  'name',
  'collection',
  'item_id',
  'role',
  'password_hash',
  'date_start',
  'date_end',
  'max_uses',
  'times_used',
  'user_created',
] as const;
export type ShareRow = Row<'content_shares', (typeof columns)[number]>;

export const findShare = (trx: Transaction, organizationId: string, id: string) =>
  trx
    .selectFrom('content_shares')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A share as members see it. */
export type ListedShare = Omit<Share, 'url'>;

const selectListed = (trx: Transaction, organizationId: string) =>
  trx
    .selectFrom('content_shares as s')
    .select([
      's.id',
      's.name',
      's.collection',
      's.item_id as item',
      's.role',
      sql<boolean>`s.password_hash is not null`.as('has_password'),
      's.date_start',
      's.date_end',
      's.max_uses',
      's.times_used',
      's.date_created',
      sql<ListedShare['by']>`
        case when full_name_of(s.user_created) is not null
          then jsonb_build_object('id', s.user_created, 'full_name', full_name_of(s.user_created)) end
      `.as('by'),
    ])
    .where('s.organization_id', '=', organizationId);

/** Lists shares, the latest first. */
export async function listShares(
  trx: Transaction,
  organizationId: string,
  {
    collection,
    item,
    page,
    page_size,
  }: Paging & { collection?: string | undefined; item?: string | undefined },
): Promise<{ items: ListedShare[]; count: number }> {
  const matching = selectListed(trx, organizationId)
    .$if(collection !== undefined, (query) => query.where('s.collection', '=', collection ?? ''))
    .$if(item !== undefined, (query) => query.where('s.item_id', '=', item ?? ''));
  const items = await matching
    // The ids grow with time.
    .orderBy('s.id', 'desc')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(matching) };
}

/** @throws 404 */
export const getShare = (trx: Transaction, organizationId: string, id: string): Promise<ListedShare> =>
  selectListed(trx, organizationId).where('s.id', '=', id).executeTakeFirstOrThrow(notFound);

/** Counts one use, up to `max_uses`. @returns false when all uses are spent, or the share is deleted */
export async function useShare(trx: Transaction, organizationId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('content_shares')
    .set({ times_used: sql<number>`times_used + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('max_uses', 'is', null), eb('times_used', '<', eb.ref('max_uses'))]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertShare(
  trx: Transaction,
  organization_id: string,
  share: Omit<ShareRow, 'times_used'>,
): Promise<void> {
  await trx
    .insertInto('content_shares')
    .values({ organization_id, ...share })
    .execute();
}

/** Deletes shares that ended more than 30 days ago. */
export async function deleteExpiredShares(trx: Transaction, organizationId: string): Promise<void> {
  await trx
    .deleteFrom('content_shares')
    .where('organization_id', '=', organizationId)
    .where('date_end', '<', sql<string>`now() - interval '30 days'`)
    .execute();
}

export const countShares = (trx: Transaction, organizationId: string): Promise<number> =>
  countRows(trx.selectFrom('content_shares').where('organization_id', '=', organizationId));

/** @returns what was deleted */
export const deleteShare = (trx: Transaction, organizationId: string, id: string) =>
  trx
    .deleteFrom('content_shares')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirst();

/** Shares in the form that Directus returns, with the password masked. */
export const shareRows = (organizationId: string): SystemRows => ({
  fields: [
    { name: 'name', type: 'string' },
    { name: 'collection', type: 'string' },
    { name: 'item', type: 'string' },
    { name: 'role', type: 'string' },
    { name: 'password', type: 'string' },
    { name: 'user_created', type: 'uuid' },
    { name: 'date_created', type: 'timestamp' },
    { name: 'date_start', type: 'timestamp' },
    { name: 'date_end', type: 'timestamp' },
    { name: 'times_used', type: 'integer' },
    { name: 'max_uses', type: 'integer' },
  ],
  rows: sql`
    select s.id::text as id, s.user_created, s.date_created, s.date_created as date_updated,
      jsonb_build_object('name', s.name, 'collection', s.collection, 'item', s.item_id, 'role', s.role,
        'password', case when s.password_hash is not null then '**********' end,
        'user_created', s.user_created, 'date_created', ${stamp(sql`s.date_created`)},
        'date_start', ${stamp(sql`s.date_start`)}, 'date_end', ${stamp(sql`s.date_end`)},
        'times_used', s.times_used, 'max_uses', s.max_uses) as data
    from content_shares s
    where s.organization_id = ${organizationId}`,
});

/** Formats a timestamp as in items. */
const stamp = (column: ReturnType<typeof sql>): ReturnType<typeof sql> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
