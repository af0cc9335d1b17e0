import { createContactRules } from './contacts/contact-rules.ts';
import { createTrackingHosts } from './outreach/domains/tracking-hosts.ts';
import { createCheckRunner } from './email/domains/run-check.ts';
import type { DomainInstallation } from './outreach/domains/domain-setup-of.ts';
import type { ProviderEndpoints } from './email/transports/own-transport.ts';
import { createTokenSigner } from './email/links/tokens.ts';
import { limitedTransaction, poolSizeOf, type Workload } from './identity/access/limited-transaction.ts';
import { limits as rateLimits } from './identity/access/rate-limits.ts';
import { createRequestLimits } from './identity/access/request-limits.ts';
import { createAuth } from './identity/auth/auth.ts';
import {
  createPasswordHasher,
  recommendedCost,
  type ScryptCost,
} from './identity/auth/passwords/password-hash.ts';
import { checkWrites, ping } from './operations/health/readiness.queries.ts';
import { createReadiness } from './operations/health/readiness.ts';
import { allowedOrigins, type Config, type DatabaseLogins } from './platform/config.ts';
import { deriveKey } from './platform/secret-key.ts';
import { connect, transactionAs } from './platform/database/database.ts';
import { connectPipelined } from './platform/database/pipelined.ts';
import { createFileStore } from './platform/files/file-store.ts';
import { httpLimits, type HttpLimits } from './platform/http/http-limits.ts';
import type { Log } from './platform/log.ts';
import { createOutboundClient } from './platform/outbound/outbound-client.ts';
import { maxWaitMs as defaultWaitMs } from './platform/wait-budget.ts';
import { createRateLimits } from './platform/rate-limits/rate-limits.ts';
import { createSecrets } from './platform/secrets.ts';

/** Services shared by all parts that respond to requests. */
export type Services = ReturnType<typeof createServices>;

/** Limits that tests override: they hash hundreds of passwords, and run beside others on a busy machine. */
export interface ServiceLimits {
  passwordCost?: ScryptCost;
  /** Per request. */
  maxWaitMs?: number;
  /** Maximum wait for a pool connection, new or released. */
  connectTimeoutMs?: number;
  http?: HttpLimits;
  /** Where providers of transports are asked. */
  endpoints?: ProviderEndpoints;
}

/** Also used by tests, which pass their own database. */
// oxlint-disable-next-line max-lines-per-function -- a flat list: one service after the other
export function createServices(
  config: Config,
  { appUrl, authUrl }: DatabaseLogins,
  log: Log,
  {
    passwordCost = recommendedCost,
    maxWaitMs = defaultWaitMs,
    connectTimeoutMs = 2_000,
    http = httpLimits,
    endpoints,
  }: ServiceLimits = {},
) {
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
    /** For operations: one pool for each workload (identity/access/limited-transaction.ts). */
    db,
    expensiveDb: pool('expensive', { processesPerStatement: 1 }),
    access,
    /** For sign-in, and for operations on its tables: logs in as `reachout_auth`. */
    authDb,
    /** Separate pool for opens, clicks and unsubscribes. */
    trackingDb,
    /** Stores opens and clicks: hundreds of transactions a second whose statements are known in advance. */
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
    /** Avatars and logos, on disk or S3. */
    files: createFileStore(config),
    /** HTTP client for URLs supplied by customers. */
    outbound: createOutboundClient(config.privateHosts),
    endpoints,
    /** Runs checks of sending domains, whose records name the hosts of the installation. */
    runCheck: createCheckRunner(config.dnsServers),
    installation: config as DomainInstallation,
    trackingHosts: createTrackingHosts(trackingDb, new URL(config.publicUrl).hostname),
    isReady: createReadiness(checks[config.roles.includes('api') ? 'api' : 'tracking'], { log, maxWaitMs }),
    /** For `isReady`: connects as slowly as a request whose pool is idle. */
    readinessDb,
    /** Maximum time that a request may wait for connections (platform/wait-budget.ts). */
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
