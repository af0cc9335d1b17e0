import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { actions, apiKeyScopeNames, subjects } from './abilities.ts';
import {
  memberOperations,
  publicOperations,
  tooManyAttempts,
  tooManyRecords,
  userOperations,
} from './operation.ts';
import {
  byId,
  deleted,
  email,
  id,
  timestamp,
  itemKey,
  limitedRecord,
  list,
  timestampInput,
  name,
  order,
  paging,
  plainJson,
  search,
} from './values.ts';

// Members of an organization, their roles, and how users and API clients get access.

const invitationToken = z.string().min(1).max(100);

/** A built-in role, or the `role` of a custom role. */
const role = z
  .string()
  .max(40, { error: 'Choose a role.', abort: true })
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Choose a role.');
const clientIds = z.array(id).max(500);
const needsClient = 'Choose at least one client.';

export const Member = z.object({
  user_id: id,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  role: z.string(),
  role_name: z.string().nullable(),
  /** The clients that a `guest`, or a member whose role has `${client_ids}` in its rules, is limited to. */
  clients: z.array(z.object({ id, name: z.string() })),
  joined_at: timestamp,
  last_seen_at: timestamp.nullable(),
});
export type Member = z.infer<typeof Member>;

export const RolePermission = z.strictObject({
  action: z.enum(actions),
  subject: z.enum(subjects),
  /** `{"client_id": {"$in": [...]}}` or `{"brand_id": ...}`; the placeholders are `${organization_id}`, `${client_ids}`. */
  conditions: limitedRecord(z.string().max(40), plainJson(50_000), 10).nullable().default(null),
  inverted: z.boolean().default(false),
});
export type RolePermission = z.infer<typeof RolePermission>;

/** A role without rules would be read-only, which an empty list does not suggest. */
const rolePermissions = z.array(RolePermission).min(1, 'Say what this role may do.').max(200);

