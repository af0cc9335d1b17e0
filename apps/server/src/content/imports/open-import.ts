import { inOrganization, type Database } from '../../platform/database/database.ts';
import { findFields } from '../built-in/collections.queries.ts';
import type { StoredField } from '../built-in/stored-field.ts';
import type { UpsertTarget } from '../built-in/upsert-items.queries.ts';
import { readCsv } from './csv-records.ts';
import { checkSettings, ImportFailed, maxColumns, type ImportRow } from './import.ts';
import { decodeCell, type MappedColumn } from './import-cells.ts';
import { findBytes, listUnsubscribedFields, storeHeader } from './imports.queries.ts';

export interface OpenImport {
  row: ImportRow;
  columns: MappedColumn[];
  width: number;
  decoder: TextDecoder;
  target: UpsertTarget;
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

/** Reads the headings and finds the mapped columns. */
export async function openImport(
  { db }: { db: Database },
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
