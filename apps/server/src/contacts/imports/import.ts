import type { AddressHashes } from '../consent/erased-addresses.ts';
import { maxFields } from '@reachout/contract/content-fields.ts';
import {
  type ContentImport,
  type ImportSettings,
  type NewField,
} from '@reachout/contract/content-imports.ts';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import { describeImportError } from '@reachout/contract/rules/import-error-text.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import type { Job, JobKind } from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { systemFields } from '../../content/backend/filter-rule.ts';
import { uniqueValueOf, type StoredField } from '../../content/built-in/stored-field.ts';
import type { UpsertRow } from '../../content/built-in/upsert-items.queries.ts';
import type { ImportPace } from './import-pace.ts';

/** Size of the parts in which a file is stored. */
export const partBytes = 262_144;
/** Maximum imports of an organization that are uploading, waiting or running. */
export const maxOpenImports = 20;
/** Jobs that run imports, one per open import: they hold its lease and its retry time. */
export const importJobs: JobKind<{ import_id: string }> = {
  name: 'import',
  payload: z.strictObject({ import_id: z.uuid() }),
  // A job ends shortly after its import.
  maxOpen: 2 * maxOpenImports,
  atLimit: 'too_many_imports',
};
/** Jobs for imports into a Directus, separate so that waiting for it does not delay other imports. */
export const directusImportJobs: JobKind<{ import_id: string }> = { ...importJobs, name: 'directus_import' };
export const jobsOf = ({ endpoint }: Pick<ImportRow, 'endpoint'>) =>
  endpoint === null ? importJobs : directusImportJobs;
/** Jobs that delete the files of abandoned imports after a delay. */
export const importFileJobs: JobKind<{ import_id: string }> = {
  ...importJobs,
  name: 'import_file',
  // More than can be uploaded within the delay.
  maxOpen: 10_000,
};
export const keptFileMs = 7 * 86_400_000;
/** How long a checked file waits for a user to start the import. */
export const keptCheckMs = 86_400_000;
/** An upload still unfinished after this time has failed: a request may take 5 minutes. */
export const uploadLimitMs = 3_600_000;
/** Limits of one file. */
export const maxRows = 1_000_000;
export const maxColumns = 200;
export const maxCellBytes = 65_536;
/** A longer row is an error of the file. A closing quote is searched for as far. */
export const maxRowBytes = 1_000_000;

/** A row of `content_imports`. */
export interface ImportRow extends Omit<
  ContentImport,
  'rejected' | 'left_out' | 'error_content' | 'new_fields'
> {
  /** Endpoint of the collection's Directus; null for the built-in backend. */
  endpoint: string | null;
  settings: StoredSettings;
  line_done: number;
  user_created: string | null;
}

export type StoredSettings = Omit<
  ImportSettings,
  'collection' | 'client_id' | 'separator' | 'reject_fields'
> & {
  collection: string;
  /** Not for imports that are older than this setting. */
  reject_fields?: string[];
  /** Any character, if the first line of the file names it. */
  separator: string;
  /** The headings, set when the file is first opened; used in the download of rejected rows. */
  header?: string[];
};

/** Fields of the collection by which audiences select contacts, or know whose opens and clicks are measured. */
export interface AudienceFields {
  rules: string[];
  tracking_consent: string[];
}

export interface ImportDeps {
  db: Database;
  log: Log;
}

export type ImportJob = Job<{ import_id: string }>;

export interface ImportRun extends ImportDeps {
  secrets: AddressHashes;
  job: ImportJob;
  pace: ImportPace;
  /** Stops the import after the current batch; another worker can resume it immediately. */
  signal: AbortSignal;
}

/** A permanent failure of an import, with a message for the user who started it. */
export class ImportFailed extends Error {
  readonly error: ImportError;
  constructor(error: ImportError) {
    super(describeImportError(error));
    this.error = error;
  }
}

