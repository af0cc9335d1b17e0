import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUp } from './add-up.ts';

test('amounts in hundredths add up exactly', () => {
  const rows = Array.from({ length: 6 }, () => ({ count: 2, value: 0.1 }));
  assert.deepEqual(addUp(rows, ['count', 'value']), { count: 12, value: 0.6 });
  assert.deepEqual(addUp([], ['count']), { count: 0 });
});
