import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { fieldTypes } from './content-fields.ts';
import { invalidTransition, memberOperations } from './operation.ts';
import { consentMeanings, unclearConsents } from './rules/consent-column.ts';
import { csvSeparators } from './rules/csv-rows.ts';
import { fileEncodings } from './rules/file-encoding.ts';
import { importErrorCodes } from './rules/import-errors.ts';
import { languages } from './rules/languages.ts';
import { importStatuses } from './states/import.ts';
import {
  collectionName,
  csvFile,
  fieldName,
  filledLine,
  id,
  limitedRecord,
  multiLine,
  optional,
  timestamp,
} from './values.ts';

/** Imports of files into a collection. */

/** A field that an import adds to its collection. */
export const NewField = z.strictObject({
  field: fieldName,
  label: filledLine(120, 'Enter a name.'),
  type: z.enum(fieldTypes),
});
export type NewField = z.infer<typeof NewField>;

/** Why a row was rejected, a value left out, or an import stopped: see `importErrors` for the texts. */
export const ImportError = z.object({
  code: z.enum(importErrorCodes),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** Rows of a file that were rejected, or of which values were left out. */
export const rejectionKinds = ['rejected', 'left_out'] as const;
export type RejectionKind = (typeof rejectionKinds)[number];

const RejectedRow = z.object({
  line: z.number(),
  field: z.string().nullable(),
  /** In English, for API clients. */
  reason: z.string(),
  error: ImportError,
});

/** Rows that were rejected, or values that were left out, for the same reason. */
const RejectionReason = z.object({
  kind: z.enum(rejectionKinds),
  field: z.string().nullable(),
  /** Of the first of them. */
  error: ImportError,
  count: z.number(),
  /** The first ones, with the value as it is in the file; null if the reason is not about a single value. */
  examples: z.array(z.object({ line: z.number(), value: z.string().nullable() })),
});
export type RejectionReason = z.infer<typeof RejectionReason>;

export const ContentImport = z.object({
  id,
  organization_id: id,
  collection: z.string(),
  file_name: z.string(),
  status: z.enum(importStatuses),
  bytes_total: z.number(),
  bytes_done: z.number(),
  rows_done: z.number(),
  /** Whether the import pauses after each batch because emails are being sent. */
  yields_to_sends: z.boolean(),
  /** During a check, and until the import is started, these are the counts that it would produce. */
  created_count: z.number(),
  updated_count: z.number(),
  /** Rows equal to the stored items. */
  unchanged_count: z.number(),
  /** Rows whose item already occurred in an earlier row of the file; the later row's values win. */
  merged_count: z.number(),
  /** New, updated, unchanged, merged and rejected rows are together `rows_done`. */
  rejected_count: z.number(),
  /** The first rejected rows; all of them can be downloaded. */
  rejected: z.array(RejectedRow),
  /** Unreadable values of optional fields that were left out of rows, which count as any others. */
  left_out_count: z.number(),
  /** Those of the first rows; all rows with such values can be downloaded. */
  left_out: z.array(RejectedRow),
  /** Fields that are added to the collection when the import starts. */
  new_fields: z.array(NewField),
  /** In English, for API clients. */
  error_content: z.string().nullable(),
  error: ImportError.nullable(),
  created_at: timestamp,
  end_date: timestamp.nullable(),
});
export type ContentImport = z.infer<typeof ContentImport>;

export const ImportDetails = ContentImport.extend({
  /**
   * All rejected rows and left out values by their reasons, the most frequent ones first, at most 50. Empty while the file is
   * checked or imported.
   */
  reasons: z.array(RejectionReason),
});
export type ImportDetails = z.infer<typeof ImportDetails>;

const inOrganization = memberOperations('Content', 'organization_id');

export const importOperations = {
  imports: inOrganization('GET /content/{organization_id}/imports', 'The latest CSV imports', 'read Content')
    .input({ client_id: id.optional() })
    .output({ data: z.array(ContentImport) }),
  getImport: inOrganization(
    'GET /content/{organization_id}/imports/{id}',
    'Progress and result of a CSV import',
    'read Content',
  )
    .input({ id })
    .output(ImportDetails),
  startImport: inOrganization(
    'POST /content/{organization_id}/imports/{id}/start',
    'Import a file that was checked',
    'create Content',
    { additionalPermissions: ['update Content'] },
  )
    .input({ id })
    .errors({ ...invalidTransition, ...backendFailed })
    .output(ImportDetails),
  cancelImport: inOrganization(
    'DELETE /content/{organization_id}/imports/{id}',
    'Drop a file that was not imported yet',
    'create Content',
  )
    .input({ id })
    .errors(invalidTransition)
    .output({ id }),
};

export const rejectedExport = inOrganization(
  'GET /content/{organization_id}/imports/{id}/rejected',
  'The rejected rows of an import as the file had them, or those of which values were left out, with reasons',
  'read Content',
)
  .input({
    id,
    kind: z.enum(rejectionKinds).default('rejected'),
    language: z.enum(languages).default('en'),
  })
  .output(csvFile);

/** How the column of the field `unsubscribed` is read: see `rules/consent-column.ts`. */
export const ConsentReading = z.strictObject({
  /** What “yes” means: that a person wants email, or that they do not. */
  yes_means: z.enum(consentMeanings),
  /**
   * What happens to a row whose cell is neither yes nor no, or empty where “yes” means subscribed: it is rejected, imported as
   * unsubscribed, or imported without the value.
   */
  unclear: z.enum(unclearConsents).default('reject'),
});
export type ConsentReading = z.infer<typeof ConsentReading>;

/**
 * The form fields of `POST /api/content/{organization_id}/imports` (multipart/form-data; the part `file` comes last so that
 * it can be streamed, and is therefore no operation of the contract). At most 50 MB.
 */
export const ImportSettings = z
  .strictObject({
    collection: collectionName.optional(),
    /** Instead of a collection: the client whose contacts the file has. They enter its collection, which is created if it has none. */
    client_id: id.optional(),
    /** Column heading to field of the collection; columns that are not listed are ignored. */
    mapping: limitedRecord(multiLine(200), fieldName, 500),
    /** Items whose value in this unique field exists are updated, others are created. If empty, each row creates an item. */
    key_field: optional(fieldName).default('email'),
    /** For `json`, a list of objects or one object per line; `mapping` then refers to their keys. */
    format: z.enum(['csv', 'json']).default('csv'),
    /** A first line such as `sep=;` takes precedence. */
    separator: z.enum(csvSeparators).default(','),
    /** A byte order mark, or bytes of UTF-16, take precedence. */
    encoding: z.enum(fileEncodings).default('utf-8'),
    /**
     * Optional fields whose unreadable values reject their row. Unreadable values of other optional fields are left out, except
     * those of fields about consents and those by which an audience selects.
     */
    reject_fields: z.array(fieldName).max(500, 'Name at most 500 fields.').default([]),
    /**
     * If omitted, “yes” in the field `unsubscribed` means what the heading of its column says (“Newsletter”, “Status”: subscribed;
     * any other: unsubscribed), and what is neither yes nor no rejects its row.
     */
    consent: ConsentReading.optional(),
    /** Fields to add to the collection; columns can be mapped to them. */
    new_fields: z.array(NewField).max(50, 'Add at most 50 fields at once.').default([]),
    /** Whether to only check the file. `content.startImport` starts the import, at most 24 hours later. */
    check: z.enum(['true', 'false']).default('false'),
  })
  .refine(({ collection, client_id }) => (collection === undefined) !== (client_id === undefined), {
    path: ['collection'],
    error: 'Name either a collection or a client.',
  });
export type ImportSettings = z.infer<typeof ImportSettings>;
