import { DatabaseError } from 'pg';
import { findQuota, lockForQuota } from '../../identity/organizations/quotas.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, recordProgress } from '../../platform/jobs/enqueue-job.ts';
import {
  handleJobs,
  JobFailed,
  JobInterrupted,
  type Job,
  type JobHandler,
} from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { findFields } from '../built-in/collections.queries.ts';
import {
  findTakenKeys,
  upsertItems,
  type UpsertRow,
  type UpsertTarget,
} from '../built-in/upsert-items.queries.ts';
import { readCsv, type CsvRecord } from './csv-records.ts';
import {
  chainRows,
  checkSettings,
  ImportFailed,
  importFileJobs,
  importJobs,
  keptFileMs,
  maxCellBytes,
  maxColumns,
  maxRows,
  type ImportRow,
} from './import.ts';
import { decodeCell, readRow, type MappedColumn } from './import-cells.ts';
import {
  advanceImport,
  deleteFileOfEnded,
  deleteParts,
  deleteUpload,
  endImport,
  findBytes,
  insertRejections,
  listUnsubscribedFields,
  requeueImport,
  startImport,
  storeHeader,
  type ImportKey,
  type Progress,
  type Rejection,
} from './imports.queries.ts';
import type { StoredField } from '../built-in/stored-field.ts';

export interface ImportDeps {
  db: Database;
  log: Log;
}

type ImportJob = Job<{ import_id: string }>;

interface ImportRun extends ImportDeps {
  job: ImportJob;
  /** Stops after the batch under way; what remains is there for others at once. */
  signal: AbortSignal;
}

/** A batch is one transaction: this many rows, or fewer when they are long. */
const batchRows = 1_000;
const batchBytes = 1_000_000;

/** Runs imports one after the other; two of one organization may run on two workers. */
export const handleImports = (deps: ImportDeps): JobHandler =>
  handleJobs(importJobs, {
    run: (job, signal) => runImport({ ...deps, job, signal }),
    giveUp: (job) => giveUp(deps, job),
    // Without progress in between.
    maxAttempts: 10,
    delaysMs: [1_000, 5_000, 30_000, 60_000, 300_000],
    concurrency: 1,
    perOrganization: 2,
  });

function keyOfJob({ organizationId, payload }: ImportJob): ImportKey {
  if (organizationId === null) throw new JobFailed('An import belongs to an organization.');
  return { organizationId, importId: payload.import_id };
}

/**
 * @throws JobInterrupted where the worker stops, or has lost the import to another; any other error may pass, such as
 *   those of a database that is away
 */
async function runImport(run: ImportRun): Promise<void> {
  const { db, log, job } = run;
  const key = keyOfJob(job);
  const inTenant = <T>(work: (trx: Transaction) => Promise<T>) =>
    inOrganization(db, key.organizationId, work);
  const row = await inTenant((trx) => startImport(trx, key));
  if (row === undefined) return await inTenant((trx) => deleteUpload(trx, key));
  /** Nothing is stored by a worker that has lost the import. */
  const end = (outcome: Parameters<typeof endImport>[2]) =>
    inTenant(async (trx) => {
      if (!(await recordProgress(trx, job))) return;
      await endImport(trx, key, outcome);
      await deleteParts(trx, key);
    });
  try {
    if (await importRows(run, row)) return await end({ status: 'completed' });
  } catch (error) {
    const error_content = permanentErrorMessage(error);
    // Anything else, such as a database that is away, may pass.
    if (error_content === undefined) throw error;
    if (!(error instanceof ImportFailed)) log.error({ err: error, import: row.id }, 'import failed');
    return await end({ status: 'failed', error_content });
  }
  await inTenant((trx) => requeueImport(trx, key));
  throw new JobInterrupted();
}

/** Removes the file of an import that was given up. */
export const handleImportFiles = ({ db }: ImportDeps): JobHandler =>
  handleJobs(importFileJobs, {
    run: async (job) => {
      const key = keyOfJob(job);
      await inOrganization(db, key.organizationId, (trx) => deleteFileOfEnded(trx, key));
    },
    maxAttempts: 10,
    delaysMs: [60_000, 3_600_000],
    concurrency: 1,
    perOrganization: 1,
  });

