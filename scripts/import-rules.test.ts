import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compositionFiles, serverLayers, webLayers } from './import-rules.ts';
import { root } from './run-command.ts';

interface Fixture {
  file: string;
  code: string;
  /** The rule that must report a violation; undefined when none must. */
  rule?: string;
}

const imports = 'eslint(no-restricted-imports)';
const cycle = 'import(no-cycle)';
const server = 'apps/server/src';

const fixtures: Fixture[] = [
  // Direction between layers.
  {
    file: `${server}/outreach/campaigns/a.ts`,
    code: `export * from '../../delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/channels/email/b.ts`,
    code: `export * from '../../../delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/c.ts`,
    code: `export const load = () => import('../../delivery/sends/send.ts');`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/d.queries.ts`,
    code: `export * from '../../delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/delivery/sends/e.ts`,
    code: `export * from '../../outreach/campaigns/campaign.ts';`,
  },
  { file: `${server}/delivery/sends/f.ts`, code: `export * from '../../platform/log.ts';` },
  { file: `${server}/delivery/sends/fa.ts`, code: `export * from '../queue/delivery.ts';` },
  { file: `${server}/email/smtp/g.ts`, code: `export * from '../../platform/log.ts';` },
  { file: `${server}/platform/h.ts`, code: `export * from '../email/links/tokens.ts';`, rule: imports },
  {
    file: `${server}/platform/database/i.ts`,
    code: `export * from '../../identity/auth/sessions/session.ts';`,
    rule: imports,
  },
  { file: `${server}/operations/demo/j.ts`, code: `export * from '../../app.ts';`, rule: imports },
  { file: `${server}/app.ts`, code: `export * from './outreach/campaigns/campaign.routes.ts';` },
  { file: `${server}/outreach/campaigns/k.test.ts`, code: `export * from '../../app.ts';` },
  {
    file: `${server}/outreach/campaigns/l.ts`,
    code: `export * from '../../testing/database.ts';`,
    rule: imports,
  },

  // Private files of a layer or a module.
  {
    file: `${server}/delivery/sends/m.ts`,
    code: `export * from '../../outreach/campaigns/campaign.queries.ts';`,
    rule: imports,
  },
  {
    file: `${server}/delivery/sends/n.ts`,
    code: `export * from '../../outreach/campaigns/campaign.routes.ts';`,
    rule: imports,
  },
  {
    file: `${server}/delivery/sends/na.ts`,
    code: `export * from '../queue/queue.routes.ts';`,
    rule: imports,
  },
  { file: `${server}/delivery/sends/nb.ts`, code: `export * from '../queue/chunk.queries.ts';` },
  { file: `${server}/delivery/sends/o.ts`, code: `export * from './send.queries.ts';` },
  { file: `${server}/delivery/sends/p.queries.ts`, code: `export * from './send.routes.ts';`, rule: imports },

  // Other spellings of the same path.
  {
    file: `${server}/outreach/campaigns/pa.ts`,
    code: `export * from './../../delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/pb.ts`,
    code: `export * from '../../../src/delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/pc.ts`,
    code: `export * from '@reachout/server/src/delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/pd.queries.ts`,
    code: `export * from '@reachout/server/src/delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/pe.ts`,
    code: `export * from '../../platform/../delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/pf.ts`,
    code: `export * from '../.././delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/outreach/campaigns/pg.ts`,
    code: `export * from '../..//delivery/sends/send.ts';`,
    rule: imports,
  },
  {
    file: `${server}/platform/database/ph.ts`,
    code: `export * from './../../identity/auth/sessions/session.ts';`,
    rule: imports,
  },
  {
    file: `${server}/router.ts`,
    code: `export * from '@reachout/web/src/main.tsx';`,
    rule: imports,
  },
  { file: `${server}/operations/demo/pi.ts`, code: `export * from '../../web-app.ts';`, rule: imports },
  { file: 'apps/web/src/ui/pj.ts', code: `export * from '#web/ui/../shell/shell.tsx';`, rule: imports },
  { file: 'apps/web/src/ui/pk.ts', code: `export * from './../shell/shell.tsx';`, rule: imports },
  { file: 'apps/web/src/ui/pl.ts', code: `export * from '#web/router.ts';`, rule: imports },
  { file: 'apps/web/src/routes/pm.ts', code: `export * from '#web/theme.ts';`, rule: imports },
  { file: 'apps/web/src/pn.ts', code: `export * from '@reachout/server/src/app.ts';`, rule: imports },
  { file: 'packages/contract/src/po.ts', code: `export * from './../../server/src/app.ts';`, rule: imports },

  // Cycles.
  {
    file: `${server}/outreach/campaigns/qa.ts`,
    code: `import { qb } from './qb.ts';\nexport const qa = () => qb;`,
    rule: cycle,
  },
  {
    file: `${server}/outreach/campaigns/qb.ts`,
    code: `import { qa } from './qa.ts';\nexport const qb = () => qa;`,
    rule: cycle,
  },
  {
    file: `${server}/outreach/campaigns/qc.ts`,
    code: `import type { Qd } from './qd.ts';\nexport interface Qc { d: Qd }`,
    rule: cycle,
  },
  {
    file: `${server}/outreach/campaigns/qd.ts`,
    code: `import type { Qc } from './qc.ts';\nexport interface Qd { c: Qc }`,
    rule: cycle,
  },
  {
    file: 'apps/web/src/clients/qe.ts',
    code: `import { qf } from '#web/clients/list/qf.ts';\nexport const qe = () => qf;`,
    rule: cycle,
  },
  {
    file: 'apps/web/src/clients/list/qf.ts',
    code: `import { qe } from '#web/clients/qe.ts';\nexport const qf = () => qe;`,
    rule: cycle,
  },
  {
    file: 'apps/web/src/clients/qg.ts',
    code: `import type { Qh } from '#web/clients/list/qh.ts';\nexport interface Qg { h: Qh }`,
    rule: cycle,
  },
  {
    file: 'apps/web/src/clients/list/qh.ts',
    code: `import type { Qg } from '#web/clients/qg.ts';\nexport interface Qh { g: Qg }`,
    rule: cycle,
  },

  // SQL, child processes, requests.
  { file: `${server}/delivery/sends/q.ts`, code: `export { sql } from 'kysely';`, rule: imports },
  { file: `${server}/main.ts`, code: `export { sql } from 'kysely';`, rule: imports },
  { file: `${server}/delivery/sends/r.ts`, code: `export type { Kysely } from 'kysely';` },
  { file: `${server}/delivery/sends/s.queries.ts`, code: `export { sql } from 'kysely';` },
  { file: `${server}/platform/database/t.ts`, code: `export { sql } from 'kysely';` },
  {
    file: `${server}/delivery/sends/u.queries.ts`,
    code: `import { sql } from 'kysely';\nexport const all = (table: string) => sql.raw(table);`,
    rule: 'eslint(no-restricted-properties)',
  },
  { file: `${server}/content/built-in/filter-rule-sql.ts`, code: `export { sql } from 'kysely';` },
  {
    file: `${server}/platform/database/v.ts`,
    code: `import { sql } from 'kysely';\nexport const all = (table: string) => sql.raw(table);`,
  },
  {
    file: `${server}/delivery/sends/w.ts`,
    code: `export { exec } from 'node:child_process';`,
    rule: imports,
  },
  { file: `${server}/platform/x.ts`, code: `export { exec } from 'node:child_process';` },
  {
    file: `${server}/content/imports/y.ts`,
    code: `export const get = () => fetch('https://example.com');`,
    rule: 'eslint(no-restricted-globals)',
  },
  {
    file: `${server}/delivery/sends/z.ts`,
    code: `export const run = (code: string) => eval(code);`,
    rule: 'eslint(no-eval)',
  },
  {
    file: `${server}/delivery/sends/za.ts`,
    code: `export const run = (code: string) => new Function(code);`,
    rule: 'eslint(no-new-func)',
  },

  // Between the workspaces.
  {
    file: 'apps/web/src/ui/a.ts',
    code: `export * from '../../../server/src/delivery/sends/send.ts';`,
    rule: imports,
  },
  { file: 'apps/web/src/ui/b.ts', code: `export * from '@reachout/server';`, rule: imports },
  { file: 'apps/web/src/ui/aa.ts', code: `export * from '#web/shell/shell.tsx';`, rule: imports },
  { file: 'apps/web/src/ui/ab.ts', code: `export * from '../platform/api.ts';`, rule: imports },
  { file: 'apps/web/src/ui/ac.ts', code: `export * from '#web/platform/api.ts';` },
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

  // Shows that type-aware rules are active.
  {
    file: `${server}/delivery/sends/zb.ts`,
    code: `async function later(): Promise<void> {}\nexport const start = () => { later(); };`,
    rule: 'typescript(no-floating-promises)',
  },
];

