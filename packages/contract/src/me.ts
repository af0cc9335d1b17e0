import { z } from 'zod';
import { apiErrors, pickErrors } from './errors.ts';
import { maxJsonLength, maxPasswordLength, minPasswordLength } from './rules/lengths.ts';
import {
  Address,
  AddressChanges,
  AddressInput,
  Social,
  SocialChanges,
  SocialInput,
} from './contact-details.ts';
import { userStatuses } from './statuses.ts';
import { invalidUser, tooManyAttempts, tooManyRecords, userOperations } from './operation.ts';
import {
  byId,
  deleted,
  email,
  id,
  timestamp,
  limitedRecord,
  list,
  name,
  optional,
  singleLine,
  phone,
  storableJson,
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
  /** False for users who have only signed in through a provider or by code. */
  has_password: z.boolean(),
  /** Whether the user operates this installation and can see its background jobs. */
  is_operator: z.boolean(),
  inserted_at: timestamp,
});
export type User = z.infer<typeof User>;

/** One signed-in session of the user. */
export const Session = z.object({
  id,
  /** Whether this is the session of the request. */
  is_current: z.boolean(),
  signed_in_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
});
export type Session = z.infer<typeof Session>;

/** An active API key that the user created. */
export const MyApiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the key. */
  prefix: z.string(),
  scopes: z.array(z.string()),
  organization: z.object({ id, name: z.string() }),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp,
});
export type MyApiKey = z.infer<typeof MyApiKey>;

/** Six digits of an authenticator app, or a recovery code. */
export const secondFactorCode = z.string().min(6, 'Enter the code.').max(40, 'This is not a code.');

/** Bytes in base64url, the JSON encoding of WebAuthn. */
const base64url = (maxLength: number) =>
  z
    .string()
    .regex(/^[\w-]*$/, 'This is not Base64url.')
    .max(maxLength);

/** Result of `navigator.credentials.create`, limited to the fields that are verified. */
export const NewPasskey = z.strictObject({
  id: base64url(1_400),
  client_data: base64url(4_000),
  attestation: base64url(16_000),
  transports: z.array(z.string().max(20)).max(10),
});

