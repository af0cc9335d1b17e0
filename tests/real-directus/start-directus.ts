import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort } from '../../apps/server/src/testing/find-free-port.ts';
import { root } from '../../scripts/run-command.ts';

const folder = import.meta.dirname;
const startTimeoutMs = 180_000;

export interface RunningDirectus {
  url: string;
  /** Token of its administrator. */
  adminToken: string;
  stop: () => Promise<void>;
}

/**
 * Starts the installed Directus with our extension, on a separate, empty database.
 * @param databaseUrl  logs in to a PostgreSQL server as superuser
 * @param platform  the server that the extension calls
 */
export async function startDirectus(
  databaseUrl: string,
  platform: { url: string; token: string },
): Promise<RunningDirectus> {
  const database = `directus_${randomBytes(6).toString('hex')}`;
  await execute(databaseUrl, `create database ${database}`);
  const directory = await mkdtemp(join(tmpdir(), 'reachout-directus-'));
  const adminToken = randomBytes(24).toString('hex');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = new URL(databaseUrl);
  const env: Record<string, string> = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    KEY: randomBytes(16).toString('hex'),
    SECRET: randomBytes(32).toString('hex'),
    DB_CLIENT: 'pg',
    DB_HOST: server.hostname,
    DB_PORT: server.port,
    DB_DATABASE: database,
    DB_USER: decodeURIComponent(server.username),
    DB_PASSWORD: `string:${decodeURIComponent(server.password)}`,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: randomBytes(16).toString('hex'),
    ADMIN_TOKEN: `string:${adminToken}`,
    EXTENSIONS_PATH: './extensions',
    REACHOUT_PLATFORM_URL: platform.url,
    REACHOUT_PLATFORM_TOKEN: `string:${platform.token}`,
    TELEMETRY: 'false',
    LOG_LEVEL: 'warn',
  };
  let directus: ChildProcess | undefined;
  const stop = async () => {
    if (directus !== undefined) await end(directus);
    await execute(databaseUrl, `drop database if exists ${database} with (force)`);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await prepareFolder(directory);
    await finish(runDirectus('bootstrap', directory, env));
    directus = runDirectus('start', directory, env);
    await waitForPing(url, directus);
    return { url, adminToken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Prepares the working folder of Directus, which loads extensions only when the folder has a package.json. */
async function prepareFolder(directory: string): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{ "private": true }');
  await mkdir(join(directory, 'uploads'));
  await cp(join(root, 'packages', 'directus-extension'), join(directory, 'extensions', 'reachout'), {
    recursive: true,
  });
}

/** Runs a command with the pinned Node.js, since some packages have no binaries for other versions. */
function runDirectus(command: string, cwd: string, env: Record<string, string>): ChildProcess {
  const node = process.env['DIRECTUS_NODE'] ?? join(folder, 'node_modules', '.bin', 'node');
  const program = join(folder, 'node_modules', 'directus', 'cli.js');
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  return spawn(node, ['--import', join(folder, 'loopback-only.mjs'), program, command], {
    cwd,
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function finish(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Directus could not make its tables: it ended with ${code}.`);
}

async function waitForPing(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (child.exitCode === null && Date.now() < deadline) {
    const pong = await fetch(`${url}/server/ping`).then(
      (response) => response.text(),
      () => '',
    );
    if (pong === 'pong') return;
    await delay(250);
  }
  throw new Error('Directus did not start.');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
