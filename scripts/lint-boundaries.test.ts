import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { boundariesFile, rooms, writeBoundaries } from './lint-boundaries.ts';
import { root } from './run-command.ts';

interface Fixture {
  file: string;
  code: string;
  /** The rule that must object; undefined: none may. */
  rule?: string;
}

const imports = 'eslint(no-restricted-imports)';
const server = 'apps/server/src';

const fixtures: Fixture[] = [
  // Direction between rooms.
  { file: `${server}/campaigns/a.ts`, code: `export * from '../sends/send.ts';`, rule: imports },
  {
    file: `${server}/touchpoints/channels/b.ts`,
    code: `export * from '../../sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/campaigns/c.ts`,
    code: `export const load = () => import('../sends/send.ts');`,
    rule: imports,
  },
  { file: `${server}/campaigns/d.queries.ts`, code: `export * from '../sends/send.ts';`, rule: imports },
  { file: `${server}/sends/e.ts`, code: `export * from '../campaigns/campaign.ts';` },
  { file: `${server}/sends/f.ts`, code: `export * from '../platform/log.ts';` },
  { file: `${server}/mail/g.ts`, code: `export * from '../platform/log.ts';`, rule: imports },
  { file: `${server}/platform/h.ts`, code: `export * from '../mail/tokens.ts';`, rule: imports },
  { file: `${server}/platform/database/i.ts`, code: `export * from '../../users/user.ts';`, rule: imports },
  { file: `${server}/demo/j.ts`, code: `export * from '../app.ts';`, rule: imports },
  { file: `${server}/app.ts`, code: `export * from './campaigns/campaign.routes.ts';` },
  { file: `${server}/campaigns/k.test.ts`, code: `export * from '../app.ts';` },
  { file: `${server}/campaigns/l.ts`, code: `export * from '../testing/database.ts';`, rule: imports },

  // What is a room's own.
  { file: `${server}/sends/m.ts`, code: `export * from '../campaigns/campaign.queries.ts';`, rule: imports },
  { file: `${server}/sends/n.ts`, code: `export * from '../campaigns/campaign.routes.ts';`, rule: imports },
  { file: `${server}/sends/o.ts`, code: `export * from './send.queries.ts';` },
  { file: `${server}/sends/p.queries.ts`, code: `export * from './send.routes.ts';`, rule: imports },

  // SQL, programs, requests.
  { file: `${server}/sends/q.ts`, code: `export { sql } from 'kysely';`, rule: imports },
  { file: `${server}/main.ts`, code: `export { sql } from 'kysely';`, rule: imports },
  { file: `${server}/sends/r.ts`, code: `export type { Kysely } from 'kysely';` },
  { file: `${server}/sends/s.queries.ts`, code: `export { sql } from 'kysely';` },
  { file: `${server}/platform/database/t.ts`, code: `export { sql } from 'kysely';` },
  {
    file: `${server}/sends/u.queries.ts`,
    code: `import { sql } from 'kysely';\nexport const all = (table: string) => sql.raw(table);`,
    rule: 'eslint(no-restricted-properties)',
  },
  { file: `${server}/content-backend/rule-sql.ts`, code: `export { sql } from 'kysely';` },
  {
    file: `${server}/platform/database/v.ts`,
    code: `import { sql } from 'kysely';\nexport const all = (table: string) => sql.raw(table);`,
  },
  { file: `${server}/sends/w.ts`, code: `export { exec } from 'node:child_process';`, rule: imports },
  { file: `${server}/platform/x.ts`, code: `export { exec } from 'node:child_process';` },
  {
    file: `${server}/content-backend/y.ts`,
    code: `export const get = () => fetch('https://example.com');`,
    rule: 'eslint(no-restricted-globals)',
  },
  {
    file: `${server}/sends/z.ts`,
    code: `export const run = (code: string) => eval(code);`,
    rule: 'eslint(no-eval)',
  },
  {
    file: `${server}/sends/za.ts`,
    code: `export const run = (code: string) => new Function(code);`,
    rule: 'eslint(no-new-func)',
  },

  // Between the workspaces.
  { file: 'apps/web/src/a.ts', code: `export * from '../../server/src/sends/send.ts';`, rule: imports },
  { file: 'apps/web/src/b.ts', code: `export * from '@reachout/server';`, rule: imports },
  { file: 'apps/web/src/c.ts', code: `export * from '@reachout/contract/values.ts';` },
  {
    file: 'apps/web/src/d.tsx',
    code: `export const Raw = ({ html }: { html: string }) => <p dangerouslySetInnerHTML={{ __html: html }} />;`,
    rule: 'react(no-danger)',
  },
  {
    file: 'apps/web/src/e.ts',
    code: `export const show = (element: Element, html: string) => (element.innerHTML = html);`,
    rule: 'eslint(no-restricted-properties)',
  },
  {
    file: 'packages/contract/src/a.ts',
    code: `export * from '../../../apps/server/src/app.ts';`,
    rule: imports,
  },
  {
    file: 'packages/contract/src/b.ts',
    code: `export * from '../../../apps/web/src/api.ts';`,
    rule: imports,
  },
  { file: 'packages/contract/src/c.ts', code: `export * from 'node:fs';`, rule: imports },

  // Shows that rules which need types are at work.
  {
    file: `${server}/sends/zb.ts`,
    code: `async function later(): Promise<void> {}\nexport const start = () => { later(); };`,
    rule: 'typescript(no-floating-promises)',
  },
];

test('the rules that are in force are those of scripts/lint-boundaries.ts', async () => {
  assert.equal(await readFile(join(root, boundariesFile), 'utf8'), writeBoundaries());
});

test('every room of the server has its place', async () => {
  const entries = await readdir(join(root, server), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  assert.deepEqual(
    folders.filter((name) => name !== 'testing' && !rooms.some((room) => room === name)),
    [],
  );
});

test('forbidden code is found, allowed code is not', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'lint-boundaries-'));
  t.after(() => rm(directory, { recursive: true }));
  for (const name of ['.oxlintrc.json', boundariesFile, 'tsconfig.base.json']) {
    await cp(join(root, name), join(directory, name));
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  await writeFile(
    join(directory, 'tsconfig.json'),
    '{ "extends": "./tsconfig.base.json", "compilerOptions": { "jsx": "react-jsx" }, "include": ["apps", "packages"] }',
  );
  for (const { file, code } of fixtures) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), `${code}\n`);
  }

  const found = await lint(directory);
  assert.deepEqual(
    fixtures.map(({ file }) => ({ file, rule: found.find((finding) => finding.filename === file)?.code })),
    fixtures.map(({ file, rule }) => ({ file, rule })),
  );
});

interface Finding {
  filename: string;
  code: string;
}

async function lint(directory: string): Promise<Finding[]> {
  const oxlint = join(root, 'node_modules', '.bin', 'oxlint');
  const output = await new Promise<string>((done, failed) => {
    execFile(oxlint, ['--format=json', 'apps', 'packages'], { cwd: directory }, (error, stdout, stderr) => {
      // It ends with 1 when it found something, as it must here.
      if (error?.code === 1) done(stdout);
      else failed(new Error(`oxlint: ${stderr}${stdout}`, { cause: error }));
    });
  });
  return (JSON.parse(output) as { diagnostics: Finding[] }).diagnostics;
}
