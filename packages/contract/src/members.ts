import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { actions, apiKeyScopeNames, subjects } from './abilities.ts';
import {
  memberOperation,
  publicOperation,
  tooManyAttempts,
  tooManyRecords,
  userOperation,
} from './operation.ts';
import {
  deleted,
  email,
  id,
  timestamp,
  itemKey,
  list,
  timestampInput,
  name,
  order,
  paging,
  search,
} from './values.ts';

// Who belongs to an organization, by which role, and how people and machines get in.

/** A built-in role, or the `role` of one of the organization's own. */
const role = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'Choose a role.');
const clientIds = z.array(id).max(500);

export const Member = z.object({
  user_id: id,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  role: z.string(),
  role_name: z.string().nullable(),
  /** The clients that a `guest`, or a role with `${client_ids}` in its rules, is limited to. */
  clients: z.array(z.object({ id, name: z.string() })),
  joined_at: timestamp,
  last_seen_at: timestamp.nullable(),
});
export type Member = z.infer<typeof Member>;

export const RolePermission = z.strictObject({
  action: z.enum(actions),
  subject: z.enum(subjects),
  /** `{"client_id": {"$in": [...]}}` or `{"brand_id": ...}`; the placeholders are `${organization_id}`, `${client_ids}`. */
  conditions: z.record(z.string().max(40), z.json()).nullable().default(null),
  inverted: z.boolean().default(false),
});
export type RolePermission = z.infer<typeof RolePermission>;

export const RoleDetails = z.object({
  role: z.string(),
  /** English for the built-in ones; the screens have their own words for those. */
  name: z.string(),
  built_in: z.boolean(),
  /** Whether the caller may give this role to somebody. */
  grantable: z.boolean(),
  rules: z.array(
    z.object({
      ...RolePermission.shape,
      conditions: z.record(z.string(), z.json()).nullable(),
      inverted: z.boolean(),
    }),
  ),
  member_count: z.number(),
});
export type RoleDetails = z.infer<typeof RoleDetails>;

