import { policyOfInstallation } from './email/transports/sender-policy.ts';
import { hasDemoDomains, withDemoDomains } from './operations/demo/demo-domains.ts';
import {
  startHealthServer,
  type ReportingInbound,
  type ReportingWorker,
} from './operations/health/health-server.ts';
import { checkWrites } from './operations/health/readiness.queries.ts';
import { createReadiness, type Readiness } from './operations/health/readiness.ts';
import type { Config, DatabaseLogins } from './platform/config.ts';
import { listConfigRisks } from './platform/config-risks.ts';
import { connect } from './platform/database/database.ts';
import { derivePasswords, loginsWith } from './platform/database/logins.ts';
import { isTemporary, retryWhileAway } from './platform/database/retry-while-away.ts';
import { checkSchema, migrateDatabase } from './platform/database/migrate.ts';
import { createLog, type Log } from './platform/log.ts';
import { maxWaitMs } from './platform/wait-budget.ts';
import type { Services } from './services.ts';
import { superviseWorker } from './supervise-worker.ts';
import type { WorkerOptions } from './worker.ts';

type WorkerRole = ReportingWorker & { stop: () => Promise<void> };

export interface RunningServer {
  /** Public address of the HTTP side, for example `http://localhost:3000`; undefined for a process without one. */
  address: string | undefined;
  /** URL that signs the user of this terminal in to the demo organization; undefined without a demo. */
  demoSignInUrl: string | undefined;
  /** URL that opens the system mailbox; undefined if there is none. */
  mailboxUrl: string | undefined;
  /** Undefined for a process without an HTTP side. */
  services: Services | undefined;
  /** Finishes work in progress and releases everything; resolves when it is safe to exit. */
  stop: () => Promise<void>;
}

/**
 * Starts the roles of one process: migrates, connects, listens.
 * @param ownerUrl URL that logs in as the owner of the database
 * @param options.isDemoAskedFor  creates a demo even if the installation has none by default
 * @param options.signal  gives up the start, and stops what has been started; what it was making is left to the next one
 */
export async function startServer(
  config: Config,
  ownerUrl: string,
  options: { isDemoAskedFor: boolean; signal?: AbortSignal },
): Promise<RunningServer> {
  const stopped = untilAborted(options.signal);
  const log = createLog(config.logLevel);
  for (const risk of listConfigRisks(config, process.getuid?.())) log.warn(risk);
  const logins = await Promise.race([
    stopped,
    retryWhileAway('the start', log, () => prepareDatabase(config, ownerUrl)),
  ]);

  const hasDemo = hasDemoDomains(config, options.isDemoAskedFor);
  const parts: { stop: () => Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
  };
  try {
    const http = config.roles.some((role) => role === 'api' || role === 'tracking')
      ? await (await import('./http-server.ts')).startHttpServer(config, logins, log, hasDemo)
      : undefined;
    if (http !== undefined) parts.push(http);
    const worker = config.roles.includes('worker')
      ? await startWorkerRole(config, logins, log, hasDemo)
      : undefined;
    if (worker !== undefined) parts.push(worker);
    const inbound =
      config.roles.includes('inbound') && config.inbound !== undefined
        ? await (await import('./inbound-role.ts')).startInboundRole(config, config.inbound, logins, log)
        : undefined;
    if (inbound !== undefined) parts.push(inbound);
    if (config.healthPort !== undefined)
      parts.push(
        await startHealth({
          host: config.host,
          port: config.healthPort,
          log,
          logins,
          worker,
          inbound,
          tracks: config.roles.includes('tracking'),
          isReady: http?.services.isReady,
        }),
      );
    const demo = http?.openDemo(options.isDemoAskedFor).catch((error: unknown) => {
      if (!isTemporary(error)) throw error;
      log.error({ err: error }, 'the demo cannot be opened; the next start tries again');
      return undefined;
    });
    return {
      address: http?.address,
      demoSignInUrl: await Promise.race([stopped, demo]),
      mailboxUrl: http?.mailboxUrl,
      services: http?.services,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Rejects with the reason of the abort. */
function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  signal?.addEventListener('abort', () => reject(signal.reason));
  return promise;
}

/** Migrates the database; if the logins of the server's roles are configured, only checks that it is migrated. */
async function prepareDatabase(config: Config, ownerUrl: string): Promise<DatabaseLogins> {
  if (config.databaseLogins === undefined) await migrateDatabase(ownerUrl, derivePasswords(config.secretKey));
  else await checkSchema(config.databaseLogins.appUrl);
  return findLogins(config, ownerUrl);
}

/** Returns the logins of the server's roles for a migrated database. */
export const findLogins = (config: Config, ownerUrl: string): DatabaseLogins =>
  config.databaseLogins ?? loginsWith(ownerUrl, derivePasswords(config.secretKey));

/** Starts the worker in a supervised child process; a worker-only process runs it itself and is restarted from outside. */
async function startWorkerRole(
  config: Config,
  logins: DatabaseLogins,
  log: Log,
  hasDemo: boolean,
): Promise<WorkerRole> {
  const { publicUrl, bounceDomain, spfInclude, dmarcReports, inbound } = config;
  const installation = { publicUrl, bounceDomain, spfInclude, dmarcReports, inbound };
  const options: WorkerOptions = {
    logins,
    smtpUrl: config.smtpUrl,
    smtpConnections: config.smtpConnections,
    policy: policyOfInstallation(config),
    publicUrl,
    mailFrom: config.mailFrom,
    secretKey: config.secretKey,
    previousSecretKeys: config.previousSecretKeys,
    privateHosts: config.privateHosts,
    domains: {
      ...(hasDemo ? withDemoDomains(installation) : installation),
      dnsServers: config.dnsServers,
      hasDemo,
    },
    dataDir: config.dataDir,
    s3Url: config.s3Url,
    inFlightLimit: config.inFlightLimit,
    sendRates: config.sendRates,
    logLevel: config.logLevel,
  };
  const isAlone = config.roles.every((role) => role === 'worker');
  if (!isAlone) return { ...superviseWorker(options, log), isSupervised: true };
  const { health, collectMetrics, stop } = (await import('./worker.ts')).startWorker(options);
  const report = () => Promise.resolve({ ...health(), restarts: 0, last_death: null });
  return { report, collectMetrics, stop, isSupervised: false };
}

/** @param isReady  of the roles that serve requests; the others only need a database that accepts writes */
async function startHealth({
  logins,
  log,
  worker,
  inbound,
  isReady,
  ...address
}: {
  host: string;
  port: number;
  tracks: boolean;
  log: Log;
  logins: DatabaseLogins;
  worker: WorkerRole | undefined;
  inbound: ReportingInbound | undefined;
  isReady: Readiness | undefined;
}) {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const db = connect(logins.appUrl, { name: 'health', connections: 1, connectTimeoutMs: 2_000, onError });
  const server = await startHealthServer({
    ...address,
    log,
    isReady: isReady ?? createReadiness([() => checkWrites(db)], { log, maxWaitMs }),
    worker,
    inbound,
  });
  return {
    stop: async () => {
      await server.stop();
      await db.destroy();
    },
  };
}
