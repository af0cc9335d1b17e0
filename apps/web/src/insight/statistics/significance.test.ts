import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRates } from './significance.ts';

test('only unlikely differences are significant', () => {
  assert.deepEqual(judgeRates([300, 1000], [200, 1000]), {
    kind: 'clear',
    direction: 'more',
    amount: 10,
    unit: 'points',
  });
  assert.deepEqual(judgeRates([20, 1000], [50, 1000]), {
    kind: 'clear',
    direction: 'less',
    amount: 3,
    unit: 'points',
  });
  assert.deepEqual(judgeRates([210, 1000], [200, 1000]), { kind: 'unclear' });
  // The same two rates with a hundred times as many messages.
  assert.deepEqual(judgeRates([21_000, 100_000], [20_000, 100_000]), {
    kind: 'clear',
    direction: 'more',
    amount: 1,
    unit: 'points',
  });
});

test('rates of few messages are not compared', () => {
  assert.deepEqual(judgeRates([90, 99], [0, 5000]), { kind: 'few' });
  assert.deepEqual(judgeRates([0, 5000], [1, 1]), { kind: 'few' });
  assert.deepEqual(judgeRates([0, 0], [0, 0]), { kind: 'few' });
});

test('differences that round to zero are not shown', () => {
  assert.deepEqual(judgeRates([0, 1000], [0, 1000]), { kind: 'same' });
  assert.deepEqual(judgeRates([20_001, 100_000], [20_000, 100_000]), { kind: 'same' });
});
