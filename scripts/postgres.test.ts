import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Client } from 'pg';
import { waitUntil } from '../apps/server/src/testing/wait-until.ts';
import { startPostgres, type RunningPostgres } from './postgres.ts';

suite('embedded PostgreSQL', () => {
  let parent: string;
  let dataDir: string;
  const started: RunningPostgres[] = [];
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'postgres-test-'));
    // As root without user namespaces, the server runs as the user `nobody`, who needs access to this directory.
    await chmod(parent, 0o711);
    dataDir = join(parent, 'data');
  });
  after(async () => {
    for (const postgres of started) await postgres.stop();
    await rm(parent, { recursive: true });
  });

  async function start(
    durable: boolean,
    isWatched = false,
    log: (line: string) => void = () => undefined,
  ): Promise<RunningPostgres> {
    const postgres = await startPostgres({ dataDir, durable, isWatched, log });
    started.push(postgres);
    return postgres;
  }
  /** Kills the server. @returns the text of its pid file */
  async function kill(): Promise<string> {
    const pidFile = await readFile(join(dataDir, 'postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
    return pidFile;
  }

  test('data survives a stop, and defaults are safe (DBM-2)', async () => {
    const first = await start(true);
    await query(first.url, "create table notes (note text); insert into notes values ('kept')");
    await first.stop();
    await assert.rejects(query(first.url, 'select 1'), /ECONNREFUSED/);

    const second = await start(true);
    assert.deepEqual(await query(second.url, 'select note from notes'), [{ note: 'kept' }]);

    const settings = {
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      password_encryption: 'scram-sha-256',
      synchronous_commit: 'on',
      unix_socket_directories: '',
    };
    const names = Object.keys(settings).join("', '");
    assert.deepEqual(
      await query(
        second.url,
        `select name, setting from pg_settings where name in ('${names}') order by name`,
      ),
      Object.entries(settings).map(([name, setting]) => ({ name, setting })),
    );
    assert.equal((await stat(`${dataDir}.password`)).mode & 0o777, 0o600);
    await assert.rejects(query(second.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1'), /password/);
    assert.deepEqual(await query(second.url, "select lower('ÄÖ') as lower"), [{ lower: 'äö' }]);
    await second.stop();
  });

  test('a stop that has no time loses nothing', async () => {
    const lines: string[] = [];
    const first = await start(true, false, (line) => lines.push(line));
    await query(first.url, 'create table entries (entry integer)');
    await query(first.url, 'insert into entries select generate_series(1, 10000)');
    await first.stop(0);
    assert.match(lines.at(-1) ?? '', /^PostgreSQL has stopped early/);
    await assert.rejects(query(first.url, 'select 1'), /ECONNREFUSED/);

    const second = await start(true);
    assert.deepEqual(await query(second.url, 'select count(*)::integer from entries'), [{ count: 10_000 }]);
    await second.stop();
  });

  test('a running server is reused', async () => {
    const first = await start(false);
    const again = await start(false);
    assert.equal(again.url, first.url);
    await again.stop();
    await first.stop();
  });

  test('a killed server restarts on its port, a stopped one stays away', async () => {
    const server = await start(false, true);
    await kill();
    await waitUntil('it is back', () =>
      query(server.url, 'select 1').then(
        () => true,
        () => undefined,
      ),
    );
    await server.stop();
    await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/);
  });

  test('a crash or stale pid file does not prevent starting', async () => {
    const first = await start(false);
    const pidFile = await kill();
    const second = await start(false);
    assert.notEqual(second.port, first.port);
    await second.stop();

    // As after a reboot: the process id now belongs to another program, here to this test.
    await writeFile(join(dataDir, 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));
    const third = await start(false);
    assert.deepEqual(await query(third.url, 'select 1 as one'), [{ one: 1 }]);
    await third.stop();
  });
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