/** The file stays for a while: an operator can let the import go on. */
async function giveUp({ db }: ImportDeps, job: ImportJob): Promise<void> {
  const key = keyOfJob(job);
  await inOrganization(db, key.organizationId, async (trx) => {
    if ((await startImport(trx, key)) === undefined) return;
    const error_content =
      'This import was given up after several attempts. The rows up to here are imported. Upload the file again, or ask the operator of this installation to retry the import within a week.';
    await endImport(trx, key, { status: 'failed', error_content });
    const file = { key: key.importId, payload: job.payload, delayMs: keptFileMs };
    await enqueueJob(trx, importFileJobs, { organizationId: key.organizationId, ...file });
  });
}

/** Why an import has failed for good; undefined when it may be tried again. */
function permanentErrorMessage(error: unknown): string | undefined {
  if (error instanceof ImportFailed) return error.message;
  // Bad data, broken constraints, limits, faulty statements: the same would happen again and again.
  if (error instanceof DatabaseError && /^(22|23|42|54)/.test(error.code ?? '')) {
    return 'A part of this file could not be stored. The rows before it are imported.';
  }
  return undefined;
}

interface OpenImport {
  row: ImportRow;
  columns: MappedColumn[];
  width: number;
  decoder: TextDecoder;
  target: UpsertTarget;
}

/**
 * Reads and validates the next batch while PostgreSQL stores the one before.
 * @returns false when the worker is to stop before the end of the file
 */
async function importRows(run: ImportRun, row: ImportRow): Promise<boolean> {
  const { open, firstRow } = await openImport(run, row);
  const start = row.bytes_done > 0 ? { byte: row.bytes_done, line: row.line_done + 1 } : firstRow;
  let records: CsvRecord[] = [];
  let bytes = 0;
  let rowsRead = row.rows_done;
  let expectedByte = row.bytes_done;
  let storing: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (records.length === 0) return;
    const batch = prepareBatch(open, records, maxRows - rowsRead);
    const firstByte = expectedByte;
    records = [];
    bytes = 0;
    rowsRead += batch.progress.rows;
    expectedByte = batch.progress.bytes_done;
    await storing;
    storing = storeBatch(run, open, firstByte, batch);
    // Somebody awaits it in any case; until then its failure is nobody's surprise.
    storing.catch(() => {});
    if (batch.isCut) {
      await storing;
      throw new ImportFailed(`A file has at most ${maxRows} rows. The first ${maxRows} are imported.`);
    }
  };
  try {
    for await (const record of readCsv(readBytes(run.db, row, start.byte), row.settings.separator, start)) {
      if (run.signal.aborted) break;
      records.push(record);
      bytes += record.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (records.length >= batchRows || bytes >= batchBytes) await flush();
    }
    if (!run.signal.aborted) await flush();
  } catch (error) {
    // The rows in front of the place that cannot be read are good.
    if (error instanceof ImportFailed) await flush();
    throw error;
  } finally {
    await storing;
  }
  return !run.signal.aborted;
}

async function* readBytes(db: Database, row: ImportRow, from: number): AsyncGenerator<Buffer> {
  const key = { organizationId: row.organization_id, importId: row.id };
  for (let byte = from; ;) {
    const bytes = await inOrganization(db, key.organizationId, (trx) => findBytes(trx, key, byte));
    if (bytes === undefined) return;
    yield bytes;
    byte += bytes.length;
  }
}