test('every folder of the server and web app is a layer', async () => {
  const foldersOf = async (folder: string): Promise<string[]> =>
    (await readdir(join(root, folder), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const withoutLayer = [
    ...(await foldersOf(server)).filter((name) => name !== 'testing' && !isIn(serverLayers, name)),
    ...(await foldersOf('apps/web/src')).filter((name) => name !== 'styles' && !isIn(webLayers, name)),
  ];
  assert.deepEqual(withoutLayer, []);
});

test('all other server files are composition files', async () => {
  const files = (await readdir(join(root, server))).filter((name) => /(?<!\.test)\.ts$/.test(name));
  assert.deepEqual(files.toSorted(), compositionFiles.map((name) => `${name}.ts`).toSorted());
});

const isIn = (layers: readonly string[], name: string): boolean => layers.includes(name);

test('forbidden imports are found, allowed ones are not', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'import-rules-'));
  t.after(() => rm(directory, { recursive: true }));
  for (const name of [
    'oxlint.config.ts',
    'scripts/import-rules.ts',
    'package.json',
    'tsconfig.base.json',
    'apps/web/package.json',
  ]) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
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
      // It exits with 1 when it finds problems, which is expected here.
      if (error?.code === 1) done(stdout);
      else failed(new Error(`oxlint: ${stderr}${stdout}`, { cause: error }));
    });
  });
  return (JSON.parse(output) as { diagnostics: Finding[] }).diagnostics;
}
