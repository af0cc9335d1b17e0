import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findDomainWords } from './check-platform-words.ts';
import { root } from './run-command.ts';

test('the platform contains no product words', () => {
  assert.equal(findDomainWords(root).join('\n'), '');
});

test('product words are found in names, columns and comments', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-words-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const files = {
    'apps/server/src/platform/database/database.ts': 'set organizationId\nset brand_ids',
    'apps/server/src/platform/cache.ts': 'new Client(); reply.send(); // for the organization',
    'apps/server/src/platform/jobs.ts': 'const TouchpointJob = { send_id }',
    'apps/server/src/platform/pool.ts': '// PgBouncer remembers\n// invitations, members, a bounce',
    'apps/server/src/platform/cache.test.ts': 'const brand = 1',
    'apps/web/src/platform/keys.tsx':
      'const organizationId = 1; // of guests\nunsubscribe(website);\n// sends them to all sends',
    'apps/web/src/platform/keys.test.tsx': 'const brand = 1',
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const says = (place: string, word: string) =>
    `apps/${place} says “${word}”: the platform knows no such thing.`;
  assert.deepEqual(findDomainWords(directory), [
    says('server/src/platform/cache.ts:1', 'organization'),
    says('server/src/platform/database/database.ts:2', 'brand'),
    says('server/src/platform/jobs.ts:1', 'Touchpoint'),
    says('server/src/platform/jobs.ts:1', 'send_id'),
    says('server/src/platform/pool.ts:2', 'invitation'),
    says('server/src/platform/pool.ts:2', 'member'),
    says('server/src/platform/pool.ts:2', 'bounce'),
    says('web/src/platform/keys.tsx:1', 'guest'),
    says('web/src/platform/keys.tsx:2', 'unsubscribe'),
    says('web/src/platform/keys.tsx:2', 'website'),
    says('web/src/platform/keys.tsx:3', 'sends'),
  ]);
});
