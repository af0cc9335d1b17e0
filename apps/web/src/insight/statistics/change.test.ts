import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#web/i18n/format.ts';
import { changeOfCount, changeOfRate } from './change.ts';

test('counts are compared by their share', () => {
  assert.deepEqual(changeOfCount(150, 100), { direction: 'more', amount: 0.5, unit: 'ratio' });
  assert.deepEqual(changeOfCount(75, 100), { direction: 'less', amount: 0.25, unit: 'ratio' });
  assert.deepEqual(changeOfCount(100, 100), { direction: 'same', amount: 0, unit: 'ratio' });
  assert.deepEqual(changeOfCount(0, 30), { direction: 'less', amount: 1, unit: 'ratio' });
});

test('small counts are compared by their difference', () => {
  assert.deepEqual(changeOfCount(5, 7), { direction: 'less', amount: 2, unit: 'count' });
  assert.deepEqual(changeOfCount(12, 0), { direction: 'more', amount: 12, unit: 'count' });
  assert.deepEqual(changeOfCount(29, 29), { direction: 'same', amount: 0, unit: 'count' });
});

test('no rate is compared with none', () => {
  assert.equal(changeOfRate([1, 10], [0, 0]), undefined);
  assert.equal(changeOfRate([0, 0], [1, 10]), undefined);
});

test('rates are compared in percentage points', () => {
  assert.deepEqual(changeOfRate([30, 100], [20, 100]), { direction: 'more', amount: 10, unit: 'points' });
  assert.deepEqual(changeOfRate([201, 1000], [204, 1000]), {
    direction: 'less',
    amount: 0.3,
    unit: 'points',
  });
  assert.deepEqual(changeOfRate([2001, 10_000], [2000, 10_000]), {
    direction: 'same',
    amount: 0,
    unit: 'points',
  });
});

test('both rates and their difference add up', () => {
  const { rate } = createFormat('en');
  assert.deepEqual([rate(0.42), rate(0), rate(1)], ['42.0%', '0.0%', '100.0%']);
  for (let part = 0; part <= 1_000; part += 7)
    for (const base of [1_000, 1_003, 2_000, 7_919]) {
      const now: [number, number] = [part, base];
      const before: [number, number] = [1_000 - part, base + 3];
      const of = ([a, b]: [number, number]) => Math.round(Number.parseFloat(rate(a / b)) * 10);
      const change = changeOfRate(now, before)!;
      const sign = change.direction === 'less' ? -1 : 1;
      assert.equal(
        of(before) + sign * Math.round(change.amount * 10),
        of(now),
        `${now.join()} ${before.join()}`,
      );
    }
});
