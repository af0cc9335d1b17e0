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

/** What a value is, beyond its type: it narrows which values a field takes, and says how it is edited. */
export const fieldInterfaces = ['email', 'select', 'tags', 'image'] as const;
export type FieldInterface = (typeof fieldInterfaces)[number];

/** The types that fields of an interface can have. */
export const interfaceTypes: Readonly<Record<FieldInterface, readonly FieldType[]>> = {
  email: ['string'],
  select: ['string'],
  tags: ['csv'],
  /** The web address of an image, or the id of a file of the organization. */
  image: ['string', 'uuid'],
};

/** The values that a field of the interface `select` takes. */
export const maxChoices = 200;
const choices = z
  .array(filledLine(255, 'Enter a value.'))
  .min(1, 'Enter at least one value.')
  .max(maxChoices, `Use at most ${maxChoices} values.`)
  .refine((values) => new Set(values).size === values.length, 'Two values are the same.');

export const Field = z.object({
  collection: z.string(),
  field: z.string(),
  /** How people call it; null where the name says it. */
  label: z.string().nullable(),
  type: z.enum(fieldTypes),
  interface: z.enum(fieldInterfaces).nullable(),
  /** Of the interface `select`; null for others. */
  choices: z.array(z.string()).nullable(),
  required: z.boolean(),
  unique: z.boolean(),
  hidden: z.boolean(),
  readonly: z.boolean(),
  /** What new items have where nobody says otherwise. */
  default_value: z.json(),
  /** Its place in forms, before fields without one; null for those. */
  sort: z.number().nullable(),
});
export type Field = z.infer<typeof Field>;

/** What people choose for a field. */
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

/** A field that a collection gets. */
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

/** Changes of a field; what is not named stays as it is. Its name never changes: rules, files and templates call it so. */
export const FieldChanges = z.strictObject(fieldSettings).partial();
export type FieldChanges = z.infer<typeof FieldChanges>;

/** Fields of one collection. */
export const maxFields = 200;

/** A field that an import adds to its collection. */
export const NewField = z.strictObject({
  field: fieldName,
  label: filledLine(120, 'Enter a name.'),
  type: z.enum(fieldTypes),
});
export type NewField = z.infer<typeof NewField>;

/** Of one page. */
export const maxItems = 500;

export const Item = z.record(z.string(), z.json());
export type Item = z.infer<typeof Item>;

/** Why a row was rejected, or an import could not go on: see `importErrors`, which has the texts. */
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
  /** It rests after each batch, because emails go out. */
  yields_to_sends: z.boolean(),
  /** While it is checked, and until it is started: what it would do. */
  created_count: z.number(),
  updated_count: z.number(),
  /** Rows equal to what is stored already. */
  unchanged_count: z.number(),
  /** Rows of items that a row before them in the file has already: their values win. */
  merged_count: z.number(),
  rejected_count: z.number(),
  /** The first rejected rows; all of them can be downloaded. */
  rejected: z.array(
    z.object({
      line: z.number(),
      field: z.string().nullable(),
      /** In English, for programs. */
      reason: z.string(),
      error: ImportError,
    }),
  ),
  /** Fields that the collection gets when it is started. */
  new_fields: z.array(NewField),
  /** In English, for programs. */
  error_content: z.string().nullable(),
  error: ImportError.nullable(),
  created_at: timestamp,
  end_date: timestamp.nullable(),
});
export type ContentImport = z.infer<typeof ContentImport>;

export const Collection = z.object({
  collection: z.string(),
  /** How people call it; null where the name says it. */
  label: z.string().nullable(),
  ...ownerFields,
  item_count: z.number(),
  /** Whether lists of collections leave it out. */
  hidden: z.boolean(),
  /** Its place in lists, before collections without one; null for those. */
  sort: z.number().nullable(),
  /** Whether its items are contacts: people, by the address of their field `email`. */
  has_contacts: z.boolean(),
});
export type Collection = z.infer<typeof Collection>;

/** Why a change of a field was refused; the change asks something of items that are stored already. */
const fieldErrors = {
  ...backendFailed,
  ...pickErrors('field_protected', 'import_in_progress'),
  values_do_not_fit: {
    ...apiErrors.values_do_not_fit,
    data: z.object({
      /** `missing`: items without a value; `duplicate`: items whose value another one has; `type`: values of another kind. */
      problem: z.enum(['missing', 'duplicate', 'type']),
      count: z.number(),
    }),
  },
  too_many_values: { ...apiErrors.too_many_values, data: z.object({ limit: z.number() }) },
  field_in_use: {
    ...apiErrors.field_in_use,
    data: z.object({
      /** Audiences that name the field, at most ten; beyond the access scope nothing is named. */
      used_by: z.array(z.object({ kind: z.literal('audience'), id, name: z.string() })),
      count: z.number(),
    }),
  },
} as const;

