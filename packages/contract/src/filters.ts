import { z } from 'zod';
import { BrandSummary } from './clients.ts';
import { backendFailed } from './content-backend.ts';
import { apiErrors, pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { quotaErrors } from './organizations.ts';
import { ownerChanges, ownerFields, ownerInput, ownerInUse, usableBy } from './owners.ts';
import { maxRuleLength } from './rules/filter-rule-weight.ts';
import { exclusionReasons } from './statuses.ts';
import {
  collectionName,
  fieldName,
  id,
  timestamp,
  limitedRecord,
  list,
  name,
  order,
  searchPaging,
  plainJson,
  search,
} from './values.ts';

/**
 * A rule over the fields of a collection, in the filter language of Directus:
 * `{ "_and": [{ "country": { "_eq": "DE" } }] }`. `{}` matches all items.
 */
export const Rule = limitedRecord(z.string().max(100), plainJson(maxRuleLength), 1_000);
export type Rule = z.infer<typeof Rule>;

/** Maps meanings to fields of the collection. */
export const FieldMapping = z.strictObject({
  email: fieldName,
  /** A boolean field; contacts where it is true never receive email. */
  unsubscribed: fieldName.nullable().default(null),
  /** A text field with the contact's time zone (IANA name). If omitted: `time_zone`, if it is such a field. */
  time_zone: fieldName.nullable().optional(),
  /** A text field with the contact's language. If omitted: `language`, if it is such a field. */
  language: fieldName.nullable().optional(),
  /**
   * A boolean field: whether the contact agrees that opens and clicks are measured. If omitted: `tracking_consent`, if it is
   * such a field.
   */
  tracking_consent: fieldName.nullable().optional(),
});
export type FieldMapping = z.infer<typeof FieldMapping>;

export const Filter = z.object({
  id,
  organization_id: id,
  ...ownerFields,
  /** The owning brand; empty if a client or the organization owns the filter. */
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
   * Number of emails with this audience, deleted ones excluded; `maxCountedUses` means that many or more. Null for callers
   * who cannot read touchpoints.
   */
  used_count: z.number().nullable(),
});
export type ListedFilter = z.infer<typeof ListedFilter>;

/** Contacts that a rule leaves out only because they have no value in a field that it compares. */
export const WithoutValue = z.object({ field: z.string(), label: z.string().nullable(), count: z.number() });
export type WithoutValue = z.infer<typeof WithoutValue>;

/**
 * The audience breakdown, the same everywhere: `matched` minus the `excluded` counts by reason equals `will_receive`. A send
 * that an earlier release prepared lacks the reasons that this release did not know.
 */
export const AudienceBreakdown = z.object({
  matched: z.number(),
  excluded: z.partialRecord(z.enum(exclusionReasons), z.number()),
  will_receive: z.number(),
  /**
   * Contacts that are not among `matched`, although people may expect them: “is no”, “is not” and “is before” never match an empty
   * value. At most 3 fields; omitted if there are none, in the numbers of a send, and if they cannot be counted.
   */
  without_value: z.array(WithoutValue).optional(),
});
export type AudienceBreakdown = z.infer<typeof AudienceBreakdown>;

/**
 * What is known about contacts in a remote content backend. Exclusions are only known after all pages of contacts were read;
 * until then `will_receive` is an upper limit.
 */
export const AudienceReading = z.object({
  /** `reading`: the contacts are being read. */
  state: z.enum(['idle', 'reading', 'failed']),
  /** Start of the reading that the numbers come from; null before the first. */
  read_at: timestamp.nullable(),
  /** Contacts read so far by the newest reading. */
  contacts_read: z.number(),
  /** Why the newest reading failed, or why it waits for the next attempt. */
  error_content: z.string().nullable(),
  /** Number of current matches; null if the content backend does not report it. */
  live_count: z.number().nullable(),
});
export type AudienceReading = z.infer<typeof AudienceReading>;

export const AudienceCount = AudienceBreakdown.extend({
  /**
   * Only for an audience without a brand: brands for which fewer contacts receive email, because of unsubscribes and other
   * suppressions for that brand. At most 10, smallest number first.
   */
  brands: z.array(z.object({ id, name: z.string(), will_receive: z.number() })),
  /** Number of further such brands. */
  brands_more: z.number(),
  sample: z.array(z.object({ id: z.string(), email: z.string(), data: z.record(z.string(), z.json()) })),
  /** Null if the contacts are in the built-in content backend: then all numbers are current. */
  reading: AudienceReading.nullable(),
});
export type AudienceCount = z.infer<typeof AudienceCount>;

const inOrganization = memberOperations('Audiences', 'organization_id');
const onFilter = memberOperations('Audiences', 'filters');
/**
 * If omitted: for a brand or client its own collection of contacts, never one that all clients share; for an audience that all
 * clients share, the first one that they share.
 */
const ofOwner = collectionName.optional();
const invalidRule = {
  invalid_rule: {
    ...apiErrors.invalid_rule,
    data: z.object({ path: z.string(), reason: z.string(), is_too_heavy: z.boolean().optional() }),
  },
} as const;

export const filters = {
  list: inOrganization('GET /filters', 'Audience filters', 'read Filter')
    .input({
      ...usableBy,
      search,
      order: order(['name', 'updated_at'], 'name.asc'),
      /** Without `page_size`: 20 for a search, 10 otherwise. */
      ...searchPaging,
    })
    .output(list(ListedFilter)),
  create: inOrganization('POST /filters', 'Create an audience filter', 'create Filter', {
    // The number of contacts that a rule matches reveals values of contacts.
    additionalPermissions: ['read Content'],
  })
    .input({
      ...ownerInput,
      name,
      collection: ofOwner,
      rule: Rule.default({}),
      field_mapping: FieldMapping.default({ email: 'email', unsubscribed: 'unsubscribed' }),
    })
    .errors({ ...invalidRule, ...pickErrors('name_taken'), ...quotaErrors })
    .output(Filter),
  get: onFilter('GET /filters/{id}', 'One audience filter', 'read Filter').output(Filter),
  update: onFilter('PATCH /filters/{id}', 'Change an audience filter', 'update Filter', {
    additionalPermissions: ['read Content'],
  })
    .input({
      name: name.optional(),
      ...ownerChanges,
      is_active: z.boolean().optional(),
      rule: Rule.optional(),
      field_mapping: FieldMapping.optional(),
    })
    .errors({ ...invalidRule, ...pickErrors('name_taken'), ...ownerInUse, ...quotaErrors })
    .output(Filter),
  duplicate: onFilter('POST /filters/{id}/duplicate', 'Copy an audience filter', 'create Filter', {
    additionalPermissions: ['read Filter', 'read Content'],
  })
    /** If the name is taken, a number is appended. */
    .input({ name })
    .errors({ ...pickErrors('name_taken'), ...quotaErrors })
    .output(Filter),
  delete: onFilter('DELETE /filters/{id}', 'Delete an audience filter permanently', 'delete Filter')
    .errors(pickErrors('filter_in_use'))
    .output({ id }),
  count: inOrganization(
    'POST /filters/count',
    'Count the recipients of a rule, with a sample',
    'read Filter',
    {
      // The response contains fields of contacts.
      additionalPermissions: ['read Content'],
      // Called while the user types, and changes nothing: there is no response to store and no audit log entry.
      manualTransaction: true,
      isExpensive: true,
    },
  )
    .input({
      ...ownerInput,
      collection: ofOwner,
      rule: Rule.default({}),
      field_mapping: FieldMapping.default({ email: 'email', unsubscribed: 'unsubscribed' }),
      /** Whether to read contacts of a remote content backend in the background; no effect for the built-in one. */
      read_contacts: z.boolean().default(false),
    })
    .errors({ ...invalidRule, ...backendFailed, ...tooManyRecords })
    .output(AudienceCount),
};
