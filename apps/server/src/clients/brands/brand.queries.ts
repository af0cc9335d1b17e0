import { sql } from 'kysely';
import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import type { TrackingPolicy } from '@reachout/contract/statuses.ts';
import type { FigureColumn } from '@reachout/contract/rules/figure-columns.ts';
import { noteChanges, notingUpdates, notingVisibility } from '../outbox/note-changes.ts';
import { onFigurePage, type FigureScope } from '../figures/figures-sql.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import { countRows, type Paging } from '../../platform/database/list-page.ts';
import { restoreRow, softDeleteRow, updateRow } from '../../platform/database/restorable.ts';
import type { BrandRow } from './brand.ts';

interface BrandList extends Paging {
  client_id?: string | undefined;
  search?: string | undefined;
  order: `${'name' | 'created_at' | 'updated_at' | FigureColumn}.${'asc' | 'desc'}`;
}

const columns = [
  'id',
  'organization_id',
  'client_id',
  'name',
  'logo_url',
  'dark_logo_url',
  'color',
  'from_name',
  'from_email',
  'reply_to',
  'postal_address',
  'imprint',
  'imprint_url',
  'time_zone',
  'quiet_hours_start',
  'quiet_hours_end',
  'tracking_policy',
  'error_content',
  'client_name',
  'created_at',
  'updated_at',
] as const;

export async function listBrands(
  trx: Transaction,
  { client_id, search, ...page }: BrandList,
  scope: FigureScope = 'all',
) {
  const matching = trx
    .selectFrom('brand_overviews')
    .$if(client_id !== undefined, (query) => query.where('client_id', '=', client_id ?? null))
    .$if(search !== undefined, (query) => query.where('name', 'ilike', containsPattern(search ?? '')));
  const rows = await matching
    .select(columns)
    .$call(onFigurePage('brand', page, scope))
    .execute();
  return { rows, count: await countRows(matching) };
}

/** @throws 404, also if the brand or its client is deleted */
export const getBrand = (trx: Transaction, id: string): Promise<BrandRow> =>
  trx
    .selectFrom('brand_overviews')
    .select(columns)
    .where('id', '=', id)
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

/** @returns false if there is no such client, or it is deleted */
export async function insertBrand(
  trx: Transaction,
  row: { id: string; client_id: string; name: string; color: BrandColor; tracking_policy: TrackingPolicy },
): Promise<boolean> {
  const { numAffectedRows } = await prepared(sql`
    insert into brands (id, organization_id, client_id, name, color, tracking_policy)
    select ${row.id}::uuid, organization_id, id, ${row.name}, ${row.color}, ${row.tracking_policy}
    from clients where id = ${row.client_id} and not deleted
  `).execute(trx);
  if (numAffectedRows === 0n) return false;
  await noteChanges(trx, 'reachout_brands', [row.id]);
  return true;
}

export const updateBrand = notingUpdates('reachout_brands', updateRow('brands'));
export const deleteBrand = notingVisibility('reachout_brands', softDeleteRow('brands', 'current_brands'));
export const restoreBrand = notingVisibility('reachout_brands', restoreRow('brands'));
