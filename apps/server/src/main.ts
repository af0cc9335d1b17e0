import { internalOrigin } from './identity/access/caller.ts';
import { createRouterClient } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { createTokenSigner } from './email/links/tokens.ts';
import { relayRulesOf } from './email/transports/relay-rules.ts';
import { hasDemoByDefault, openDemo, type Caller } from './operations/demo/demo.ts';
import { createMailboxKey } from './operations/mailbox/mailbox-key.ts';
import { deriveKey, allowedOrigins, type Config, type DatabaseLogins } from './platform/config.ts';
import { listConfigRisks } from './platform/config-risks.ts';
import { connect } from './platform/database/database.ts';
import { derivePasswords, loginsWith } from './platform/database/logins.ts';
import { connectPipelined } from './platform/database/pipelined.ts';
import { checkSchema, migrateDatabase } from './platform/database/migrate.ts';
import { createFileStore } from './platform/files/file-store.ts';
import { createLog, type Log } from './platform/log.ts';
import { createRateLimits } from './platform/rate-limits/rate-limits.ts';
import { createSecrets } from './platform/secrets.ts';
import { createRouter } from './router.ts';
import type { Services } from './services.ts';
import type { WorkerOptions } from './worker.ts';
import { workloads, type Workload } from './identity/access/limited-transaction.ts';
import { limits as rateLimits } from './identity/access/rate-limits.ts';
import { createRequestLimits, unlimitedRequests } from './identity/access/request-limits.ts';
import { createAuth } from './identity/auth/auth.ts';
import {
  createPasswordHasher,
  recommendedCost,
  type ScryptCost,
} from './identity/auth/passwords/password-hash.ts';
import { superviseWorker } from './supervise-worker.ts';

/** Stands in the return paths of mail to the built-in mailbox, which never leaves this machine (RFC 6761). */
const mailboxDomain = 'mailbox.localhost';

export interface RunningServer {
  /** Where the HTTP side listens, for example `http://localhost:3000`; undefined for a process that is only a worker. */
  address: string | undefined;
  /** Signs the person at this terminal in to the demo organization; undefined without a demo. */
  demoSignInUrl: string | undefined;
  /** Opens the system mailbox; undefined where there is none. */
  mailboxUrl: string | undefined;
  services: Services;
  /** Finishes what is under way and releases everything; resolves when it is safe to exit. */
  stop: () => Promise<void>;
}

/**
 * Starts the roles of one process: migrates, connects, listens.
 * @param ownerUrl logs in as the owner of the database
 * @param options.isDemoAskedFor  also where an installation has no demo by default
 */
