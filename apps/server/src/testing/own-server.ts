import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { startPostgres, type RunningPostgres } from '../../../../scripts/postgres.ts';
import { connect, type Database } from '../platform/database/database.ts';
import { loginsWith } from '../platform/database/logins.ts';
import { migrateDatabase } from '../platform/database/migrate.ts';
import { connectPipelined } from '../platform/database/pipelined.ts';
import type { SendDatabase } from './send-worker.ts';
import { startTcpProxy, throughProxy } from './tcp-proxy.ts';
import { waitUntil } from './wait-until.ts';

const passwords = { appPassword: 'reachout-test', authPassword: 'reachout-test' };

/** PostgreSQL servers for one test file that kills them. All clients connect to the active server through the proxy. */
export interface OwnServer extends SendDatabase {
  ownerUrl: string;
  authUrl: string;
  /** Port of the proxy. */
  port: number;
  /** Kills the server with `kill -9`. It is restarted on the same data directory and port. */
  kill: () => Promise<void>;
  /** Starts a synchronous standby. @returns a function that kills the primary and promotes the standby */
  startStandby: () => Promise<() => Promise<void>>;
}

/**
 * Turns off fsync: acknowledged commits are in the page cache of the operating system, which survives a killed server.
 * Waiting for the disk, as in production, would only make tests slow.
 */
export async function openOwnServer(): Promise<OwnServer> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-own-server-'));
  // As root without user namespaces, the server runs as the user `nobody`, who needs access to this directory.
  await chmod(directory, 0o711);
  const dataDir = join(directory, 'primary');
  let primary = await startPostgres({ dataDir, durable: true, isWatched: true });
  let standby: RunningPostgres | undefined;
  await execute(primary.url, 'alter system set fsync = off');
  await execute(primary.url, 'select pg_reload_conf()');
  await migrateDatabase(primary.url, passwords);
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: primary.port });
  const ownerUrl = throughProxy(primary.url, proxy);
  const { appUrl, authUrl } = loginsWith(ownerUrl, passwords);
  const pool = { connections: 6, statementTimeoutMs: 60_000, onError: () => undefined };
  const owner = connect(ownerUrl, { ...pool, name: 'owner' });
  const app = connect(appUrl, { ...pool, name: 'worker' });
  const pipelined = connectPipelined(appUrl, { ...pool, name: 'worker deliveries' });

  async function copyPrimary(): Promise<RunningPostgres> {
    await primary.stop();
    const copy = join(directory, 'standby');
    await cp(dataDir, copy, { recursive: true, preserveTimestamps: true });
    await cp(`${dataDir}.password`, `${copy}.password`);
    primary = await startPostgres({ dataDir, durable: true });
    const { port, username, password } = new URL(primary.url);
    const source = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
    await writeFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`, { flag: 'a' });
    await writeFile(join(copy, 'standby.signal'), '');
    await chmod(copy, 0o700);
    proxy.redirect({ host: '127.0.0.1', port: primary.port });
    return await startPostgres({ dataDir: copy, durable: true });
  }

  return {
    ownerUrl,
    appUrl,
    authUrl,
    owner,
    app,
    pipelined,
    port: proxy.port,
    kill: () => killServer(dataDir),
    startStandby: async () => {
      const next = await copyPrimary();
      standby = next;
      await execute(primary.url, `alter system set synchronous_standby_names = 'standby'`);
      await execute(primary.url, 'select pg_reload_conf()');
      const isSynchronous = `select from pg_stat_replication where sync_state = 'sync'`;
      await waitUntil('all commits wait for it', async () => (await execute(primary.url, isSynchronous)) > 0);
      return async () => {
        await killServer(dataDir);
        proxy.redirect({ host: '127.0.0.1', port: next.port });
        await execute(next.url, 'select pg_promote()');
      };
    },
    close: async () => {
      await owner.destroy();
      await app.destroy();
      await pipelined.destroy();
      await proxy.cut();
      await standby?.stop();
      await primary.stop();
      await rm(directory, { recursive: true });
    },
  };
}

async function killServer(dataDir: string): Promise<void> {
  const [pid] = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/**
 * Rejects when the connection is lost. PostgreSQL's processes notice the end of their parent only while they wait, so that one of
 * them may still execute a statement after `kill`.
 */
export async function untilLost(db: Database): Promise<never> {
  return await waitUntil('the connection is lost', async () => {
    await sql`select`.execute(db);
    return undefined;
  });
}

/** @returns the number of rows */
async function execute(url: string, statement: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
