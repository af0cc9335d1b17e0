import { apiError } from '../../../platform/http/api-error.ts';

/** The purpose of an emailed link or code; it works for no other. */
export type EmailedPurpose = 'sign_up' | 'sign_in_code' | 'reset_password' | 'change_email';
/**
 * `second_factor`: a sign-in after its first step, which the browser keeps in a cookie. `passkey`: a challenge that a
 * passkey signs. `sign_up_invitation`: an address that the operator allows to sign up; its secret is never disclosed.
 */
export type TokenPurpose = EmailedPurpose | 'second_factor' | 'passkey' | 'sign_up_invitation';

/** Data of a request that is stored until its link or code is used. */
export interface TokenPayload {
  /** For a sign-up. */
  name?: string;
  /** For a sign-up: the hash. */
  password?: string;
  /** For a sign-up. */
  language?: string;
  /** For a sign-in that waits for the second factor: the method of its first step. */
  method?: string;
  /** For a sign-up by invitation link: its hashes. Undefined if no invitation is needed. */
  link_hashes?: string[];
}

/** Maximum failed attempts for all codes of an address together, or for the password entered with a link. */
export const maxFailedAttempts = 5;

/** Maximum number of valid codes of an address, each for the browser that requested it. */
export const maxValidCodes = 3;

const minutes = 60_000;

/** Validity of each, in ms. */
export const validForMs = {
  sign_up: 24 * 60 * minutes,
  sign_in_code: 10 * minutes,
  reset_password: 30 * minutes,
  change_email: 60 * minutes,
  second_factor: 10 * minutes,
  passkey: 5 * minutes,
  sign_up_invitation: 7 * 24 * 60 * minutes,
} as const satisfies Record<TokenPurpose, number>;

/** Validity of notices, in ms: a later one would only confuse. */
export const noticeForMs = 24 * 60 * minutes;

/** The text to hash for a code: the same six digits would otherwise have the same hash in many tokens. */
export const codeSecret = (tokenId: string, code: string): string => `${tokenId}:${code}`;

/** The same error for used, revoked, expired and invented links. */
export const linkExpired = () => apiError('link_expired');