export const invitationStatuses = ['pending', 'accepted', 'declined', 'cancelled'] as const;
export const Invitation = z.object({
  id,
  email: z.string(),
  role: z.string(),
  role_name: z.string().nullable(),
  clients: z.array(z.object({ id, name: z.string() })),
  status: z.enum(invitationStatuses),
  is_expired: z.boolean(),
  invited_by: z.object({ id, full_name: z.string() }).nullable(),
  /** The address to pass on, for those who may invite, while it is pending. */
  url: z.string().nullable(),
  expires_at: timestamp,
  created_at: timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

export const InvitationLink = z.object({
  invitation_token: z.string(),
  url: z.string(),
  clients: z.array(z.object({ id, name: z.string() })),
  max_uses: z.number(),
  uses: z.number(),
  expires_at: timestamp,
});
export type InvitationLink = z.infer<typeof InvitationLink>;

/** What the holder of a token sees before answering. */
export const InvitationPreview = z.object({
  kind: z.enum(['email', 'link']),
  /** `pending`, or why it can no longer be accepted. */
  status: z.enum([...invitationStatuses, 'expired', 'used_up']),
  organization: z.object({ name: z.string(), logo_url: z.string().nullable() }),
  invited_by_name: z.string().nullable(),
  role: z.string(),
  role_name: z.string().nullable(),
  /** The invited address with most of it hidden; null for links. */
  masked_email: z.string().nullable(),
  expires_at: timestamp,
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;

export const ApiKey = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  created_by: z.object({ id, full_name: z.string() }).nullable(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const AuditEntry = z.object({
  id,
  at: timestamp,
  /** Who; null when the account is gone or the platform did it. */
  user: z.object({ id, full_name: z.string(), email: z.string() }).nullable(),
  api_key: z.object({ id, name: z.string() }).nullable(),
  action: z.string(),
  record_type: z.string().nullable(),
  record_id: z.string().nullable(),
  record_name: z.string().nullable(),
  details: z.record(z.string(), z.json()),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const inOrganization = { tenant: 'organizations' } as const;
const exceedsOwnPermissions = {
  beyond_own_rights: apiErrors.beyond_own_rights,
} as const;
const lastOwner = {
  last_owner: apiErrors.last_owner,
} as const;
const nameTaken = {
  name_taken: apiErrors.name_taken,
} as const;
const notPending = {
  not_pending: apiErrors.not_pending,
} as const;

export const members = {
  list: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/members',
    summary: 'Members of an organization',
    tag: 'Members',
    permission: ['read', 'Member'],
    ...inOrganization,
  })
    .input(
      z.strictObject({
        id,
        search,
        role: role.optional(),
        order: order(['full_name', 'role', 'joined_at', 'last_seen_at'], 'full_name.asc'),
        ...paging(20),
      }),
    )
    .output(list(Member)),
  update: memberOperation({
    method: 'PATCH',
    path: '/organizations/{id}/members/{user_id}',
    summary: 'Change a member’s role or assigned clients',
    tag: 'Members',
    permission: ['update', 'Member'],
    requiresReauth: true,
    ...inOrganization,
  })
    .input(z.strictObject({ id, user_id: id, role: role.optional(), client_ids: clientIds.optional() }))
    .errors({ ...exceedsOwnPermissions, ...lastOwner })
    .output(Member),
  remove: memberOperation({
    method: 'DELETE',
    path: '/organizations/{id}/members/{user_id}',
    summary: 'Remove a member',
    tag: 'Members',
    permission: ['delete', 'Member'],
    requiresReauth: true,
    ...inOrganization,
  })
    .input(z.strictObject({ id, user_id: id }))
    .errors({ ...exceedsOwnPermissions, ...lastOwner })
    .output(z.object({ user_id: id })),
  leave: memberOperation({
    method: 'POST',
    path: '/organizations/{id}/leave',
    summary: 'Leave an organization',
    tag: 'Members',
    // Anybody may go; people only, a key does not end the membership of the person who made it.
    permission: ['read', 'Organization'],
    requiresReauth: true,
    ...inOrganization,
  })
    .input(z.strictObject({ id }))
    .errors(lastOwner)
    .output(deleted),
};

export const organizationRoles = {
  list: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/roles',
    summary: 'Built-in and custom roles with their rules',
    tag: 'Members',
    permission: ['read', 'Member'],
    ...inOrganization,
  })
    .input(z.strictObject({ id }))
    .output(list(RoleDetails)),
  create: memberOperation({
    method: 'POST',
    path: '/organizations/{id}/roles',
    summary: 'Create a role',
    tag: 'Members',
    permission: ['update', 'Member'],
    requiresReauth: true,
    ...inOrganization,
  })
    .input(z.strictObject({ id, name, rules: z.array(RolePermission).max(200) }))
    .errors({ ...exceedsOwnPermissions, ...nameTaken, ...tooManyRecords })
    .output(RoleDetails),
  update: memberOperation({
    method: 'PATCH',
    path: '/organizations/{id}/roles/{role}',
    summary: 'Change name and rules of a custom role',
    tag: 'Members',
    permission: ['update', 'Member'],
    requiresReauth: true,
    ...inOrganization,
  })
    .input(
      z.strictObject({ id, role, name: name.optional(), rules: z.array(RolePermission).max(200).optional() }),
    )
    .errors({ ...exceedsOwnPermissions, ...nameTaken })
    .output(RoleDetails),
  delete: memberOperation({
    method: 'DELETE',
    path: '/organizations/{id}/roles/{role}',
    summary: 'Delete an unused custom role',
    tag: 'Members',
    permission: ['update', 'Member'],
    requiresReauth: true,
    ...inOrganization,
  })
    .input(z.strictObject({ id, role }))
    .errors({ role_in_use: apiErrors.role_in_use })
    .output(z.object({ role: z.string() })),
};

export const invitations = {
  list: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/invitations',
    summary: 'Invitations of an organization, the latest first',
    tag: 'Invitations',
    permission: ['read', 'Invitation'],
    ...inOrganization,
  })
    .input(z.strictObject({ id, status: z.enum(invitationStatuses).optional(), search, ...paging(20) }))
    .output(list(Invitation)),
  create: memberOperation({
    method: 'POST',
    path: '/organizations/invitations/create',
    summary: 'Invite people by email',
    tag: 'Invitations',
    permission: ['create', 'Invitation'],
    secretFields: ['url'],
    tenant: 'organization_id',
  })
    .input(
      z.strictObject({
        organization_id: id,
        emails: z.array(email).min(1, 'Enter an email address.').max(50, 'Invite at most 50 people at once.'),
        role,
        client_ids: clientIds.default([]),
        /** The language of the mail. */
        language: z.enum(['en', 'de']).default('en'),
      }),
    )
    .errors({ ...exceedsOwnPermissions, ...tooManyAttempts })
    .output(
      z.object({
        items: z.array(Invitation),
        /** Who is a member already; nothing is sent to them. */
        already_members: z.array(z.string()),
      }),
    ),
  resend: memberOperation({
    method: 'POST',
    path: '/organizations/{id}/invitations/{invitation_id}/resend',
    summary: 'Resend an invitation with a new link and expiry date',
    tag: 'Invitations',
    permission: ['create', 'Invitation'],
    secretFields: ['url'],
    ...inOrganization,
  })
    .input(z.strictObject({ id, invitation_id: id }))
    .errors({ ...exceedsOwnPermissions, ...tooManyAttempts, ...notPending })
    .output(Invitation),
  cancel: memberOperation({
    method: 'DELETE',
    path: '/organizations/{id}/invitations/{invitation_id}',
    summary: 'Cancel an invitation',
    tag: 'Invitations',
    permission: ['delete', 'Invitation'],
    ...inOrganization,
  })
    .input(z.strictObject({ id, invitation_id: id }))
    .errors({ ...exceedsOwnPermissions, ...notPending })
    .output(Invitation),

  /** The one link of the organization; null while there is none. */
  getLink: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/invitation_link',
    summary: 'The invitation link of an organization',
    tag: 'Invitations',
    permission: ['read', 'Invitation'],
    additionalPermissions: [['create', 'Invitation']],
    ...inOrganization,
  })
    .input(z.strictObject({ id }))
    .output(InvitationLink.nullable()),
  renewLink: memberOperation({
    method: 'PUT',
    path: '/organizations/{id}/invitation_link',
    summary: 'Create or replace the invitation link',
    tag: 'Invitations',
    permission: ['create', 'Invitation'],
    requiresReauth: true,
    secretFields: ['invitation_token', 'url'],
    ...inOrganization,
  })
    .input(
      z.strictObject({
        id,
        client_ids: clientIds.default([]),
        max_uses: z.int().min(1).max(1_000).default(20),
        days: z.int().min(1).max(30).default(7),
      }),
    )
    .errors(exceedsOwnPermissions)
    .output(InvitationLink.extend({ invitation_token: z.string().nullable(), url: z.string().nullable() })),
  removeLink: memberOperation({
    method: 'DELETE',
    path: '/organizations/{id}/invitation_link',
    summary: 'Disable the invitation link',
    tag: 'Invitations',
    permission: ['delete', 'Invitation'],
    ...inOrganization,
  })
    .input(z.strictObject({ id }))
    .output(deleted),

  preview: publicOperation({
    method: 'GET',
    path: '/organizations/invitations/{token}',
    summary: 'Preview an invitation',
    tag: 'Invitations',
  })
    .input(z.strictObject({ token: z.string().max(100) }))
    .output(InvitationPreview),
  accept: userOperation({
    method: 'PUT',
    path: '/organizations/invitations/{token}',
    summary: 'Accept an invitation',
    tag: 'Invitations',
  })
    .input(z.strictObject({ token: z.string().max(100) }))
    .errors({
      not_pending: apiErrors.not_pending,
      other_recipient: apiErrors.other_recipient,
      already_member: apiErrors.already_member,
    })
    .output(z.object({ organization_id: id })),
  /** The token is the permission: anyone who got the mail need not have an account to say no. */
  decline: publicOperation({
    method: 'DELETE',
    path: '/organizations/invitations/{token}',
    summary: 'Decline an invitation',
    tag: 'Invitations',
  })
    .input(z.strictObject({ token: z.string().max(100) }))
    .errors({
      not_pending: apiErrors.not_pending,
    })
    .output(z.object({ token: z.string() })),
  join: userOperation({
    method: 'PUT',
    path: '/organizations/invitations/link/{token}',
    summary: 'Join an organization by its invitation link',
    tag: 'Invitations',
    secretFields: ['invitation_token'],
  })
    .input(z.strictObject({ token: z.string().max(100) }))
    .errors({
      not_pending: apiErrors.not_pending,
      already_member: apiErrors.already_member,
    })
    .output(z.object({ organization_id: id, invitation_token: z.string().nullable() })),
};

