import { sql } from 'kysely';
import type { InputOf } from '@reachout/contract/operation.ts';
import { maxCountedUses } from '@reachout/contract/rules/audience-uses.ts';
import type { Filter, filters } from '@reachout/contract/filters.ts';
import { isInScope, type FigureScope } from '../../clients/figures/figures-sql.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Row, Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { containsPattern, countRows, onPage, pageSizeOf } from '../../platform/database/list-page.ts';
import { satisfies } from '../../platform/database/satisfies.ts';
import { hasCurrentOwner, isUsableBySql } from '../../content/owners/owner.queries.ts';

const searchPageSize = 20;

const columns = [
  'id',
  'organization_id',
  'client_id',
  'brand_id',
  'name',
  'is_active',
  'collection',
  'rule',
  'field_mapping',
  'created_at',
  'updated_at',
] as const;

/** A filter without its owner's names. */
export type FilterRow = Omit<Filter, 'client' | 'brand' | 'brands'>;

/** Shared filters, and filters of clients and brands that are not deleted. */
const selectShown = (trx: Transaction) => trx.selectFrom('filters').where(hasCurrentOwner);

export async function listFilters(
  trx: Transaction,
  { client_id, brand_id, ...page }: InputOf<typeof filters.list>,
): Promise<{ items: FilterRow[]; count: number }> {
  const { search } = page;
  const matching = selectShown(trx)
    .where(isUsableBySql({ client_id, brand_id }))
    .$if(search !== undefined, (query) => query.where('name', 'ilike', containsPattern(search ?? '')));
  const items = await matching
    .select(columns)
    // A brand's own filters come first, then those of its client.
    .$if(brand_id !== undefined, (query) => query.orderBy('brand_id').orderBy('client_id'))
    .$call(onPage({ ...page, page_size: pageSizeOf(page, searchPageSize) }))
    .execute();
  return { items, count: await countRows(matching) };
}

const selectFilter = (trx: Transaction, id: string) => selectShown(trx).select(columns).where('id', '=', id);

/** @throws 404 */
export const getFilter = (trx: Transaction, id: string): Promise<FilterRow> =>
  selectFilter(trx, id).$call(prepared).executeTakeFirstOrThrow(notFound);

/** Locks the filter until the transaction ends. @throws 404 */
export const lockFilter = (trx: Transaction, id: string): Promise<FilterRow> =>
  selectFilter(trx, id).forUpdate().$call(prepared).executeTakeFirstOrThrow(notFound);

export type FilterColumns = Omit<Row<'filters'>, 'id' | 'organization_id' | 'created_at' | 'updated_at'>;

/** @returns false if the name is taken */
export async function insertFilter(
  trx: Transaction,
  row: Omit<FilterColumns, 'is_active'> & { id: string; organization_id: string; is_active?: boolean },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('filters')
    .values({ ...row, rule: JSON.stringify(row.rule), field_mapping: JSON.stringify(row.field_mapping) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** @returns false if the name is taken; the transaction can then no longer be used */
export async function updateFilter(
  trx: Transaction,
  id: string,
  { rule, field_mapping, ...plain }: Partial<Omit<FilterColumns, 'collection'>>,
): Promise<boolean> {
  const update = trx
    .updateTable('filters')
    .set({
      ...plain,
      ...(rule === undefined ? {} : { rule: JSON.stringify(rule) }),
      ...(field_mapping === undefined ? {} : { field_mapping: JSON.stringify(field_mapping) }),
      updated_at: sql`now()`,
    })
    .where('id', '=', id);
  return await satisfies('filters_name_taken', update.execute());
}

/**
 * Counts the emails that use each filter as their audience, up to `maxCountedUses`. Ignores emails that are deleted or
 * belong to a deleted record.
 */
export async function countFilterUses(
  trx: Transaction,
  organizationId: string,
  ids: readonly string[],
  scope: FigureScope,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select f.id, used.count
    from unnest(${[...ids]}::uuid[]) f (id)
    cross join lateral (
      select count(*)::int as count
      from (
        select from touchpoint_emails e
        join current_touchpoints t on t.organization_id = e.organization_id and t.id = e.touchpoint_id
        where e.organization_id = ${organizationId} and e.filter_id = f.id and ${isInScope(scope)}
        limit ${maxCountedUses}
      ) email
    ) used
  `.execute(trx);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Ignores emails that are deleted or belong to a deleted record. */
export async function isFilterUsed(trx: Transaction, id: string): Promise<boolean> {
  const user = await trx
    .selectFrom('touchpoint_emails as e')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 'e.organization_id').onRef('t.id', '=', 'e.touchpoint_id'),
    )
    .select('t.id')
    .where('e.filter_id', '=', id)
    .executeTakeFirst();
  return user !== undefined;
}

/**
 * Deletes a filter permanently.
 * @returns false while an email uses it as its audience, also outside the member's access scope; the transaction can then no
 *   longer be used
 */
export const deleteFilter = (trx: Transaction, id: string): Promise<boolean> =>
  satisfies(
    'touchpoint_emails_organization_id_filter_id_fkey',
    trx.deleteFrom('filters').where('id', '=', id).executeTakeFirst(),
  );
