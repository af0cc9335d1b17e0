const day = 86_400_000;

/** A session that nobody uses ends after this. */
export const idleSessionMs = 7 * day;

/** However much a session is used, after this it asks for a new sign-in. */
export const maxSessionMs = 30 * day;

/** When a session was last used is known to about this. */
export const touchSessionMs = 5 * 60_000;

/** Of one person; a sign-in beyond it ends those that were not used for the longest time. */
export const maxSessions = 100;

/** How somebody signed in, for the audit log: one of these, or the id of a provider. */
export type SignInMethod = 'password' | 'code' | 'sign_up' | 'passkey';

/** Uses up a proof of the second factor. @throws when it is none */
export type ProveFactor = () => Promise<void>;

/** Somebody who did the first step of a sign-in and has a second factor. */
export interface NeededFactor {
  userId: string;
  /** How the first step was done. */
  method: string;
}