export const apiKeys = {
  list: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/api_keys',
    summary: 'API keys of an organization, the latest first',
    tag: 'API keys',
    permission: ['read', 'ApiKey'],
    ...inOrganization,
  })
    .input(z.strictObject({ id, ...paging(20) }))
    .output(list(ApiKey)),
  create: memberOperation({
    method: 'POST',
    path: '/organizations/{id}/api_keys',
    summary: 'Create an API key; only this response contains its secret',
    tag: 'API keys',
    permission: ['create', 'ApiKey'],
    requiresReauth: true,
    secretFields: ['secret'],
    ...inOrganization,
  })
    .input(
      z.strictObject({
        id,
        name,
        scopes: z
          .array(z.enum(apiKeyScopeNames as [string, ...string[]]))
          .min(1, 'Choose at least one scope.'),
        days: z.int().min(1).max(730).default(365),
      }),
    )
    .errors({ ...exceedsOwnPermissions, ...tooManyRecords })
    .output(ApiKey.extend({ secret: z.string().nullable() })),
  revoke: memberOperation({
    method: 'DELETE',
    path: '/organizations/{id}/api_keys/{key_id}',
    summary: 'Revoke an API key',
    tag: 'API keys',
    permission: ['delete', 'ApiKey'],
    requiresReauth: true,
    ...inOrganization,
  })
    .input(z.strictObject({ id, key_id: id }))
    .output(ApiKey),
};

export const auditFilters = {
  search,
  user_id: id.optional(),
  /** The beginning of an action, such as `clients.` or `members.remove`. */
  action: z
    .string()
    .regex(/^[\w.]{1,80}$/)
    .optional(),
  record_id: itemKey.optional(),
  from: timestampInput.optional(),
  to: timestampInput.optional(),
};

export const auditLog = {
  /** The same filters give a CSV file at `/api/organizations/{id}/audit_log/export`. */
  list: memberOperation({
    method: 'GET',
    path: '/organizations/{id}/audit_log',
    summary: 'Who did what, the latest first',
    tag: 'Audit log',
    permission: ['read', 'AuditLog'],
    ...inOrganization,
  })
    .input(z.strictObject({ id, ...auditFilters, ...paging(50) }))
    .output(list(AuditEntry)),
};
