import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '../apps/server/src/platform/database/migrate.ts';
import { startTemporaryPostgres } from './postgres.ts';
import { readTreeCpuMs } from './tree-cpu.ts';

/**
 * Runs before all tests: starts a temporary PostgreSQL, or uses the one of `TEST_DATABASE_URL` (15 or newer, with a
 * superuser), and migrates one database there that each test file copies. The tests find it by
 * `TEST_PG_URL` and `TEST_TEMPLATE`; see `createTestDatabase`.
 */
export async function globalSetup(): Promise<void> {
  // The browser tests of npm test use the PostgreSQL and the template of the tests before them.
  if (process.env['TEST_TEMPLATE'] !== undefined) return;
  server = await findServer();
  const template = `test_${randomUUID().slice(0, 8)}`;
  process.env['TEST_PG_URL'] = server.url;
  process.env['TEST_TEMPLATE'] = template;
  try {
    await createTemplate(server.url, template);
  } catch (error) {
    // The runner does not call the teardown after a failed setup.
    await globalTeardown();
    throw error;
  }
}

/** Runs after all tests, also if some failed or the run was interrupted. */
export async function globalTeardown(): Promise<void> {
  const prefix = process.env['TEST_TEMPLATE'];
  if (server === undefined) return;
  if (prefix !== undefined) await server.remove(prefix);
  delete process.env['TEST_TEMPLATE'];
  server = undefined;
}

/** @returns the CPU time of the PostgreSQL that this process has started; undefined for another one */
export async function readPostgresCpuMs(): Promise<number | undefined> {
  if (server?.directory === undefined) return undefined;
  const file = join(server.directory, 'postgres', 'postmaster.pid');
  const [pid] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return readTreeCpuMs(Number(pid));
}

interface TestServer {
  /** Directory of its data; undefined for the server of `TEST_DATABASE_URL`. */
  directory?: string;
  /** URL of a database other than the template. */
  url: string;
  /** @param prefix  prefix of the names of all databases of this run */
  remove(prefix: string): Promise<void>;
}

let server: TestServer | undefined;

/** The password of the server's roles; `createTestDatabase` knows it too. */
const password = 'reachout-test';

async function findServer(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, remove: (prefix) => dropAll(given, prefix) };

  const { url, directory, folder, stop } = await startTemporaryPostgres({ durable: false });
  // Temporary files of the tests go here, so that they are removed even if the tests are killed.
  process.env['TMPDIR'] = folder;
  return { url, directory, remove: () => stop() };
}

async function createTemplate(serverUrl: string, name: string): Promise<void> {
  await execute(serverUrl, [`create database ${name}`]);
  const templateUrl = new URL(serverUrl);
  templateUrl.pathname = name;
  await migrateDatabase(templateUrl.href, { appPassword: password, authPassword: password });
  // PostgreSQL only copies a database without connections.
  await execute(serverUrl, [`alter database ${name} allow_connections false`]);
}

async function dropAll(serverUrl: string, prefix: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  } finally {
    await client.end();
  }
}

async function execute(url: string, statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
