import type { Config } from './platform/config.ts';
import type { Access } from './identity/access/membership.ts';
import type { Database } from './platform/database/database.ts';
import type { FileStore } from './platform/files/file-store.ts';
import type { PipelinedDatabase } from './platform/database/pipelined.ts';
import type { Log } from './platform/log.ts';
import type { RateLimits } from './identity/access/rate-limits.ts';
import type { Secrets } from './platform/secrets.ts';
import type { TokenSigner } from './email/links/tokens.ts';
import type { Auth } from './identity/auth/auth.ts';
import type { PasswordHasher } from './identity/auth/passwords/password-hash.ts';

/** The services that the parts of one process share; made in main.ts, and by tests. */
export interface Services {
  config: Config;
  log: Log;
  /** For operations of people: a pool for each workload (identity/access/limited-transaction.ts). */
  db: Database;
  expensiveDb: Database;
  access: Access;
  /** For sign-in, and for what operations do with its tables: logs in as `reachout_auth`. */
  authDb: Database;
  /** For opens, clicks and unsubscribes: a pool of their own. */
  trackingDb: Database;
  /** For storing opens and clicks: hundreds of transactions a second whose statements are known in advance. */
  trackingPipelined: PipelinedDatabase;
  auth: Auth;
  signer: TokenSigner;
  secrets: Secrets;
  limits: RateLimits;
  passwords: PasswordHasher;
  /** Avatars and logos, on disk or S3. */
  files: FileStore;
}
