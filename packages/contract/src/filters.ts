import { z } from 'zod';
import { BrandSummary } from './clients.ts';
import { backendFailed } from './content-backend.ts';
import { apiErrors, pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { ownerChanges, ownerFields, ownerInput, ownerInUse, usableBy } from './owners.ts';
import { maxRuleLength } from './rules/filter-rule-weight.ts';
import { exclusionReasons } from './statuses.ts';
import {
  byId,
  collectionName,
  fieldName,
  id,
  timestamp,
  limitedRecord,
  list,
  name,
  order,
  paging,
  plainJson,
  search,
} from './values.ts';

/**
 * A rule over the fields of a collection, in the filter language of Directus:
 * `{ "_and": [{ "country": { "_eq": "DE" } }] }`. `{}` selects everybody.
 */
export const Rule = limitedRecord(z.string().max(100), plainJson(maxRuleLength), 1_000);
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
  ...ownerFields,
  /** The brand that it belongs to; none when it belongs to a client, or to the organization. */
  brands: z.array(BrandSummary),
  name: z.string(),
  is_active: z.boolean(),
  collection: z.string(),
  rule: Rule,
  field_mapping: FieldMapping,
  created_at: timestamp,
  updated_at: timestamp,
});
export type Filter = z.infer<typeof Filter>;

export const ListedFilter = Filter.extend({
  /**
   * Emails that have it as their audience, deleted ones aside; `maxCountedUses` stands for as many or more. Null for those
   * who may not read touchpoints.
   */
  used_count: z.number().nullable(),
});
export type ListedFilter = z.infer<typeof ListedFilter>;

/** The audience, told the same way wherever it is shown: matched, minus the excluded by reason, makes will_receive. */
export const AudienceBreakdown = z.object({
  matched: z.number(),
  excluded: z.record(z.enum(exclusionReasons), z.number()),
  will_receive: z.number(),
});
export type AudienceBreakdown = z.infer<typeof AudienceBreakdown>;

/**
 * What is known of contacts that are in a remote content backend. Who is left out shows once they were read, page by page; until then
 * `will_receive` is an upper limit.
 */
export const AudienceReading = z.object({
  /** `reading`: they are being read now. */
  state: z.enum(['idle', 'reading', 'failed']),
  /** When the reading began that the numbers are of; null before the first. */
  read_at: timestamp.nullable(),
  /** How many contacts the newest reading has so far. */
  contacts_read: z.number(),
  /** Why the newest reading failed, or waits for its next attempt. */
  error_content: z.string().nullable(),
  /** How many match right now; null where the content backend does not say. */
  live_count: z.number().nullable(),
});
export type AudienceReading = z.infer<typeof AudienceReading>;

export const AudienceCount = AudienceBreakdown.extend({
  /**
   * For an audience of no brand: the brands that reach fewer of it, because contacts have said no to them. Ten at most, the
   * smallest number first.
   */
  brands: z.array(z.object({ id, name: z.string(), will_receive: z.number() })),
  /** How many more such brands there are. */
  brands_more: z.number(),
  sample: z.array(z.object({ id: z.string(), email: z.string(), data: z.record(z.string(), z.json()) })),
  /** Null where the contacts are in the built-in content backend: then all numbers are of now. */
  reading: AudienceReading.nullable(),
});
export type AudienceCount = z.infer<typeof AudienceCount>;

const inOrganization = memberOperations('Audiences', 'organization_id');
const onFilter = memberOperations('Audiences', 'filters');
const invalidRule = {
  invalid_rule: {
    ...apiErrors.invalid_rule,
    data: z.object({ path: z.string(), reason: z.string(), is_too_heavy: z.boolean().optional() }),
  },
} as const;

export const filters = {
  list: inOrganization('GET /filters', 'Audience filters', 'read Filter')
    .input(
      z.strictObject({
        organization_id: id,
        ...usableBy,
        search,
        order: order(['name', 'updated_at'], 'name.asc'),
        ...paging(20),
      }),
    )
    .output(list(ListedFilter)),
  create: inOrganization('POST /filters', 'Create an audience filter', 'create Filter', {
    // How many a rule selects tells what contacts say.
    additionalPermissions: ['read Content'],
  })
    .input(
      z.strictObject({
        organization_id: id,
        ...ownerInput,
        name,
        collection: collectionName.default('contacts'),
        rule: Rule.default({}),
        field_mapping: FieldMapping.default({ email: 'email', unsubscribed: 'unsubscribed' }),
      }),
    )
    .errors({ ...invalidRule, ...pickErrors('name_taken') })
    .output(Filter),
  get: onFilter('GET /filters/{id}', 'One audience filter', 'read Filter').input(byId).output(Filter),
  update: onFilter('PATCH /filters/{id}', 'Change an audience filter', 'update Filter', {
    additionalPermissions: ['read Content'],
  })
    .input(
      z.strictObject({
        id,
        name: name.optional(),
        ...ownerChanges,
        is_active: z.boolean().optional(),
        rule: Rule.optional(),
        field_mapping: FieldMapping.optional(),
      }),
    )
    .errors({ ...invalidRule, ...pickErrors('name_taken'), ...ownerInUse })
    .output(Filter),
  duplicate: onFilter('POST /filters/{id}/duplicate', 'Copy an audience filter', 'create Filter', {
    additionalPermissions: ['read Filter', 'read Content'],
  })
    /** A name that is taken gets a number. */
    .input(z.strictObject({ id, name }))
    .errors(pickErrors('name_taken'))
    .output(Filter),
  delete: onFilter('DELETE /filters/{id}', 'Delete an audience filter permanently', 'delete Filter')
    .input(byId)
    .errors(pickErrors('filter_in_use'))
    .output(z.object({ id })),
  count: inOrganization(
    'POST /filters/count',
    'Count the recipients of a rule, with a sample',
    'read Filter',
    {
      // Shows a contact's own fields.
      additionalPermissions: ['read Content'],
      // Counts while somebody types, and changes nothing: there is no response to keep, and nothing for the audit log.
      manualTransaction: true,
      isExpensive: true,
    },
  )
    .input(
      z.strictObject({
        organization_id: id,
        ...ownerInput,
        collection: collectionName.default('contacts'),
        rule: Rule.default({}),
        field_mapping: FieldMapping.default({ email: 'email', unsubscribed: 'unsubscribed' }),
        /** Reads contacts that are in a remote content backend, in the background; nothing to do for the built-in one. */
        read_contacts: z.boolean().default(false),
      }),
    )
    .errors({ ...invalidRule, ...backendFailed, ...tooManyRecords })
    .output(AudienceCount),
};
