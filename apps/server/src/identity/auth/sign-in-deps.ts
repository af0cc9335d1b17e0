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

/** The requesting browser, before sign-in. */
export interface Browser {
  /** The request headers that Better Auth may see. */
  headers: Headers;
  /** The network that attempts are counted by. */
  ipPrefix: string;
  /** The preferred language. */
  language: EmailLanguage;
  /** The user who signed in with this browser before. */
  trustedDevice: TrustedDevice | undefined;
  /** Proves that the same browser requested a link or a code earlier. */
  pendingAuth: (kind: PendingAuthKind) => string | undefined;
}

/** Each kind has a separate cookie: a user who waits for a link may request a code meanwhile. */
export type PendingAuthKind = 'sign_up' | 'sign_in_code' | 'second_factor';