const inOrganization = memberOperations('Content', 'organization_id');
const collectionPath = z.strictObject({ organization_id: id, collection: collectionName });
/** Ids of items: a UUID, or what a customer's own backend uses. */
const key = z.string().min(1).max(255);
/** Field names, separated by commas; `*`, or without it: all. The key is always there. */
const fields = z.string().max(4_000).optional();
/**
 * What clients of Directus send along with a change. `fields` says what the items of the response have; the others would choose
 * among the items, and the response has all that were written.
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
/** Of operations on several items. */
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

/** Of a larger collection the items that a filter or a search finds are counted up to `maxFilterCount`: to count all takes seconds. */
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
        /** Whether hidden ones are listed, too. */
        hidden: z.enum(['true', 'false']).default('false'),
      }),
    )
    .errors(backendFailed)
    .output(
      z.object({
        data: z.array(Collection),
        meta: z.object({
          /** Where they are kept: what only the built-in backend can do is left out of screens. */
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
        /** How programs call it; made of the name without it. It never changes. */
        collection: collectionName.optional(),
        /** Without it the collection is one of contacts. */
        fields: z.array(FieldInput).max(maxFields, `Use at most ${maxFields} fields.`).optional(),
      }),
    )
    .errors({ ...tooManyRecords, ...pickErrors('name_taken'), ...backendFailed })
    .output(Collection),
  updateCollection: inOrganization(
    'PATCH /content/{organization_id}/collections/{collection}',
    'Change the name, the owner or the place of a collection',
    'update Content',
    // The response has all of it.
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
          /** At most ten; beyond the access scope nothing is named. */
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
        /** Whether hidden ones are listed, too. */
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
    // The response has all of it.
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
        /** A filter rule as JSON text; one that is too long for an address comes with SEARCH. */
        filter: z.string().max(maxRuleLength).optional(),
        search: singleLine(200).optional(),
        /** Field names, `-` in front for descending, separated by commas. */
        sort: z.string().max(500).optional(),
        fields,
        /** 100 by default, as in Directus; -1: as many as there may be. */
        limit: z.coerce.number<number>().int().min(-1).max(maxItems).default(100),
        /** From 1. */
        page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
        /** In place of a page. */
        offset: z.coerce.number<number>().int().min(0).max(500_000_000).optional(),
        /** Functions with their fields as JSON text, such as `{"count":"*"}`: the response has their results in place of items. */
        aggregate: z.string().max(2_000).optional(),
        /** Field names, separated by commas: results for each group. */
        groupBy: z.string().max(500).optional(),
      }),
    )
    .errors(backendErrors)
    .output(
      z.object({
        data: z.array(Item),
        meta: z.object({
          total_count: z.number(),
          /** Those that filter and search find; in a collection of more than `maxCountedItems` at most `maxFilterCount`. */
          filter_count: z.number(),
          /** Whether these are more than were counted. */
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
    // The response has fields that the caller need not have given.
    { ...batch, bodyField: 'changes' },
  )
    .input(collectionPath.extend({ changes: ItemChanges, ...responseQuery }))
    .errors(backendErrors)
    .output(z.object({ data: z.array(Item) })),
  deleteItems: inOrganization(
    'DELETE /content/{organization_id}/items/{collection}',
    'Delete several items, all or none of them',
    'delete Content',
    // Which items a query finds tells what they have.
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
    // The response has all fields of the item.
    { manualTransaction: true, bodyField: 'data', additionalPermissions: ['read Content'] },
  )
    .input(
      collectionPath.extend({
        key,
        /** The fields that change. */
        data: itemData,
        /** The `date_updated` that the caller knows: an item changed since by somebody else is not overwritten. */
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
 * The fields beside the file of `POST /api/content/{organization_id}/imports` (multipart/form-data; the file part,
 * named `file`, comes last so that it can be streamed). At most 50 MB.
 * `GET /api/content/{organization_id}/imports/{id}/rejected?language=de` gives the rejected rows as CSV, as the file was. Both stream, so they are
 * no operations of the contract.
 */
export const ImportSettings = z.strictObject({
  collection: collectionName,
  /** Column of the file (by its heading) to field of the collection; columns not named are left out. */
  mapping: limitedRecord(multiLine(200), fieldName, 500),
  /** Items whose value in this unique field is known are updated, others are created. Empty: each row creates an item. */
  key_field: optional(fieldName).default('email'),
  /** A list of objects, or one object on each line; `mapping` then has the names of their keys. */
  format: z.enum(['csv', 'json']).default('csv'),
  separator: z.enum([',', ';', '\t', '|']).default(','),
  encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
  /** Fields that the collection gets: columns can be mapped to them. */
  new_fields: z.array(NewField).max(50, 'Add at most 50 fields at once.').default([]),
  /** Whether the file is only checked, until it is started with `content.startImport`, at most 24 hours later. */
  check: z.enum(['true', 'false']).default('false'),
});
export type ImportSettings = z.infer<typeof ImportSettings>;