/** Reads the headings and finds the mapped columns. */
async function openImport(
  { db }: ImportRun,
  row: ImportRow,
): Promise<{ open: OpenImport; firstRow: { byte: number; line: number } }> {
  const { organization_id: organizationId, collection, settings } = row;
  const [fields, protectedFields] = await inOrganization(db, organizationId, async (trx) => [
    await findFields(trx, organizationId, collection),
    await listUnsubscribedFields(trx, organizationId, collection),
  ]);
  if (fields === undefined) throw new ImportFailed('The collection no longer exists.');
  const problem = checkSettings(settings, fields);
  if (problem !== undefined) throw new ImportFailed(problem.message);

  const { byteOrderMark, decoder } = await detectEncoding(db, row);
  const start = { byte: byteOrderMark, line: 1 };
  const headings = await readCsv(readBytes(db, row, start.byte), settings.separator, start).next();
  if (headings.done === true)
    throw new ImportFailed('The file is empty: it has not even a line of headings.');
  const { cells, nextByte, nextLine } = headings.value;
  const header = cells.map((cell) => decodeCell(cell, decoder)?.trim());
  const columns = findColumns(header, settings.mapping, fields);
  const shownHeader = header.map((heading) => (heading ?? '').replaceAll('\0', '').toWellFormed());
  await inOrganization(db, organizationId, (trx) =>
    storeHeader(trx, { organizationId, importId: row.id }, shownHeader),
  );
  const defaults = fields.filter(({ defaultValue }) => defaultValue !== null);
  return {
    firstRow: { byte: nextByte, line: nextLine },
    open: {
      row,
      columns,
      width: header.length,
      decoder,
      target: {
        organizationId,
        collection,
        keyField: settings.key_field,
        defaults: Object.fromEntries(defaults.map(({ name, defaultValue }) => [name, defaultValue])),
        protectedFields,
        userCreated: row.user_created,
      },
    },
  };
}

/** A byte order mark says more than the setting. */
async function detectEncoding(db: Database, row: ImportRow) {
  const key = { organizationId: row.organization_id, importId: row.id };
  const first = await inOrganization(db, key.organizationId, (trx) => findBytes(trx, key, 0));
  const start = first?.subarray(0, 3).toString('hex') ?? '';
  if (start.startsWith('fffe') || start.startsWith('feff')) {
    throw new ImportFailed('The file is in UTF-16. Save it as “CSV UTF-8” and import it again.');
  }
  const isUtf8 = start === 'efbbbf' || row.settings.encoding === 'utf-8';
  return {
    byteOrderMark: start === 'efbbbf' ? 3 : 0,
    decoder: new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252', { fatal: true, ignoreBOM: true }),
  };
}

function findColumns(
  header: readonly (string | undefined)[],
  mapping: Record<string, string>,
  fields: readonly StoredField[],
): MappedColumn[] {
  if (header.length > maxColumns) throw new ImportFailed(`The file has more than ${maxColumns} columns.`);
  return Object.entries(mapping).map(([heading, name]) => {
    const index = header.indexOf(heading.trim());
    if (index === -1) {
      const found = header.slice(0, 10).map((known) => `“${(known ?? '?').slice(0, 100)}”`);
      throw new ImportFailed(
        `There is no column “${heading}”. The file has: ${found.join(', ')}. Is the separator right?`,
      );
    }
    if (header.indexOf(heading.trim(), index + 1) !== -1) {
      throw new ImportFailed(`The file has two columns “${heading}”.`);
    }
    return { index, heading, field: fields.find((field) => field.name === name)! };
  });
}

type Rejected = Rejection & { cells: string[] };

interface Batch {
  rows: UpsertRow[];
  /** Where each row comes from. */
  sources: CsvRecord[];
  rejections: Rejected[];
  progress: Pick<Progress, 'bytes_done' | 'line_done' | 'rows' | 'rejected'>;
  /** There were more rows than a file may have. */
  isCut: boolean;
}

/** @param room how many rows the file may still have */
function prepareBatch(open: OpenImport, records: readonly CsvRecord[], room: number): Batch {
  // Rows without a single value are the empty end of a spreadsheet.
  const filled = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const { rows, sources, rejections } = validateRows(open, filled.slice(0, room));
  const last = records.at(-1)!;
  return {
    rows: chainRows(rows, open.target.protectedFields).map((row) => ({ ...row, id: newId() })),
    sources,
    rejections,
    progress: {
      bytes_done: last.nextByte,
      line_done: last.nextLine - 1,
      rows: rows.length + rejections.length,
      rejected: rejections.length,
    },
    isCut: filled.length > room,
  };
}

/** Tries until nobody interferes: each try sees what others have committed in the meantime. */
const maxTries = 8;

/**
 * Stores one batch and counts it, in one transaction.
 * @throws JobInterrupted when another worker has taken over
 */
