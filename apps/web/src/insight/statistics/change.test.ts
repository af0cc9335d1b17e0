import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOfCount, changeOfRate } from './change.ts';

test('counts are compared by their share', () => {
  assert.deepEqual(changeOfCount(150, 100), { direction: 'more', amount: 0.5 });
  assert.deepEqual(changeOfCount(75, 100), { direction: 'less', amount: 0.25 });
  assert.deepEqual(changeOfCount(100, 100), { direction: 'same', amount: 0 });
  assert.deepEqual(changeOfCount(0, 100), { direction: 'less', amount: 1 });
});

test('zero before gives no comparison', () => {
  assert.equal(changeOfCount(12, 0), undefined);
  assert.equal(changeOfRate([1, 10], [0, 0]), undefined);
  assert.equal(changeOfRate([0, 0], [1, 10]), undefined);
});

test('rates are compared in percentage points', () => {
  assert.deepEqual(changeOfRate([30, 100], [20, 100]), { direction: 'more', amount: 10 });
  assert.deepEqual(changeOfRate([201, 1000], [204, 1000]), { direction: 'less', amount: 0.3 });
  assert.deepEqual(changeOfRate([2001, 10_000], [2000, 10_000]), { direction: 'same', amount: 0 });
});