export const RoleDetails = z.object({
  role: z.string(),
  /** English for the built-in roles; the screens have their own names for those. */
  name: z.string(),
  built_in: z.boolean(),
  /** Whether the caller can grant this role. */
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
  /** The URL to share while the invitation is pending, for callers who can invite. */
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

/** What the holder of an invitation token sees before accepting. */
export const InvitationPreview = z.object({
  kind: z.enum(['email', 'link']),
  /** `pending`, or the reason why it can no longer be accepted. */
  status: z.enum([...invitationStatuses, 'expired', 'used_up']),
  organization: z.object({ name: z.string(), logo_url: z.string().nullable() }),
  invited_by_name: z.string().nullable(),
  role: z.string(),
  role_name: z.string().nullable(),
  /** The invited address, mostly masked; null for invitation links. */
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
  /** The acting user; null if the account was deleted or the platform acted. */
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

const onMembers = memberOperations('Members', 'organizations');
const onInvitations = memberOperations('Invitations', 'organizations');
const inviteInOrganization = memberOperations('Invitations', 'organization_id');
const forTokenHolder = publicOperations('Invitations');
const forSignedIn = userOperations('Invitations');
const onApiKeys = memberOperations('API keys', 'organizations');
const onAuditLog = memberOperations('Audit log', 'organizations');

export const members = {
  list: onMembers('GET /organizations/{id}/members', 'Members of an organization', 'read Member')
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
  update: onMembers(
    'PATCH /organizations/{id}/members/{user_id}',
    'Change a member’s role or assigned clients',
    'update Member',
    { requiresReauth: true },
  )
    .input(z.strictObject({ id, user_id: id, role: role.optional(), client_ids: clientIds.optional() }))
    .errors(pickErrors('beyond_own_rights', 'last_owner'))
    .output(Member),
  remove: onMembers('DELETE /organizations/{id}/members/{user_id}', 'Remove a member', 'delete Member', {
    requiresReauth: true,
  })
    .input(z.strictObject({ id, user_id: id }))
    .errors(pickErrors('beyond_own_rights', 'last_owner'))
    .output(z.object({ user_id: id })),
  leave: onMembers('POST /organizations/{id}/leave', 'Leave an organization', 'read Organization', {
    requiresReauth: true,
  })
    .input(byId)
    .errors(pickErrors('last_owner'))
    .output(deleted),
};

export const organizationRoles = {
  list: onMembers(
    'GET /organizations/{id}/roles',
    'Built-in and custom roles with their rules',
    'read Member',
  )
    .input(byId)
    .output(list(RoleDetails)),
  create: onMembers('POST /organizations/{id}/roles', 'Create a role', 'update Member', {
    requiresReauth: true,
  })
    .input(
      z.strictObject({
        id,
        name,
        rules: rolePermissions,
      }),
    )
    .errors({ ...pickErrors('beyond_own_rights', 'name_taken'), ...tooManyRecords })
    .output(RoleDetails),
  update: onMembers(
    'PATCH /organizations/{id}/roles/{role}',
    'Change name and rules of a custom role',
    'update Member',
    { requiresReauth: true },
  )
    .input(
      z.strictObject({
        id,
        role,
        name: name.optional(),
        rules: rolePermissions.optional(),
      }),
    )
    .errors(pickErrors('beyond_own_rights', 'name_taken'))
    .output(RoleDetails),
  delete: onMembers(
    'DELETE /organizations/{id}/roles/{role}',
    'Delete an unused custom role',
    'update Member',
    { requiresReauth: true },
  )
    .input(z.strictObject({ id, role }))
    .errors(pickErrors('role_in_use'))
    .output(z.object({ role: z.string() })),
};

export const invitations = {
  list: onInvitations(
    'GET /organizations/{id}/invitations',
    'Invitations of an organization, the latest first',
    'read Invitation',
  )
    .input(z.strictObject({ id, status: z.enum(invitationStatuses).optional(), search, ...paging(20) }))
    .output(list(Invitation)),
  create: inviteInOrganization(
    'POST /organizations/invitations/create',
    'Invite people by email',
    'create Invitation',
    { requiresReauth: 'above_guest', secretFields: ['url'] },
  )
    .input(
      z.strictObject({
        organization_id: id,
        emails: z.array(email).min(1, 'Enter an email address.').max(50, 'Invite at most 50 people at once.'),
        role,
        client_ids: clientIds.default([]),
        /** Language of the invitation email. */
        language: z.enum(['en', 'de']).default('en'),
      }),
    )
    .errors({ ...pickErrors('beyond_own_rights'), ...tooManyAttempts })
    .output(
      z.object({
        items: z.array(Invitation),
        /** Addresses that already belong to members; no invitation is sent to them. */
        already_members: z.array(z.string()),
      }),
    ),
  resend: onInvitations(
    'POST /organizations/{id}/invitations/{invitation_id}/resend',
    'Resend an invitation with a new link and expiry date',
    'create Invitation',
    { requiresReauth: 'above_guest', secretFields: ['url'] },
  )
    .input(z.strictObject({ id, invitation_id: id }))
    .errors({ ...pickErrors('beyond_own_rights'), ...tooManyAttempts, ...pickErrors('not_pending') })
    .output(Invitation),
  cancel: onInvitations(
    'DELETE /organizations/{id}/invitations/{invitation_id}',
    'Cancel an invitation',
    'delete Invitation',
  )
    .input(z.strictObject({ id, invitation_id: id }))
    .errors(pickErrors('beyond_own_rights', 'not_pending'))
    .output(Invitation),

  /** The organization's only invitation link; null if there is none. */
  getLink: onInvitations(
    'GET /organizations/{id}/invitation_link',
    'The invitation link of an organization',
    'read Invitation',
    { additionalPermissions: ['create Invitation'] },
  )
    .input(byId)
    .output(InvitationLink.nullable()),
  renewLink: onInvitations(
    'PUT /organizations/{id}/invitation_link',
    'Create or replace the invitation link',
    'create Invitation',
    { requiresReauth: true, secretFields: ['invitation_token', 'url'] },
  )
    .input(
      z.strictObject({
        id,
        client_ids: clientIds.min(1, needsClient),
        max_uses: z.int().min(1).max(1_000).default(20),
        days: z.int().min(1).max(30).default(7),
      }),
    )
    .errors(pickErrors('beyond_own_rights'))
    .output(InvitationLink.extend({ invitation_token: z.string().nullable(), url: z.string().nullable() })),
  removeLink: onInvitations(
    'DELETE /organizations/{id}/invitation_link',
    'Disable the invitation link',
    'delete Invitation',
  )
    .input(byId)
    .output(deleted),

  preview: forTokenHolder('GET /organizations/invitations/{token}', 'Preview an invitation')
    .input(z.strictObject({ token: invitationToken }))
    .errors(pickErrors('not_found'))
    .output(InvitationPreview),
  accept: forSignedIn('PUT /organizations/invitations/{token}', 'Accept an invitation')
    .input(z.strictObject({ token: invitationToken }))
    .errors(pickErrors('not_pending', 'other_recipient', 'already_member', 'organization_suspended'))
    .output(z.object({ organization_id: id })),
  /** The token is the permission: the recipient can decline without an account. */
  decline: forTokenHolder('DELETE /organizations/invitations/{token}', 'Decline an invitation')
    .input(z.strictObject({ token: invitationToken }))
    .errors(pickErrors('not_found', 'not_pending'))
    .output(z.object({ token: z.string() })),
  join: forSignedIn(
    'PUT /organizations/invitations/link/{token}',
    'Join an organization by its invitation link',
    { secretFields: ['invitation_token'] },
  )
    .input(z.strictObject({ token: invitationToken }))
    .errors(pickErrors('not_pending', 'already_member', 'organization_suspended'))
    .output(z.object({ organization_id: id, invitation_token: z.string().nullable() })),
};

export const apiKeys = {
  list: onApiKeys(
    'GET /organizations/{id}/api_keys',
    'API keys of an organization, the latest first',
    'read ApiKey',
  )
    .input(z.strictObject({ id, ...paging(20) }))
    .output(list(ApiKey)),
  create: onApiKeys(
    'POST /organizations/{id}/api_keys',
    'Create an API key; only this response contains its secret',
    'create ApiKey',
    { requiresReauth: true, secretFields: ['secret'] },
  )
    .input(
      z.strictObject({
        id,
        name,
        scopes: z
          .array(z.enum(apiKeyScopeNames as [string, ...string[]]))
          .min(1, 'Choose at least one scope.')
          .max(apiKeyScopeNames.length),
        days: z.int().min(1).max(730).default(365),
      }),
    )
    .errors({ ...pickErrors('beyond_own_rights'), ...tooManyRecords })
    .output(ApiKey.extend({ secret: z.string().nullable() })),
  revoke: onApiKeys('DELETE /organizations/{id}/api_keys/{key_id}', 'Revoke an API key', 'delete ApiKey', {
    requiresReauth: true,
  })
    .input(z.strictObject({ id, key_id: id }))
    .output(ApiKey),
};

export const auditFilters = {
  search,
  user_id: id.optional(),
  /** Prefix of an action, such as `clients.` or `members.remove`. */
  action: z
    .string()
    .max(80)
    .regex(/^[\w.]{1,80}$/)
    .optional(),
  record_id: itemKey.optional(),
  from: timestampInput.optional(),
  to: timestampInput.optional(),
};

export const auditLog = {
  /** `/api/organizations/{id}/audit_log/export` returns a CSV file for the same filters. */
  list: onAuditLog('GET /organizations/{id}/audit_log', 'Who did what, the latest first', 'read AuditLog')
    .input(z.strictObject({ id, ...auditFilters, ...paging(50) }))
    .output(list(AuditEntry)),
};
