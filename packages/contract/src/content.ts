import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { ItemChanges, ItemCreation, ItemDeletion } from './content-batches.ts';
import { fileOperations } from './content-files.ts';
import { presetOperations } from './content-presets.ts';
import { apiErrors, pickErrors } from './errors.ts';
import { invalidTransition, memberOperations, tooManyRecords } from './operation.ts';
import { Quota } from './organizations.ts';
import { ownerChanges, ownerFields, ownerInput, ownerInUse, usableBy } from './owners.ts';
import { maxRuleLength } from './rules/filter-rule-weight.ts';
import { importErrorCodes } from './rules/import-errors.ts';
import { importStatuses } from './states/import.ts';
import {
  collectionName,
  fieldName,
  filledLine,
  id,
  name,
  timestamp,
  timestampInput,
  itemData,
  limitedRecord,
  singleLine,
  multiLine,
  optional,
  storableJson,
} from './values.ts';

/** The gateway to an organization's content backend: the operations that the screens use. */

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

/** Narrows the values that a field accepts beyond its type, and determines how the field is edited. */
export const fieldInterfaces = ['email', 'select', 'tags', 'image'] as const;
export type FieldInterface = (typeof fieldInterfaces)[number];

/** The field types that each interface supports. */
export const interfaceTypes: Readonly<Record<FieldInterface, readonly FieldType[]>> = {
  email: ['string'],
  select: ['string'],
  tags: ['csv'],
  /** The web address of an image, or the id of a file of the organization. */
  image: ['string', 'uuid'],
};

/** Maximum number of choices of a field with the interface `select`. */
export const maxChoices = 200;
const choices = z
  .array(filledLine(255, 'Enter a value.'))
  .min(1, 'Enter at least one value.')
  .max(maxChoices, `Use at most ${maxChoices} values.`)
  .refine((values) => new Set(values).size === values.length, 'Two values are the same.');

export const Field = z.object({
  collection: z.string(),
  field: z.string(),
  /** Display name; null if the field name is used. */
  label: z.string().nullable(),
  type: z.enum(fieldTypes),
  interface: z.enum(fieldInterfaces).nullable(),
  /** Only for the interface `select`, otherwise null. */
  choices: z.array(z.string()).nullable(),
  required: z.boolean(),
  unique: z.boolean(),
  hidden: z.boolean(),
  readonly: z.boolean(),
  /** The value of new items that do not set the field. */
  default_value: z.json(),
  /** Position in forms; fields with null come last. */
  sort: z.number().nullable(),
});
export type Field = z.infer<typeof Field>;

/** The settings of a field that users can change. */
const fieldSettings = {
  label: filledLine(120, 'Enter a name.').nullable(),
  type: z.enum(fieldTypes),
  interface: z.enum(fieldInterfaces).nullable(),
  choices: choices.nullable(),
  required: z.boolean(),
  unique: z.boolean(),
  hidden: z.boolean(),
  default_value: storableJson(10_000),
  sort: z.int().min(0).max(10_000).nullable(),
};

/** A new field of a collection. */
export const FieldInput = z.strictObject({
  field: fieldName,
  label: fieldSettings.label.default(null),
  type: fieldSettings.type,
  interface: fieldSettings.interface.default(null),
  choices: fieldSettings.choices.default(null),
  required: fieldSettings.required.default(false),
  unique: fieldSettings.unique.default(false),
  hidden: fieldSettings.hidden.default(false),
  default_value: fieldSettings.default_value.default(null),
  sort: fieldSettings.sort.default(null),
});
export type FieldInput = z.infer<typeof FieldInput>;

/** Changes of a field; omitted settings keep their values. The name is fixed: rules, files and templates refer to it. */
export const FieldChanges = z.strictObject(fieldSettings).partial();
export type FieldChanges = z.infer<typeof FieldChanges>;

/** Maximum number of fields per collection. */
export const maxFields = 200;

/** A field that an import adds to its collection. */
export const NewField = z.strictObject({
  field: fieldName,
  label: filledLine(120, 'Enter a name.'),
  type: z.enum(fieldTypes),
});
export type NewField = z.infer<typeof NewField>;

/** Maximum page size. */
export const maxItems = 500;

export const Item = z.record(z.string(), z.json());
export type Item = z.infer<typeof Item>;

/** Why a row was rejected or an import stopped: see `importErrors` for the texts. */
export const ImportError = z.object({
  code: z.enum(importErrorCodes),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

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
  rejected_count: z.number(),
  /** The first rejected rows; all of them can be downloaded. */
  rejected: z.array(
    z.object({
      line: z.number(),
      field: z.string().nullable(),
      /** In English, for API clients. */
      reason: z.string(),
      error: ImportError,
    }),
  ),
  /** Fields that are added to the collection when the import starts. */
  new_fields: z.array(NewField),
  /** In English, for API clients. */
  error_content: z.string().nullable(),
  error: ImportError.nullable(),
  created_at: timestamp,
  end_date: timestamp.nullable(),
});
export type ContentImport = z.infer<typeof ContentImport>;

