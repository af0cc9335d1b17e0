import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('no input cuts off what is typed or pasted', () => {
  const directory = join(import.meta.dirname, '..');
  // A form has `limits` instead: the field says its limit, and keeps the whole text.
  const cutting = globSync('**/*.tsx', { cwd: directory }).filter((file) =>
    /\bmaxLength\b/.test(readFileSync(join(directory, file), 'utf8')),
  );
  assert.deepEqual(cutting, []);
});
