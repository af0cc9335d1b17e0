import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { createTokenSigner } from './mail/tokens.ts';
import { deriveKey, ownOrigins, type Config } from './platform/config.ts';
import { connect } from './platform/database/database.ts';
import { migrateDatabase } from './platform/database/migrate.ts';
import { createLog, type Log } from './platform/log.ts';
import type { Services } from './services.ts';
import { createAuth } from './users/auth.ts';

export interface RunningServer {
  /** Where the HTTP side listens, for example `http://localhost:3000`; undefined for a process that is only a worker. */
  address: string | undefined;
  services: Services;
  /** Finishes what is under way and lets go of everything; resolves when it is safe to exit (SHD-1). */
  stop: () => Promise<void>;
}

/**
 * Starts the roles of one process: migrates, connects, listens.
 * @param ownerUrl logs in as the owner of the database
 */
export async function startServer(config: Config, ownerUrl: string): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  const appPassword = deriveKey(config.secretKey, 'database').toString('base64url');
  if (config.databaseAppUrl === undefined) await migrateDatabase(ownerUrl, { appPassword });
  const appUrl = config.databaseAppUrl ?? asAppRole(ownerUrl, appPassword);

  const services = createServices(config, appUrl, log);
  const app = await createApp(services);
  const address = await listen(app, config);
  return {
    address,
    services,
    stop: async () => {
      await app.close();
      await closeServices(services);
    },
  };
}

/** Also used by tests, which bring a database of their own. */
export function createServices(config: Config, appUrl: string, log: Log): Services {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const pool = (name: string, connections: number) =>
    connect(appUrl, { name, connections, statementTimeoutMs: 5_000, onError });
  return {
    config,
    log,
    db: pool('api', 10),
    trackingDb: pool('tracking', 4),
    auth: createAuth({
      appUrl,
      publicUrl: config.publicUrl,
      origins: ownOrigins(config.publicUrl),
      secretKey: config.secretKey,
      onError,
    }),
    signer: createTokenSigner(deriveKey(config.secretKey, 'message tokens')),
  };
}

export async function closeServices({ db, trackingDb, auth }: Services): Promise<void> {
  await Promise.all([db.destroy(), trackingDb.destroy(), auth.close()]);
}

export function asAppRole(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = 'reachout_app';
  url.password = password;
  return url.href;
}

async function listen(app: FastifyInstance, config: Config): Promise<string | undefined> {
  if (!config.roles.includes('api') && !config.roles.includes('tracking')) return undefined;
  await app.listen({ port: config.port, host: config.host });
  return config.publicUrl;
}
