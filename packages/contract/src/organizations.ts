import { z } from 'zod';
import { apiErrors, pickErrors } from './errors.ts';
import { addressOperations, contactPersonOperations } from './contact-details.ts';
import { invalidUser, memberOperations, userOperations } from './operation.ts';
import { maxWebsiteEventsDays, minWebsiteEventsDays } from './rules/lengths.ts';
import { organizationStatuses, uncertainPolicies } from './statuses.ts';
import {
  countryId,
  currency,
  deleted,
  id,
  timestamp,
  singleLine,
  list,
  name,
  optional,
  paging,
  search,
} from './values.ts';

export const Organization = z.object({
  id,
  name: z.string(),
  logo_url: z.string().nullable(),
  /** Deleted organizations are not shown. */
  deleted: z.literal(false),
  status: z.enum(organizationStatuses),
  /** Why an operator suspended it. */
  status_reason: z.string().nullable(),
  organization_size_id: z.string().nullable(),
  organization_sizes: z.object({ name: z.string() }).nullable(),
  country_id: z.string().nullable(),
  /** With its name in English. */
  countries: z.object({ name: z.string() }).nullable(),
  /** The caller's role; `permissions` returns its rules. */
  role: z.string(),
  /** Name of a custom role; null for the built-in ones. */
  role_name: z.string().nullable(),
  /** Of its sends whose confirmation does not name one. */
  uncertain_policy: z.enum(uncertainPolicies),
  /** Days that single events and sessions of visitors of its websites are kept. */
  website_events_days: z.int(),
  /** What values of conversions are stated in: ISO 4217. */
  currency: z.string(),
  /** Whether members without a second factor are denied access to everything else in it. */
  requires_second_factor: z.boolean(),
  /** Whether this applies to the caller. */
  lacks_second_factor: z.boolean(),
  created_at: timestamp,
});
export type Organization = z.infer<typeof Organization>;

export const OrganizationDetails = Organization.extend({
  /** Of the invitation link, for callers who may read the link; null for all others, and without a link. */
  invitation_token: z.string().nullable(),
});

/** A CASL rule with its placeholders replaced. */
export const EffectivePermission = z.object({
  action: z.union([z.string(), z.array(z.string())]),
  subject: z.union([z.string(), z.array(z.string())]),
  conditions: z.record(z.string(), z.json()).optional(),
  inverted: z.boolean().optional(),
});
export type EffectivePermission = z.infer<typeof EffectivePermission>;

/** What the caller may do in an organization. */
export const OrganizationPermissions = z.object({
  role: z.string(),
  rules: z.array(EffectivePermission),
  /** Names of the owners to ask for a client, if the caller is limited to clients and has none; otherwise null. */
  client_wanted_from: z.array(z.string()).nullable(),
});

/** Setup steps of a new organization, in order. Each is derived from existing records, never marked as done by hand. */
export const setupTasks = ['profile', 'team', 'brand', 'contacts', 'audience', 'touchpoint'] as const;
export type SetupTask = (typeof setupTasks)[number];
export const Setup = z.object({
  id,
  tasks: z.array(z.object({ task: z.enum(setupTasks), done: z.boolean() })),
});
export type Setup = z.infer<typeof Setup>;

export const trashKinds = ['client', 'brand', 'campaign', 'touchpoint'] as const;
export type TrashKind = (typeof trashKinds)[number];
/** A deleted record that can still be restored. The records that belong to it are restored with it. */
export const TrashItem = z.object({
  kind: z.enum(trashKinds),
  id,
  client_id: id,
  /** Null for a client. */
  brand_id: id.nullable(),
  name: z.string(),
  /** Names of the parents: client, brand, campaign. */
  place: z.array(z.string()),
  deleted_at: timestamp,
  /** Time until which it can be restored. */
  restorable_until: timestamp,
});
export type TrashItem = z.infer<typeof TrashItem>;

/** Limited resources of an organization; imports are counted over 24 hours, content in begun megabytes of its items, emails, sends and other long texts, and files in begun megabytes, too. Those of websites are of each website and day (UTC), of which the busiest one is shown. */
export const quotaKinds = [
  'contacts',
  'templates',
  'content_megabytes',
  'file_megabytes',
  'imports',
  'images',
  'website_events',
  'website_megabytes',
] as const;
export type QuotaKind = (typeof quotaKinds)[number];
export const Quota = z.object({ quota: z.enum(quotaKinds), limit: z.number(), used: z.number() });
export type Quota = z.infer<typeof Quota>;

/** Of operations that add what a quota counts; the text of the response says what can be removed. */
export const quotaErrors = { quota_exceeded: { ...apiErrors.quota_exceeded, data: Quota } } as const;

const forSignedIn = userOperations('Organizations');
const settings = {
  organization_size_id: optional(singleLine(20)),
  country_id: optional(countryId),
};

const onOrganization = memberOperations('Organizations', 'organizations');

const contactDetails = {
  path: '/organizations/{id}',
  whose: 'an organization',
  read: 'read Organization',
  change: 'update Organization',
  on: onOrganization,
} as const;

export const organizations = {
  list: forSignedIn('GET /organizations', 'My organizations').errors(invalidUser).output(list(Organization)),
  create: forSignedIn('POST /organizations', 'Create an organization and become its owner')
    .input({
      name,
      organization_size_id: settings.organization_size_id.default(null),
      country_id: settings.country_id.default(null),
    })
    .errors(pickErrors('too_many_organizations'))
    .output(Organization),
  get: onOrganization('GET /organizations/{id}', 'One organization', 'read Organization').output(
    OrganizationDetails,
  ),
  update: onOrganization(
    'PATCH /organizations/{id}',
    'Change name, size, country, default delivery options and retention of an organization',
    'update Organization',
  )
    .input({
      name: name.optional(),
      organization_size_id: settings.organization_size_id.optional(),
      country_id: settings.country_id.optional(),
      /** Sends that are confirmed already keep theirs. */
      uncertain_policy: z.enum(uncertainPolicies).optional(),
      website_events_days: z.int().min(minWebsiteEventsDays).max(maxWebsiteEventsDays).optional(),
      currency: currency.optional(),
    })
    .output(Organization),
  requireSecondFactor: onOrganization(
    'PUT /organizations/{id}/second_factor',
    'Require a second factor of all members, or no longer',
    'update Organization',
    { requiresReauth: true },
  )
    .input({ is_required: z.boolean() })
    .output(Organization),
  delete: onOrganization('DELETE /organizations/{id}', 'Delete an organization', 'delete Organization', {
    requiresReauth: true,
  })
    .errors(pickErrors('send_in_progress'))
    .output(deleted),
  permissions: onOrganization(
    'GET /organizations/{id}/permissions',
    'My permissions in an organization',
    'read Organization',
  ).output(OrganizationPermissions),
  setup: onOrganization(
    'GET /organizations/{id}/setup',
    'Setup progress of an organization',
    'read Organization',
  ).output(Setup),
  quotas: onOrganization(
    'GET /organizations/{id}/quotas',
    'What an organization may have, and has',
    'read Content',
  ).output(list(Quota)),
  trash: onOrganization(
    'GET /organizations/{id}/trash',
    'What was deleted within the last 30 days, the latest first',
    'delete Client',
    {
      additionalPermissions: ['delete Brand', 'delete Campaign', 'delete Touchpoint'],
    },
  )
    .input({ search, ...paging() })
    .output(list(TrashItem)),

  addresses: addressOperations(contactDetails),
  contacts: contactPersonOperations(contactDetails),
};
