import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { memberOperation } from './operation.ts';
import { importStatuses } from './states/import.ts';
import { collectionName, fieldName, id, timestamp, itemData, singleLine, multiLine } from './values.ts';

/** The gateway to an organization's content backend: what screens use of it. */

export const fieldTypes = [
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'dateTime',
  'timestamp',
  'time',
  'uuid',
  'json',
  'csv',
] as const;
export type FieldType = (typeof fieldTypes)[number];

export const Field = z.object({
  collection: z.string(),
  field: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  unique: z.boolean(),
  hidden: z.boolean(),
  readonly: z.boolean(),
});
export type Field = z.infer<typeof Field>;

export const Item = z.record(z.string(), z.json());
export type Item = z.infer<typeof Item>;

export const ContentImport = z.object({
  id,
  organization_id: id,
  collection: z.string(),
  file_name: z.string(),
  status: z.enum(importStatuses),
  bytes_total: z.number(),
  bytes_done: z.number(),
  rows_done: z.number(),
  created_count: z.number(),
  updated_count: z.number(),
  /** Rows equal to what is stored already. */
  unchanged_count: z.number(),
  rejected_count: z.number(),
  /** The first rejected rows; all of them can be downloaded. */
  rejected: z.array(z.object({ line: z.number(), field: z.string().nullable(), reason: z.string() })),
  error_content: z.string().nullable(),
  created_at: timestamp,
  end_date: timestamp.nullable(),
});
export type ContentImport = z.infer<typeof ContentImport>;

const tag = 'Content';
const tenant = 'organization_id' as const;
const collectionPath = z.strictObject({ organization_id: id, collection: collectionName });
/** Ids of items: a UUID, or what a customer's own backend uses. */
const key = z.string().min(1).max(255);

const backendErrors = {
  invalid_query: { ...apiErrors.invalid_query, data: z.object({ reason: z.string() }) },
  validation_failed: {
    ...apiErrors.validation_failed,
    data: z.object({ errors: z.array(z.object({ path: z.string(), message: z.string() })) }),
  },
  not_unique: { ...apiErrors.not_unique, data: z.object({ field: z.string() }) },
} as const;

export const content = {
  collections: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/collections',
    summary: 'Visible collections with their counts',
    tag,
    permission: ['read', 'Content'],
    tenant,
  })
    .input(z.strictObject({ organization_id: id }))
    .output(z.object({ data: z.array(z.object({ collection: z.string(), item_count: z.number() })) })),
  fields: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/fields/{collection}',
    summary: 'Visible fields of a collection, by name',
    tag,
    permission: ['read', 'Content'],
    tenant,
  })
    .input(collectionPath)
    .output(z.object({ data: z.array(Field) })),
  items: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/items/{collection}',
    summary: 'Items of a collection',
    tag,
    permission: ['read', 'Content'],
    tenant,
  })
    .input(
      collectionPath.extend({
        /** A filter rule as JSON text. */
        filter: z.string().max(16_000).optional(),
        search: singleLine(200).optional(),
        /** Field names, `-` in front for descending, separated by commas. */
        sort: z.string().max(500).optional(),
        limit: z.coerce.number<number>().int().min(0).max(500).default(20),
        /** From 1. */
        page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
      }),
    )
    .errors(backendErrors)
    .output(
      z.object({
        data: z.array(Item),
        meta: z.object({ total_count: z.number(), filter_count: z.number() }),
      }),
    ),
  createItem: memberOperation({
    method: 'POST',
    path: '/content/{organization_id}/items/{collection}',
    summary: 'Create an item',
    tag,
    permission: ['create', 'Content'],
    tenant,
  })
    .input(collectionPath.extend({ data: itemData }))
    .errors(backendErrors)
    .output(z.object({ data: Item })),
  item: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/items/{collection}/{key}',
    summary: 'One item',
    tag,
    permission: ['read', 'Content'],
    tenant,
  })
    .input(collectionPath.extend({ key }))
    .output(z.object({ data: Item })),
  updateItem: memberOperation({
    method: 'PATCH',
    path: '/content/{organization_id}/items/{collection}/{key}',
    summary: 'Change an item',
    tag,
    permission: ['update', 'Content'],
    tenant,
  })
    .input(collectionPath.extend({ key, data: itemData }))
    .errors(backendErrors)
    .output(z.object({ data: Item })),
  deleteItem: memberOperation({
    method: 'DELETE',
    path: '/content/{organization_id}/items/{collection}/{key}',
    summary: 'Delete an item',
    tag,
    permission: ['delete', 'Content'],
    tenant,
  })
    .input(collectionPath.extend({ key }))
    .output(z.object({ key: z.string() })),
  imports: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/imports',
    summary: 'The latest CSV imports',
    tag,
    permission: ['read', 'Content'],
    tenant,
  })
    .input(z.strictObject({ organization_id: id }))
    .output(z.object({ data: z.array(ContentImport) })),
  getImport: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/imports/{id}',
    summary: 'Progress and result of a CSV import',
    tag,
    permission: ['read', 'Content'],
    tenant,
  })
    .input(z.strictObject({ organization_id: id, id }))
    .output(ContentImport),
};

/**
 * The fields beside the file of `POST /api/content/{organization_id}/imports` (multipart/form-data; the file part,
 * named `file`, comes last so that it can be streamed). At most 50 MB.
 * `GET /api/content/{organization_id}/imports/{id}/rejected` gives the rejected rows as CSV. Both stream, so they are
 * no operations of the contract.
 */
export const ImportSettings = z.strictObject({
  collection: collectionName,
  /** Column of the file (by its heading) to field of the collection; columns not named are left out. */
  mapping: z.record(multiLine(200), fieldName),
  /** Items whose value in this unique field is known are updated, others are created. */
  key_field: fieldName.default('email'),
  separator: z.enum([',', ';', '\t', '|']).default(','),
  encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
});
export type ImportSettings = z.infer<typeof ImportSettings>;
