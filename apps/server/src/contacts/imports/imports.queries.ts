import { sql, type RawBuilder } from 'kysely';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import {
  checkingImportStatus,
  openImportStatuses,
  runningImportStatus,
  uploadingImportStatus,
} from '@reachout/contract/states/import.ts';
import { onlyRowOf, valuesOf, type Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';
import type { AudienceFields, ImportRow, StoredSettings } from './import.ts';
import { hasCurrentOwner, isUsableBySql } from '../../content/owners/owner.queries.ts';

export const importColumns = [
  'id',
  'organization_id',
  'collection',
  'endpoint',
  'file_name',
  sql<StoredSettings>`content_imports.settings`.as('settings'),
  'status',
  'bytes_total',
  'bytes_done',
  'line_done',
  'rows_done',
  'created_count',
  'updated_count',
  'unchanged_count',
  'merged_count',
  'rejected_count',
  'left_out_count',
  'yields_to_sends',
  'error',
  'user_created',
  'created_at',
  'end_date',
] as const;

/** SQL condition: the import's collection exists in its content backend. */
export const isOfCollection = isOfCollectionWhere(sql`true`);

/** @param condition  on the owner columns of the collection `c` */
function isOfCollectionWhere(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  const ofCollection = (table: RawBuilder<unknown>) =>
    sql`collection in (select c.collection from ${table} c where ${condition})`;
  return sql`case when endpoint is null then ${ofCollection(sql`content_collections`)} else ${ofCollection(sql`directus_collections`)} end`;
}

/** Selects the latest imports, newest first, without unfinished uploads. */
export const selectImports = (
  trx: Transaction,
  organizationId: string,
  { clientId, limit }: { clientId: string | undefined; limit: number },
): Promise<ImportRow[]> =>
  trx
    .selectFrom('content_imports')
    .select(importColumns)
    .where('organization_id', '=', organizationId)
    .where('status', '<>', uploadingImportStatus)
    .where(isOfCollectionWhere(sql`${hasCurrentOwner} and ${isUsableBySql({ client_id: clientId })}`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** @returns undefined also if the collection was deleted */
export const findImport = (trx: Transaction, organizationId: string, id: string) =>
  trx
    .selectFrom('content_imports')
    .select(importColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where(isOfCollection)
    .executeTakeFirst();

export async function insertImport(
  trx: Transaction,
  row: Pick<
    ImportRow,
    'id' | 'organization_id' | 'collection' | 'file_name' | 'endpoint' | 'settings' | 'user_created'
  >,
): Promise<void> {
  await trx
    .insertInto('content_imports')
    .values({ ...row, settings: JSON.stringify(row.settings) })
    .execute();
}

export interface ImportKey {
  organizationId: string;
  importId: string;
}

export const updateImport = (trx: Transaction, { organizationId, importId }: ImportKey) =>
  trx.updateTable('content_imports').where('organization_id', '=', organizationId).where('id', '=', importId);

/** Counts the imports that are uploading, waiting or running. */
export const countOpenImports = (trx: Transaction, organizationId: string): Promise<number> =>
  countRows(
    trx
      .selectFrom('content_imports')
      .where('organization_id', '=', organizationId)
      .where('status', 'in', openImportStatuses),
  );

/** Whether an import into this collection of the built-in backend is running. */
export async function isImporting(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<boolean> {
  const running = await trx
    .selectFrom('content_imports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('endpoint', 'is', null)
    .where('status', '=', runningImportStatus)
    .limit(1)
    .executeTakeFirst();
  return running !== undefined;
}

/** Stores why the import waits for its next attempt; cleared when an attempt makes progress. */
export async function noteDelay(trx: Transaction, key: ImportKey, error: ImportError): Promise<void> {
  await updateImport(trx, key)
    .set({ error: JSON.stringify(error) })
    .where('status', 'in', [checkingImportStatus, runningImportStatus])
    .execute();
}

/** Locks an import before it is started or deleted. */
export const lockImport = (trx: Transaction, { organizationId, importId }: ImportKey) =>
  trx
    .selectFrom('content_imports')
    .select(importColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst();

/** Lists the fields that audiences of a collection use for opt-outs, regardless of type. */
export const listOptOutFields = (
  trx: Transaction,
  organizationId: string,
  collection: string,
) => valuesOf<string>(trx)`
  select distinct field_mapping ->> 'unsubscribed' as field from filters
  where organization_id = ${organizationId} and collection = ${collection}
    and field_mapping ->> 'unsubscribed' is not null
`;

/** Lists the fields by which the audiences of a collection select, and those that say who agrees to be measured. */
export const listAudienceFields = (
  trx: Transaction,
  organizationId: string,
  collection: string,
) => onlyRowOf<AudienceFields>(trx)`
  with audiences as materialized (
    select rule, field_mapping from filters
    where organization_id = ${organizationId} and collection = ${collection}
  )
  select
    array(
      select distinct key #>> '{}' from audiences,
        jsonb_path_query(rule, 'strict $.** ? (@.type() == "object").keyvalue().key') as key
      where left(key #>> '{}', 1) <> '_'
    ) as rules,
    array(
      select distinct coalesce(field_mapping ->> 'tracking_consent', 'tracking_consent') from audiences
      union select 'tracking_consent'
    ) as tracking_consent
`;

/** Lists the boolean fields that exclude contacts of this collection from emails. */
export const listUnsubscribedFields = (
  trx: Transaction,
  organizationId: string,
  collection: string,
) => valuesOf<string>(trx)`
  select f.field
  from content_fields f
  where f.organization_id = ${organizationId} and f.collection = ${collection} and f.type = 'boolean'
    and (f.field = 'unsubscribed' or f.field in (
      select field_mapping ->> 'unsubscribed' from filters
      where organization_id = ${organizationId} and collection = ${collection}
    ))
`;

/**
 * Selects failed imports of the last `days`, newest first, unless a later import into the same collection succeeded.
 * @param clientId  only imports into this client's own collections
 */
export async function selectFailedImports(
  trx: Transaction,
  organizationId: string,
  { days, limit, clientId }: { days: number; limit: number; clientId: string | undefined },
): Promise<{ rows: Pick<ImportRow, 'id' | 'collection' | 'file_name' | 'created_at'>[]; count: number }> {
  const { rows } = await sql<
    Pick<ImportRow, 'id' | 'collection' | 'file_name' | 'created_at'> & { count: number }
  >`
    select i.id, i.collection, i.file_name, i.created_at, count(*) over () as count
    from content_imports i
    where i.organization_id = ${organizationId} and i.status = 'failed'
      and i.created_at > now() - make_interval(days => ${days})
      and ${isOfCollectionWhere(clientId === undefined ? hasCurrentOwner : sql`${hasCurrentOwner} and c.client_id = ${clientId}`)}
      and not exists (
        select from content_imports later
        where later.organization_id = i.organization_id and later.collection = i.collection
          and later.endpoint is not distinct from i.endpoint
          and later.status = 'completed' and later.created_at > i.created_at)
    order by i.created_at desc, i.id desc
    limit ${limit}
  `.execute(trx);
  return { rows: rows.map(({ count: _count, ...row }) => row), count: rows[0]?.count ?? 0 };
}

/** Lists the ids of all imports into a collection of the built-in backend. */
export async function listImportsOfCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('content_imports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('endpoint', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}
