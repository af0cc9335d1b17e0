import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealIntoBatches } from './test-batches.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}.test.ts`);

test('test files are dealt out: each to one process, neighbors to different ones', () => {
  const files = numbered(40);
  const batches = dealIntoBatches(files, 2);
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [14, 13, 13],
  );
  assert.deepEqual(batches.flat().toSorted(), files.toSorted());
  assert.deepEqual(batches[0]?.slice(0, 2), ['1.test.ts', '4.test.ts']);
});

test('few test files run side by side', () => {
  assert.deepEqual(dealIntoBatches(numbered(3), 4), [['1.test.ts'], ['2.test.ts'], ['3.test.ts']]);
  assert.deepEqual(dealIntoBatches([], 4), []);
});
