import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import { ignoringCase, type Paging } from '../../platform/database/list-page.ts';
import type { BrandOfClientRow, ClientNameRow } from './brand.ts';

/**
 * A page of the clients whose own name, or that of a brand, matches. Pages and count are of clients: a client is never
 * torn apart by a page break, and stays visible when only a brand matches.
 */
export async function listClientsOfSearch(
  trx: Transaction,
  {
    client_id,
    search,
    page,
    page_size,
  }: Paging & { client_id?: string | undefined; search?: string | undefined },
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
  const clients = await matching
    .select(['client_id', 'client_name', 'client_logo_url'])
    .$castTo<ClientNameRow>()
    .groupBy(['client_id', 'client_name', 'client_logo_url'])
    .orderBy(ignoringCase('client_name'))
    .orderBy('client_id')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  const { count } = await matching
    .select((eb) => eb.fn.count<number>('client_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return { clients, count };
}

/** All brands of these clients, by name. */
export const listBrandsOfClients = (trx: Transaction, clientIds: string[]): Promise<BrandOfClientRow[]> =>
  trx
    .selectFrom('clients_brands')
    .select(['client_id', 'brand_id', 'brand_name', 'brand_logo_url', 'brand_dark_logo_url', 'brand_color'])
    .where('client_id', 'in', clientIds)
    .where('brand_id', 'is not', null)
    .$castTo<BrandOfClientRow>()
    .orderBy(ignoringCase('brand_name'))
    .orderBy('brand_id')
    .execute();
