import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase } from '../../testing/database.ts';
import { ConnectionPool } from './connection-pool.ts';

test('has no connection left once it has ended', async (t) => {
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
    onError: (error) => assert.fail(error),
  });
  await Promise.all(Array.from({ length: 20 }, () => pool.query('select pg_sleep(0.1)')));
  assert.equal(await countConnections(), 20);
  await pool.end();
  assert.equal(await countConnections(), 0);
});
