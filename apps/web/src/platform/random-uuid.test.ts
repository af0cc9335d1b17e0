import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomUuid } from './random-uuid.ts';

test('random ids are UUIDs of version 4', () => {
  const ids = Array.from({ length: 100 }, randomUuid);
  for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(new Set(ids).size, ids.length);
});

test('no screen takes ids from what pages with http lack', () => {
  const cwd = join(import.meta.dirname, '..');
  const using = globSync('**/*.{ts,tsx}', { cwd, exclude: ['**/random-uuid.ts', '**/*.test.ts'] }).filter(
    (file) => readFileSync(join(cwd, file), 'utf8').includes('crypto.randomUUID'),
  );
  assert.deepEqual(using, []);
});