async function storeBatch(
  { db, log, job }: ImportRun,
  open: OpenImport,
  expectedByte: number,
  batch: Batch,
): Promise<void> {
  const key = { organizationId: open.target.organizationId, importId: open.row.id };
  for (let tries = 1; ; tries += 1) {
    try {
      await inOrganization(db, key.organizationId, async (trx) => {
        const { rows, beyond } = await separateBeyondQuota(trx, open, batch);
        const { isComplete, ...counts } = await upsertItems(trx, open.target, rows);
        if (!isComplete || (counts.created > 0 && !(await isWithinQuota(trx, key.organizationId))))
          throw new Interfered();
        await insertRejections(trx, key, [...batch.rejections, ...beyond]);
        const rejected = batch.progress.rejected + beyond.length;
        const isOurs =
          (await advanceImport(trx, key, expectedByte, { ...batch.progress, ...counts, rejected })) &&
          (await recordProgress(trx, job));
        if (!isOurs) throw new JobInterrupted();
        if (beyond.length > 0) log.warn({ bound: 'contacts', ...key }, 'limit reached');
      });
      return;
    } catch (error) {
      if (tries >= maxTries || !isTransient(error)) throw error;
    }
  }
}

class Interfered extends Error {}

/** How many more contacts the organization may have. */
async function findRoom(trx: Transaction, organizationId: string): Promise<number> {
  const { limit, used } = await findQuota(trx, organizationId, 'contacts');
  return limit - used;
}

/**
 * After items were created. Locks behind the counter of their collection, as single items do: two collections would
 * otherwise not count each other, and the other order would be a deadlock.
 */
async function isWithinQuota(trx: Transaction, organizationId: string): Promise<boolean> {
  await lockForQuota(trx, organizationId, 'contacts');
  return (await findRoom(trx, organizationId)) >= 0;
}

/** New items in the order of the file, as many as there is room for; rows of items that are there change them as always. */
async function separateBeyondQuota(
  trx: Transaction,
  { target, decoder }: OpenImport,
  { rows, sources }: Batch,
): Promise<{ rows: UpsertRow[]; beyond: Rejected[] }> {
  const room = await findRoom(trx, target.organizationId);
  const keys = [...new Set(rows.map(({ key }) => key))];
  if (keys.length <= room) return { rows, beyond: [] };
  const taken = await findTakenKeys(trx, target, keys);
  const isBeyond = new Set(keys.filter((key) => !taken.has(key)).slice(Math.max(room, 0)));
  const reason = 'The organization has as many contacts as it may have.';
  return {
    rows: rows.filter(({ key }) => !isBeyond.has(key)),
    beyond: rows.flatMap(({ key }, index) =>
      isBeyond.has(key) ? [{ ...sourceOf(sources[index]!, decoder), field: null, reason }] : [],
    ),
  };
}

/** Deadlock, lock timeout, serialization failure. */
const isTransient = (error: unknown): boolean =>
  error instanceof Interfered ||
  (error instanceof DatabaseError && ['40P01', '55P03', '40001'].includes(error.code ?? ''));

function validateRows({ columns, width, decoder, target }: OpenImport, records: readonly CsvRecord[]) {
  const validated = records.map((record) => ({
    record,
    result: readRow(record.cells, columns, { width, keyField: target.keyField, decoder }),
  }));
  return {
    rows: validated.flatMap(({ result }) => ('row' in result ? [result.row] : [])),
    sources: validated.flatMap(({ record, result }) => ('row' in result ? [record] : [])),
    rejections: validated.flatMap(({ record, result }) =>
      'row' in result ? [] : [{ ...result, ...sourceOf(record, decoder) }],
    ),
  };
}

const sourceOf = ({ line, cells }: CsvRecord, decoder: TextDecoder) => ({
  line,
  cells: cells.map((cell) => show(cell, decoder)),
});

/** A cell of a rejected row, so that it can be stored and given back. */
function show(bytes: string, decoder: TextDecoder): string {
  const cut = bytes.slice(0, maxCellBytes);
  const text =
    decodeCell(cut, decoder) ?? new TextDecoder(decoder.encoding).decode(Buffer.from(cut, 'latin1'));
  return text.replaceAll('\0', '\u{fffd}').toWellFormed();
}
