import { sql } from 'kysely';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import { onPage, type Paging } from '../../platform/database/list-page.ts';
import { isRestorable } from '../../platform/database/restorable.ts';
import type { BrandRow } from './brand.ts';

interface BrandList extends Paging {
  client_id?: string | undefined;
  search?: string | undefined;
  order: `${'name' | 'created_at' | 'updated_at'}.${'asc' | 'desc'}`;
}

const columns = [
  'id',
  'organization_id',
  'client_id',
  'name',
  'logo_url',
  'error_content',
  'client_name',
  'created_at',
  'updated_at',
] as const;

export async function listBrands(trx: Transaction, { client_id, search, ...page }: BrandList) {
  const matching = trx
    .selectFrom('current_brands')
    .$if(client_id !== undefined, (query) => query.where('client_id', '=', client_id ?? null))
    .$if(search !== undefined, (query) => query.where('name', 'ilike', containsPattern(search ?? '')));
  const rows = await matching.select(columns).$castTo<BrandRow>().$call(onPage(page)).execute();
  const { count } = await matching
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { rows, count };
}

/** @throws 404 for one that is deleted or whose client is, too */
export const getBrand = (trx: Transaction, id: string): Promise<BrandRow> =>
  trx
    .selectFrom('current_brands')
    .select(columns)
    .where('id', '=', id)
    .$castTo<BrandRow>()
    .executeTakeFirstOrThrow(notFound);

/** @returns false when there is no such client, or it is deleted */
export async function insertBrand(
  trx: Transaction,
  row: { id: string; client_id: string; name: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('brands')
    .columns(['id', 'organization_id', 'client_id', 'name'])
    .expression((eb) =>
      eb
        .selectFrom('clients')
        .select([
          sql<string>`${row.id}::uuid`.as('id'),
          'organization_id',
          'id as client_id',
          sql<string>`${row.name}::text`.as('name'),
        ])
        .where('id', '=', row.client_id)
        .where('deleted', '=', false),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateBrand(trx: Transaction, id: string, changes: { name: string }): Promise<void> {
  await trx
    .updateTable('brands')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .execute();
}

/**
 * @returns its name
 * @throws 404
 */
export async function deleteBrand(trx: Transaction, id: string): Promise<string> {
  const { name } = await trx
    .updateTable('brands')
    .set({ deleted: true, deleted_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .where((eb) => eb.exists(eb.selectFrom('current_brands').select('id').where('id', '=', id)))
    .returning('name')
    .executeTakeFirstOrThrow(notFound);
  return name;
}

/** Undoes `deleteBrand`, for 30 days; does nothing to a brand that is there. */
export async function restoreBrand(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('brands')
    .set({ deleted: false, deleted_at: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', true)
    .where(isRestorable)
    .execute();
}

export async function updateLogo(trx: Transaction, id: string, logoUrl: string | null): Promise<void> {
  await trx
    .updateTable('brands')
    .set({ logo_url: logoUrl, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}
