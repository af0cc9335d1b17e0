import { sql } from 'kysely';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import {
  checkedImportStatus,
  checkingImportStatus,
  importTransitions,
  runningImportStatus,
  uploadingImportStatus,
  type ImportStatus,
} from '@reachout/contract/states/import.ts';
import { listBefore } from '@reachout/contract/states/transitions.ts';
import { execute, hasRows, type Transaction } from '../../platform/database/database.ts';
import type { ImportRow, StoredSettings } from './import.ts';
import { importColumns, isOfCollection, updateImport, type ImportKey } from './imports.queries.ts';

export async function queueImport(
  trx: Transaction,
  key: ImportKey,
  bytesTotal: number,
  { check }: Pick<StoredSettings, 'check'>,
): Promise<void> {
  await updateImport(trx, key)
    .set({
      status: check === 'true' ? checkingImportStatus : 'queued',
      bytes_total: bytesTotal,
      // The new fields exist from now on. After a check, they are added when the import is started.
      ...(check === 'true' ? {} : { settings: sql<string>`settings || '{"new_fields": []}'` }),
    })
    .where('status', '=', uploadingImportStatus)
    .execute();
}

/**
 * Starts or resumes an import, also an abandoned one that still has its file. Until a user starts it, an import to be
 * checked is only checked. The reason why it waited stays until it makes progress, because the next attempt may fail
 * in the same way.
 * @returns undefined if there is nothing to run: the import has ended or is still uploading
 */
export const startImport = (
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<ImportRow | undefined> =>
  trx
    .updateTable('content_imports')
    .set({
      status: sql<ImportStatus>`case when settings ->> 'check' = 'true' then ${checkingImportStatus} else ${runningImportStatus} end`,
      error: sql`case when status <> 'failed' then error end`,
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
    .returning(importColumns)
    .executeTakeFirst();

/** Queues a running import again because its worker stops; another worker resumes it. */
export async function requeueImport(trx: Transaction, key: ImportKey): Promise<void> {
  await updateImport(trx, key)
    .set({ status: 'queued', yields_to_sends: false })
    .where('status', '=', runningImportStatus)
    .execute();
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
  /** Values, not rows. */
  leftOut: number;
  /** Whether the import pauses after this batch. */
  yieldsToSends: boolean;
}

/**
 * Counts a batch in the transaction that stores it, so that both are committed or neither.
 * @param expectedByte  offset of the batch's first byte; prevents counting a batch twice
 * @returns false if another worker has counted it; the transaction must then be rolled back
 */
export const advanceImport = (
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  expectedByte: number,
  progress: Progress,
) => hasRows(trx)`
  update content_imports
  set bytes_done = ${progress.bytes_done},
    line_done = ${progress.line_done},
    rows_done = rows_done + ${progress.rows},
    created_count = created_count + ${progress.created},
    updated_count = updated_count + ${progress.updated},
    unchanged_count = unchanged_count + ${progress.unchanged},
    merged_count = merged_count + ${progress.merged},
    rejected_count = rejected_count + ${progress.rejected},
    left_out_count = left_out_count + ${progress.leftOut},
    yields_to_sends = ${progress.yieldsToSends},
    error = null
  where organization_id = ${organizationId} and id = ${importId} and status in (${runningImportStatus}, ${checkingImportStatus})
    and bytes_done = ${expectedByte} and ${isOfCollection}
  returning id
`;

export type ImportEnd = { status: 'completed' } | { status: 'failed'; error: ImportError };

/** Ends a running import. Does not delete its file: `deleteParts`. */
export async function endImport(trx: Transaction, key: ImportKey, end: ImportEnd): Promise<void> {
  await updateImport(trx, key)
    .set({
      status: end.status,
      yields_to_sends: false,
      ...(end.status === 'completed'
        ? { bytes_done: sql<number>`bytes_total`, error: null }
        : { error: JSON.stringify(end.error) }),
      end_date: sql<string>`now()`,
    })
    .where('status', 'in', listBefore(importTransitions, end.status))
    .execute();
}

/** Ends a check whose file was read completely; the import then waits for a user to start it. */
export async function endCheck(trx: Transaction, key: ImportKey): Promise<void> {
  await updateImport(trx, key)
    .set({
      status: checkedImportStatus,
      yields_to_sends: false,
      bytes_done: sql<number>`bytes_total`,
      error: null,
    })
    .where('status', 'in', listBefore(importTransitions, checkedImportStatus))
    .execute();
}

/**
 * Resets the progress to the start of the file. The import's run deletes the check's rejected rows, its only stored data.
 */
export async function resetCounts(trx: Transaction, key: ImportKey): Promise<void> {
  await updateImport(trx, key)
    .set({
      bytes_done: 0,
      line_done: 0,
      rows_done: 0,
      created_count: 0,
      updated_count: 0,
      unchanged_count: 0,
      merged_count: 0,
      rejected_count: 0,
      left_out_count: 0,
    })
    .execute();
}

/** Queues a checked import to be run; its new fields exist by now. */
export const queueChecked = (trx: Transaction, { organizationId, importId }: ImportKey) => execute(trx)`
  update content_imports set status = 'queued', settings = settings || '{"check": "false", "new_fields": []}'
  where organization_id = ${organizationId} and id = ${importId} and status = ${checkedImportStatus}
`;
