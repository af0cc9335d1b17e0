import { sql, type NotNull } from 'kysely';
import type { DirectusState } from '@reachout/contract/content-backend.ts';
import { onlyRowOf, type RowOf, type Transaction } from '../../platform/database/database.ts';

/** A row of `organization_directus` about a Directus; the token is encrypted. */
export type ConnectionRow = RowOf<typeof findConnectionRow>;

/** @param forUpdate  locks the row until the transaction ends */
export const findConnectionRow = (
  trx: Transaction,
  organizationId: string,
  { forUpdate = false }: { forUpdate?: boolean } = {},
) =>
  trx
    .selectFrom('organization_directus')
    .select([
      'endpoint',
      'access_token',
      'state',
      'failure',
      'error_content',
      'server_version',
      'missing_collections',
      'checked_at',
    ])
    .where('organization_id', '=', organizationId)
    .where('state', '<>', 'none')
    .$narrowType<{ endpoint: NotNull; state: DirectusState }>()
    .$if(forUpdate, (query) => query.forUpdate())
    .executeTakeFirst();

export type ConnectionColumns = Omit<ConnectionRow, 'checked_at'>;

export async function saveConnectionRow(
  trx: Transaction,
  organization_id: string,
  columns: ConnectionColumns,
): Promise<void> {
  const row = { ...columns, checked_at: sql<string>`now()` };
  await trx
    .insertInto('organization_directus')
    .values({ organization_id, ...row })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute();
}

/** Stores the outcome of a check or request, unless the endpoint or token has changed in the meantime. */
export async function updateState(
  trx: Transaction,
  organizationId: string,
  { endpoint, access_token }: Pick<ConnectionRow, 'endpoint' | 'access_token'>,
  state: Pick<ConnectionColumns, 'state' | 'failure' | 'error_content'> &
    Partial<Pick<ConnectionColumns, 'server_version' | 'missing_collections'>>,
): Promise<void> {
  await trx
    .updateTable('organization_directus')
    .set({ ...state, checked_at: sql<string>`now()` })
    .where('organization_id', '=', organizationId)
    .where('endpoint', '=', endpoint)
    .where('access_token', '=', access_token)
    .execute();
}

/** @returns the endpoint of the connected Directus; null if none is connected and the built-in backend is in use */
export async function findEndpoint(trx: Transaction, organizationId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('organization_directus')
    .select('endpoint')
    .where('organization_id', '=', organizationId)
    .where('access_token', 'is not', null)
    .executeTakeFirst();
  return row?.endpoint ?? null;
}

/** Whether a Directus is connected, which makes the collections of the built-in backend inactive. */
export const isDirectusConnected = async (trx: Transaction, organizationId: string): Promise<boolean> =>
  (await findEndpoint(trx, organizationId)) !== null;

/** Counts the built-in collections and audiences, which are inactive while a Directus is connected. */
export const countBuiltIn = (trx: Transaction, organizationId: string) => onlyRowOf<{
  collection_count: number;
  audience_count: number;
}>(trx)`
  select
    (select count(*) from content_collections c
      where c.organization_id = ${organizationId} and not c.hidden and not starts_with(c.collection, 'reachout_')) as collection_count,
    (select count(*) from filters f
      where f.organization_id = ${organizationId}
        and exists (select from content_collections c
          where c.organization_id = f.organization_id and c.collection = f.collection)) as audience_count
`;

/** @returns the encrypted key of the organization's account at Elastic Email; null without one */
export async function findElasticEmailKey(trx: Transaction, organizationId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('organization_directus')
    .select('ee_api_key')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.ee_api_key ?? null;
}

/** Changes nothing of a Directus. @param sealed  null removes the key */
export async function saveElasticEmailKey(
  trx: Transaction,
  organization_id: string,
  sealed: string | null,
): Promise<void> {
  await trx
    .insertInto('organization_directus')
    .values({ organization_id, state: 'none', ee_api_key: sealed })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ee_api_key: sealed }))
    .execute();
}