export const Collection = z.object({
  collection: z.string(),
  /** Display name; null if the collection name is used. */
  label: z.string().nullable(),
  ...ownerFields,
  item_count: z.number(),
  /** Whether collection lists omit it. */
  hidden: z.boolean(),
  /** Position in lists; collections with null come last. */
  sort: z.number().nullable(),
  /** Whether its items are contacts: people identified by the address in their field `email`. */
  has_contacts: z.boolean(),
});
export type Collection = z.infer<typeof Collection>;

/** Errors of field changes, which stored items have to satisfy too. */
const fieldErrors = {
  ...backendFailed,
  ...pickErrors('field_protected', 'import_in_progress'),
  values_do_not_fit: {
    ...apiErrors.values_do_not_fit,
    data: z.object({
      /**
       * `missing`: items without a value; `duplicate`: items with the value of another item; `type`: values of another type.
       */
      problem: z.enum(['missing', 'duplicate', 'type']),
      count: z.number(),
    }),
  },
  too_many_values: { ...apiErrors.too_many_values, data: z.object({ limit: z.number() }) },
  field_in_use: {
    ...apiErrors.field_in_use,
    data: z.object({
      /** Audiences within the caller's access scope that use the field, at most 10. */
      used_by: z.array(z.object({ kind: z.literal('audience'), id, name: z.string() })),
      count: z.number(),
    }),
  },
} as const;

const inOrganization = memberOperations('Content', 'organization_id');
const collectionPath = z.strictObject({ organization_id: id, collection: collectionName });
/** Item id: a UUID, or the key of a customer's own backend. */
const key = z.string().min(1).max(255);
/** Field names, separated by commas; `*` or no value means all. The key is always included. */
const fields = z.string().max(4_000).optional();
/**
 * Query parameters that Directus clients send along with a change. `fields` selects the fields of the returned items; the
 * others, which would filter the items, are ignored: the response contains all written items.
 */
const responseQuery = {
  fields,
  filter: z.string().max(maxRuleLength).optional(),
  search: z.string().max(200).optional(),
  sort: z.string().max(500).optional(),
  limit: z.string().max(20).optional(),
  page: z.string().max(20).optional(),
  offset: z.string().max(20).optional(),
};
/** Options of operations on several items. */
const batch = {
  manualTransaction: true,
  isExpensive: true,
  additionalPermissions: ['read Content'],
} as const;

const invalidQuery = {
  invalid_query: { ...apiErrors.invalid_query, data: z.object({ reason: z.string() }) },
} as const;

export const backendErrors = {
  ...backendFailed,
  ...invalidQuery,
  validation_failed: {
    ...apiErrors.validation_failed,
    data: z.object({ errors: z.array(z.object({ path: z.string(), message: z.string() })) }),
  },
  not_unique: { ...apiErrors.not_unique, data: z.object({ field: z.string() }) },
} as const;

export const quotaErrors = { quota_exceeded: { ...apiErrors.quota_exceeded, data: Quota } } as const;

/**
 * In a collection with more items than `maxCountedItems`, items that match a filter or search are only counted up to
 * `maxFilterCount`: a full count takes seconds.
 */
export const maxCountedItems = 10_000;
export const maxFilterCount = 2_000;

