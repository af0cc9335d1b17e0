import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findRunningServer, isGoneWithin } from './postgres-pid-file.ts';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts';

export interface PostgresOptions {
  /** Directory of the cluster; created if missing. The password is stored beside it, in `<dataDir>.password`. */
  dataDir: string;
  /** False trades safety against power loss for speed; for tests only. */
  durable: boolean;
  /** Whether the server is restarted, on the same port, when it dies. */
  isWatched?: boolean;
  /** Receives one line of progress, without a line break. */
  log?: (line: string) => void;
}

export interface RunningPostgres {
  /** Logs in to the database `reachout` as the owner of everything. */
  url: string;
  port: number;
  /**
   * Closes all connections and waits until the server has exited.
   * @param withinMs  time to write all data to their files, one minute by default. What is not there by then is in the
   * write-ahead log, from which the next start restores it, as after a kill
   */
  stop(withinMs?: number): Promise<void>;
}

const database = 'reachout';
const superuser = 'postgres';
const settingsFile = 'reachout.conf';
const startupLog = 'startup.log';
/** Crash recovery replays up to `max_wal_size`. */
const startTimeoutSeconds = 300;
const stopLimitMs = 60_000;
const watchMs = 500;

/**
 * Starts the PostgreSQL that npm installed, on a free port of the loopback interface, and creates its cluster first if it
 * is missing. A server that still runs on this directory, because its application was killed, is taken over. Defaults are
 * safe: loopback only, a random password, checksums, and acknowledged writes are on disk.
 * @throws Error if npm has no PostgreSQL for the platform, or the server does not start; the message gives the reason
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const cluster: Cluster = {
    dataDir: resolve(options.dataDir),
    durable: options.durable,
    log: options.log ?? (() => {}),
    programs: await findPostgresPrograms(),
  };
  if (!existsSync(join(cluster.dataDir, 'PG_VERSION'))) await createCluster(cluster);
  await cluster.programs.own(cluster.dataDir);

  const password = (await readFile(passwordFile(cluster), 'utf8')).trim();
  for (let triesLeft = 20; ; triesLeft -= 1) {
    const port = (await takeOver(cluster)) ?? (await startServer(cluster));
    const server = `postgres://${superuser}:${password}@127.0.0.1:${port}`;
    try {
      await createDatabase(`${server}/postgres`);
      const stopWatching = options.isWatched === true ? watch(cluster, port) : () => Promise.resolve();
      return {
        url: `${server}/${database}`,
        port,
        stop: async (withinMs = stopLimitMs) => {
          await stopWatching();
          await stopServer(cluster, withinMs);
        },
      };
    } catch (error) {
      // A server that was just killed may briefly look alive, and fail when it is connected to.
      if (triesLeft === 0 || !isGoingAway(error)) throw error;
      await delay(250);
    }
  }
}

export interface TemporaryPostgres {
  /** Logs in to the database `reachout` as superuser. */
  url: string;
  /** Directory of its data; removed with the server. */
  directory: string;
  /** Folder for files of this process; removed with the server. */
  folder: string;
}

/**
 * Starts a PostgreSQL in a process of its own, which stops it and removes its files when this process ends, even if it is
 * killed.
 * @throws Error if it does not start; its output has the reason
 */