/** @returns the first problem with its path in `ImportSettings`; undefined if the settings fit the fields */
export function checkSettings(
  {
    mapping,
    key_field,
    new_fields,
    reject_fields = [],
    consent,
  }: Pick<StoredSettings, 'mapping' | 'key_field' | 'new_fields' | 'reject_fields' | 'consent'>,
  known: readonly StoredField[],
): { path: string; message: string } | undefined {
  const unusable = new_fields.find(
    ({ field }) => reservedNames.has(field) || known.some(({ name }) => name === field),
  );
  if (unusable !== undefined) return { path: 'new_fields', message: `There is a field ${unusable.field}.` };
  if (new Set(new_fields.map(({ field }) => field)).size < new_fields.length)
    return { path: 'new_fields', message: 'Two fields have the same name.' };
  if (known.length + new_fields.length > maxFields)
    return { path: 'new_fields', message: `A collection has at most ${maxFields} fields.` };
  const fields = withNewFields(known, new_fields);
  const targets = Object.values(mapping);
  const unknown = targets.find((target) => !fields.some(({ name }) => name === target));
  if (unknown !== undefined) return { path: 'mapping', message: `There is no field ${unknown}.` };
  const twice = targets.find((target, index) => targets.indexOf(target) !== index);
  if (twice !== undefined) return { path: 'mapping', message: `Two columns map to ${twice}.` };

  const key = fields.find(({ name }) => name === key_field);
  if (key_field === null && known.some(({ name }) => name === 'email'))
    return { path: 'key_field', message: 'Contacts are matched by a unique field.' };
  if (key_field !== null && key?.unique !== true)
    return { path: 'key_field', message: 'Use a unique field, or none.' };
  if (key_field !== null && !targets.includes(key_field))
    return { path: 'mapping', message: `No column maps to ${key_field}.` };
  const foreign = reject_fields.find((field) => !targets.includes(field));
  if (foreign !== undefined) return { path: 'reject_fields', message: `No column maps to ${foreign}.` };
  if (consent !== undefined) {
    const type = fields.find(({ name }) => name === 'unsubscribed')?.type;
    if (!targets.includes('unsubscribed') || type !== 'boolean')
      return { path: 'consent', message: 'No column maps to a true/false field unsubscribed.' };
    if (reject_fields.includes('unsubscribed'))
      return { path: 'reject_fields', message: 'The consent settings decide about unsubscribed.' };
  }
  const secondKey = fields.find(({ name, unique }) => unique && name !== key_field && targets.includes(name));
  if (secondKey !== undefined) {
    return {
      path: 'mapping',
      message: `${secondKey.name} is unique too: only the key field of an import may be.`,
    };
  }
  const missing = fields.find(
    ({ name, required, defaultValue }) => required && defaultValue === null && !targets.includes(name),
  );
  return missing && { path: 'mapping', message: `${missing.name} is required, and no column goes into it.` };
}

/** @returns the fields of a collection after an import has added its new fields */
export const withNewFields = (
  known: readonly StoredField[],
  newFields: readonly NewField[],
): StoredField[] => [
  ...known,
  ...newFields.map(({ field, label, type }) => ({
    name: field,
    label,
    type,
    interface: null,
    choices: null,
    required: false,
    unique: false,
    hidden: false,
    readonly: false,
    defaultValue: null,
    sort: null,
  })),
];

/** Names of system columns, and of fields with a special meaning on the platform. */
const reservedNames = new Set([...systemFields.map(({ name }) => name as string), 'email', 'unsubscribed']);

/** The values of a valid row, without empty cells. */
export interface ImportedRow {
  key: string;
  patch: Record<string, unknown>;
}

/**
 * Prepares valid rows for one statement, in file order. Rows with the same key apply in sequence, as if each had been stored
 * separately: each gets the values of its predecessors in the batch in `before`, and the last one is written.
 * @param protectedFields  boolean fields that a file can set but not unset
 */
export function chainRows(rows: readonly ImportedRow[], protectedFields: readonly string[]) {
  const lastOf = new Map<string, ChainedRow>();
  return rows.map(({ key, patch }): ChainedRow => {
    const former = lastOf.get(key);
    if (former !== undefined) former.is_last = false;
    const row = { key, before: former && valuesAfter(former, protectedFields), patch, is_last: true };
    lastOf.set(key, row);
    return row;
  });
}

type ChainedRow = Pick<UpsertRow, 'key' | 'before' | 'patch' | 'is_last'>;

function valuesAfter(
  { before, patch }: ChainedRow,
  protectedFields: readonly string[],
): Record<string, unknown> {
  const kept = protectedFields.filter((field) => before?.[field] === true).map((field) => [field, true]);
  return { ...before, ...patch, ...Object.fromEntries(kept) };
}

export const keyOf = (value: unknown): string => uniqueValueOf(value as string);
