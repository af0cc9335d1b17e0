/** The purpose of an emailed link or code; it works for no other. */
export type EmailedPurpose = 'sign_up' | 'sign_in_code' | 'reset_password' | 'change_email';
/**
 * `second_factor`: a sign-in after its first step, which the browser keeps in a cookie. `passkey`: a challenge that a
 * passkey signs. `sign_up_invitation`: an address that the operator lets sign up; nobody gets its secret.
 */
export type TokenPurpose = EmailedPurpose | 'second_factor' | 'passkey' | 'sign_up_invitation';

/** Data of a request that is stored until its link or code is used. */
export interface TokenPayload {
  /** Of a sign-up. */
  name?: string;
  /** Of a sign-up: the hash. */
  password?: string;
  /** Of a sign-up. */
  language?: string;
  /** Of a sign-in that waits for the second factor: how its first step was done. */
  method?: string;
  /** Of a sign-up by an invitation link: its hashes. Undefined where nobody needs an invitation. */
  link_hashes?: string[];
}

/** How often the codes of an address together, or the password beside a link, may be wrong. */
export const maxFailedAttempts = 5;

/** How many codes of an address hold at once, each for the browser that asked. */
export const maxValidCodes = 3;

const minutes = 60_000;

/** How long each holds, in ms. */
export const validForMs = {
  sign_up: 24 * 60 * minutes,
  sign_in_code: 10 * minutes,
  reset_password: 30 * minutes,
  change_email: 60 * minutes,
  second_factor: 10 * minutes,
  passkey: 5 * minutes,
  sign_up_invitation: 7 * 24 * 60 * minutes,
} as const satisfies Record<TokenPurpose, number>;

/** A notice that comes later than this would only confuse. */
export const noticeForMs = 24 * 60 * minutes;

/** The hashed text of a code: six digits alone would be the same for many. */
export const codeSecret = (tokenId: string, code: string): string => `${tokenId}:${code}`;