export const content = {
  collections: inOrganization(
    'GET /content/{organization_id}/collections',
    'Visible collections with their counts',
    'read Content',
    { isExpensive: true },
  )
    .input(
      z.strictObject({
        organization_id: id,
        ...usableBy,
        /** Whether to include hidden collections. */
        hidden: z.enum(['true', 'false']).default('false'),
      }),
    )
    .errors(backendFailed)
    .output(
      z.object({
        data: z.array(Collection),
        meta: z.object({
          /** Where the collections are stored; screens omit what only the built-in backend supports. */
          backend: z.enum(['built_in', 'directus']),
        }),
      }),
    ),
  createCollection: inOrganization(
    'POST /content/{organization_id}/collections',
    'Create a collection: of contacts, with the fields that contacts start with, or of the given fields',
    'create Content',
  )
    .input(
      z.strictObject({
        organization_id: id,
        ...ownerInput,
        name,
        /** Technical name, derived from the name if omitted. It cannot be changed later. */
        collection: collectionName.optional(),
        /** If omitted, the collection is created as one of contacts. */
        fields: z.array(FieldInput).max(maxFields, `Use at most ${maxFields} fields.`).optional(),
      }),
    )
    .errors({ ...tooManyRecords, ...pickErrors('name_taken'), ...backendFailed })
    .output(Collection),
  updateCollection: inOrganization(
    'PATCH /content/{organization_id}/collections/{collection}',
    'Change the name, the owner or the place of a collection',
    'update Content',
    // The response contains the whole collection.
    { additionalPermissions: ['read Content'] },
  )
    .input(
      collectionPath.extend({
        ...ownerChanges,
        name: name.optional(),
        hidden: z.boolean().optional(),
        sort: z.int().min(0).max(10_000).nullable().optional(),
      }),
    )
    .errors({ ...ownerInUse, ...backendFailed })
    .output(Collection),
  deleteCollection: inOrganization(
    'DELETE /content/{organization_id}/collections/{collection}',
    'Delete a collection with all of its items',
    'delete Content',
  )
    .input(collectionPath)
    .errors({
      ...pickErrors('starting_collection'),
      collection_in_use: {
        ...apiErrors.collection_in_use,
        data: z.object({
          /** At most 10; those outside the caller's access scope are counted but not named. */
          used_by: z.array(z.object({ kind: z.literal('audience'), id, name: z.string() })),
          count: z.number(),
        }),
      },
    })
    .output(z.object({ collection: z.string() })),
  fields: inOrganization(
    'GET /content/{organization_id}/fields/{collection}',
    'Visible fields of a collection, by name',
    'read Content',
  )
    .input(
      collectionPath.extend({
        /** Whether to include hidden collections. */
        hidden: z.enum(['true', 'false']).default('false'),
      }),
    )
    .errors(backendFailed)
    .output(z.object({ data: z.array(Field) })),
  createField: inOrganization(
    'POST /content/{organization_id}/fields/{collection}',
    'Add a field to a collection',
    'create Content',
    { isExpensive: true },
  )
    .input(collectionPath.extend(FieldInput.shape))
    .errors({ ...fieldErrors, ...tooManyRecords, ...pickErrors('name_taken') })
    .output(Field),
  updateField: inOrganization(
    'PATCH /content/{organization_id}/fields/{collection}/{field}',
    'Change a field; refused where values of stored items do not fit',
    'update Content',
    // The response contains the whole field.
    { isExpensive: true, additionalPermissions: ['read Content'] },
  )
    .input(collectionPath.extend({ field: fieldName, ...FieldChanges.shape }))
    .errors(fieldErrors)
    .output(Field),
  deleteField: inOrganization(
    'DELETE /content/{organization_id}/fields/{collection}/{field}',
    'Delete a field with the values that items have in it',
    'delete Content',
  )
    .input(collectionPath.extend({ field: fieldName }))
    .errors(fieldErrors)
    .output(z.object({ field: z.string() })),
  ...presetOperations,
  ...fileOperations,
  items: inOrganization(
    'GET /content/{organization_id}/items/{collection}',
    'Items of a collection',
    'read Content',
    { isExpensive: true, takesSearch: true },
  )
    .input(
      collectionPath.extend({
        /** A filter rule as JSON text; rules that are too long for a URL are sent with SEARCH. */
        filter: z.string().max(maxRuleLength).optional(),
        search: singleLine(200).optional(),
        /** Field names, separated by commas; a leading `-` means descending. */
        sort: z.string().max(500).optional(),
        fields,
        /** Default 100, as in Directus; -1 means the maximum. */
        limit: z.coerce.number<number>().int().min(-1).max(maxItems).default(100),
        /** 1-based. */
        page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
        /** Alternative to `page`. */
        offset: z.coerce.number<number>().int().min(0).max(500_000_000).optional(),
        /**
         * Aggregate functions with their fields as JSON text, such as `{"count":"*"}`; the response then contains the
         * results instead of items.
         */
        aggregate: z.string().max(2_000).optional(),
        /** Field names, separated by commas: one result per group. */
        groupBy: z.string().max(500).optional(),
      }),
    )
    .errors(backendErrors)
    .output(
      z.object({
        data: z.array(Item),
        meta: z.object({
          total_count: z.number(),
          /**
           * Items that match filter and search; in a collection with more than `maxCountedItems`, at most `maxFilterCount`.
           */
          filter_count: z.number(),
          /** Whether more items match than were counted. */
          has_more: z.boolean(),
        }),
      }),
    ),
  createItem: inOrganization(
    'POST /content/{organization_id}/items/{collection}',
    'Create an item, or all or none of a list; the body is the item or the list',
    'create Content',
    { manualTransaction: true, bodyField: 'data' },
  )
    .input(collectionPath.extend({ data: ItemCreation, ...responseQuery }))
    .errors({ ...backendErrors, ...quotaErrors })
    .output(z.object({ data: z.union([Item, z.array(Item)]) })),
  updateItems: inOrganization(
    'PATCH /content/{organization_id}/items/{collection}',
    'Change several items, all or none of them',
    'update Content',
    // The response contains fields that the caller may not have sent.
    { ...batch, bodyField: 'changes' },
  )
    .input(collectionPath.extend({ changes: ItemChanges, ...responseQuery }))
    .errors(backendErrors)
    .output(z.object({ data: z.array(Item) })),
  deleteItems: inOrganization(
    'DELETE /content/{organization_id}/items/{collection}',
    'Delete several items, all or none of them',
    'delete Content',
    // The set of items that a query matches reveals their values.
    { ...batch, bodyField: 'items' },
  )
    .input(collectionPath.extend({ items: ItemDeletion }))
    .errors(backendErrors)
    .output(z.object({ keys: z.array(z.string()) })),
  item: inOrganization('GET /content/{organization_id}/items/{collection}/{key}', 'One item', 'read Content')
    .input(collectionPath.extend({ key, fields }))
    .errors({ ...backendFailed, ...invalidQuery })
    .output(z.object({ data: Item })),
  updateItem: inOrganization(
    'PATCH /content/{organization_id}/items/{collection}/{key}',
    'Change an item; the body has the changed fields',
    'update Content',
    // The response contains all fields of the item.
    { manualTransaction: true, bodyField: 'data', additionalPermissions: ['read Content'] },
  )
    .input(
      collectionPath.extend({
        key,
        /** The changed fields. */
        data: itemData,
        /** The `date_updated` that the caller has seen: if the item was changed since, the update is rejected. */
        if_date_updated: timestampInput.optional(),
        ...responseQuery,
      }),
    )
    .errors({ ...backendErrors, ...pickErrors('changed_elsewhere') })
    .output(z.object({ data: Item })),
  deleteItem: inOrganization(
    'DELETE /content/{organization_id}/items/{collection}/{key}',
    'Delete an item',
    'delete Content',
    { manualTransaction: true },
  )
    .input(collectionPath.extend({ key }))
    .errors(backendFailed)
    .output(z.object({ key: z.string() })),
  imports: inOrganization('GET /content/{organization_id}/imports', 'The latest CSV imports', 'read Content')
    .input(z.strictObject({ organization_id: id, client_id: id.optional() }))
    .output(z.object({ data: z.array(ContentImport) })),
  getImport: inOrganization(
    'GET /content/{organization_id}/imports/{id}',
    'Progress and result of a CSV import',
    'read Content',
  )
    .input(z.strictObject({ organization_id: id, id }))
    .output(ContentImport),
  startImport: inOrganization(
    'POST /content/{organization_id}/imports/{id}/start',
    'Import a file that was checked',
    'create Content',
    { additionalPermissions: ['update Content'] },
  )
    .input(z.strictObject({ organization_id: id, id }))
    .errors({ ...invalidTransition, ...backendFailed })
    .output(ContentImport),
  cancelImport: inOrganization(
    'DELETE /content/{organization_id}/imports/{id}',
    'Drop a file that was not imported yet',
    'create Content',
  )
    .input(z.strictObject({ organization_id: id, id }))
    .errors(invalidTransition)
    .output(z.object({ id })),
};

