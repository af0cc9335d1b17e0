import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callAt } from './call-at.ts';

test('an early timer still calls only at its time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  let calls = 0;
  callAt(1_050.5, () => (calls += 1));
  now = 1_050.2;
  t.mock.timers.tick(51);
  assert.equal(calls, 0);
  now = 1_050.6;
  t.mock.timers.tick(1);
  assert.equal(calls, 1);
  t.mock.timers.tick(1_000);
  assert.equal(calls, 1);
});
