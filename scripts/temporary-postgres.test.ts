import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Client } from 'pg';
import { waitUntil } from '../apps/server/src/testing/wait-until.ts';
import type { TemporaryPostgres } from './postgres.ts';

test('PostgreSQL of a killed benchmark ends and leaves no files', async () => {
  const helper = join(import.meta.dirname, '../bench/support/benchmark.ts');
  const program = `
    const { openDatabase } = await import(${JSON.stringify(helper)});
    const { forServer } = await openDatabase({ durable: false });
    console.log(JSON.stringify(forServer));
    setInterval(() => {}, 1_000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { ownerUrl, dataDir } = JSON.parse(line) as { ownerUrl: string; dataDir: string };
  const folder = dirname(dataDir);
  assert.ok(existsSync(folder));
  child.kill('SIGKILL');
  await waitUntil('its files are removed', () => !existsSync(folder));
  await assert.rejects(new Client({ connectionString: ownerUrl }).connect());
});

test('PostgreSQL of tests ends with its runner', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'temporary-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, directory, folder } = JSON.parse(line) as TemporaryPostgres;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
  const client = new Client({ connectionString: url });
  await client.connect();
  assert.equal((await client.query('select')).rowCount, 1);
  await client.end();
  for (const path of [directory, folder]) assert.ok(existsSync(path));

  // The system closes it when the process that holds it dies.
  child.stdin.destroy();
  assert.deepEqual(await ended, [0, null]);
  for (const path of [directory, folder]) assert.ok(!existsSync(path));
  // No process listens, or another server that has taken the port meanwhile and rejects the password.
  await assert.rejects(new Client({ connectionString: url }).connect());
});
