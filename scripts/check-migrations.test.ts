import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findMigrationProblems, recordMigrations } from './check-migrations.ts';
import { root } from './run-command.ts';

test('migrations that landed have not changed', () => {
  assert.deepEqual(findMigrationProblems(root), []);
});

test('a migration that changed, went, came too early or is not listed is found', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-migrations-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFile(join(directory, 'db', name), text);
  await mkdir(join(directory, 'db/migrations'), { recursive: true });
  await write('migrations.sha256', '');
  for (const name of ['0001_a', '0002_b', '0004_d']) await write(`migrations/${name}.sql`, `-- ${name}`);
  recordMigrations(directory);
  assert.deepEqual(findMigrationProblems(directory), []);

  await write('migrations/0001_a.sql', '-- changed');
  await rm(join(directory, 'db/migrations/0002_b.sql'));
  await write('migrations/0003_c.sql', '');
  await write('migrations/0004_e.sql', '');
  const changed = (name: string) =>
    `${name}.sql landed and has changed since: restore it, and write a new migration.`;
  assert.deepEqual(findMigrationProblems(directory), [
    changed('0001_a'),
    changed('0002_b'),
    '0003_c.sql comes before 0004_d.sql, which landed: give it the next number.',
    '0004_e.sql is not listed: run npm run db:dump.',
    'Two migrations have the number 0004.',
  ]);
  // Recording new ones hides no change.
  recordMigrations(directory);
  assert.deepEqual(
    findMigrationProblems(directory).filter((problem) => problem.includes('landed and')),
    [changed('0001_a'), changed('0002_b')],
  );
});
