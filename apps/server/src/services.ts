import { createContactRules } from './contacts/contact-rules.ts';
import type { ContactRules } from './content/backend/contact-rules.ts';
import { createTrackingHosts, type TrackingHosts } from './outreach/domains/tracking-hosts.ts';
import { createCheckRunner, type CheckRunner } from './email/domains/run-check.ts';
import type { DomainInstallation } from './outreach/domains/domain-setup-of.ts';
import { createTokenSigner, type TokenSigner } from './email/links/tokens.ts';
import { limitedTransaction, poolSizeOf, type Workload } from './identity/access/limited-transaction.ts';
import type { Access } from './identity/access/membership.ts';
import { limits as rateLimits, type RateLimits } from './identity/access/rate-limits.ts';
import { createRequestLimits } from './identity/access/request-limits.ts';
import { createAuth, type Auth } from './identity/auth/auth.ts';
import {
  createPasswordHasher,
  recommendedCost,
  type PasswordHasher,
  type ScryptCost,
} from './identity/auth/passwords/password-hash.ts';
import { checkWrites, ping } from './operations/health/readiness.queries.ts';
import { createReadiness, type Readiness } from './operations/health/readiness.ts';
import { allowedOrigins, type Config, type DatabaseLogins } from './platform/config.ts';
import { deriveKey } from './platform/secret-key.ts';
import { connect, transactionAs, type Database } from './platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from './platform/database/pipelined.ts';
import { createFileStore, type FileStore } from './platform/files/file-store.ts';
import { httpLimits, type HttpLimits } from './platform/http/http-limits.ts';
import type { Log } from './platform/log.ts';
import { createOutboundClient, type OutboundClient } from './platform/outbound/outbound-client.ts';
import { maxWaitMs as defaultWaitMs } from './platform/wait-budget.ts';
import { createRateLimits } from './platform/rate-limits/rate-limits.ts';
import { createSecrets, type Secrets } from './platform/secrets.ts';

/** Services shared by all parts that respond to requests. */
export interface Services {
  config: Config;
  log: Log;
  /** For operations: one pool for each workload (identity/access/limited-transaction.ts). */
  db: Database;
  expensiveDb: Database;
  access: Access;
  /** For sign-in, and for operations on its tables: logs in as `reachout_auth`. */
  authDb: Database;
  /** Separate pool for opens, clicks and unsubscribes. */
  trackingDb: Database;
  /** Stores opens and clicks: hundreds of transactions a second whose statements are known in advance. */
  trackingPipelined: PipelinedDatabase;
  auth: Auth;
  signer: TokenSigner;
  secrets: Secrets;
  contacts: ContactRules;
  limits: RateLimits;
  passwords: PasswordHasher;
  /** Avatars and logos, on disk or S3. */
  files: FileStore;
  /** HTTP client for URLs supplied by customers. */
  outbound: OutboundClient;
  /** Runs checks of sending domains, whose records name the hosts of the installation. */
  runCheck: CheckRunner;
  installation: DomainInstallation;
  trackingHosts: TrackingHosts;
  isReady: Readiness;
  /** For `isReady`: connects as slowly as a request whose pool is idle. */
  readinessDb: Database;
  /** Maximum time that a request may wait for connections (platform/wait-budget.ts). */
  maxWaitMs: number;
  httpLimits: HttpLimits;
}

/** Limits that tests override: they hash hundreds of passwords, and run beside others on a busy machine. */
export interface ServiceLimits {
  passwordCost?: ScryptCost;
  /** Per request. */
  maxWaitMs?: number;
  /** Maximum wait for a pool connection, new or released. */
  connectTimeoutMs?: number;
  http?: HttpLimits;
}

