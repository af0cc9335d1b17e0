import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { addressOperations, contactPersonOperations } from './contact-details.ts';
import { memberOperation, userOperation } from './operation.ts';
import { organizationStatuses } from './statuses.ts';
import {
  countryId,
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
  status: z.enum(organizationStatuses),
  organization_size_id: z.string().nullable(),
  country_id: z.string().nullable(),
  /** The role of the caller; `permissions` has its rules. */
  role: z.string(),
  /** The name of an organization's custom role; null for the built-in ones. */
  role_name: z.string().nullable(),
  created_at: timestamp,
});
export type Organization = z.infer<typeof Organization>;

/** A CASL rule with its placeholders filled. */
export const EffectivePermission = z.object({
  action: z.union([z.string(), z.array(z.string())]),
  subject: z.union([z.string(), z.array(z.string())]),
  conditions: z.record(z.string(), z.json()).optional(),
  inverted: z.boolean().optional(),
});
export type EffectivePermission = z.infer<typeof EffectivePermission>;

/** What a new organization goes through, in this order; each is done by fact, never ticked by hand. */
export const setupTasks = ['profile', 'team', 'brand', 'contacts', 'audience', 'touchpoint'] as const;
export type SetupTask = (typeof setupTasks)[number];
export const Setup = z.object({
  id,
  tasks: z.array(z.object({ task: z.enum(setupTasks), done: z.boolean() })),
});
export type Setup = z.infer<typeof Setup>;

export const trashKinds = ['client', 'brand', 'campaign', 'touchpoint'] as const;
export type TrashKind = (typeof trashKinds)[number];
/** Something deleted that can still be restored. What belongs to it is restored with it. */
export const TrashItem = z.object({
  kind: z.enum(trashKinds),
  id,
  name: z.string(),
  /** Where it was: client, brand, campaign. */
  place: z.array(z.string()),
  deleted_at: timestamp,
  /** Until when it can be restored. */
  restorable_until: timestamp,
});
export type TrashItem = z.infer<typeof TrashItem>;

const tag = 'Organizations';
const one = { tag, tenant: 'organizations' } as const;
const settings = {
  organization_size_id: optional(singleLine(20)),
  country_id: optional(countryId),
};

const contactDetails = {
  path: '/organizations/{id}',
  whose: 'an organization',
  read: ['read', 'Organization'],
  change: ['update', 'Organization'],
  ...one,
} as const;

export const organizations = {
  list: userOperation({ method: 'GET', path: '/organizations', summary: 'My organizations', tag }).output(
    list(Organization),
  ),
  create: userOperation({
    method: 'POST',
    path: '/organizations',
    summary: 'Create an organization and become its owner',
    tag,
  })
    .input(
      z.strictObject({
        name,
        organization_size_id: settings.organization_size_id.default(null),
        country_id: settings.country_id.default(null),
      }),
    )
    .errors({
      too_many_organizations: apiErrors.too_many_organizations,
    })
    .output(Organization),
  get: memberOperation({
    method: 'GET',
    path: '/organizations/{id}',
    summary: 'One organization',
    permission: ['read', 'Organization'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(Organization),
  update: memberOperation({
    method: 'PATCH',
    path: '/organizations/{id}',
    summary: 'Change name, size and country of an organization',
    permission: ['update', 'Organization'],
    ...one,
  })
    .input(
      z.strictObject({
        id,
        name: name.optional(),
        organization_size_id: settings.organization_size_id.optional(),
        country_id: settings.country_id.optional(),
      }),
    )
    .output(Organization),
  delete: memberOperation({
    method: 'DELETE',
    path: '/organizations/{id}',
    summary: 'Delete an organization',
    permission: ['delete', 'Organization'],
    requiresReauth: true,
    ...one,
  })
    .input(z.strictObject({ id }))
    .errors({
      send_in_progress: apiErrors.send_in_progress,
    })
    .output(deleted),
  permissions: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/permissions',
    summary: 'My permissions in an organization',
    permission: ['read', 'Organization'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(z.object({ role: z.string(), rules: z.array(EffectivePermission) })),
  setup: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/setup',
    summary: 'Setup progress of an organization',
    permission: ['read', 'Organization'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(Setup),
  trash: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/trash',
    summary: 'What was deleted within the last 30 days, the latest first',
    permission: ['delete', 'Client'],
    additionalPermissions: [
      ['delete', 'Brand'],
      ['delete', 'Campaign'],
      ['delete', 'Touchpoint'],
    ],
    ...one,
  })
    .input(z.strictObject({ id, search, ...paging(20) }))
    .output(list(TrashItem)),

  addresses: addressOperations(contactDetails),
  contacts: contactPersonOperations(contactDetails),
};
