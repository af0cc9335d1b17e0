import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from './country-classes.ts';

const write = (counts: number[]) => classify(counts).map(({ level, from, to }) => `${level}: ${from}-${to}`);

test('countries are divided into five classes of equal size', () => {
  const counts = [9, 2, 7, 4, 5, 10, 3, 8, 6, 1];
  assert.deepEqual(write(counts), ['0: 1-2', '1: 3-4', '2: 5-6', '3: 7-8', '4: 9-10']);
});

test('equal counts are in one class, the largest in the highest', () => {
  assert.deepEqual(write([]), []);
  assert.deepEqual(write([3]), ['4: 3-3']);
  assert.deepEqual(write([1, 1, 1, 1, 1, 1, 1, 1, 500]), ['2: 1-1', '4: 500-500']);
  assert.deepEqual(write([1, 1, 1, 2, 500]), ['1: 1-1', '3: 2-2', '4: 500-500']);
});
