import { sql, type RawBuilder } from 'kysely';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import {
  checkedImportStatus,
  checkingImportStatus,
  hasImportEnded,
  importTransitions,
  openImportStatuses,
  runningImportStatus,
  uploadingImportStatus,
  type ImportStatus,
} from '@reachout/contract/states/import.ts';
import { listBefore } from '@reachout/contract/states/transitions.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';
import type { ImportRow, StoredSettings } from './import.ts';
import { hasCurrentOwner, isUsableBySql } from '../owners/owner.queries.ts';

const columns = [
  'id',
  'organization_id',
  'collection',
  'endpoint',
  'file_name',
  'settings',
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
  'yields_to_sends',
  'error',
  'user_created',
  'created_at',
  'end_date',
] as const;

/** Its collection is there, in the content backend that it is of. */
const isOfCollection = isOfCollectionWhere(sql`true`);

/** @param condition  over the columns of owners */
function isOfCollectionWhere(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  const ofCollection = (table: RawBuilder<unknown>) =>
    sql`collection in (select c.collection from ${table} c where ${condition})`;
  return sql`case when endpoint is null then ${ofCollection(sql`content_collections`)} else ${ofCollection(sql`directus_collections`)} end`;
}

/** The latest, newest first; uploads that are still coming in are not there yet. */
export const selectImports = (
  trx: Transaction,
  organizationId: string,
  { clientId, limit }: { clientId: string | undefined; limit: number },
): Promise<ImportRow[]> =>
  trx
    .selectFrom('content_imports')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('status', '<>', uploadingImportStatus)
    .where(isOfCollectionWhere(sql`${hasCurrentOwner} and ${isUsableBySql({ client_id: clientId })}`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<ImportRow>()
    .execute();

/** @returns undefined also for one whose collection was deleted */
export const findImport = (
  trx: Transaction,
  organizationId: string,
  id: string,
): Promise<ImportRow | undefined> =>
  trx
    .selectFrom('content_imports')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where(isOfCollection)
    .$castTo<ImportRow>()
    .executeTakeFirst();

export interface Rejection {
  line: number;
  field: string | null;
  error: ImportError;
}

/** By import, the first of each in the order of the file. */
export async function selectFirstRejections(
  trx: Transaction,
  organizationId: string,
  importIds: readonly string[],
  limit: number,
): Promise<(Rejection & { import_id: string })[]> {
  const { rows } = await sql<Rejection & { import_id: string }>`
    select r.import_id, r.line, r.field, r.error
    from unnest(${importIds}::uuid[]) wanted(id)
    cross join lateral (
      select import_id, line, field, error
      from content_import_rejections
      where organization_id = ${organizationId} and import_id = wanted.id
      order by line
      limit ${limit}
    ) r
    order by r.import_id, r.line
  `.execute(trx);
  return rows;
}

/** A page of rejected rows with their cells, from after a line on. */
export async function selectRejectedRows(
  trx: Transaction,
  organizationId: string,
  importId: string,
  { afterLine, limit }: { afterLine: number; limit: number },
): Promise<(Rejection & { cells: string[] })[]> {
  const { rows } = await sql<Rejection & { cells: string[] }>`
    select line, field, error, record as cells
    from content_import_rejections
    where organization_id = ${organizationId} and import_id = ${importId} and line > ${afterLine}
    order by line
    limit ${limit}
  `.execute(trx);
  return rows;
}

export async function insertImport(
  trx: Transaction,
  row: {
    id: string;
    organization_id: string;
    collection: string;
    file_name: string;
    endpoint: string | null;
    settings: StoredSettings;
    user_created: string;
  },
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

export async function insertPart(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  part: { first_byte: number; bytes: Buffer },
): Promise<void> {
  await trx
    .insertInto('content_import_parts')
    .values({ organization_id: organizationId, import_id: importId, ...part })
    .execute();
}

export async function queueImport(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  bytesTotal: number,
  { check }: Pick<StoredSettings, 'check'>,
): Promise<void> {
  await trx
    .updateTable('content_imports')
    .set({
      status: check === 'true' ? checkingImportStatus : 'queued',
      bytes_total: bytesTotal,
      // They are there from now on; those of a check are added when it is started.
      ...(check === 'true' ? {} : { settings: sql<string>`settings || '{"new_fields": []}'` }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', '=', uploadingImportStatus)
    .execute();
}

/** Takes back an upload that did not come to its end. */
export async function deleteUpload(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await deleteParts(trx, { organizationId, importId });
  await trx
    .deleteFrom('content_imports')
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', '=', uploadingImportStatus)
    .execute();
}

/** Imports that come in, wait or run. */
export const countOpenImports = (trx: Transaction, organizationId: string): Promise<number> =>
  countRows(
    trx
      .selectFrom('content_imports')
      .where('organization_id', '=', organizationId)
      .where('status', 'in', openImportStatuses),
  );

/** Whether a file is being imported into the collection of the built-in backend right now. */
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

/**
 * An import that a worker begins with, or goes on with; also one that was given up and still has its file. One that is to
 * be checked is checked, until somebody starts it.
 * @returns undefined where there is nothing to run: it has ended, or is still coming in
 */
export async function startImport(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<ImportRow | undefined> {
  return await trx
    .updateTable('content_imports')
    .set({
      status: sql<ImportStatus>`case when settings ->> 'check' = 'true' then ${checkingImportStatus} else ${runningImportStatus} end`,
      error: null,
      end_date: null,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', 'in', [
      ...listBefore(importTransitions, runningImportStatus),
      checkingImportStatus,
      runningImportStatus,
    ])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('content_import_parts')
          .select('first_byte')
          .where('organization_id', '=', organizationId)
          .where('import_id', '=', importId),
      ),
    )
    .returning(columns)
    .$castTo<ImportRow>()
    .executeTakeFirst();
}

/** Why it waits for its next attempt, until that begins. */
export async function noteDelay(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  error: ImportError,
): Promise<void> {
  await trx
    .updateTable('content_imports')
    .set({ error: JSON.stringify(error) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', 'in', [checkingImportStatus, runningImportStatus])
    .execute();
}

/** The worker stops: another goes on. */
export async function requeueImport(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<void> {
  await trx
    .updateTable('content_imports')
    .set({ status: 'queued', yields_to_sends: false })
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', '=', runningImportStatus)
    .execute();
}

export async function storeHeader(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  header: readonly string[],
): Promise<void> {
  await sql`
    update content_imports set settings = settings || ${JSON.stringify({ header })}::jsonb
    where organization_id = ${organizationId} and id = ${importId}
  `.execute(trx);
}

/** The piece of the file that holds a byte, from that byte on; undefined behind the end. */
export async function findBytes(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  byte: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ first_byte: number; bytes: Buffer }>`
    select first_byte, bytes from content_import_parts
    where organization_id = ${organizationId} and import_id = ${importId} and first_byte <= ${byte}
    order by first_byte desc
    limit 1
  `.execute(trx);
  const [part] = rows;
  if (part === undefined || byte >= part.first_byte + part.bytes.length) return undefined;
  return part.bytes.subarray(byte - part.first_byte);
}

export interface Progress {
  bytes_done: number;
  line_done: number;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  merged: number;
  rejected: number;
  /** Whether the import rests after this batch. */
  yieldsToSends: boolean;
}

/**
 * Counts a batch, in the transaction that stores it: either both have happened, or neither.
 * @param expectedByte where the batch began; with it no batch can count twice
 * @returns false when another worker has counted it: then nothing of the batch may be committed
 */
export async function advanceImport(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  expectedByte: number,
  progress: Progress,
): Promise<boolean> {
  const { rows } = await sql`
    update content_imports
    set bytes_done = ${progress.bytes_done},
      line_done = ${progress.line_done},
      rows_done = rows_done + ${progress.rows},
      created_count = created_count + ${progress.created},
      updated_count = updated_count + ${progress.updated},
      unchanged_count = unchanged_count + ${progress.unchanged},
      merged_count = merged_count + ${progress.merged},
      rejected_count = rejected_count + ${progress.rejected},
      yields_to_sends = ${progress.yieldsToSends}
    where organization_id = ${organizationId} and id = ${importId} and status in (${runningImportStatus}, ${checkingImportStatus})
      and bytes_done = ${expectedByte} and ${isOfCollection}
    returning id
  `.execute(trx);
  return rows.length > 0;
}

export async function insertRejections(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  rejections: readonly (Rejection & { cells: string[] })[],
): Promise<void> {
  if (rejections.length === 0) return;
  await sql`
    insert into content_import_rejections (organization_id, import_id, line, field, error, record)
    select ${organizationId}::uuid, ${importId}::uuid, line, field, error, cells
    from json_to_recordset(${JSON.stringify(rejections)}) r(line bigint, field text, error jsonb, cells jsonb)
  `.execute(trx);
}

export type ImportEnd = { status: 'completed' } | { status: 'failed'; error: ImportError };

/** Ends a running import. Its file stays: `deleteParts`. */
export async function endImport(trx: Transaction, key: ImportKey, end: ImportEnd): Promise<void> {
  await trx
    .updateTable('content_imports')
    .set({
      status: end.status,
      yields_to_sends: false,
      ...(end.status === 'completed'
        ? { bytes_done: sql<number>`bytes_total` }
        : { error: JSON.stringify(end.error) }),
      end_date: sql<string>`now()`,
    })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.importId)
    .where('status', 'in', listBefore(importTransitions, end.status))
    .execute();
}

/** A file was read to its end: it waits for somebody to start it. */
export async function endCheck(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await trx
    .updateTable('content_imports')
    .set({ status: checkedImportStatus, yields_to_sends: false, bytes_done: sql<number>`bytes_total` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', 'in', listBefore(importTransitions, checkedImportStatus))
    .execute();
}

/** Back to the beginning of the file: a check has stored nothing but what it found. */
export async function resetCounts(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await trx
    .deleteFrom('content_import_rejections')
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .execute();
  await trx
    .updateTable('content_imports')
    .set({
      bytes_done: 0,
      line_done: 0,
      rows_done: 0,
      created_count: 0,
      updated_count: 0,
      unchanged_count: 0,
      merged_count: 0,
      rejected_count: 0,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .execute();
}

/** Locks an import that somebody starts or drops. */
export const lockImport = (
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<ImportRow | undefined> =>
  trx
    .selectFrom('content_imports')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .forUpdate()
    .$castTo<ImportRow>()
    .executeTakeFirst();

/** From now on it is run, and no longer checked; its fields are there. */
export async function queueChecked(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await sql`
    update content_imports set status = 'queued', settings = settings || '{"check": "false", "new_fields": []}'
    where organization_id = ${organizationId} and id = ${importId} and status = ${checkedImportStatus}
  `.execute(trx);
}

/** An import that was only checked, with all that is kept of it. */
export async function deleteChecked(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<void> {
  await resetCounts(trx, { organizationId, importId });
  await deleteParts(trx, { organizationId, importId });
  await trx
    .deleteFrom('content_imports')
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .execute();
}

/** The file of an import that has ended; of one that nobody started after its check, all. */
export async function deleteFileOfEnded(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<void> {
  const row = await findImport(trx, organizationId, importId);
  if (row?.status === checkedImportStatus) await deleteChecked(trx, { organizationId, importId });
  else if (row === undefined || hasImportEnded(row)) await deleteParts(trx, { organizationId, importId });
}

export async function deleteParts(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await trx
    .deleteFrom('content_import_parts')
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .execute();
}

/** The fields in which audiences of a collection look for opt-outs, whatever their type. */
export async function listOptOutFields(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<string[]> {
  const { rows } = await sql<{ field: string }>`
    select distinct field_mapping ->> 'unsubscribed' as field from filters
    where organization_id = ${organizationId} and collection = ${collection}
      and field_mapping ->> 'unsubscribed' is not null
  `.execute(trx);
  return rows.map(({ field }) => field);
}

/** True/false fields by which people of this collection are left out of mailings. */
export async function listUnsubscribedFields(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<string[]> {
  const { rows } = await sql<{ field: string }>`
    select f.field
    from content_fields f
    where f.organization_id = ${organizationId} and f.collection = ${collection} and f.type = 'boolean'
      and (f.field = 'unsubscribed' or f.field in (
        select field_mapping ->> 'unsubscribed' from filters
        where organization_id = ${organizationId} and collection = ${collection}
      ))
  `.execute(trx);
  return rows.map(({ field }) => field);
}

/** Of the last days, unless a later import into the same collection succeeded; newest first. Of a client: its own collections. */
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

/** The ids of all imports into a collection of the built-in backend. */
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
