const day = 86_400_000;

/** An unused session ends after this time. */
export const idleSessionMs = 7 * day;

/** A session requires a new sign-in after this time, even if it is in use. */
export const maxSessionMs = 30 * day;

/** Approximate precision of the time of a session's last use. */
export const touchSessionMs = 5 * 60_000;

/** Maximum per user; a further sign-in ends the least recently used sessions. */
export const maxSessions = 100;

/** Sign-in method for the audit log: one of these, or the id of a provider. */
export type SignInMethod = 'password' | 'code' | 'sign_up' | 'passkey';

/** Uses up a proof of the second factor. @throws if the proof is invalid */
export type ProveFactor = () => Promise<void>;

/** A user who completed the first step of a sign-in and has a second factor. */
export interface NeededFactor {
  userId: string;
  /** Method of the first step. */
  method: string;
}
