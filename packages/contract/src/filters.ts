import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { memberOperation } from './operation.ts';
import { exclusionReasons } from './statuses.ts';
import { collectionName, fieldName, id, timestamp, list, name, order, paging, search } from './values.ts';

/**
 * A rule over the fields of a collection, in the filter language of Directus:
 * `{ "_and": [{ "country": { "_eq": "DE" } }] }`. `{}` selects everybody.
 */
export const Rule = z.record(z.string(), z.json());
export type Rule = z.infer<typeof Rule>;

/** Which fields of the collection say what. */
export const FieldMapping = z.strictObject({
  email: fieldName,
  /** A boolean field; contacts where it is true are never written to. */
  unsubscribed: fieldName.nullable().default(null),
});
export type FieldMapping = z.infer<typeof FieldMapping>;

export const Filter = z.object({
  id,
  organization_id: id,
  brand_id: id.nullable(),
  /** The brand that it is for; none when it is for all brands. */
  brands: z.array(z.object({ id, name: z.string(), logo_url: z.string().nullable() })),
  name: z.string(),
  is_active: z.boolean(),
  collection: z.string(),
  rule: Rule,
  field_mapping: FieldMapping,
  created_at: timestamp,
  updated_at: timestamp,
});
export type Filter = z.infer<typeof Filter>;

/** The audience, told the same way wherever it is shown: matched, minus the excluded by reason, makes will_receive. */
export const AudienceBreakdown = z.object({
  matched: z.number(),
  excluded: z.record(z.enum(exclusionReasons), z.number()),
  will_receive: z.number(),
});
export type AudienceBreakdown = z.infer<typeof AudienceBreakdown>;

export const AudienceCount = AudienceBreakdown.extend({
  sample: z.array(z.object({ id: z.string(), email: z.string(), data: z.record(z.string(), z.json()) })),
});
export type AudienceCount = z.infer<typeof AudienceCount>;

const tag = 'Audiences';
const one = { tag, tenant: 'filters' } as const;
const many = { tag, tenant: 'organization_id' } as const;
const invalidRule = {
  invalid_rule: { ...apiErrors.invalid_rule, data: z.object({ path: z.string(), reason: z.string() }) },
} as const;
const nameTaken = {
  name_taken: apiErrors.name_taken,
} as const;

export const filters = {
  list: memberOperation({
    method: 'GET',
    path: '/filters',
    summary: 'Audience filters',
    permission: ['read', 'Filter'],
    ...many,
  })
    .input(
      z.strictObject({
        organization_id: id,
        brand_id: id.optional(),
        search,
        order: order(['name', 'updated_at'], 'name.asc'),
        ...paging(20),
      }),
    )
    .output(list(Filter)),
  create: memberOperation({
    method: 'POST',
    path: '/filters',
    summary: 'Create an audience filter',
    permission: ['create', 'Filter'],
    // How many a rule selects tells what contacts say.
    additionalPermissions: [['read', 'Content']],
    ...many,
  })
    .input(
      z.strictObject({
        organization_id: id,
        brand_id: id.nullable().default(null),
        name,
        collection: collectionName.default('contacts'),
        rule: Rule.default({}),
        field_mapping: FieldMapping.default({ email: 'email', unsubscribed: 'unsubscribed' }),
      }),
    )
    .errors({ ...invalidRule, ...nameTaken })
    .output(Filter),
  get: memberOperation({
    method: 'GET',
    path: '/filters/{id}',
    summary: 'One audience filter',
    permission: ['read', 'Filter'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(Filter),
  update: memberOperation({
    method: 'PATCH',
    path: '/filters/{id}',
    summary: 'Change an audience filter',
    permission: ['update', 'Filter'],
    additionalPermissions: [['read', 'Content']],
    ...one,
  })
    .input(
      z.strictObject({
        id,
        name: name.optional(),
        brand_id: id.nullable().optional(),
        is_active: z.boolean().optional(),
        rule: Rule.optional(),
        field_mapping: FieldMapping.optional(),
      }),
    )
    .errors({ ...invalidRule, ...nameTaken })
    .output(Filter),
  delete: memberOperation({
    method: 'DELETE',
    path: '/filters/{id}',
    summary: 'Delete an audience filter permanently',
    permission: ['delete', 'Filter'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .errors({
      filter_in_use: apiErrors.filter_in_use,
    })
    .output(z.object({ id })),
  count: memberOperation({
    method: 'POST',
    path: '/filters/count',
    summary: 'Count the recipients of a rule, with a sample',
    permission: ['read', 'Filter'],
    // Shows a contact's own fields.
    additionalPermissions: [['read', 'Content']],
    // Counts while somebody types, and changes nothing: there is no response to keep, and nothing for the audit log.
    manualTransaction: true,
    ...many,
  })
    .input(
      z.strictObject({
        organization_id: id,
        brand_id: id.nullable().default(null),
        collection: collectionName.default('contacts'),
        rule: Rule.default({}),
        field_mapping: FieldMapping.default({ email: 'email', unsubscribed: 'unsubscribed' }),
      }),
    )
    .errors(invalidRule)
    .output(AudienceCount),
};
