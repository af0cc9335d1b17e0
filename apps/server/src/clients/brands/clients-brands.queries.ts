import { sql, type NotNull } from 'kysely';
import type { FigureColumn } from '@reachout/contract/rules/figure-columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import { ignoringCase, splitOrder, type Paging } from '../../platform/database/list-page.ts';
import { figureValue, isFigureColumn, withFigure, type FigureScope } from '../figures/figures-sql.ts';
import type { BrandOfClientRow, ClientNameRow } from './brand.ts';

interface ClientSearch extends Paging {
  client_id?: string | undefined;
  search?: string | undefined;
  order: ClientOrder;
}

export type ClientOrder = `${'client_name' | FigureColumn}.${'asc' | 'desc'}`;

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
