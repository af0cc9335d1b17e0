import { sql } from 'kysely';
import type { Database, Row, Transaction } from '../../platform/database/database.ts';

const recordKinds = ['clients', 'brands', 'campaigns', 'touchpoints'] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface ErasableRecord {
  organization_id: string;
  kind: RecordKind;
  record_id: string;
}

/** Lists organizations deleted 30 or more days ago. */
export async function listErasableOrganizations(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from organizations_to_erase(${limit})
  `.execute(db);
  return rows.map(({ organization_id }) => organization_id);
}

/** Lists clients, brands, campaigns and touchpoints deleted 60 or more days ago. */
export async function listErasableRecords(db: Database, limit: number): Promise<ErasableRecord[]> {
  const { rows } = await sql<ErasableRecord>`select * from records_to_erase(${limit})`.execute(db);
  return rows;
}

export type ErasableCollection = Row<'deleted_collections', 'organization_id' | 'collection'>;

/** Lists collections deleted an hour or more ago. */
export async function listErasableCollections(db: Database, limit: number): Promise<ErasableCollection[]> {
  const { rows } = await sql<ErasableCollection>`select * from collections_to_erase(${limit})`.execute(db);
  return rows;
}

/** Lists tests sent 30 or more days ago. */
export async function listOldTests(
  db: Database,
  limit: number,
): Promise<{ organization_id: string; send_id: string }[]> {
  const { rows } = await sql<{ organization_id: string; send_id: string }>`
    select * from tests_to_erase(${limit})
  `.execute(db);
  return rows;
}

/** Locks the organization until the transaction ends. @returns false if it is not, or no longer, to be erased */
export async function lockDeletedOrganization(trx: Transaction, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from organizations
    where id = ${organizationId} and deleted and deleted_at < now() - interval '30 days'
    for share
  `.execute(trx);
  return rows.length > 0;
}

/** Locks a record in the same way. @returns false if it is not, or no longer, to be erased */
export async function lockDeletedRecord(
  trx: Transaction,
  { kind, record_id }: ErasableRecord,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(kind)}
    where id = ${record_id} and deleted and deleted_at < now() - interval '60 days'
    for share
  `.execute(trx);
  return rows.length > 0;
}

/** Locks a deleted collection until the transaction ends. @returns false if it is already erased */
export async function lockDeletedCollection(
  trx: Transaction,
  { organization_id, collection }: ErasableCollection,
): Promise<boolean> {
  const { rows } = await sql`
    select from deleted_collections
    where organization_id = ${organization_id} and collection = ${collection} and created_at < now() - interval '1 hour'
    for update
  `.execute(trx);
  return rows.length > 0;
}

/**
 * Waits for folds of the organization's events, and for bounces and unsubscribes that are being stored, and blocks further ones
 * until the transaction ends. Opens and clicks are appended meanwhile; the next fold drops those whose send is gone.
 */
export async function lockOutEvents(trx: Transaction, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for update`.execute(trx);
}

/** Finds one of the sends that belong to a record. */
export async function findSendOf(
  trx: Transaction,
  { organization_id, kind, record_id }: ErasableRecord,
): Promise<{ id: string; touchpoint_id: string } | undefined> {
  return await selectSendsOf(trx, organization_id, kind, record_id)
    .select(['s.id', 's.touchpoint_id'])
    .limit(1)
    .executeTakeFirst();
}

/** Finds one of the websites that belong to a record. */
export async function findWebsiteOf(
  trx: Transaction,
  { organization_id, kind, record_id }: ErasableRecord,
): Promise<{ organization_id: string; touchpoint_id: string } | undefined> {
  const column = kind === 'touchpoints' ? 't.id' : recordColumns[kind];
  return await trx
    .selectFrom('touchpoint_websites as w')
    .innerJoin('touchpoints as t', (join) =>
      join.onRef('t.organization_id', '=', 'w.organization_id').onRef('t.id', '=', 'w.touchpoint_id'),
    )
    .innerJoin('campaigns as c', (join) =>
      join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'),
    )
    .innerJoin('brands as b', (join) =>
      join.onRef('b.organization_id', '=', 'c.organization_id').onRef('b.id', '=', 'c.brand_id'),
    )
    .select(['w.organization_id', 'w.touchpoint_id'])
    .where('w.organization_id', '=', organization_id)
    .where(column, '=', record_id)
    .limit(1)
    .executeTakeFirst();
}

const recordColumns = {
  clients: 'b.client_id',
  brands: 'c.brand_id',
  campaigns: 't.campaign_id',
  touchpoints: 's.touchpoint_id',
} as const;

const selectSendsOf = (trx: Transaction, organizationId: string, kind: RecordKind, recordId: string) =>
  trx
    .selectFrom('touchpoint_sends as s')
    .innerJoin('touchpoints as t', (join) =>
      join.onRef('t.organization_id', '=', 's.organization_id').onRef('t.id', '=', 's.touchpoint_id'),
    )
    .innerJoin('campaigns as c', (join) =>
      join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'),
    )
    .innerJoin('brands as b', (join) =>
      join.onRef('b.organization_id', '=', 'c.organization_id').onRef('b.id', '=', 'c.brand_id'),
    )
    .where('s.organization_id', '=', organizationId)
    .where(recordColumns[kind], '=', recordId);

/** Lists the logo URLs of a client and its brands, or of a brand. */
export async function listLogoUrls(
  trx: Transaction,
  { organization_id, kind, record_id }: ErasableRecord,
): Promise<string[]> {
  if (kind !== 'clients' && kind !== 'brands') return [];
  const selectBrands = (column: 'logo_url' | 'dark_logo_url') =>
    trx
      .selectFrom('brands')
      .select(`${column} as logo_url`)
      .where('organization_id', '=', organization_id)
      .where(kind === 'clients' ? 'client_id' : 'id', '=', record_id);
  const brands = selectBrands('logo_url').unionAll(selectBrands('dark_logo_url'));
  const clients = trx
    .selectFrom('clients')
    .select('logo_url')
    .where('organization_id', '=', organization_id)
    .where('id', '=', record_id);
  const rows = await (kind === 'clients' ? brands.unionAll(clients) : brands).execute();
  return rows.flatMap(({ logo_url }) => logo_url ?? []);
}
