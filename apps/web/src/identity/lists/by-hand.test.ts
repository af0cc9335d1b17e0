import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('actions of rows are declared, or a first line says why not', () => {
  const directory = join(import.meta.dirname, '../..');
  const exclude = ['ui/**', 'identity/lists/**'];
  const undeclared = globSync('**/*.tsx', { cwd: directory, exclude }).filter((file) => {
    const code = readFileSync(join(directory, file), 'utf8');
    return /<(?:RowMenu|BulkBar)\b/.test(code) && !/^(?:\/\* oxlint[^\n]*\n)?\/\/ By hand: /.test(code);
  });
  assert.deepEqual(undeclared, []);
});
