import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { findMigrationProblems, recordMigrations } from './check-migrations.ts';
import { root } from './run-command.ts';

test('merged migrations are unchanged', () => {
  assert.deepEqual(findMigrationProblems(root), []);
});

const changed = (name: string) =>
  `${name}.sql landed and has changed since: restore it, and write a new migration.`;

/** Creates a repository with three migrations. */
async function makeRepository(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-migrations-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFile(join(directory, 'db', name), text);
  await mkdir(join(directory, 'db/migrations'), { recursive: true });
  await write('migrations.sha256', '');
  for (const name of ['0001_a', '0002_b', '0004_d']) await write(`migrations/${name}.sql`, `-- ${name}`);
  recordMigrations(directory);
  return { directory, write };
}

test('changed, missing, early and unlisted migrations are found', async (t) => {
  const { directory, write } = await makeRepository(t);
  assert.deepEqual(findMigrationProblems(directory), []);

  await write('migrations/0001_a.sql', '-- changed');
  await rm(join(directory, 'db/migrations/0002_b.sql'));
  await write('migrations/0003_c.sql', '');
  await write('migrations/0004_e.sql', '');
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

/** Creates the same repository with these migrations on main, and a branch from there. */
async function makeBranch(t: TestContext) {
  const repository = await makeRepository(t);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: repository.directory,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=First');
  git('checkout', '--quiet', '-b', 'branch');
  return { ...repository, git };
}

const differs = (name: string) => `${name}.sql is not as db/migrations.sha256 says: run npm run db:dump.`;

test('a merged migration cannot change with its list entry', async (t) => {
  const { directory, write, git } = await makeBranch(t);
  const landed = await readFile(join(directory, 'db/migrations.sha256'), 'utf8');
  const edited = createHash('sha256').update('-- changed').digest('hex');
  await write('migrations/0001_a.sql', '-- changed');
  await write('migrations.sha256', landed.replace(/^[0-9a-f]{64}/m, edited));
  assert.deepEqual(findMigrationProblems(directory), [changed('0001_a'), differs('0001_a')]);
  git('commit', '--quiet', '--all', '--message=Second');
  assert.deepEqual(findMigrationProblems(directory), [changed('0001_a'), differs('0001_a')]);
  recordMigrations(directory);
  assert.deepEqual(findMigrationProblems(directory), [changed('0001_a')]);
  await write('migrations/0001_a.sql', '-- 0001_a');
  assert.deepEqual(findMigrationProblems(directory), []);

  await rm(join(directory, 'db/migrations/0004_d.sql'));
  await write('migrations.sha256', landed.replace(/.*0004.*\n/, ''));
  assert.deepEqual(findMigrationProblems(directory), [changed('0004_d'), differs('0004_d')]);
});

test('a new migration may change if listed again', async (t) => {
  const { directory, write, git } = await makeBranch(t);
  await write('migrations/0005_e.sql', '');
  assert.deepEqual(findMigrationProblems(directory), ['0005_e.sql is not listed: run npm run db:dump.']);
  recordMigrations(directory);
  git('add', '.');
  git('commit', '--quiet', '--message=Second');
  await write('migrations/0005_e.sql', '-- changed');
  assert.deepEqual(findMigrationProblems(directory), [differs('0005_e')]);
  recordMigrations(directory);
  assert.deepEqual(findMigrationProblems(directory), []);
});

test('a new start forgets what landed before it', async (t) => {
  const { directory, write } = await makeBranch(t);
  for (const name of ['0002_b', '0004_d']) await rm(join(directory, `db/migrations/${name}.sql`));
  await write('migrations/0001_a.sql', '-- all of them');
  recordMigrations(directory);
  assert.deepEqual(findMigrationProblems(directory), ['0001_a', '0002_b', '0004_d'].map(changed));
  await write('migrations.sha256', '# Start 2\n');
  recordMigrations(directory);
  assert.deepEqual(findMigrationProblems(directory), []);
  await write('migrations/0001_a.sql', '');
  assert.deepEqual(findMigrationProblems(directory), [differs('0001_a')]);
});
