import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartDelay } from './worker-thread.ts';

test('a worker that keeps dying is started again more and more rarely, one that ran well at once', () => {
  const delays: number[] = [];
  for (let times = 0; times < 7; times += 1) delays.push(restartDelay(delays.at(-1), 500));
  assert.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.equal(restartDelay(30_000, 20_000), 30_000);
  assert.equal(restartDelay(30_000, 3_600_000), 1_000);
});
