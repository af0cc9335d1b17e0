import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { maxPasswordLength, minPasswordLength } from './rules/lengths.ts';
import {
  Address,
  AddressChanges,
  AddressInput,
  Social,
  SocialChanges,
  SocialInput,
} from './contact-details.ts';
import { userStatuses } from './statuses.ts';
import { tooManyAttempts, tooManyRecords, userOperation } from './operation.ts';
import {
  deleted,
  email,
  id,
  timestamp,
  list,
  name,
  optional,
  singleLine,
  phone,
  webAddress,
} from './values.ts';

export const User = z.object({
  id,
  email,
  full_name: z.string(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  avatar_url: z.string().nullable(),
  status: z.enum(userStatuses),
  /** False for people who only ever signed in through a provider or by code. */
  has_password: z.boolean(),
  inserted_at: timestamp,
});
export type User = z.infer<typeof User>;

/** Where somebody is signed in. */
export const Session = z.object({
  id,
  /** The one that asks. */
  is_current: z.boolean(),
  signed_in_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
});
export type Session = z.infer<typeof Session>;

/** Preference keys are the client's; values are small plain JSON. */
export const preferenceKey = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,99}$/i, 'This is not a valid preference name.');
// What cannot be stored is all that JSON writes in this way, NUL and lone surrogates.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
const preferenceValue = z
  .json()
  .refine((value) => !unstorable.test(JSON.stringify(value)), 'Control characters are not allowed.');
export const Preferences = z.record(preferenceKey, preferenceValue);
export type Preferences = z.infer<typeof Preferences>;

export const MyInvitation = z.object({
  id,
  organization: z.object({ name: z.string(), logo_url: z.string().nullable() }),
  role: z.string(),
  /** The name of an organization's custom role. */
  role_name: z.string().nullable(),
  invited_by_name: z.string().nullable(),
  /** For `/invitation/{token}`: the address it was sent to is proven. */
  token: z.string(),
  expires_at: timestamp,
});
export type MyInvitation = z.infer<typeof MyInvitation>;

export const newPassword = z
  .string()
  .min(minPasswordLength, `Use at least ${minPasswordLength} characters.`)
  .max(maxPasswordLength, `Use at most ${maxPasswordLength} characters.`);

const tag = 'Me';
const preferencesTooLarge = {
  preferences_too_large: apiErrors.preferences_too_large,
} as const;

export const me = {
  get: userOperation({ method: 'GET', path: '/me', summary: 'The signed-in user', tag }).output(User),
  update: userOperation({ method: 'PATCH', path: '/me', summary: 'Change my profile', tag })
    .input(
      z.strictObject({
        full_name: name.optional(),
        company: optional(singleLine(120)).optional(),
        phone: optional(phone).optional(),
        website: optional(webAddress).optional(),
      }),
    )
    .output(User),
  delete: userOperation({
    method: 'DELETE',
    path: '/me',
    summary: 'Delete my account and personal data',
    tag,
    requiresReauth: true,
    // Files go between two transactions.
    manualTransaction: true,
  })
    .errors({
      last_owner: {
        ...apiErrors.last_owner,
        data: z.object({ organizations: z.array(z.object({ id, name: z.string() })) }),
      },
    })
    .output(deleted),
  export: userOperation({
    method: 'GET',
    path: '/me/export',
    summary: 'Export my personal data',
    tag,
    requiresReauth: true,
  }).output(z.record(z.string(), z.json())),
  changeEmail: userOperation({
    method: 'POST',
    path: '/me/email',
    summary: 'Request a change of my email address; the new address gets a confirmation link',
    tag,
    requiresReauth: true,
    // Compares a password between two transactions.
    manualTransaction: true,
  })
    .input(
      z.strictObject({
        email,
        /** Of people who have a password. */
        current_plain_password: z.string().max(128).optional(),
      }),
    )
    .errors(tooManyAttempts)
    .output(z.object({ email: z.string() })),

  addresses: {
    list: userOperation({ method: 'GET', path: '/me/addresses', summary: 'My addresses', tag }).output(
      list(Address),
    ),
    create: userOperation({ method: 'POST', path: '/me/addresses', summary: 'Add an address', tag })
      .input(AddressInput)
      .errors(tooManyRecords)
      .output(Address),
    update: userOperation({ method: 'PATCH', path: '/me/addresses/{id}', summary: 'Change an address', tag })
      .input(AddressChanges.extend({ id }))
      .output(Address),
    delete: userOperation({ method: 'DELETE', path: '/me/addresses/{id}', summary: 'Delete an address', tag })
      .input(z.strictObject({ id }))
      .output(deleted),
    restore: userOperation({
      method: 'POST',
      path: '/me/addresses/{id}/restore',
      summary: 'Undo the deletion of an address',
      tag,
    })
      .input(z.strictObject({ id }))
      .errors(tooManyRecords)
      .output(Address),
  },
  socials: {
    list: userOperation({ method: 'GET', path: '/me/socials', summary: 'My links', tag }).output(
      list(Social),
    ),
    create: userOperation({ method: 'POST', path: '/me/socials', summary: 'Add a link', tag })
      .input(SocialInput)
      .errors(tooManyRecords)
      .output(Social),
    update: userOperation({ method: 'PATCH', path: '/me/socials/{id}', summary: 'Change a link', tag })
      .input(SocialChanges.extend({ id }))
      .output(Social),
    delete: userOperation({ method: 'DELETE', path: '/me/socials/{id}', summary: 'Delete a link', tag })
      .input(z.strictObject({ id }))
      .output(deleted),
  },

  preferences: userOperation({
    method: 'GET',
    path: '/me/preferences',
    summary: 'My preferences',
    tag,
  }).output(Preferences),
  replacePreferences: userOperation({
    method: 'PUT',
    path: '/me/preferences',
    summary: 'Replace all my preferences',
    tag,
  })
    .input(z.strictObject({ preferences: Preferences }))
    .errors(preferencesTooLarge)
    .output(Preferences),
  changePreferences: userOperation({
    method: 'PATCH',
    path: '/me/preferences',
    summary: 'Change some of my preferences; null removes one',
    tag,
  })
    .input(z.strictObject({ preferences: Preferences }))
    .errors(preferencesTooLarge)
    .output(Preferences),

  sessions: userOperation({
    method: 'GET',
    path: '/me/sessions',
    summary: 'Where I am signed in, the latest first',
    tag,
  }).output(list(Session)),
  endSession: userOperation({
    method: 'DELETE',
    path: '/me/sessions/{id}',
    summary: 'End one of my sessions',
    tag,
  })
    .input(z.strictObject({ id }))
    .output(deleted),
  endOtherSessions: userOperation({
    method: 'DELETE',
    path: '/me/sessions',
    summary: 'End all my other sessions',
    tag,
  }).output(z.object({ ended: z.number() })),

  invitations: userOperation({
    method: 'GET',
    path: '/me/invitations',
    summary: 'My pending invitations',
    tag,
  }).output(list(MyInvitation)),
};

export const updateUserPassword = userOperation({
  method: 'POST',
  path: '/rpc/update_user_password',
  summary: 'Change my password and end all other sessions (RPC)',
  tag,
  manualTransaction: true,
})
  .input(
    z.strictObject({
      current_plain_password: z.string().max(maxPasswordLength),
      new_plain_password: newPassword,
    }),
  )
  .errors(tooManyAttempts)
  .output(z.object({ ended: z.number() }));