/** Result of `navigator.credentials.get`, limited to the fields that are verified. */
export const PasskeyAssertion = z.strictObject({
  id: base64url(1_400),
  client_data: base64url(4_000),
  authenticator_data: base64url(4_000),
  signature: base64url(4_000),
  user_handle: base64url(100),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const Passkey = z.object({
  id,
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** Ways to verify a sign-in in addition to password, emailed code or provider. */
export const SecondFactor = z.object({
  /** The authenticator app. */
  totp: z.object({ created_at: timestamp, last_used_at: timestamp.nullable() }).nullable(),
  passkeys: z.array(Passkey),
  recovery_codes_left: z.number(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** Recovery codes, shown once; null if the user already has some. */
const recoveryCodes = z.array(z.string()).nullable();

/** The client chooses the keys; values are small plain JSON. */
const preferenceKey = z
  .string()
  .max(100, { error: 'This is not a valid preference name.', abort: true })
  .regex(/^[a-z][a-z0-9_.-]{0,99}$/i, 'This is not a valid preference name.');
export const Preferences = limitedRecord(preferenceKey, storableJson(maxJsonLength), 500);
export type Preferences = z.infer<typeof Preferences>;

export const MyInvitation = z.object({
  id,
  organization_id: id,
  organization: z.object({ name: z.string(), logo_url: z.string().nullable() }),
  role: z.string(),
  /** The name of an organization's custom role. */
  role_name: z.string().nullable(),
  invited_by_name: z.string().nullable(),
  /** For `/invitation/{token}`: the user's address is the verified one that it was sent to. */
  token: z.string(),
  expires_at: timestamp,
});
export type MyInvitation = z.infer<typeof MyInvitation>;

export const newPassword = z
  .string()
  .min(minPasswordLength, `Use at least ${minPasswordLength} characters.`)
  .max(maxPasswordLength, `Use at most ${maxPasswordLength} characters.`);

const forMe = userOperations('Me');

export const me = {
  get: forMe('GET /me', 'The signed-in user').errors(invalidUser).output(User),
  update: forMe('PATCH /me', 'Change my profile')
    .input({
      full_name: name.optional(),
      company: optional(singleLine(120)).optional(),
      phone: optional(phone).optional(),
      website: optional(webAddress).optional(),
    })
    .output(User),
  delete: forMe('DELETE /me', 'Delete my account and personal data', {
    requiresReauth: true,
    // The deletion of files happens between two transactions.
    manualTransaction: true,
  })
    .errors({
      last_owner: {
        ...apiErrors.last_owner,
        data: z.object({ organizations: z.array(z.object({ id, name: z.string() })) }),
      },
    })
    .output(deleted),
  export: forMe('GET /me/export', 'Export my personal data', {
    requiresReauth: true,
    isExpensive: true,
  }).output(z.record(z.string(), z.json())),
  changeEmail: forMe(
    'POST /me/email',
    'Request a change of my email address; the new address gets a confirmation link',
    {
      requiresReauth: true,
      // The password is compared between two transactions.
      manualTransaction: true,
    },
  )
    .input({
      email,
      /** Required for users who have a password. */
      current_plain_password: z.string().max(128).optional(),
    })
    .errors(tooManyAttempts)
    .output({ email: z.string() }),

  addresses: {
    list: forMe('GET /me/addresses', 'My addresses').output(list(Address)),
    create: forMe('POST /me/addresses', 'Add an address')
      .input(AddressInput)
      .errors(tooManyRecords)
      .output(Address),
    update: forMe('PATCH /me/addresses/{id}', 'Change an address')
      .input(AddressChanges.extend({ id }))
      .output(Address),
    delete: forMe('DELETE /me/addresses/{id}', 'Delete an address').input(byId).output(deleted),
    restore: forMe('POST /me/addresses/{id}/restore', 'Undo the deletion of an address')
      .input(byId)
      .errors(tooManyRecords)
      .output(Address),
  },
  socials: {
    list: forMe('GET /me/socials', 'My links').output(list(Social)),
    create: forMe('POST /me/socials', 'Add a link').input(SocialInput).errors(tooManyRecords).output(Social),
    update: forMe('PATCH /me/socials/{id}', 'Change a link')
      .input(SocialChanges.extend({ id }))
      .output(Social),
    delete: forMe('DELETE /me/socials/{id}', 'Delete a link').input(byId).output(deleted),
  },

  preferences: forMe('GET /me/preferences', 'My preferences').errors(invalidUser).output(Preferences),
  replacePreferences: forMe('PUT /me/preferences', 'Replace all my preferences')
    .input({ preferences: Preferences })
    .errors(pickErrors('preferences_too_large'))
    .output(Preferences),
  changePreferences: forMe('PATCH /me/preferences', 'Change some of my preferences; null removes one')
    .input({ preferences: Preferences })
    .errors(pickErrors('preferences_too_large'))
    .output(Preferences),

  sessions: forMe('GET /me/sessions', 'Where I am signed in, the latest first').output(list(Session)),
  endSession: forMe('DELETE /me/sessions/{id}', 'End one of my sessions').input(byId).output(deleted),
  endOtherSessions: forMe('DELETE /me/sessions', 'End all my other sessions').output({ ended: z.number() }),

  apiKeys: forMe('GET /me/api_keys', 'Working API keys that I made, in all organizations').output(
    list(MyApiKey),
  ),
  revokeApiKey: forMe('DELETE /me/api_keys/{id}', 'Revoke an API key that I made', { requiresReauth: true })
    .input(byId)
    .output(deleted),
  revokeApiKeys: forMe('DELETE /me/api_keys', 'Revoke all API keys that I made', {
    requiresReauth: true,
  }).output({ revoked: z.number() }),

  secondFactor: forMe('GET /me/second_factor', 'My second factors').output(SecondFactor),
  startTotp: forMe('POST /me/second_factor/totp', 'Get a key for an authenticator app', {
    requiresReauth: true,
    secretFields: ['key', 'url'],
  })
    .errors(pickErrors('authenticator_exists'))
    .output({ key: z.string().nullable(), url: z.string().nullable() }),
  confirmTotp: forMe(
    'POST /me/second_factor/totp/confirm',
    'Confirm the authenticator app by its current code, and get recovery codes',
    { requiresReauth: true, secretFields: ['recovery_codes'] },
  )
    .input({ code: secondFactorCode })
    .errors({ ...tooManyAttempts, ...pickErrors('authenticator_exists', 'authenticator_unreadable') })
    .output({ recovery_codes: recoveryCodes }),
  removeTotp: forMe('POST /me/second_factor/totp/remove', 'Remove the authenticator app', {
    requiresReauth: true,
  })
    .input({ code: secondFactorCode })
    .errors({ ...tooManyAttempts, ...pickErrors('authenticator_unreadable') })
    .output(deleted),
  startPasskey: forMe('POST /me/second_factor/passkeys/options', 'Get the options for a new passkey', {
    requiresReauth: true,
  })
    .errors(tooManyRecords)
    .output({ options: z.record(z.string(), z.json()) }),
  addPasskey: forMe('POST /me/second_factor/passkeys', 'Add a passkey', {
    requiresReauth: true,
    secretFields: ['recovery_codes'],
  })
    .input({ name, credential: NewPasskey })
    .errors(tooManyRecords)
    .output({ passkey: Passkey, recovery_codes: recoveryCodes }),
  renamePasskey: forMe('PATCH /me/second_factor/passkeys/{id}', 'Rename a passkey')
    .input({ id, name })
    .output(Passkey),
  removePasskey: forMe('DELETE /me/second_factor/passkeys/{id}', 'Remove a passkey', {
    requiresReauth: true,
  })
    .input(byId)
    .output(deleted),
  renewRecoveryCodes: forMe(
    'POST /me/second_factor/recovery_codes',
    'Replace my recovery codes; the earlier ones no longer work',
    { requiresReauth: true, secretFields: ['recovery_codes'] },
  )
    .input({
      /** Required for users who have an authenticator app. */
      code: secondFactorCode.optional(),
    })
    .errors({ ...tooManyAttempts, ...pickErrors('authenticator_unreadable') })
    .output({ recovery_codes: recoveryCodes }),

  invitations: forMe('GET /me/invitations', 'My pending invitations').output(list(MyInvitation)),
};

export const updateUserPassword = forMe(
  'POST /rpc/update_user_password',
  'Change my password and end all other sessions (RPC)',
  { manualTransaction: true },
)
  .input({
    current_plain_password: z.string().max(maxPasswordLength),
    new_plain_password: newPassword,
  })
  .errors(tooManyAttempts)
  .output({ ended: z.number() });
