/**
 * All errors that a caller can act on: status and user-facing text. docs/error-codes.md explains each. An operation declares
 * the errors that it can return, and the server throws them by code.
 */
export const apiErrors = {
  bad_request: { status: 400, message: 'The request can’t be parsed.' },
  invalid_query: { status: 400, message: 'The query is not valid.' },
  invalid_email_or_password: { status: 401, message: 'Email and password don’t match.' },
  not_signed_in: { status: 401, message: 'Sign in or send a valid API key.' },
  sign_in_again: { status: 401, message: 'Sign in again to confirm that it’s you.' },
  unknown_passkey: { status: 401, message: 'This passkey is unknown here, or was not confirmed.' },
  wrong_code: { status: 401, message: 'Wrong code. Check the latest email and try again.' },
  wrong_password: { status: 401, message: 'Wrong password.' },
  second_factor_required: {
    status: 403,
    message: 'This organization requires a second factor. Set one up in your account.',
  },
  beyond_own_rights: {
    status: 403,
    message: 'You can’t grant or revoke permissions that you don’t have yourself.',
  },
  foreign_origin: { status: 403, message: 'This request does not come from a page of this installation.' },
  forbidden: { status: 403, message: 'You don’t have permission to do this.' },
  not_invited: {
    status: 403,
    message: 'This address was not invited, or its invitation is no longer valid. Ask for a new one.',
  },
  organization_suspended: { status: 403, message: 'This organization is suspended. It is read-only.' },
  other_recipient: { status: 403, message: 'This invitation was sent to another email address.' },
  sign_up_closed: { status: 403, message: 'This installation doesn’t accept new accounts.' },
  not_found: { status: 404, message: 'This doesn’t exist, or you don’t have access to it.' },
  method_not_allowed: { status: 405, message: 'This method is not allowed at this address.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  account_exists: { status: 409, message: 'This address already has an account. Sign in to it.' },
  already_member: { status: 409, message: 'You are already a member of this organization.' },
  audience_changed: { status: 409, message: 'The audience has changed since you confirmed it.' },
  authenticator_exists: { status: 409, message: 'You already have an authenticator app. Remove it first.' },
  authenticator_unreadable: {
    status: 409,
    message: 'Codes cannot be verified: the key of this installation was changed. Contact its operator.',
  },
  campaign_archived: { status: 409, message: 'This campaign is archived. Reopen it first.' },
  changed_elsewhere: { status: 409, message: 'Someone else changed this after you opened it.' },
  field_in_use: { status: 409, message: 'An audience uses this field. Change the audience first.' },
  field_protected: { status: 409, message: 'Contacts need this field: it can’t be changed in this way.' },
  filter_in_use: { status: 409, message: 'An email uses this audience. Choose another one for it first.' },
  import_in_progress: {
    status: 409,
    message: 'A file is being imported into this collection. Wait until the import has ended.',
  },
  invalid_transition: { status: 409, message: 'This status change is not possible.' },
  last_owner: {
    status: 409,
    message: 'An organization needs at least one owner. Make someone else an owner first.',
  },
  name_taken: { status: 409, message: 'This name is already taken. Choose another one.' },
  not_pending: {
    status: 409,
    message: 'This invitation or link was already answered, canceled or used up, or has expired.',
  },
  not_unique: { status: 409, message: 'Another item already has this value.' },
  nothing_to_follow_up: {
    status: 409,
    message:
      'This send has no failed messages to send again: it is still in progress, or already has a follow-up.',
  },
  collection_in_use: { status: 409, message: 'Audiences are of this collection. Delete them first.' },
  starting_collection: {
    status: 409,
    message: 'The organization began with this collection. It can be emptied, not deleted.',
  },
  owner_in_use: {
    status: 409,
    message: 'Something that belongs to another client or brand uses this. Change that first.',
  },
  suppressions_changed: {
    status: 409,
    message: 'The number of suppressions has changed since you confirmed it.',
  },
  password_needed: {
    status: 409,
    message: 'Nobody is signed in to this account in this browser. Enter its password.',
  },
  quota_exceeded: {
    status: 409,
    message: 'The organization has reached its limit. The operator of this installation can raise it.',
  },
  role_in_use: { status: 409, message: 'Members or invitations still have this role.' },
  send_blocked: { status: 409, message: 'This email can’t be sent yet.' },
  send_in_progress: {
    status: 409,
    message: 'A send in this record is scheduled or in progress. Cancel it first.',
  },
  storage_full: { status: 409, message: 'Image storage is full. Remove some logos first.' },
  template_in_use: { status: 409, message: 'An email uses this template. Choose another one for it first.' },
  template_missing: { status: 409, message: 'Choose a template first.' },
  too_many_organizations: {
    status: 409,
    message: 'You already own the maximum number of organizations, or created too many today.',
  },
  too_many_records: { status: 409, message: 'The maximum number of these is reached. Delete some first.' },
  too_many_values: {
    status: 409,
    message: 'Too many items have a value here to change all of them at once. Add a new field instead.',
  },
  touchpoint_locked: { status: 409, message: 'This email is being sent and can no longer be changed.' },
  touchpoint_not_active: {
    status: 409,
    message: 'This email doesn’t accept messages: it is inactive or paused.',
  },
  values_do_not_fit: {
    status: 409,
    message: 'Values of stored items don’t fit. Change those items first.',
  },
  code_expired: { status: 410, message: 'This code was already used or has expired. Request a new one.' },
  link_expired: { status: 410, message: 'This link was already used or has expired. Request a new one.' },
  body_too_large: { status: 413, message: 'The body of the request is too large.' },
  file_too_large: { status: 413, message: 'A file can have at most 10 MB.' },
  image_too_large: { status: 413, message: 'An image can have at most 5 MB.' },
  too_large: { status: 413, message: 'A file can have at most 50 MB.' },
  unsupported_media_type: {
    status: 415,
    message: 'This content type or content encoding is not accepted here.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was already used for another request.',
  },
  invalid_image: { status: 422, message: 'This file is not a usable image.' },
  invalid_input: { status: 422, message: 'Some of the input is not valid.' },
  invalid_period: { status: 422, message: 'Use a period such as 1day, -1day, 7day or start::end.' },
  invalid_rule: { status: 422, message: 'This rule is not valid.' },
  preferences_too_large: { status: 422, message: 'Preferences can have at most 64 kB in total.' },
  validation_failed: { status: 422, message: 'A value is missing or has the wrong type.' },
  daily_limit_reached: {
    status: 429,
    message:
      'The organization, or all organizations of a person together, would exceed the limit of recipients in 24 hours. The operator of this installation can raise the limit of the organization.',
  },
  too_many_attempts: { status: 429, message: 'Too many attempts. Try again later.' },
  too_many_imports: { status: 429, message: 'Too many imports are queued. Try again later.' },
  too_many_messages: {
    status: 429,
    message: 'Too many messages of this email are waiting to be sent. Try again later.',
  },
  too_many_requests: { status: 429, message: 'Too many requests. Try again in a moment.' },
  backend_failed: { status: 424, message: 'The content backend of the organization can’t be used.' },
  headers_too_large: {
    status: 431,
    message: 'The headers or the address of the request are too large.',
  },
  internal: { status: 500, message: 'Something went wrong on our side. Try again.' },
  not_ready: { status: 503, message: 'Not ready.' },
  unavailable: { status: 503, message: 'The service is busy or being restarted. Try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof apiErrors;

/** Message of `not_found` for a path that matches no operation and no page. */
export const unknownPathMessage = 'There is nothing at this address.';

/** The errors of an operation, as oRPC declares them: `.errors(pickErrors('name_taken', 'last_owner'))`. */
export const pickErrors = <Code extends ErrorCode>(...codes: Code[]) =>
  Object.fromEntries(codes.map((code) => [code, apiErrors[code]])) as Pick<typeof apiErrors, Code>;
