import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

test('the built script and module have less than 5 kB, compressed', () => {
  for (const name of ['script.js', 'main.js']) {
    const file = readFileSync(join(import.meta.dirname, '../dist', name));
    const { length } = gzipSync(file, { level: 9 });
    assert.ok(length < 5_000, `${name} has ${length} bytes.`);
  }
});
