import { sql } from 'kysely';
import {
  rowsOf,
  execute,
  firstRowOf,
  hasRows,
  type Database,
  type Row,
  type Transaction,
  valuesOf,
} from '../../platform/database/database.ts';
import type { DeleteBatch } from '../../platform/database/delete-rows.ts';

export type RecordKind = 'clients' | 'brands' | 'campaigns' | 'touchpoints';

export interface ErasableRecord {
  organization_id: string;
  kind: RecordKind;
  record_id: string;
}

export type ErasableCollection = Row<'deleted_collections', 'organization_id' | 'collection'>;

/** @returns a function that lists what a function of the database finds in all organizations */
const listFrom =
  <T>(name: string) =>
  async (db: Database, limit: number): Promise<T[]> =>
    await rowsOf<T>(db)`select * from ${sql.id(name)}(${limit})`;

/** Lists organizations deleted 30 or more days ago. */
export const listErasableOrganizations = listFrom<{ organization_id: string }>('organizations_to_erase');

/** Lists clients, brands, campaigns and touchpoints deleted 60 or more days ago. */
export const listErasableRecords = listFrom<ErasableRecord>('records_to_erase');

/** Lists collections deleted an hour or more ago. */
export const listErasableCollections = listFrom<ErasableCollection>('collections_to_erase');

/** Lists tests sent 30 or more days ago. */
export const listOldTests = listFrom<{ organization_id: string; send_id: string }>('tests_to_erase');

/** Deletes expired rows of all organizations and users, for which the server's role has no permission. */
export const deleteExpiredOfOthers =
  (table: string): DeleteBatch =>
  async (trx, limit) => {
    const rows = await rowsOf<{ count: number }>(trx)`select delete_expired(${table}, ${limit}) as count`;
    return rows[0]?.count ?? 0;
  };

/** Locks an organization or record until the transaction ends. @returns false if it is not, or no longer, to be erased */
export async function lockDeleted(
  trx: Transaction,
  table: 'organizations' | RecordKind,
  id: string,
): Promise<boolean> {
  const days = table === 'organizations' ? 30 : 60;
  return await hasRows(trx)`
    select from ${sql.table(table)}
    where id = ${id} and deleted and deleted_at < now() - make_interval(days => ${days})
    for share
  `;
}

/** Locks a deleted collection until the transaction ends. @returns false if it is already erased */
export const lockDeletedCollection = (
  trx: Transaction,
  { organization_id, collection }: ErasableCollection,
) => hasRows(trx)`
  select from deleted_collections
  where organization_id = ${organization_id} and collection = ${collection} and created_at < now() - interval '1 hour'
  for update
`;

/**
 * Waits for folds of the organization's events, and for bounces and unsubscribes that are being stored, and blocks further ones
 * until the transaction ends. Opens and clicks are appended meanwhile; the next fold drops those whose send is gone.
 */
export const lockOutEvents = (trx: Transaction, organizationId: string) =>
  execute(trx)`select from organizations where id = ${organizationId} for update`;

const recordColumns = {
  clients: 'b.client_id',
  brands: 'c.brand_id',
  campaigns: 't.campaign_id',
  touchpoints: 'r.touchpoint_id',
} as const;

/** Finds one of the sends or websites that belong to a record. */
export const findBelow = (
  trx: Transaction,
  table: 'touchpoint_sends' | 'touchpoint_websites',
  { organization_id, kind, record_id }: ErasableRecord,
) => firstRowOf<{ id: string; touchpoint_id: string }>(trx)`
  select r.id, r.touchpoint_id
  from ${sql.table(table)} r
  join touchpoints t on t.organization_id = r.organization_id and t.id = r.touchpoint_id
  join campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id
  join brands b on b.organization_id = c.organization_id and b.id = c.brand_id
  where r.organization_id = ${organization_id} and ${sql.ref(recordColumns[kind])} = ${record_id}
  limit 1
`;

/** Lists the logo URLs of a client and its brands, or of a brand. */
export async function listLogoUrls(
  trx: Transaction,
  { organization_id, kind, record_id }: ErasableRecord,
): Promise<string[]> {
  if (kind !== 'clients' && kind !== 'brands') return [];
  const rows = await rowsOf<{ logo_url: string | null }>(trx)`
    select l.logo_url
    from brands b
    cross join lateral (values (b.logo_url), (b.dark_logo_url)) l (logo_url)
    where b.organization_id = ${organization_id} and ${sql.ref(kind === 'clients' ? 'b.client_id' : 'b.id')} = ${record_id}
    union all
    select c.logo_url from clients c where c.organization_id = ${organization_id} and c.id = ${record_id}
  `;
  return rows.flatMap(({ logo_url }) => logo_url ?? []);
}

export interface NewPartition {
  /** Null if too many rows in the default partition would have to be moved, which would block other transactions. */
  partition: string | null;
  /** Rows moved from the default partition, where they were stored before this partition existed. */
  moved_rows: number | null;
}

export const listPartitionedTables = (trx: Transaction) =>
  valuesOf<string>(trx)`select name from partitioned_tables()`;

/** Creates the partitions for the current and upcoming months. Needs a separate transaction, because it locks the table. */
export const createPartitions = (trx: Transaction, table: string) =>
  rowsOf<NewPartition>(trx)`select * from create_partitions(${table})`;

/** Drops empty partitions of old months. @returns their names */
export const dropEmptyPartitions = (trx: Transaction) => valuesOf<string>(trx)`
  select partition from drop_empty_partitions() as partition
`;
