import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findDomainWords } from './check-platform-words.ts';
import { root } from './run-command.ts';

test('the platform has no word of the product', () => {
  assert.equal(findDomainWords(root).join('\n'), '');
});

test('words of the product are found in names, columns and comments', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-words-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const files = {
    'database/database.ts': 'set organizationId\nset brand_ids',
    'cache.ts': 'new Client(); reply.send(); // for the organization',
    'jobs.ts': 'const TouchpointJob = { send_id }',
    'cache.test.ts': 'const brand = 1',
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, 'apps/server/src/platform', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const says = (place: string, word: string) =>
    `apps/server/src/platform/${place} says “${word}”: the platform knows no such thing.`;
  assert.deepEqual(findDomainWords(directory), [
    says('cache.ts:1', 'organization'),
    says('database/database.ts:2', 'brand'),
    says('jobs.ts:1', 'Touchpoint'),
    says('jobs.ts:1', 'send_id'),
  ]);
});
