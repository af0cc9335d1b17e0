import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { createTestDatabase } from '../../testing/database.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { ConnectionPool } from './connection-pool.ts';

test('a closed pool has no connections', async (t) => {
  const database = await createTestDatabase();
  const observer = new Client({ connectionString: database.ownerUrl });
  await observer.connect();
  t.after(async () => {
    await observer.end();
    await database.drop();
  });
  const countConnections = async () =>
    (await observer.query("select from pg_stat_activity where application_name = 'ends'")).rowCount;

  const pool = new ConnectionPool({
    connectionString: database.appUrl,
    application_name: 'ends',
    max: 20,
    connectionTimeoutMillis: 60_000,
    silenceLimitMs: 20_000,
    onError: (error) => assert.fail(error),
  });
  await Promise.all(Array.from({ length: 20 }, () => pool.query('select pg_sleep(0.1)')));
  assert.equal(await countConnections(), 20);
  await pool.end();
  assert.equal(await countConnections(), 0);
});

test('a connection that falls silent is given up', async (t) => {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.appUrl);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const throughProxy = new URL(database.appUrl);
  throughProxy.host = `127.0.0.1:${proxy.port}`;
  const pool = new ConnectionPool({
    connectionString: throughProxy.href,
    max: 1,
    silenceLimitMs: 300,
    onError: () => undefined,
  });
  t.after(async () => {
    proxy.thaw();
    await pool.end();
    await proxy.cut();
    await database.drop();
  });
  const findProcess = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0] as unknown;
  // Idle connections can be silent for any time. On a busy machine, one in use may be silent for too long.
  await waitUntil('an idle connection stays', async () => {
    try {
      const before = await findProcess();
      await delay(500);
      return isDeepStrictEqual(await findProcess(), before);
    } catch {
      return false;
    }
  });
  proxy.freeze();
  await assert.rejects(pool.query('select 1'), /Connection terminated/);
  proxy.thaw();
  await waitUntil('it works again', () =>
    pool.query('select 1').then(
      () => true,
      () => undefined,
    ),
  );
});
