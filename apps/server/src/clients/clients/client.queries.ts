import { sql } from 'kysely';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import { onPage, type Paging } from '../../platform/database/list-page.ts';
import { isRestorable } from '../../platform/database/restorable.ts';

interface ClientList extends Paging {
  search?: string | undefined;
  order: `${'name' | 'created_at' | 'updated_at'}.${'asc' | 'desc'}`;
}

const columns = ['id', 'organization_id', 'name', 'logo_url', 'created_at', 'updated_at'] as const;

export async function listClients(trx: Transaction, { search, ...page }: ClientList) {
  const matching = trx
    .selectFrom('clients')
    .where('deleted', '=', false)
    .$if(search !== undefined, (query) => query.where('name', 'ilike', containsPattern(search ?? '')));
  const items = await matching.select(columns).$call(onPage(page)).execute();
  const { count } = await matching
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { items, count };
}

/** @throws 404 for one that is deleted, too */
export const getClient = (trx: Transaction, id: string) =>
  trx
    .selectFrom('clients')
    .select(columns)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirstOrThrow(notFound);

export const insertClient = (trx: Transaction, row: { id: string; organization_id: string; name: string }) =>
  trx.insertInto('clients').values(row).returning(columns).executeTakeFirstOrThrow();

export async function updateClient(trx: Transaction, id: string, changes: { name: string }): Promise<void> {
  await trx
    .updateTable('clients')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .execute();
}

/**
 * @returns its name
 * @throws 404
 */
export async function deleteClient(trx: Transaction, id: string): Promise<string> {
  const { name } = await trx
    .updateTable('clients')
    .set({ deleted: true, deleted_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .returning('name')
    .executeTakeFirstOrThrow(notFound);
  return name;
}

/** Undoes `deleteClient`, for 30 days; does nothing to a client that is there. */
export async function restoreClient(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('clients')
    .set({ deleted: false, deleted_at: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', true)
    .where(isRestorable)
    .execute();
}

export async function updateLogo(trx: Transaction, id: string, logoUrl: string | null): Promise<void> {
  await trx
    .updateTable('clients')
    .set({ logo_url: logoUrl, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}
