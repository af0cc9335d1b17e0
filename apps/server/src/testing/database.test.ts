import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase } from './database.ts';

test('makes databases that know nothing of each other, and removes them', async () => {
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
