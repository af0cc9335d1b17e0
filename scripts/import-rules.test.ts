import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compositionFiles, serverLayers, webLayers } from './import-rules.ts';
import { root } from './run-command.ts';

const imports = 'eslint(no-restricted-imports)';
const cycle = 'import(no-cycle)';
const server = 'apps/server/src';

type Fixture = readonly [
  file: string,
  /** A module that the file exports, or code. */
  content: string,
  /** The rule that must report a violation; undefined when none must. */
  rule?: string,
];

const modules: Fixture[] = [
  // Direction between layers.
  [`${server}/outreach/campaigns/a.ts`, '../../delivery/sends/send.ts', imports],
  [`${server}/outreach/channels/email/b.ts`, '../../../delivery/sends/send.ts', imports],
  [`${server}/outreach/campaigns/d.queries.ts`, '../../delivery/sends/send.ts', imports],
  [`${server}/delivery/sends/e.ts`, '../../outreach/campaigns/campaign.ts'],
  [`${server}/delivery/sends/f.ts`, '../../platform/log.ts'],
  [`${server}/delivery/sends/fa.ts`, '../queue/delivery.ts'],
  [`${server}/email/smtp/g.ts`, '../../platform/log.ts'],
  [`${server}/platform/h.ts`, '../email/links/tokens.ts', imports],
  [`${server}/platform/database/i.ts`, '../../identity/auth/sessions/session.ts', imports],
  [`${server}/operations/demo/j.ts`, '../../app.ts', imports],
  [`${server}/app.ts`, './outreach/campaigns/campaign.routes.ts'],
  [`${server}/outreach/campaigns/k.test.ts`, '../../app.ts'],
  [`${server}/outreach/campaigns/l.ts`, '../../testing/database.ts', imports],
  // Samples.
  [`${server}/operations/jobs/la.ts`, '../../sample/records.ts', imports],
  [`${server}/operations/jobs/lb.queries.ts`, '../../sample/records.ts', imports],
  [`${server}/delivery/sends/lc.ts`, '../../sample/records.ts', imports],
  [`${server}/main.ts`, './sample/records.ts', imports],
  [`${server}/operations/demo/ld.ts`, '../../sample/records.ts'],
  [`${server}/operations/jobs/le.test.ts`, '../../sample/records.ts'],
  [`${server}/sample/lf.ts`, '../events/visitor-events.queries.ts'],
  [`${server}/sample/lg.ts`, '../operations/demo/demo.ts', imports],
  [`${server}/sample/lh.ts`, '../testing/rows.ts', imports],
  // Private files of a layer or a module.
  [`${server}/delivery/sends/m.ts`, '../../outreach/campaigns/campaign.queries.ts', imports],
  [`${server}/delivery/sends/n.ts`, '../../outreach/campaigns/campaign.routes.ts', imports],
  [`${server}/delivery/sends/na.ts`, '../queue/queue.routes.ts', imports],
  [`${server}/delivery/sends/nb.ts`, '../queue/chunk.queries.ts'],
  [`${server}/delivery/sends/o.ts`, './send.queries.ts'],
  [`${server}/delivery/sends/p.queries.ts`, './send.routes.ts', imports],
  // Other spellings of the same path.
  [`${server}/outreach/campaigns/pa.ts`, './../../delivery/sends/send.ts', imports],
  [`${server}/outreach/campaigns/pb.ts`, '../../../src/delivery/sends/send.ts', imports],
  [`${server}/outreach/campaigns/pc.ts`, '@reachout/server/src/delivery/sends/send.ts', imports],
  [`${server}/outreach/campaigns/pd.queries.ts`, '@reachout/server/src/delivery/sends/send.ts', imports],
  [`${server}/outreach/campaigns/pe.ts`, '../../platform/../delivery/sends/send.ts', imports],
  [`${server}/outreach/campaigns/pf.ts`, '../.././delivery/sends/send.ts', imports],
  [`${server}/outreach/campaigns/pg.ts`, '../..//delivery/sends/send.ts', imports],
  [`${server}/platform/database/ph.ts`, './../../identity/auth/sessions/session.ts', imports],
  [`${server}/router.ts`, '@reachout/web/src/main.tsx', imports],
  [`${server}/operations/demo/pi.ts`, '../../web-app.ts', imports],
  ['apps/web/src/ui/pj.ts', '#web/ui/../shell/shell.tsx', imports],
  ['apps/web/src/ui/pk.ts', './../shell/shell.tsx', imports],
  ['apps/web/src/ui/pl.ts', '#web/router.ts', imports],
  ['apps/web/src/routes/pm.ts', '#web/theme.ts', imports],
  ['apps/web/src/pn.ts', '@reachout/server/src/app.ts', imports],
  ['packages/contract/src/po.ts', './../../server/src/app.ts', imports],
  // Between the workspaces.
  ['apps/web/src/ui/a.ts', '../../../server/src/delivery/sends/send.ts', imports],
  ['apps/web/src/ui/b.ts', '@reachout/server', imports],
  ['apps/web/src/ui/aa.ts', '#web/shell/shell.tsx', imports],
  ['apps/web/src/ui/ab.ts', '../platform/api.ts', imports],
  ['apps/web/src/ui/ac.ts', '#web/platform/api.ts'],
  ['apps/web/src/c.ts', '@reachout/contract/values.ts'],
  ['packages/contract/src/a.ts', '../../../apps/server/src/app.ts', imports],
  ['packages/contract/src/b.ts', '../../../apps/web/src/api.ts', imports],
  ['packages/contract/src/c.ts', 'node:fs', imports],
];

