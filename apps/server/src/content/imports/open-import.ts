import { importError } from '@reachout/contract/rules/import-errors.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import type { StoredField } from '../built-in/stored-field.ts';
import type { UpsertTarget } from '../built-in/upsert-items.queries.ts';
import { readCsv } from './csv-records.ts';
import type { FilePosition } from './file-record.ts';
import { checkSettings, ImportFailed, maxColumns, withNewFields, type ImportRow } from './import.ts';
import { readJsonHeader } from './json-records.ts';
import { KeySet } from './key-set.ts';
import { decodeCell, type MappedColumn } from './import-cells.ts';
import { findBytes, storeHeader } from './import-file.queries.ts';

export interface OpenImport {
  row: ImportRow;
  columns: MappedColumn[];
  header: readonly string[];
  width: number;
  decoder: TextDecoder;
  target: UpsertTarget;
  /** Keys of the rows that have been read. */
  seen: KeySet;
}

export async function* readBytes(db: Database, row: ImportRow, from: number): AsyncGenerator<Buffer> {
  const key = { organizationId: row.organization_id, importId: row.id };
  for (let byte = from; ;) {
    const bytes = await inOrganization(db, key.organizationId, (trx) => findBytes(trx, key, byte));
    if (bytes === undefined) return;
    yield bytes;
    byte += bytes.length;
  }
}

/** What an import needs to know about its collection. */
export interface ImportedCollection {
  /** Fields that files can fill. */
  fields: StoredField[];
  /** Boolean fields that a file can set but not unset. */
  protectedFields: string[];
}

/** Reads the headings and finds the mapped columns. */
export async function openImport(
  { db }: { db: Database },
  row: ImportRow,
  describe: (row: ImportRow) => Promise<ImportedCollection | undefined>,
): Promise<{ open: OpenImport; firstRow: { byte: number; line: number } }> {
  const { organization_id: organizationId, collection, settings } = row;
  const known = await describe(row);
  if (known === undefined) throw new ImportFailed(importError('collection_gone'));
  const { protectedFields } = known;
  const problem = checkSettings(settings, known.fields);
  if (problem !== undefined)
    throw new ImportFailed(importError('settings_unfit', { detail: problem.message }));
  const fields = withNewFields(known.fields, settings.new_fields);

  const { byteOrderMark, decoder } = await detectEncoding(db, row);
  const start = { byte: byteOrderMark, line: 1 };
  const { header, firstRow } = await readHeader(db, row, start, decoder);
  const columns = findColumns(header, settings.mapping, fields);
  const shownHeader = header.map((heading) => (heading ?? '').replaceAll('\0', '').toWellFormed());
  await inOrganization(db, organizationId, (trx) =>
    storeHeader(trx, { organizationId, importId: row.id }, shownHeader),
  );
  const defaults = fields.filter(({ defaultValue }) => defaultValue !== null);
  return {
    firstRow,
    open: {
      row,
      columns,
      header: shownHeader,
      width: header.length,
      decoder,
      seen: new KeySet(),
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

/** @returns the headings (undefined for one that is invalid in the encoding) and the position of the first row */
async function readHeader(
  db: Database,
  row: ImportRow,
  start: FilePosition,
  decoder: TextDecoder,
): Promise<{ header: (string | undefined)[]; firstRow: FilePosition }> {
  const { format, separator, mapping } = row.settings;
  const bytes = readBytes(db, row, start.byte);
  if (format === 'json') {
    const header = await readJsonHeader(bytes, Object.keys(mapping), start);
    if (header === undefined) throw new ImportFailed(importError('file_empty'));
    return { header, firstRow: start };
  }
  const headings = await readCsv(bytes, separator, start).next();
  if (headings.done === true) throw new ImportFailed(importError('file_empty'));
  const { cells, nextByte, nextLine } = headings.value;
  const header = cells.map((cell) => decodeCell(cell, decoder)?.trim());
  return { header, firstRow: { byte: nextByte, line: nextLine } };
}

/** A byte order mark takes precedence over the setting, and JSON is always UTF-8. */
async function detectEncoding(db: Database, row: ImportRow) {
  const key = { organizationId: row.organization_id, importId: row.id };
  const first = await inOrganization(db, key.organizationId, (trx) => findBytes(trx, key, 0));
  const start = first?.subarray(0, 3).toString('hex') ?? '';
  if (start.startsWith('fffe') || start.startsWith('feff')) {
    throw new ImportFailed(importError('utf16'));
  }
  const { format, encoding } = row.settings;
  const isUtf8 = start === 'efbbbf' || format === 'json' || encoding === 'utf-8';
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
  if (header.length > maxColumns)
    throw new ImportFailed(importError('too_many_columns', { limit: maxColumns }));
  return Object.entries(mapping).map(([heading, name]) => {
    const index = header.indexOf(heading.trim());
    if (index === -1) {
      const found = header.slice(0, 10).map((known) => `“${(known ?? '?').slice(0, 100)}”`);
      throw new ImportFailed(
        importError('no_such_column', { column: heading.slice(0, 100), found: found.join(', ') }),
      );
    }
    if (header.indexOf(heading.trim(), index + 1) !== -1) {
      throw new ImportFailed(importError('column_twice', { column: heading.slice(0, 100) }));
    }
    return { index, heading, field: fields.find((field) => field.name === name)! };
  });
}
