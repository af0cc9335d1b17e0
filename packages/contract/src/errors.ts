import { commonErrorTexts } from './rules/common-error-texts.ts';
import { errorTexts } from './rules/error-texts.ts';

/**
 * All errors that a caller can act on: status and user-facing text. docs/error-codes.md explains each. An operation declares
 * the errors that it can return, and the server throws them by code.
 */
export const apiErrors = {
  bad_request: { status: 400, message: 'The request can’t be parsed.' },
  invalid_query: { status: 400, message: 'The query is not valid.' },
  invalid_email_or_password: { status: 401, message: 'Email and password don’t match.' },
  not_signed_in: { status: 401, message: 'Sign in or send a valid API key.' },
  sign_in_again: { status: 401, message: commonErrorTexts.sign_in_again },
  unknown_website: { status: 401, message: 'There is no website with this id and token.' },
  unknown_passkey: { status: 401, message: 'This passkey is unknown here, or was not confirmed.' },
  wrong_code: { status: 401, message: commonErrorTexts.wrong_code },
  wrong_password: { status: 401, message: commonErrorTexts.wrong_password },
  second_factor_required: { status: 403, message: commonErrorTexts.second_factor_required },
  beyond_own_rights: { status: 403, message: errorTexts.beyond_own_rights },
  foreign_origin: { status: 403, message: 'This request does not come from a page of this installation.' },
  forbidden: { status: 403, message: commonErrorTexts.forbidden },
  not_invited: { status: 403, message: commonErrorTexts.not_invited },
  organization_suspended: { status: 403, message: commonErrorTexts.organization_suspended },
  other_recipient: { status: 403, message: commonErrorTexts.other_recipient },
  sign_up_closed: { status: 403, message: commonErrorTexts.sign_up_closed },
  not_found: { status: 404, message: commonErrorTexts.not_found },
  method_not_allowed: { status: 405, message: 'This method is not allowed at this address.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  account_exists: { status: 409, message: commonErrorTexts.account_exists },
  already_member: { status: 409, message: errorTexts.already_member },
  audience_changed: { status: 409, message: errorTexts.audience_changed },
  authenticator_exists: { status: 409, message: errorTexts.authenticator_exists },
  authenticator_unreadable: { status: 409, message: commonErrorTexts.authenticator_unreadable },
  campaign_archived: { status: 409, message: errorTexts.campaign_archived },
  changed_elsewhere: { status: 409, message: errorTexts.changed_elsewhere },
  domain_exists: { status: 409, message: 'The organization has this domain already.' },
  domain_taken: {
    status: 409,
    message: 'This domain is verified elsewhere on this installation. It must be deleted there first.',
  },
  field_in_use: { status: 409, message: errorTexts.field_in_use },
  field_protected: { status: 409, message: errorTexts.field_protected },
  filter_in_use: { status: 409, message: errorTexts.filter_in_use },
  goal_exists: { status: 409, message: errorTexts.goal_exists },
  too_many_goals: { status: 409, message: errorTexts.too_many_goals },
  host_missing: { status: 409, message: errorTexts.host_missing },
  import_in_progress: { status: 409, message: errorTexts.import_in_progress },
  invalid_topology: { status: 409, message: errorTexts.invalid_topology },
  invalid_transition: { status: 409, message: commonErrorTexts.invalid_transition },
  key_in_use: {
    status: 409,
    message: 'Messages were signed with this key in the last seven days. Replace it later.',
  },
  key_not_published: {
    status: 409,
    message: 'The next key is not published for all verified domains, or was not found there yet.',
  },
  own_account: { status: 409, message: errorTexts.own_account },
  last_owner: { status: 409, message: errorTexts.last_owner },
  name_taken: { status: 409, message: errorTexts.name_taken },
  not_a_member: { status: 409, message: errorTexts.not_a_member },
  not_pending: { status: 409, message: commonErrorTexts.not_pending },
  not_unique: { status: 409, message: errorTexts.not_unique },
  nothing_to_follow_up: { status: 409, message: errorTexts.nothing_to_follow_up },
  collection_in_use: { status: 409, message: errorTexts.collection_in_use },
  starting_collection: { status: 409, message: errorTexts.starting_collection },
  owner_in_use: { status: 409, message: errorTexts.owner_in_use },
  suppressions_changed: { status: 409, message: errorTexts.suppressions_changed },
  password_needed: {
    status: 409,
    message: 'Nobody is signed in to this account in this browser. Enter its password.',
  },
  quota_exceeded: { status: 409, message: errorTexts.quota_exceeded },
  reaction_over: { status: 409, message: errorTexts.reaction_over },
  role_in_use: { status: 409, message: errorTexts.role_in_use },
  send_blocked: { status: 409, message: errorTexts.send_blocked },
  send_in_progress: { status: 409, message: errorTexts.send_in_progress },
  storage_full: { status: 409, message: errorTexts.storage_full },
  body_missing: { status: 409, message: errorTexts.body_missing },
  too_many_organizations: { status: 409, message: errorTexts.too_many_organizations },
  too_many_records: { status: 409, message: errorTexts.too_many_records },
  too_many_values: { status: 409, message: errorTexts.too_many_values },
  topic_in_use: { status: 409, message: errorTexts.topic_in_use },
  transport_in_use: { status: 409, message: errorTexts.transport_in_use },
  touchpoint_locked: { status: 409, message: errorTexts.touchpoint_locked },
  touchpoint_not_active: {
    status: 409,
    message: 'This email doesn’t accept messages: it is inactive or paused.',
  },
  values_do_not_fit: { status: 409, message: errorTexts.values_do_not_fit },
  code_expired: { status: 410, message: 'This code was already used or has expired. Request a new one.' },
  link_expired: { status: 410, message: 'This link was already used or has expired. Request a new one.' },
  body_too_large: { status: 413, message: 'The body of the request is too large.' },
  file_too_large: { status: 413, message: errorTexts.file_too_large },
  image_too_large: { status: 413, message: errorTexts.image_too_large },
  too_large: { status: 413, message: 'A file can have at most 50 MB.' },
  unsupported_media_type: {
    status: 415,
    message: 'This content type or content encoding is not accepted here.',
  },
  domain_refused: {
    status: 422,
    message: 'This name can’t be a sending domain. Enter one that belongs to you, such as news.example.com.',
  },
  idempotency_key_reused: { status: 422, message: commonErrorTexts.idempotency_key_reused },
  invalid_image: { status: 422, message: errorTexts.invalid_image },
  invalid_input: { status: 422, message: commonErrorTexts.invalid_input },
  invalid_period: { status: 422, message: errorTexts.invalid_period },
  invalid_rule: { status: 422, message: 'This rule is not valid.' },
  preferences_too_large: { status: 422, message: errorTexts.preferences_too_large },
  validation_failed: { status: 422, message: errorTexts.validation_failed },
  daily_limit_reached: { status: 429, message: errorTexts.daily_limit_reached },
  too_many_attempts: { status: 429, message: 'Too many attempts. Try again later.' },
  too_many_imports: { status: 429, message: errorTexts.too_many_imports },
  too_many_messages: {
    status: 429,
    message: 'Too many messages of this email are waiting to be sent. Try again later.',
  },
  too_many_requests: { status: 429, message: commonErrorTexts.too_many_requests },
  backend_failed: { status: 424, message: errorTexts.backend_failed },
  transport_failed: { status: 424, message: errorTexts.transport_failed },
  headers_too_large: {
    status: 431,
    message: 'The headers or the address of the request are too large.',
  },
  internal: { status: 500, message: 'Something went wrong on our side. Try again.' },
  not_ready: { status: 503, message: 'Not ready.' },
  unavailable: { status: 503, message: commonErrorTexts.unavailable },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof apiErrors;

/** Message of `not_found` for a path that matches no operation and no page. */
export const unknownPathMessage = 'There is nothing at this address.';

/** The errors of an operation, as oRPC declares them: `.errors(pickErrors('name_taken', 'last_owner'))`. */
export const pickErrors = <Code extends ErrorCode>(...codes: Code[]) =>
  Object.fromEntries(codes.map((code) => [code, apiErrors[code]])) as Pick<typeof apiErrors, Code>;
