import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { ItemChanges, ItemCreation, ItemDeletion } from './content-batches.ts';
import { FieldInput, fieldOperations, maxFields } from './content-fields.ts';
import { fileOperations } from './content-files.ts';
import { importOperations } from './content-imports.ts';
import { presetOperations } from './content-presets.ts';
import { shareOperations } from './content-shares.ts';
import { apiErrors, pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { quotaErrors } from './organizations.ts';
import { ownerChanges, ownerFields, ownerInput, ownerInUse, usableBy } from './owners.ts';
import { maxRuleLength } from './rules/filter-rule-weight.ts';
import { collectionName, csvFile, id, name, search, timestampInput, itemData, singleLine } from './values.ts';

/** The gateway to an organization's content backend: the operations that the screens use. */

/** Maximum page size. */
export const maxItems = 500;

export const Item = z.record(z.string(), z.json());
export type Item = z.infer<typeof Item>;

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

const inOrganization = memberOperations('Content', 'organization_id');
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
    .input({
      ...usableBy,
      /** Whether to include hidden collections. */
      hidden: z.enum(['true', 'false']).default('false'),
    })
    .errors(backendFailed)
    .output({
      data: z.array(Collection),
      meta: z.object({
        /** Where the collections are stored; screens omit what only the built-in backend supports. */
        backend: z.enum(['built_in', 'directus']),
      }),
    }),
  createCollection: inOrganization(
    'POST /content/{organization_id}/collections',
    'Create a collection: of contacts, with the fields that contacts start with, or of the given fields',
    'create Content',
  )
    .input({
      ...ownerInput,
      name,
      /** Technical name, derived from the name if omitted. It cannot be changed later. */
      collection: collectionName.optional(),
      /** If omitted, the collection is created as one of contacts. */
      fields: z.array(FieldInput).max(maxFields, `Use at most ${maxFields} fields.`).optional(),
    })
    .errors({ ...tooManyRecords, ...pickErrors('name_taken'), ...backendFailed })
    .output(Collection),
  updateCollection: inOrganization(
    'PATCH /content/{organization_id}/collections/{collection}',
    'Change the name, the owner or the place of a collection',
    'update Content',
    // The response contains the whole collection.
    { additionalPermissions: ['read Content'] },
  )
    .input({
      collection: collectionName,
      ...ownerChanges,
      name: name.optional(),
      hidden: z.boolean().optional(),
      sort: z.int().min(0).max(10_000).nullable().optional(),
    })
    .errors({ ...ownerInUse, ...backendFailed })
    .output(Collection),
  deleteCollection: inOrganization(
    'DELETE /content/{organization_id}/collections/{collection}',
    'Delete a collection with all of its items',
    'delete Content',
  )
    .input({ collection: collectionName })
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
    .output({ collection: z.string() }),
  ...fieldOperations,
  ...presetOperations,
  ...fileOperations,
  ...shareOperations,
  items: inOrganization(
    'GET /content/{organization_id}/items/{collection}',
    'Items of a collection',
    'read Content',
    { isExpensive: true, takesSearch: true },
  )
    .input({
      collection: collectionName,
      /** A filter rule as JSON text; rules that are too long for a URL are sent with SEARCH. */
      filter: z.string().max(maxRuleLength).optional(),
      search: singleLine(200).optional(),
      /** Field names, separated by commas; a leading `-` means descending. */
      sort: z.string().max(500).optional(),
      fields,
      /** -1 means the maximum. */
      limit: z.coerce.number<number>().int().min(-1).max(maxItems).default(20),
      /** 1-based. */
      page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
      /** Alternative to `page`. */
      offset: z.coerce.number<number>().int().min(0).max(500_000_000).optional(),
      /** Matches of filter and search are counted up to this number. A count can take longer than its page. */
      max_count: z.coerce.number<number>().int().min(0).max(maxFilterCount).optional(),
      /**
       * Aggregate functions with their fields as JSON text, such as `{"count":"*"}`; the response then contains the
       * results instead of items.
       */
      aggregate: z.string().max(2_000).optional(),
      /** Field names, separated by commas: one result per group. */
      groupBy: z.string().max(500).optional(),
    })
    .errors(backendErrors)
    .output({
      data: z.array(Item),
      meta: z.object({
        total_count: z.number(),
        /**
         * Items that match filter and search, counted up to `max_count`, or else, in a collection with more than
         * `maxCountedItems`, up to `maxFilterCount`. Without both, all items are counted, as is what a Directus counts anyway.
         */
        filter_count: z.number(),
        /** Whether more items may match than were counted. */
        has_more: z.boolean(),
      }),
    }),
  createItem: inOrganization(
    'POST /content/{organization_id}/items/{collection}',
    'Create an item, or all or none of a list; the body is the item or the list',
    'create Content',
    { manualTransaction: true, bodyField: 'data' },
  )
    .input({ collection: collectionName, data: ItemCreation, ...responseQuery })
    .errors({ ...backendErrors, ...quotaErrors })
    .output({ data: z.union([Item, z.array(Item)]) }),
  updateItems: inOrganization(
    'PATCH /content/{organization_id}/items/{collection}',
    'Change several items, all or none of them',
    'update Content',
    // The response contains fields that the caller may not have sent.
    { ...batch, bodyField: 'changes' },
  )
    .input({ collection: collectionName, changes: ItemChanges, ...responseQuery })
    .errors(backendErrors)
    .output({ data: z.array(Item) }),
  deleteItems: inOrganization(
    'DELETE /content/{organization_id}/items/{collection}',
    'Delete several items, all or none of them',
    'delete Content',
    // The set of items that a query matches reveals their values.
    { ...batch, bodyField: 'items' },
  )
    .input({ collection: collectionName, items: ItemDeletion })
    .errors(backendErrors)
    .output({ keys: z.array(z.string()) }),
  item: inOrganization('GET /content/{organization_id}/items/{collection}/{key}', 'One item', 'read Content')
    .input({ collection: collectionName, key, fields })
    .errors({ ...backendFailed, ...invalidQuery })
    .output({ data: Item }),
  updateItem: inOrganization(
    'PATCH /content/{organization_id}/items/{collection}/{key}',
    'Change an item; the body has the changed fields',
    'update Content',
    // The response contains all fields of the item.
    { manualTransaction: true, bodyField: 'data', additionalPermissions: ['read Content'] },
  )
    .input({
      collection: collectionName,
      key,
      /** The changed fields. */
      data: itemData,
      /** The `date_updated` that the caller has seen: if the item was changed since, the update is rejected. */
      if_date_updated: timestampInput.optional(),
      ...responseQuery,
    })
    .errors({ ...backendErrors, ...pickErrors('changed_elsewhere') })
    .output({ data: Item }),
  deleteItem: inOrganization(
    'DELETE /content/{organization_id}/items/{collection}/{key}',
    'Delete an item',
    'delete Content',
    { manualTransaction: true },
  )
    .input({ collection: collectionName, key })
    .errors(backendFailed)
    .output({ key: z.string() }),
  ...importOperations,
};

export const exportFormats = ['csv', 'json'] as const;

export const itemsExport = inOrganization(
  'GET /content/{organization_id}/exports/{collection}',
  'The items of a collection that a filter finds, as a CSV or JSON file',
  'read Content',
  { isExpensive: true },
)
  .input({
    collection: collectionName,
    format: z.enum(exportFormats).default('csv'),
    filter: z.string().max(12_000).optional(),
    search,
  })
  .errors({ ...backendFailed, ...invalidQuery })
  .output(z.union([csvFile, z.array(Item)]));
