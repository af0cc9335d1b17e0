import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { DB } from '../../platform/database/types.gen.ts';

/** What messages leave behind: up to millions of rows, all found by their send. */
export const sendTables = [
  'deliveries',
  'delivery_chunks',
  'delivery_results',
  'delivery_retries',
  'delivery_event_counts',
  'delivery_event_totals',
  'events',
  'mailbox_messages',
  'touchpoint_send_contents',
] as const satisfies (keyof DB)[];

/** What else an organization may have very many of. The rest goes with the organization itself. */
export const largeTables = [
  ...sendTables,
  'content_items',
  'content_unique_values',
  'content_import_rejections',
  'content_import_parts',
  'suppressions',
  // References audience filters, which could not go before it.
  'touchpoint_emails',
] as const satisfies (keyof DB)[];

export const recordKinds = ['clients', 'brands', 'campaigns', 'touchpoints'] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface ErasableRecord {
  organization_id: string;
  kind: RecordKind;
  record_id: string;
}

/** Of all workers one at a time does housekeeping: who does not get this lock leaves it to the other. */
export async function takeHousekeepingLock(trx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(1919247221, 1) as taken
  `.execute(trx);
  return rows[0]?.taken === true;
}

/** Organizations that were deleted 30 days ago or earlier. */
export async function listErasableOrganizations(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from organizations_to_erase(${limit})
  `.execute(db);
  return rows.map(({ organization_id }) => organization_id);
}

/** Clients, brands, campaigns and touchpoints that were deleted 60 days ago or earlier. */
export async function listErasableRecords(db: Database, limit: number): Promise<ErasableRecord[]> {
  const { rows } = await sql<ErasableRecord>`select * from records_to_erase(${limit})`.execute(db);
  return rows;
}

/** Holds the organization as it is until the transaction ends. False when it is not, or no longer, to be erased. */
export async function holdOrganization(trx: Transaction, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from organizations
    where id = ${organizationId} and deleted and deleted_at < now() - interval '30 days'
    for share
  `.execute(trx);
  return rows.length > 0;
}

/** The same for one of its records. */
export async function holdRecord(trx: Transaction, { kind, record_id }: ErasableRecord): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(kind)}
    where id = ${record_id} and deleted and deleted_at < now() - interval '60 days'
    for share
  `.execute(trx);
  return rows.length > 0;
}

/** @param sendId only what belongs to this send */
export async function deleteRows(
  trx: Transaction,
  table: (typeof largeTables)[number],
  { organizationId, sendId }: { organizationId: string; sendId?: string },
  limit: number,
): Promise<number> {
  const ofSend = sendId === undefined ? sql`` : sql` and send_id = ${sendId}`;
  // By their places, since each of these tables has another key.
  const result = await sql`
    delete from ${sql.table(table)}
    where organization_id = ${organizationId} and ctid = any (array(
      select ctid from ${sql.table(table)} where organization_id = ${organizationId}${ofSend} limit ${limit}
    ))
  `.execute(trx);
  return Number(result.numAffectedRows);
}

/** @returns false when it is there no more, or not to be erased */
export async function eraseOrganizationRow(trx: Transaction, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ erased: boolean }>`
    select erase_organization(${organizationId}) as erased
  `.execute(trx);
  return rows[0]?.erased === true;
}

/** One of the sends at or beneath a record. */
export async function findSendBeneath(
  trx: Transaction,
  { organization_id, kind, record_id }: ErasableRecord,
): Promise<string | undefined> {
  const row = await beneath(trx, organization_id, kind, record_id).select('s.id').limit(1).executeTakeFirst();
  return row?.id;
}

const recordColumns = {
  clients: 'b.client_id',
  brands: 'c.brand_id',
  campaigns: 't.campaign_id',
  touchpoints: 's.touchpoint_id',
} as const;

const beneath = (trx: Transaction, organizationId: string, kind: RecordKind, recordId: string) =>
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

export async function deleteSend(trx: Transaction, organizationId: string, sendId: string): Promise<void> {
  await trx
    .deleteFrom('touchpoint_sends')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sendId)
    .execute();
}

/** Addresses of the logos of a client with its brands, or of a brand. */
export async function listLogoUrls(
  trx: Transaction,
  { organization_id, kind, record_id }: ErasableRecord,
): Promise<string[]> {
  if (kind !== 'clients' && kind !== 'brands') return [];
  const brands = trx
    .selectFrom('brands')
    .select('logo_url')
    .where('organization_id', '=', organization_id)
    .where(kind === 'clients' ? 'client_id' : 'id', '=', record_id);
  const clients = trx
    .selectFrom('clients')
    .select('logo_url')
    .where('organization_id', '=', organization_id)
    .where('id', '=', record_id);
  const rows = await (kind === 'clients' ? brands.unionAll(clients) : brands).execute();
  return rows.flatMap(({ logo_url }) => logo_url ?? []);
}

/** Deletes the record with all that is left beneath it. */
export async function eraseRecordRow(
  trx: Transaction,
  { organization_id, kind, record_id }: ErasableRecord,
): Promise<void> {
  // Emails of other brands may use an audience filter of this one; filters do not go while anything refers to them.
  if (kind === 'clients' || kind === 'brands') {
    await sql`
      update touchpoint_emails set filter_id = null
      where organization_id = ${organization_id} and filter_id in (
        select f.id from filters f
        join brands b on b.organization_id = f.organization_id and b.id = f.brand_id
        where f.organization_id = ${organization_id}
          and ${kind === 'clients' ? sql`b.client_id` : sql`b.id`} = ${record_id}
      )
    `.execute(trx);
  }
  await trx
    .deleteFrom(kind as 'clients')
    .where('organization_id', '=', organization_id)
    .where('id', '=', record_id)
    .execute();
}
