import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { clientIds } from './members.ts';
import {
  forbidden,
  memberOperations,
  publicOperations,
  tooManyAttempts,
  userOperations,
} from './operation.ts';
import { role } from './roles.ts';
import { languages } from './rules/languages.ts';
import { deleted, email, id, list, paging, search, timestamp } from './values.ts';

const invitationToken = z.string().min(1).max(100);
const needsClient = 'Choose at least one client.';

export const invitationStatuses = ['pending', 'accepted', 'declined', 'cancelled'] as const;
export const Invitation = z.object({
  id,
  organization_id: id,
  organization: z.object({
    name: z.string(),
    /** Of the invitation link, for callers who may read the link; null for all others, and without a link. */
    invitation_token: z.string().nullable(),
  }),
  email: z.string(),
  role: z.string(),
  role_name: z.string().nullable(),
  clients: z.array(z.object({ id, name: z.string() })),
  status: z.enum(invitationStatuses),
  is_expired: z.boolean(),
  invited_by: z.object({ id, full_name: z.string() }).nullable(),
  /** While the invitation is pending, for callers who can invite. */
  token: z.string().nullable(),
  /** The URL to share, with the token. */
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
  organization_id: id,
  organization: z.object({ name: z.string(), logo_url: z.string().nullable() }),
  invited_by_name: z.string().nullable(),
  role: z.string(),
  role_name: z.string().nullable(),
  /** The invited address, mostly masked; null for invitation links. */
  masked_email: z.string().nullable(),
  expires_at: timestamp,
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;

const onInvitations = memberOperations('Invitations', 'organizations');
const inviteInOrganization = memberOperations('Invitations', 'organization_id');
const forTokenHolder = publicOperations('Invitations');
const forSignedIn = userOperations('Invitations');

export const invitations = {
  list: onInvitations(
    'GET /organizations/{id}/invitations',
    'Invitations of an organization, the latest first',
    'read Invitation',
  )
    .input({ status: z.enum(invitationStatuses).optional(), search, ...paging() })
    .output(list(Invitation)),
  create: inviteInOrganization(
    'POST /organizations/invitations/create',
    'Invite people by email',
    'create Invitation',
    { requiresReauth: 'above_guest', secretFields: ['token', 'url', 'invitation_token'] },
  )
    .input({
      emails: z.array(email).min(1, 'Enter an email address.').max(50, 'Invite at most 50 people at once.'),
      role,
      client_ids: clientIds.default([]),
      /** Language of the invitation email. */
      language: z.enum(languages).default('en'),
    })
    .errors({ ...pickErrors('beyond_own_rights'), ...tooManyAttempts })
    .output({
      items: z.array(Invitation),
      /** Addresses that already belong to members; no invitation is sent to them. */
      already_members: z.array(z.string()),
    }),
  resend: onInvitations(
    'POST /organizations/{id}/invitations/{invitation_id}/resend',
    'Resend an invitation with a new link and expiry date',
    'create Invitation',
    { requiresReauth: 'above_guest', secretFields: ['token', 'url', 'invitation_token'] },
  )
    .input({ invitation_id: id })
    .errors({ ...pickErrors('beyond_own_rights'), ...tooManyAttempts, ...pickErrors('not_pending') })
    .output(Invitation),
  cancel: onInvitations(
    'DELETE /organizations/{id}/invitations/{invitation_id}',
    'Cancel an invitation',
    'delete Invitation',
    { secretFields: ['invitation_token'] },
  )
    .input({ invitation_id: id })
    .errors(pickErrors('beyond_own_rights', 'not_pending'))
    .output(Invitation),

  /** The organization's only invitation link; null if there is none. */
  getLink: onInvitations(
    'GET /organizations/{id}/invitation_link',
    'The invitation link of an organization',
    'read Invitation',
    { additionalPermissions: ['create Invitation'] },
  ).output(InvitationLink.nullable()),
  renewLink: onInvitations(
    'PUT /organizations/{id}/invitation_link',
    'Create or replace the invitation link',
    'create Invitation',
    { requiresReauth: true, secretFields: ['invitation_token', 'url'] },
  )
    .input({
      client_ids: clientIds.min(1, needsClient),
      max_uses: z.int().min(1).max(1_000).default(20),
      days: z.int().min(1).max(30).default(7),
    })
    .errors(pickErrors('beyond_own_rights'))
    .output(InvitationLink.extend({ invitation_token: z.string().nullable(), url: z.string().nullable() })),
  removeLink: onInvitations(
    'DELETE /organizations/{id}/invitation_link',
    'Disable the invitation link',
    'delete Invitation',
  ).output(deleted),

  preview: forTokenHolder('GET /organizations/invitations/{token}', 'Preview an invitation')
    .input({ token: invitationToken })
    .errors(pickErrors('not_found'))
    .output(InvitationPreview),
  accept: forSignedIn('PUT /organizations/invitations/{token}', 'Accept an invitation')
    .input({ token: invitationToken })
    .errors(pickErrors('not_pending', 'other_recipient', 'already_member', 'organization_suspended'))
    .output({ organization_id: id }),
  /**
   * The token is the permission: the recipient can decline without an account. For a signed-in member who may delete
   * invitations of the organization, it cancels the invitation, or disables the link.
   */
  decline: forTokenHolder(
    'DELETE /organizations/invitations/{token}',
    'Decline an invitation; or cancel it, as a member who may',
  )
    .input({ token: invitationToken })
    .errors({
      ...forbidden,
      ...pickErrors(
        'not_found',
        'not_pending',
        'beyond_own_rights',
        'organization_suspended',
        'second_factor_required',
      ),
    })
    .output({ token: z.string() }),
  join: forSignedIn(
    'PUT /organizations/invitations/link/{token}',
    'Join an organization by its invitation link',
    { secretFields: ['invitation_token'] },
  )
    .input({ token: invitationToken })
    .errors(pickErrors('not_pending', 'already_member', 'organization_suspended'))
    .output({ organization_id: id, invitation_token: z.string().nullable() }),
};
