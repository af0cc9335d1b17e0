import type { Database } from '../../platform/database/database.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { EmailLanguage } from '../account-email/account-email.ts';
import type { Auth } from './auth.ts';
import type { PasswordHasher } from './passwords/password-hash.ts';
import type { TrustedDevice } from './sign-in/trusted-device.ts';

export interface SignInDeps {
  /** Logs in as `reachout_auth`. */
  db: Database;
  auth: Auth;
  secrets: Secrets;
  limits: RateLimits;
  passwords: PasswordHasher;
  log: Log;
}

export type SecondFactorDeps = Pick<SignInDeps, 'secrets' | 'limits' | 'log'>;

/** The requesting browser, before anybody is signed in. */
export interface Browser {
  /** For Better Auth: what it may see of the request. */
  headers: Headers;
  /** The network that attempts are counted for. */
  ipPrefix: string;
  /** The preferred language. */
  language: EmailLanguage;
  /** The person who signed in there before. */
  trustedDevice: TrustedDevice | undefined;
  /** Says that the same browser asked for a link or a code earlier. */
  pendingAuth: (kind: PendingAuthKind) => string | undefined;
}

/** Each has a separate cookie: a person who waits for a link may ask for a code meanwhile. */
export type PendingAuthKind = 'sign_up' | 'sign_in_code' | 'second_factor';
