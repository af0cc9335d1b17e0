import { sql, type NotNull } from 'kysely';
import type { brands } from '@reachout/contract/clients.ts';
import type { InputOf } from '@reachout/contract/operation.ts';
import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import type { TrackingPolicy } from '@reachout/contract/statuses.ts';
import type { FigureColumn } from '@reachout/contract/rules/figure-columns.ts';
import { noteChanges, notingUpdates, notingVisibility } from '../outbox/note-changes.ts';
import {
  onFigurePage,
  figureValue,
  isFigureColumn,
  withFigure,
  type FigureScope,
} from '../figures/figures-sql.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import {
  containsPattern,
  countRows,
  ignoringCase,
  splitOrder,
  type Paging,
} from '../../platform/database/list-page.ts';
import { restoreRow, softDeleteRow, updateRow } from '../../platform/database/restorable.ts';
import type { BrandRow, BrandOfClientRow, ClientNameRow } from './brand.ts';

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
  { client_id, search, ...page }: InputOf<typeof brands.list>,
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

interface ClientSearch extends Paging {
  client_id?: string | undefined;
  search?: string | undefined;
  order: ClientOrder;
}

type ClientOrder = `${'client_name' | FigureColumn}.${'asc' | 'desc'}`;

/**
 * A page of the clients that match by their own name or that of a brand. Pages and count are by client: a page break
 * never splits a client, and a client stays visible if only a brand matches.
 */
export async function listClientsOfSearch(
  trx: Transaction,
  { client_id, search, order, page, page_size }: ClientSearch,
  scope: FigureScope,
): Promise<{ clients: ClientNameRow[]; count: number }> {
  const matching = trx
    .selectFrom('clients_brands')
    .$if(client_id !== undefined, (query) => query.where('client_id', '=', client_id ?? null))
    .$if(search !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('client_name', 'ilike', containsPattern(search ?? '')),
          eb('brand_name', 'ilike', containsPattern(search ?? '')),
        ]),
      ),
    );
  const { column, direction } = splitOrder(order);
  const selected = matching
    .select(['client_id', 'client_name', 'client_logo_url'])
    .groupBy(['client_id', 'client_name', 'client_logo_url']);
  const ordered = isFigureColumn(column)
    ? selected
        .$call(withFigure('client', column, scope, 'client_id'))
        .orderBy(sql`max(${figureValue})`, direction)
    : selected.orderBy(ignoringCase('client_name'), direction);
  const clients = await ordered
    .orderBy('client_id')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  const { count } = await matching
    .select((eb) => eb.fn.count<number>('client_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return { clients, count };
}

/** All brands of these clients, sorted by the same figure, or by name. */
export async function listBrandsOfClients(
  trx: Transaction,
  clientIds: string[],
  order: ClientOrder,
  scope: FigureScope,
): Promise<BrandOfClientRow[]> {
  const { column, direction } = splitOrder(order);
  const selected = trx
    .selectFrom('clients_brands')
    .select(['client_id', 'brand_id', 'brand_name', 'brand_logo_url', 'brand_dark_logo_url', 'brand_color'])
    .where('client_id', 'in', clientIds)
    .where('brand_id', 'is not', null)
    .$narrowType<{ brand_id: NotNull; brand_name: NotNull; brand_color: NotNull }>();
  const ordered = isFigureColumn(column)
    ? selected
        .$call(withFigure('brand', column, scope, 'brand_id', { level: 'client', ids: clientIds }))
        .orderBy(figureValue, direction)
    : selected;
  return await ordered.orderBy(ignoringCase('brand_name')).orderBy('brand_id').execute();
}