export async function startTemporaryPostgres({
  durable,
}: Pick<PostgresOptions, 'durable'>): Promise<TemporaryPostgres & Pick<RunningPostgres, 'stop'>> {
  const program = join(import.meta.dirname, 'temporary-postgres.ts');
  const child = spawn(process.execPath, [program, ...(durable ? ['--durable'] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Not in the process group of this process, which may be stopped before those that use the server have ended.
    detached: true,
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (typeof line !== 'string') throw new Error('The temporary PostgreSQL did not start.');
  return {
    ...(JSON.parse(line) as TemporaryPostgres),
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * Restarts the server on the port that its clients know whenever it dies.
 * @returns a function that stops watching; it resolves when no start is in progress
 */
function watch(cluster: Cluster, port: number): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const watching = (async () => {
    for (;;) {
      await delay(watchMs, undefined, { signal });
      if ((await findRunningServer(cluster.dataDir, startTimeoutSeconds * 1_000)) !== undefined) continue;
      cluster.log('PostgreSQL has died and is started again');
      await startServer(cluster, port).catch((error: unknown) => cluster.log(String(error)));
    }
  })();
  return async () => {
    stopped.abort();
    await watching.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };
}

/** Whether the connection was lost or refused, or the server reports that it is starting or stopping (57P01 to 57P03). */
function isGoingAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return /^(?:ECONN|57P0)/.test(code) || error.message.includes('Connection terminated');
}

interface Cluster {
  dataDir: string;
  durable: boolean;
  log: (line: string) => void;
  programs: PostgresPrograms;
}

const passwordFile = ({ dataDir }: Cluster): string => `${dataDir}.password`;

/** Creates the cluster in a temporary directory and renames it when complete, so that a partial one is never used. */
async function createCluster(cluster: Cluster): Promise<void> {
  cluster.log('Creating the PostgreSQL cluster');
  const unfinished = `${cluster.dataDir}.new`;
  await mkdir(dirname(unfinished), { recursive: true });
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await cluster.programs.own(unfinished);
  await writeFile(passwordFile(cluster), randomBytes(24).toString('hex'), { mode: 0o600 });
  // The mode above does not apply to a file left over from an unfinished attempt.
  await chmod(passwordFile(cluster), 0o600);
  await cluster.programs.own(passwordFile(cluster));

  const args = [
    `--pgdata=${unfinished}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile(cluster)}`,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
    // The same collation and the same lower() on every machine, independent of system locales and ICU.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Tests log in thousands of times, and each login hashes the password on both sides.
    ...(cluster.durable ? [] : ['--no-sync', '--set=scram_iterations=1']),
  ];
  await cluster.programs.run('initdb', args, 120_000);
  await appendFile(join(unfinished, 'postgresql.conf'), `\ninclude = '${settingsFile}'\n`);
  await rename(unfinished, cluster.dataDir);
}

async function takeOver(cluster: Cluster): Promise<number | undefined> {
  const server = await findRunningServer(cluster.dataDir, startTimeoutSeconds * 1000);
  if (server !== undefined) cluster.log(`Using the PostgreSQL that already runs on port ${server.port}`);
  return server?.port;
}

/** Transient failures: another program took the free port, or processes of a killed server are still running. */
const isRetryable = /Address already in use|still in use/;

/** @param knownPort  port that its clients use; a free one by default */
async function startServer(cluster: Cluster, knownPort?: number): Promise<number> {
  const { dataDir, programs } = cluster;
  for (let triesLeft = 20; ; triesLeft -= 1) {
    const port = knownPort ?? (await findFreePort());
    await writeFile(join(dataDir, settingsFile), settings(port, cluster.durable));
    await rm(join(dataDir, startupLog), { force: true });
    try {
      const wait = ['--wait', `--timeout=${startTimeoutSeconds}`];
      const args = ['start', ...wait, '-D', dataDir, '-l', join(dataDir, startupLog)];
      await programs.run('pg_ctl', args, (startTimeoutSeconds + 10) * 1000);
      cluster.log(`PostgreSQL listens on port ${port}`);
      return port;
    } catch (error) {
      // Another process may have started it at the same time.
      const running = await takeOver(cluster);
      if (running !== undefined) return running;
      const reason = await readFile(join(dataDir, startupLog), 'utf8').catch(() => '');
      if (triesLeft === 0 || !isRetryable.test(reason)) {
        throw new Error(`PostgreSQL did not start in ${dataDir}. ${reason.trim()}`, { cause: error });
      }
      await delay(250);
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, failed) => {
    server.once('error', failed).listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('The system gave no free port');
  return address.port;
}

/**
 * Settings are rewritten at every start, so that an update of the product includes its settings. Values that an operator
 * sets with `alter system` take precedence. Planner, checkpoints and jit are tuned for many short statements beside large
 * batches, on an SSD.
 */
function settings(port: number, durable: boolean): string {
  const safety = durable ? 'on' : 'off';
  return `# Written by scripts/postgres.ts at every start. Use "alter system" for changes of your own.
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
password_encryption = 'scram-sha-256'
# Tests run as many files at once as the machine has processors, and each has all the pools of a product.
max_connections = ${durable ? 100 : 500}

fsync = ${safety}
full_page_writes = ${safety}
synchronous_commit = ${safety}

shared_buffers = '256MB'
random_page_cost = 1.1
max_wal_size = '${durable ? '4GB' : '1GB'}'
checkpoint_timeout = '15min'
jit = off

timezone = 'UTC'
log_timezone = 'UTC'
# One file per day of the week, each overwritten a week later.
logging_collector = on
log_filename = 'postgresql-%a.log'
log_truncate_on_rotation = on
log_rotation_age = '1d'
log_rotation_size = 0
# Leaves out the values that broke a constraint: they are addresses of people.
log_error_verbosity = terse
`;
}

/** @param maintenanceUrl  URL of the database `postgres`, which initdb creates */
async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new Client({ connectionString: maintenanceUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

/** A fast stop ends with a checkpoint: after a first start it syncs more than a thousand files, which takes slow disks 20 s. */
async function stopServer({ dataDir, programs, log }: Cluster, withinMs: number): Promise<void> {
  const server = await findRunningServer(dataDir, startTimeoutSeconds * 1000);
  if (server === undefined) return;
  // pg_ctl would only wait for the pid file, which the server removes before it exits.
  const stop = (mode: 'fast' | 'immediate') =>
    programs.run('pg_ctl', ['stop', `--mode=${mode}`, '--no-wait', '-D', dataDir], stopLimitMs);
  await stop('fast');
  if (await isGoneWithin(withinMs, server.pid, dataDir)) return log('PostgreSQL has stopped');
  // It fails if the server has ended meanwhile.
  await stop('immediate').catch(() => undefined);
  if (!(await isGoneWithin(stopLimitMs, server.pid, dataDir)))
    throw new Error(`PostgreSQL in ${dataDir} does not end`);
  log('PostgreSQL has stopped early: the next start restores what was not yet in its files');
}
