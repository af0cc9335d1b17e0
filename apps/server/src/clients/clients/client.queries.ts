import { sql } from 'kysely';
import type { InputOf } from '@reachout/contract/operation.ts';
import type { Client, clients } from '@reachout/contract/clients.ts';
import { noteChanges, notingUpdates, notingVisibility } from '../outbox/note-changes.ts';
import { onFigurePage, type FigureScope } from '../figures/figures-sql.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { NewRow, Transaction } from '../../platform/database/database.ts';
import { containsPattern, countRows, pageSizeOf } from '../../platform/database/list-page.ts';
import { restoreRow, softDeleteRow, updateRow } from '../../platform/database/restorable.ts';

const searchPageSize = 100;

const columns = [
  'id',
  'organization_id',
  'name',
  'logo_url',
  sql<Client['client_socials']>`socials_of_client(clients.id)`.as('client_socials'),
  'created_at',
  'updated_at',
] as const;

export async function listClients(
  trx: Transaction,
  page: InputOf<typeof clients.list>,
  scope: FigureScope = 'all',
) {
  const { search } = page;
  const matching = trx
    .selectFrom('clients')
    .where('deleted', '=', false)
    .$if(search !== undefined, (query) => query.where('name', 'ilike', containsPattern(search ?? '')));
  const items = await matching
    .select(columns)
    .$call(onFigurePage('client', { ...page, page_size: pageSizeOf(page, searchPageSize) }, scope))
    .execute();
  return { items, count: await countRows(matching) };
}

/** @throws 404, also if the client is deleted */
export const getClient = (trx: Transaction, id: string) =>
  trx
    .selectFrom('clients')
    .select(columns)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirstOrThrow(notFound);

export async function insertClient(trx: Transaction, row: NewRow<'clients'>) {
  const client = await trx.insertInto('clients').values(row).returning(columns).executeTakeFirstOrThrow();
  await noteChanges(trx, 'reachout_clients', [row.id]);
  return client;
}

export const updateClient = notingUpdates('reachout_clients', updateRow('clients'));
export const deleteClient = notingVisibility('reachout_clients', softDeleteRow('clients'));
export const restoreClient = notingVisibility('reachout_clients', restoreRow('clients'));