const code: Fixture[] = [
  // Direction between layers.
  [
    `${server}/outreach/campaigns/c.ts`,
    `export const load = () => import('../../delivery/sends/send.ts');`,
    imports,
  ],
  // Cycles.
  [`${server}/outreach/campaigns/qa.ts`, `import { qb } from './qb.ts';\nexport const qa = () => qb;`, cycle],
  [`${server}/outreach/campaigns/qb.ts`, `import { qa } from './qa.ts';\nexport const qb = () => qa;`, cycle],
  [
    `${server}/outreach/campaigns/qc.ts`,
    `import type { Qd } from './qd.ts';\nexport interface Qc { d: Qd }`,
    cycle,
  ],
  [
    `${server}/outreach/campaigns/qd.ts`,
    `import type { Qc } from './qc.ts';\nexport interface Qd { c: Qc }`,
    cycle,
  ],
  [
    'apps/web/src/clients/qe.ts',
    `import { qf } from '#web/clients/list/qf.ts';\nexport const qe = () => qf;`,
    cycle,
  ],
  [
    'apps/web/src/clients/list/qf.ts',
    `import { qe } from '#web/clients/qe.ts';\nexport const qf = () => qe;`,
    cycle,
  ],
  [
    'apps/web/src/clients/qg.ts',
    `import type { Qh } from '#web/clients/list/qh.ts';\nexport interface Qg { h: Qh }`,
    cycle,
  ],
  [
    'apps/web/src/clients/list/qh.ts',
    `import type { Qg } from '#web/clients/qg.ts';\nexport interface Qh { g: Qg }`,
    cycle,
  ],
  // SQL, child processes, requests.
  [`${server}/delivery/sends/q.ts`, `export { sql } from 'kysely';`, imports],
  [`${server}/main.ts`, `export { sql } from 'kysely';`, imports],
  [`${server}/delivery/sends/r.ts`, `export type { Kysely } from 'kysely';`],
  [
    `${server}/delivery/sends/ra.ts`,
    `export { rowsOf } from '../../platform/database/database.ts';`,
    imports,
  ],
  [`${server}/delivery/sends/rb.ts`, `export { transactionAs } from '../../platform/database/database.ts';`],
  [`${server}/delivery/sends/rc.queries.ts`, `export { rowsOf } from '../../platform/database/database.ts';`],
  [`${server}/delivery/sends/s.queries.ts`, `export { sql } from 'kysely';`],
  [`${server}/platform/database/t.ts`, `export { sql } from 'kysely';`],
  [
    `${server}/delivery/sends/u.queries.ts`,
    `import { sql } from 'kysely';\nexport const all = (table: string) => sql.raw(table);`,
    'eslint(no-restricted-properties)',
  ],
  [`${server}/content/built-in/filter-rule-sql.ts`, `export { sql } from 'kysely';`],
  [`${server}/sample/sa.ts`, `export { sql } from 'kysely';`],
  [
    `${server}/platform/database/v.ts`,
    `import { sql } from 'kysely';\nexport const all = (table: string) => sql.raw(table);`,
  ],
  [`${server}/delivery/sends/w.ts`, `export { exec } from 'node:child_process';`, imports],
  [`${server}/platform/x.ts`, `export { exec } from 'node:child_process';`],
  [
    `${server}/contacts/imports/y.ts`,
    `export const get = () => fetch('https://example.com');`,
    'eslint(no-restricted-globals)',
  ],
  [`${server}/delivery/sends/z.ts`, `export const run = (code: string) => eval(code);`, 'eslint(no-eval)'],
  [
    `${server}/delivery/sends/za.ts`,
    `export const run = (code: string) => new Function(code);`,
    'eslint(no-new-func)',
  ],
  // Between the workspaces.
  [
    'apps/web/src/d.tsx',
    `export const Raw = ({ html }: { html: string }) => <p dangerouslySetInnerHTML={{ __html: html }} />;`,
    'react(no-danger)',
  ],
  [
    'apps/web/src/e.ts',
    `export const show = (element: Element, html: string) => (element.innerHTML = html);`,
    'eslint(no-restricted-properties)',
  ],
  // Shows that type-aware rules are active.
  [
    `${server}/delivery/sends/zb.ts`,
    `async function later(): Promise<void> {}\nexport const start = () => { later(); };`,
    'typescript(no-floating-promises)',
  ],
];

const fixtures = [
  ...modules.map(([file, module, rule]) => ({ file, text: `export * from '${module}';`, rule })),
  ...code.map(([file, text, rule]) => ({ file, text, rule })),
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
  for (const { file, text } of fixtures) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), `${text}\n`);
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