/** Also used by tests, which pass their own database. */
export function createServices(
  config: Config,
  { appUrl, authUrl }: DatabaseLogins,
  log: Log,
  {
    passwordCost = recommendedCost,
    maxWaitMs = defaultWaitMs,
    connectTimeoutMs = 2_000,
    http = httpLimits,
  }: ServiceLimits = {},
): Services {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const pool = (workload: Workload, more: { processesPerStatement?: number } = {}) =>
    connect(appUrl, {
      name: workload,
      connections: poolSizeOf(workload),
      connectTimeoutMs,
      onError,
      ...more,
    });
  const db = pool('general');
  const authDb = connect(authUrl, { name: 'sign-in', connections: 5, connectTimeoutMs, onError });
  const access = { db: pool('access'), limits: createRequestLimits(config) };
  const secrets = createSecrets(config.secretKey, config.previousSecretKeys);
  const limits = createRateLimits({
    limits: {
      ...rateLimits,
      ...signUpLimits(config),
    },
    authUrl,
    secrets,
    connectTimeoutMs,
    onError,
  });
  const passwords = createPasswordHasher(passwordCost);
  const trackingDb = connect(appUrl, { name: 'tracking', connections: 4, onError });
  const readinessDb = connect(authUrl, {
    name: 'readiness',
    connections: 1,
    isAlwaysNew: true,
    connectTimeoutMs,
    onError,
  });
  const checks = {
    // A look-up of a session, and what follows it.
    api: [
      () => ping(readinessDb),
      () => limitedTransaction(access.db, {}, ping, 'access'),
      () => limitedTransaction(db, {}, checkWrites),
      () => transactionAs(authDb, {}, ping),
    ],
    tracking: [() => ping(readinessDb), () => transactionAs(trackingDb, {}, checkWrites)],
  };
  return {
    config,
    log,
    db,
    expensiveDb: pool('expensive', { processesPerStatement: 1 }),
    access,
    authDb,
    trackingDb,
    trackingPipelined: connectPipelined(appUrl, {
      name: 'tracking events',
      connections: 2,
      onError,
    }),
    auth: createAuth({
      authUrl,
      db: access.db,
      authDb,
      publicUrl: config.publicUrl,
      origins: allowedOrigins(config.publicUrl),
      secretKey: config.secretKey,
      secrets,
      limits,
      passwords,
      oauth: config.oauth,
      signUp: config.signUp,
      connectTimeoutMs,
      log,
      onError,
    }),
    signer: createTokenSigner(
      deriveKey(config.secretKey, 'message tokens'),
      config.previousSecretKeys.map((key) => deriveKey(key, 'message tokens')),
    ),
    secrets,
    contacts: createContactRules(secrets),
    limits,
    passwords,
    files: createFileStore(config),
    outbound: createOutboundClient(config.privateHosts),
    runCheck: createCheckRunner(config.dnsServers),
    installation: config,
    trackingHosts: createTrackingHosts(trackingDb, new URL(config.publicUrl).hostname),
    isReady: createReadiness(checks[config.roles.includes('api') ? 'api' : 'tracking'], { log, maxWaitMs }),
    readinessDb,
    maxWaitMs,
    httpLimits: http,
  };
}

export async function closeServices(services: Services): Promise<void> {
  const { db, expensiveDb, access, authDb, trackingDb, trackingPipelined, auth, limits, outbound } = services;
  await Promise.all([
    services.readinessDb.destroy(),
    db.destroy(),
    expensiveDb.destroy(),
    access.db.destroy(),
    authDb.destroy(),
    trackingDb.destroy(),
    trackingPipelined.destroy(),
    auth.close(),
    limits.close(),
    outbound.close(),
  ]);
}

/** The limits of sign-ups that follow from the settings. */
function signUpLimits({ signUpsPerForm, signUpsPerNetwork }: Config) {
  const { sign_ups_of_ip_prefix: ofNetwork, sign_ups_of_form_by_ip_prefix_in_a_day: ofNetworkInADay } =
    rateLimits;
  const half = Math.ceil(signUpsPerForm / 2);
  return {
    // Of forms without a number of their own, ten.
    sign_ups_of_ip_prefix: {
      ...ofNetwork,
      points: 10 * signUpsPerNetwork,
      sitePoints: 40 * signUpsPerNetwork,
    },
    sign_ups_of_form_by_ip_prefix_in_a_day: { ...ofNetworkInADay, points: half, sitePoints: half },
    sign_ups_of_form: { ...rateLimits.sign_ups_of_form, points: signUpsPerForm },
    sign_ups_of_organization: { ...rateLimits.sign_ups_of_organization, points: 5 * signUpsPerForm },
  };
}
