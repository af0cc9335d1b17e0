import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { findSeparatorLine, maxSeparatorLine, toHeading } from '@reachout/contract/rules/csv-dialect.ts';
import {
  consentMeaningOf,
  optInMeaningOf,
  optOutMeaningOf,
  plainHeading,
} from '@reachout/contract/rules/consent-column.ts';
import { findEncoding, type FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { importError } from '@reachout/contract/rules/import-errors.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import type { StoredField } from '../../content/built-in/stored-field.ts';
import type { UpsertTarget } from '../../content/built-in/upsert-items.queries.ts';
import { readCsv, readJsonHeader, type FilePosition } from './file-records.ts';
import { jsonText, openFileText, type FileText } from './file-text.ts';
import {
  checkSettings,
  ImportFailed,
  maxColumns,
  withNewFields,
  type AudienceFields,
  type ImportRow,
  type StoredSettings,
} from './import.ts';
import { KeySet } from './key-set.ts';
import type { MappedColumn } from './import-cells.ts';
import { findBytes, storeFound } from './import-file.queries.ts';

export interface OpenImport {
  row: ImportRow;
  columns: MappedColumn[];
  header: readonly string[];
  separator: string;
  fileText: FileText;
  /** How cells become text: those of JSON are text already. */
  cellText: Pick<FileText, 'name' | 'decode' | 'show'>;
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
  audienceFields: AudienceFields;
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

  const { encoding, separator, start } = await readDialect(db, row);
  const fileText = openFileText(encoding);
  const { header, firstRow } = await readHeader(db, row, { separator, fileText, start });
  const columns = findColumns(header, settings, fields, known);
  const shownHeader = header.map((heading) => (heading ?? '').replaceAll('\0', '').toWellFormed());
  // Rejected rows are returned as the file had them, so also with the encoding and the separator that it names itself.
  const found = { header: shownHeader, separator, encoding };
  await inOrganization(db, organizationId, (trx) =>
    storeFound(trx, { organizationId, importId: row.id }, found),
  );
  const defaults = fields.filter(({ defaultValue }) => defaultValue !== null);
  return {
    firstRow,
    open: {
      row,
      columns,
      header: shownHeader,
      separator,
      fileText,
      cellText: settings.format === 'json' ? jsonText : fileText,
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
  { separator, fileText, start }: { separator: string; fileText: FileText; start: FilePosition },
): Promise<{ header: (string | undefined)[]; firstRow: FilePosition }> {
  const { format, mapping } = row.settings;
  const bytes = readBytes(db, row, start.byte);
  if (format === 'json') {
    const header = await readJsonHeader(bytes, fileText, Object.keys(mapping), start);
    if (header === undefined) throw new ImportFailed(importError('file_empty'));
    return { header, firstRow: start };
  }
  const headings = await readCsv(bytes, fileText, { separator, heading: undefined }, start).next();
  if (headings.done === true) throw new ImportFailed(importError('file_empty'));
  const { cells, nextByte, nextLine } = headings.value;
  const header = cells.map((cell) => {
    const text = fileText.decode(cell);
    return text === undefined ? undefined : toHeading(text);
  });
  return { header, firstRow: { byte: nextByte, line: nextLine } };
}

/** What the file says itself takes precedence over the settings: a byte order mark, UTF-16 by its bytes, a separator line. */
async function readDialect(
  db: Database,
  row: ImportRow,
): Promise<{ encoding: FileEncoding; separator: string; start: FilePosition }> {
  const key = { organizationId: row.organization_id, importId: row.id };
  const first =
    (await inOrganization(db, key.organizationId, (trx) => findBytes(trx, key, 0))) ?? Buffer.alloc(0);
  const { settings } = row;
  const { encoding: found, markBytes } = findEncoding(first);
  const isJson = settings.format === 'json';
  const encoding = found ?? (isJson ? 'utf-8' : settings.encoding);
  const start = { byte: markBytes, line: 1 };
  const { bytesPerCharacter, toCharacters } = openFileText(encoding);
  const begin = first.subarray(markBytes, markBytes + maxSeparatorLine * bytesPerCharacter);
  const whole = begin.length - (begin.length % bytesPerCharacter);
  const named = isJson ? undefined : findSeparatorLine(toCharacters(begin.subarray(0, whole)));
  if (named === undefined) return { encoding, separator: settings.separator, start };
  return {
    encoding,
    separator: named.separator,
    start: { byte: markBytes + named.length * bytesPerCharacter, line: 2 },
  };
}

function findColumns(
  header: readonly (string | undefined)[],
  settings: StoredSettings,
  fields: readonly StoredField[],
  known: ImportedCollection,
): MappedColumn[] {
  if (header.length > maxColumns)
    throw new ImportFailed(importError('too_many_columns', { limit: maxColumns }));
  const columns = Object.entries(settings.mapping).map(([heading, name]) => {
    const index = header.indexOf(heading.trim());
    if (index === -1) {
      const found = header.slice(0, 10).map((other) => `“${cutText(other ?? '?', 100)}”`);
      throw new ImportFailed(
        importError('no_such_column', { column: cutText(heading, 100), found: found.join(', ') }),
      );
    }
    if (header.indexOf(heading.trim(), index + 1) !== -1) {
      throw new ImportFailed(importError('column_twice', { column: cutText(heading, 100) }));
    }
    const field = fields.find((other) => other.name === name)!;
    return { index, heading, field, ...readingOf(heading, field, settings, known) };
  });
  // In the order of the file, in which errors are told.
  return columns.toSorted((one, other) => one.index - other.index);
}

/** How the cells of a column are read, and what becomes of those that cannot be. */
function readingOf(
  heading: string,
  { name, label, type, required }: StoredField,
  { key_field, reject_fields = [], consent }: StoredSettings,
  { protectedFields, audienceFields }: ImportedCollection,
): Pick<MappedColumn, 'kind' | 'consent'> {
  const plain = plainHeading(heading);
  const meaning = consentMeaningOf(plainHeading(name)) ?? consentMeaningOf(plainHeading(label ?? ''));
  const isBoolean = type === 'boolean';
  if (isBoolean && protectedFields.includes(name)) {
    const reading = { yes_means: optOutMeaningOf(plain), unclear: 'reject' } as const;
    const given = name === 'unsubscribed' ? consent : undefined;
    return { kind: 'import_opt_out', consent: { reading: given ?? reading, isOptOut: true } };
  }
  if (isBoolean && (meaning !== undefined || audienceFields.tracking_consent.includes(name))) {
    const isOptOut = meaning === 'unsubscribed';
    const yes_means = isOptOut ? optOutMeaningOf(plain) : optInMeaningOf(plain);
    return { kind: 'import_consent', consent: { reading: { yes_means, unclear: 'reject' }, isOptOut } };
  }
  if (name === key_field) return { kind: 'import_key', consent: undefined };
  if (required || reject_fields.includes(name)) return { kind: 'import_required', consent: undefined };
  const decides = meaning !== undefined || audienceFields.rules.includes(name);
  return { kind: decides ? 'import_audience' : 'import_other', consent: undefined };
}
