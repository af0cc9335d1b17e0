import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { chooseTests, findAffectedTests } from './affected-tests.ts';

const files = {
  'packages/contract/package.json': '{ "name": "@x/contract", "exports": { "./*": "./src/*" } }',
  'packages/contract/src/status.ts': 'export const statuses = [];',
  'apps/web/package.json': '{ "name": "@x/web", "imports": { "#web/*": "./src/*" } }',
  'apps/web/src/deep/list.ts': `import { statuses } from '@x/contract/status.ts';`,
  'apps/web/src/list.test.ts': `import { list } from '#web/deep/list.ts';`,
  'apps/server/package.json': '{ "name": "@x/server" }',
  'apps/server/src/send.ts': `const load = () => import('./render.ts');`,
  'apps/server/src/render.ts': '',
  'apps/server/src/send.test.ts': `import './send.ts';`,
  'apps/server/src/start.test.ts': `const program = '../../../scripts/start.ts';`,
  'apps/server/src/guard.test.ts': `for (const file of globSync('**/*.sql')) check(file);`,
  'scripts/start.ts': '',
  'scripts/start.test.ts': `import './start.ts';`,
  'scripts/postgres.ts': '',
  'scripts/test-setup.ts': `import './postgres.ts';`,
  'scripts/chromium.ts': '',
  'scripts/build-web.ts': '',
  'playwright.config.ts': `import './scripts/chromium.ts';\nconst globalSetup = './e2e/global-setup.ts';`,
  'e2e/global-setup.ts': `import '../scripts/test-setup.ts';\nimport './start-server.ts';`,
  'e2e/start-server.ts': '',
  'db/migrations/0001.sql': '',
  'e2e/journey.spec.ts': `import './steps.ts';`,
  'e2e/steps.ts': '',
  'README.md': '',
};
const tests = Object.keys(files).filter((file) => /\.(test|spec)\.ts$/.test(file));

async function makeRepository(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'affected-tests-'));
  t.after(() => rm(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

suite('affected tests', () => {
  const cases: Record<string, string[]> = {
    'packages/contract/src/status.ts': ['apps/web/src/list.test.ts', 'e2e/journey.spec.ts'],
    'apps/server/src/render.ts': ['apps/server/src/send.test.ts', 'e2e/journey.spec.ts'],
    'apps/server/src/send.test.ts': ['apps/server/src/send.test.ts'],
    'scripts/start.ts': ['apps/server/src/start.test.ts', 'scripts/start.test.ts'],
    'playwright.config.ts': ['e2e/journey.spec.ts'],
    'e2e/global-setup.ts': ['e2e/journey.spec.ts'],
    'e2e/start-server.ts': ['e2e/journey.spec.ts'],
    'scripts/chromium.ts': ['e2e/journey.spec.ts'],
    'scripts/build-web.ts': ['e2e/journey.spec.ts', 'scripts/start.test.ts'],
    'scripts/postgres.ts': [
      'apps/server/src/send.test.ts',
      'apps/server/src/start.test.ts',
      'e2e/journey.spec.ts',
    ],
    'db/migrations/0001.sql': [
      'apps/server/src/send.test.ts',
      'apps/server/src/start.test.ts',
      'e2e/journey.spec.ts',
    ],
    'e2e/steps.ts': ['e2e/journey.spec.ts'],
    'package-lock.json': tests,
    'README.md': [],
  };
  for (const [changed, affected] of Object.entries(cases)) {
    test(`a change of ${changed} affects its tests`, async (t) => {
      const reasons = chooseTests(await makeRepository(t), tests, [changed]);
      const expected = [...new Set([...affected, 'apps/server/src/guard.test.ts'])];
      assert.deepEqual([...reasons.keys()].toSorted(), expected.toSorted());
    });
  }
});

test('changes count since the branch left main', async (t) => {
  const root = await makeRepository(t);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: root,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=First');
  assert.deepEqual(findAffectedTests(root, tests).changed, []);
  assert.deepEqual([...findAffectedTests(root, tests).reasons], []);

  git('checkout', '--quiet', '-b', 'branch');
  await writeFile(join(root, 'apps/server/src/render.ts'), '// changed');
  git('commit', '--quiet', '--all', '--message=Second');
  await writeFile(join(root, 'apps/server/src/send.ts'), '');
  await writeFile(join(root, 'apps/server/src/new.ts'), '');
  assert.deepEqual(findAffectedTests(root, tests).changed, [
    'apps/server/src/new.ts',
    'apps/server/src/render.ts',
    'apps/server/src/send.ts',
  ]);
  assert.equal(findAffectedTests(root, tests).reasons.get('e2e/journey.spec.ts'), 'apps/server/src/new.ts');
});
