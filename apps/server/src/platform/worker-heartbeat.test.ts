import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { connect, type Database } from './database/database.ts';
import { createLog } from './log.ts';
import { createWorkerHeartbeat } from './worker-heartbeat.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { assertInTime } from '../testing/in-time.ts';
import { waitUntil } from '../testing/wait-until.ts';

const log = createLog('silent');

suite('worker heartbeat', () => {
  let database: TestDatabase;
  let owner: Database;
  let app: Database;

  before(async () => {
    database = await createTestDatabase();
    const pool = { connections: 2, statementTimeoutMs: 10_000, onError: () => undefined };
    owner = connect(database.ownerUrl, { ...pool, name: 'owner' });
    app = connect(database.appUrl, { ...pool, name: 'app' });
  });
  after(async () => {
    await owner.destroy();
    await app.destroy();
    await database.drop();
  });

  /** Queries with the product's own role. */
  const isAlive = async (id: number): Promise<boolean> => {
    const { rows } = await sql<{ alive: boolean }>`
      select worker_is_alive(${id}) and ${id} in (select living_workers()) as alive`.execute(app);
    return rows[0]?.alive === true;
  };
  const start = (t: TestContext, onWork = () => undefined as void) => {
    const heartbeat = createWorkerHeartbeat(database.appUrl, log, onWork);
    t.after(() => heartbeat.close());
    return heartbeat;
  };
  const holderOf = async (id: number): Promise<number | undefined> => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_locks where locktype = 'advisory' and objid::bigint = ${id}
        and database = (select oid from pg_database where datname = current_database())`.execute(owner);
    return rows[0]?.pid;
  };

  test('the heartbeat is alive throughout its use', async (t) => {
    const heartbeat = start(t);
    assert.equal(heartbeat.id, undefined);
    const id = await waitUntil('the lock is held', () => heartbeat.id);
    assert.equal(await isAlive(id), true);
    const other = start(t);
    const otherId = await waitUntil('the lock is held', () => other.id);
    assert.notEqual(otherId, id);
    await heartbeat.close();
    assert.equal(heartbeat.id, undefined);
    await waitUntil('the lock is free', async () => !(await isAlive(id)));
    assert.equal(await isAlive(otherId), true);
    assert.equal(await isAlive(id + 1), false);
  });

  test('a lost connection gives a new heartbeat', async (t) => {
    let looks = 0;
    const heartbeat = start(t, () => void (looks += 1));
    const first = await waitUntil('the lock is held', () => heartbeat.id);
    const looksBefore = looks;
    await sql`select pg_terminate_backend(${await holderOf(first)})`.execute(owner);
    await waitUntil('the loss is noticed', () => heartbeat.id === undefined);
    await waitUntil('the lock is free', async () => !(await isAlive(first)));
    const second = await waitUntil('there is a new lock', () => heartbeat.id);
    assert.notEqual(second, first);
    assert.equal(await isAlive(second), true);
    assert.equal(await isAlive(first), false);
    // Notifications may have been missed.
    assert.ok(looks > looksBefore);
  });

  test('a silent connection gives a new heartbeat', async (t) => {
    const { hostname, port } = new URL(database.appUrl);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const throughProxy = new URL(database.appUrl);
    throughProxy.host = `127.0.0.1:${proxy.port}`;
    const heartbeat = createWorkerHeartbeat(throughProxy.href, log, () => undefined, 1_000);
    t.after(async () => {
      proxy.thaw();
      await heartbeat.close();
      await proxy.cut();
    });
    const first = await waitUntil('the lock is held', () => heartbeat.id);
    proxy.freeze();
    await waitUntil('the silence is noticed', () => heartbeat.id === undefined);
    proxy.thaw();
    const second = await waitUntil('there is a new lock', () => heartbeat.id);
    assert.notEqual(second, first);
  });

  test('committed work wakes the worker at once', async (t) => {
    let looks = 0;
    const heartbeat = start(t, () => void (looks += 1));
    await waitUntil('the lock is held', () => heartbeat.id);
    looks = 0;
    await sql`notify reachout_work`.execute(app);
    await waitUntil('it looks', () => looks > 0);
  });

  test('the heartbeat starts once the database is available', async (t) => {
    const away = new URL(database.appUrl);
    away.pathname = `${database.name}_later`;
    const heartbeat = createWorkerHeartbeat(away.href, log, () => undefined);
    t.after(async () => {
      await heartbeat.close();
      await sql.raw(`drop database if exists ${database.name}_later with (force)`).execute(owner);
    });
    assert.equal(heartbeat.id, undefined);
    await sql.raw(`create database ${database.name}_later`).execute(owner);
    await waitUntil('the lock is held', () => heartbeat.id);
  });

  test('the heartbeat ends with its process', () => assertInTime(1_000, timeOfDeath));

  /** @returns the time from the end of a process until its heartbeat lock is released */
  async function timeOfDeath(): Promise<number> {
    const script = `
      import { createLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
      import { createWorkerHeartbeat } from ${JSON.stringify(join(import.meta.dirname, 'worker-heartbeat.ts'))};
      const heartbeat = createWorkerHeartbeat(process.env.APP_URL, createLog('silent'), () => {
        if (heartbeat?.id !== undefined) process.stdout.write(String(heartbeat.id));
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { APP_URL: database.appUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [bytes] = (await once(child.stdout, 'data')) as [Buffer];
    const id = Number(bytes.toString());
    assert.equal(await isAlive(id), true);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    const exitedAt = performance.now();
    await waitUntil('the lock is free', async () => !(await isAlive(id)));
    return performance.now() - exitedAt;
  }
});
