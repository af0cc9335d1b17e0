import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { waitUntil } from '../apps/server/src/testing/wait-until.ts';
import { startPostgres, type RunningPostgres } from './postgres.ts';

test('keeps data across a stop, and is safe as delivered (DBM-2)', async (t) => {
  const cluster = await newCluster(t);
  const first = await cluster.start(true);
  await query(first.url, "create table notes (note text); insert into notes values ('kept')");
  await first.stop();
  await assert.rejects(query(first.url, 'select 1'), /ECONNREFUSED/);

  const second = await cluster.start(true);
  assert.deepEqual(await query(second.url, 'select note from notes'), [{ note: 'kept' }]);

  const names = ['data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit', 'password_encryption'];
  assert.deepEqual(
    await query(
      second.url,
      `select name, setting from pg_settings
       where name in ('${[...names, 'listen_addresses', 'unix_socket_directories'].join("', '")}') order by name`,
    ),
    [
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'password_encryption', setting: 'scram-sha-256' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'unix_socket_directories', setting: '' },
    ],
  );
  assert.equal((await stat(`${cluster.dataDir}.password`)).mode & 0o777, 0o600);
  await assert.rejects(query(second.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1'), /password/);
  assert.deepEqual(await query(second.url, "select lower('ÄÖ') as lower"), [{ lower: 'äö' }]);
});

test('takes over a server that still runs', async (t) => {
  const cluster = await newCluster(t);
  const first = await cluster.start(false);
  const again = await cluster.start(false);
  assert.equal(again.url, first.url);
  await again.stop();
  await first.stop();
});

test('is started again on its port when it dies, and stays away after a stop', async (t) => {
  const cluster = await newCluster(t);
  const server = await cluster.start(false, true);
  const pidFile = await readFile(join(cluster.dataDir, 'postmaster.pid'), 'utf8');
  process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
  await waitUntil('it is back', () =>
    query(server.url, 'select 1').then(
      () => true,
      () => undefined,
    ),
  );
  await server.stop();
  await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/);
});

test('starts after a crash and in spite of a stale pid file', async (t) => {
  const cluster = await newCluster(t);
  const first = await cluster.start(false);
  const pidFile = await readFile(join(cluster.dataDir, 'postmaster.pid'), 'utf8');
  process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
  const second = await cluster.start(false);
  assert.notEqual(second.port, first.port);
  await second.stop();

  // As after a reboot: the process id now belongs to another program, here to this test.
  await writeFile(join(cluster.dataDir, 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));
  const third = await cluster.start(false);
  assert.deepEqual(await query(third.url, 'select 1 as one'), [{ one: 1 }]);
});

interface TestCluster {
  dataDir: string;
  start(durable: boolean, isWatched?: boolean): Promise<RunningPostgres>;
}

async function newCluster(t: TestContext): Promise<TestCluster> {
  const parent = await mkdtemp(join(tmpdir(), 'postgres-test-'));
  // As root without user namespaces, the server runs as the user `nobody`, who needs access to this directory.
  await chmod(parent, 0o711);
  const dataDir = join(parent, 'data');
  const started: RunningPostgres[] = [];
  t.after(async () => {
    for (const postgres of started) await postgres.stop();
    await rm(parent, { recursive: true });
  });
  return {
    dataDir,
    async start(durable, isWatched = false) {
      const postgres = await startPostgres({ dataDir, durable, isWatched });
      started.push(postgres);
      return postgres;
    },
  };
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