export async function startServer(
  config: Config,
  ownerUrl: string,
  options: { isDemoAskedFor: boolean },
): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  for (const risk of listConfigRisks(config, process.getuid?.())) log.warn(risk);
  const logins = await prepareDatabase(config, ownerUrl);

  const services = createServices(config, logins, log);
  const parts: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    await Promise.all(parts.map((end) => end()));
    await closeServices(services);
  };
  try {
    const app = await createApp(services);
    parts.push(() => app.close());
    const address = await listen(app, config);
    if (config.roles.includes('worker')) {
      const worker = await startWorkerRole(services, logins);
      parts.push(() => worker.stop());
    }
    const hasDemo = config.roles.includes('api') && (options.isDemoAskedFor || hasDemoByDefault(config));
    const demoSignInUrl = hasDemo ? await openDemo({ ...services, callAs: callAs(services) }) : undefined;
    const mailboxUrl = config.roles.includes('api') ? createMailboxKey(config)?.link : undefined;
    return { address, demoSignInUrl, mailboxUrl, services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Migrates the database, or checks that it is migrated where the logins of the server's roles are given. */
async function prepareDatabase(config: Config, ownerUrl: string): Promise<DatabaseLogins> {
  if (config.databaseLogins === undefined) await migrateDatabase(ownerUrl, derivePasswords(config.secretKey));
  else await checkSchema(config.databaseLogins.appUrl);
  return findLogins(config, ownerUrl);
}

/** Of a database that is migrated. */
export const findLogins = (config: Config, ownerUrl: string): DatabaseLogins =>
  config.databaseLogins ?? loginsWith(ownerUrl, derivePasswords(config.secretKey));

/** A process that is nothing but a worker needs no other; whoever runs it starts it again. */
async function startWorkerRole({ config, log }: Services, logins: DatabaseLogins) {
  const options: WorkerOptions = {
    logins,
    smtpUrl: config.smtpUrl,
    smtpConnections: config.smtpConnections,
    bounceDomain: config.smtpUrl === undefined ? mailboxDomain : config.bounceDomain,
    relay: relayRulesOf(config),
    publicUrl: config.publicUrl,
    mailFrom: config.mailFrom,
    secretKey: config.secretKey,
    previousSecretKeys: config.previousSecretKeys,
    dataDir: config.dataDir,
    s3Url: config.s3Url,
    inFlightLimit: config.inFlightLimit,
    logLevel: config.logLevel,
  };
  const isAlone = config.roles.every((role) => role === 'worker');
  return isAlone ? (await import('./worker.ts')).startWorker(options) : superviseWorker(options, log);
}

/**
 * Also used by tests, which bring a database of their own.
 * @param passwordCost  tests hash at a lower one
 */
export function createServices(
  config: Config,
  { appUrl, authUrl }: DatabaseLogins,
  log: Log,
  passwordCost: ScryptCost = recommendedCost,
): Services {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const pool = (workload: Workload, more: { processesPerStatement?: number } = {}) =>
    connect(appUrl, {
      name: workload,
      connections: workloads[workload].connections,
      connectTimeoutMs: 2_000,
      onError,
      ...more,
    });
  const db = pool('general');
  const authDb = connect(authUrl, { name: 'sign-in', connections: 5, connectTimeoutMs: 2_000, onError });
  const access = { db: pool('access'), limits: createRequestLimits(config) };
  const secrets = createSecrets(config.secretKey, config.previousSecretKeys);
  const limits = createRateLimits({ limits: rateLimits, authUrl, secrets, onError });
  const passwords = createPasswordHasher(passwordCost);
  return {
    config,
    log,
    db,
    expensiveDb: pool('expensive', { processesPerStatement: 1 }),
    access,
    authDb,
    trackingDb: connect(appUrl, { name: 'tracking', connections: 4, onError }),
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
      log,
      onError,
    }),
    signer: createTokenSigner(
      deriveKey(config.secretKey, 'message tokens'),
      config.previousSecretKeys.map((key) => deriveKey(key, 'message tokens')),
    ),
    secrets,
    limits,
    passwords,
    files: createFileStore(config),
  };
}

export async function closeServices(services: Services): Promise<void> {
  const { db, expensiveDb, access, authDb, trackingDb, trackingPipelined, auth, limits } = services;
  await Promise.all([
    db.destroy(),
    expensiveDb.destroy(),
    access.db.destroy(),
    authDb.destroy(),
    trackingDb.destroy(),
    trackingPipelined.destroy(),
    auth.close(),
    limits.close(),
  ]);
}

async function listen(app: FastifyInstance, config: Config): Promise<string | undefined> {
  if (!config.roles.includes('api') && !config.roles.includes('tracking')) return undefined;
  await app.listen({ port: config.port, host: config.host });
  return config.publicUrl;
}

/** Runs operations inside this process, as one person, through the same checks as over HTTP. */
function callAs(services: Services): (userId: string) => Caller {
  const router = createRouter(services);
  return (userId) =>
    createRouterClient(router, {
      context: {
        db: services.db,
        expensiveDb: services.expensiveDb,
        access: { ...services.access, limits: unlimitedRequests },
        findCaller: () =>
          Promise.resolve({ userId, session: { id: '', signedInAt: new Date() }, apiKey: undefined }),
        idempotencyKey: undefined,
        origin: internalOrigin,
        hasMailboxKey: false,
        log: services.log,
      },
    });
}
