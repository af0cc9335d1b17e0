/**
 * What errors say that the first pages can show, by code. Only this file and `error-texts.ts` have them: the API and the English
 * of the web app take them from here, and the first load has these alone.
 */
export const commonErrorTexts = {
  wrong_code: 'Wrong code. Check the latest email and try again.',
  wrong_password: 'Wrong password.',
  sign_in_again: 'Sign in again to confirm that it’s you.',
  forbidden: 'You don’t have permission to do this.',
  second_factor_required: 'This organization requires a second step at sign-in. Set it up in your account.',
  authenticator_unreadable:
    'Your codes can’t be verified, because the key of this installation was changed. Contact its operator.',
  organization_suspended: 'This organization is suspended. It is read-only.',
  invalid_transition: 'This isn’t possible in the current status. Reload the page to see it.',
  not_found: 'This doesn’t exist, or you don’t have access to it.',
  invalid_input: 'Some fields are not valid.',
  not_pending: 'This invitation or link was already answered, cancelled or used up, or has expired.',
  other_recipient: 'This invitation was sent to another email address.',
  not_invited:
    'New accounts need an invitation, and there is no valid one for this address. Ask for a new invitation.',
  sign_up_closed: 'This installation doesn’t accept new accounts.',
  account_exists: 'This address already has an account. Sign in to accept the invitation.',
  idempotency_key_reused: 'This was already submitted, with other content (the same Idempotency-Key).',
  too_many_requests: 'Too many requests in a short time. Nothing was changed. Try again in a moment.',
  unavailable: 'The server is busy or being restarted, and nothing was changed. Try again in a moment.',
} as const;