/**
 * The form fields of `POST /api/content/{organization_id}/imports` (multipart/form-data; the part `file` comes last so that
 * it can be streamed). At most 50 MB. `GET /api/content/{organization_id}/imports/{id}/rejected?language=de` returns the
 * rejected rows as CSV, in the format of the file. Both stream, so they are not operations of the contract.
 */
export const ImportSettings = z.strictObject({
  collection: collectionName,
  /** Column heading to field of the collection; columns that are not listed are ignored. */
  mapping: limitedRecord(multiLine(200), fieldName, 500),
  /** Items whose value in this unique field exists are updated, others are created. If empty, each row creates an item. */
  key_field: optional(fieldName).default('email'),
  /** For `json`, a list of objects or one object per line; `mapping` then refers to their keys. */
  format: z.enum(['csv', 'json']).default('csv'),
  separator: z.enum([',', ';', '\t', '|']).default(','),
  encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
  /** Fields to add to the collection; columns can be mapped to them. */
  new_fields: z.array(NewField).max(50, 'Add at most 50 fields at once.').default([]),
  /** Whether to only check the file. `content.startImport` starts the import, at most 24 hours later. */
  check: z.enum(['true', 'false']).default('false'),
});
export type ImportSettings = z.infer<typeof ImportSettings>;
