import { sql } from 'kysely';
import type { TrashItem } from '@reachout/contract/organizations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern, type Paging } from '../../platform/database/list-page.ts';
import { isRestorable, restorableUntil } from '../../platform/database/restorable.ts';

/**
 * Deleted records that can still be restored, the latest first. Records of a deleted parent are not listed: they are
 * restored with it.
 */
export async function listTrash(
  trx: Transaction,
  { search, page, page_size }: Paging & { search?: string | undefined },
): Promise<{ items: TrashItem[]; count: number }> {
  const trash = sql`(
    select 'client' as kind, id, id as client_id, null::uuid as brand_id, name, array[]::text[] as place, deleted_at
      from clients where deleted
    union all
    select 'brand', b.id, b.client_id, b.id, b.name, array[c.name], b.deleted_at
      from brands b
      join clients c on c.organization_id = b.organization_id and c.id = b.client_id and not c.deleted
      where b.deleted
    union all
    select 'campaign', c.id, b.client_id, b.id, c.name, array[b.client_name, b.name], c.deleted_at
      from campaigns c
      join current_brands b on b.organization_id = c.organization_id and b.id = c.brand_id
      where c.deleted
    union all
    select 'touchpoint', t.id, c.client_id, c.brand_id, t.name, array[c.client_name, c.brand_name, c.name], t.deleted_at
      from touchpoints t
      join current_campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id
      where t.deleted
  ) trash`;
  const matching = sql`${isRestorable} and ${
    search === undefined ? sql`true` : sql`name ilike ${containsPattern(search)}`
  }`;
  const { rows: items } = await sql<TrashItem>`
    select kind, id, client_id, brand_id, name, place, deleted_at, ${restorableUntil('deleted_at')} as restorable_until
    from ${trash} where ${matching}
    order by deleted_at desc, id desc
    limit ${page_size} offset ${page * page_size}
  `.execute(trx);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${trash} where ${matching}
  `.execute(trx);
  return { items, count: rows[0]?.count ?? 0 };
}
