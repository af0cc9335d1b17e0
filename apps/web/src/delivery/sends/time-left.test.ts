import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './time-left.ts';

test('time left is in whole minutes, then hours', () => {
  const told = (seconds: number) => {
    const { unit, count } = timeLeft(seconds);
    return unit === 'lessThanMinute' ? unit : `${count} ${unit}`;
  };
  assert.deepEqual([0, 1, 59].map(told), ['lessThanMinute', 'lessThanMinute', 'lessThanMinute']);
  assert.deepEqual([60, 89, 90, 119 * 60].map(told), ['1 minutes', '1 minutes', '2 minutes', '119 minutes']);
  assert.deepEqual([2 * 3_600, 36 * 3_600].map(told), ['2 hours', '36 hours']);
});
