import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase } from './database.ts';

test('a test database that connections were left to is dropped with an error', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.ownerUrl });
  client.on('error', () => {});
  await client.connect();
  await assert.rejects(database.drop(), /is being accessed by other users/);
  await assert.rejects(run(database.ownerUrl, 'select 1'), /does not exist/);
});

test('test databases are separate, and are dropped', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await run(one.ownerUrl, 'create table only_here ()');
  await assert.rejects(run(other.ownerUrl, 'table only_here'), /does not exist/);

  await Promise.all([one.drop(), other.drop()]);
  await assert.rejects(run(one.ownerUrl, 'select 1'), /does not exist/);
});

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
