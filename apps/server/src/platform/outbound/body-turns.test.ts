import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { LimitExceeded } from '../limit-exceeded.ts';
import { createBodyTurns } from './body-turns.ts';

test('large bodies of an owner are read in turn (OUT-4)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const limits = { largeBytes: 100, largeValues: 5, bytesPerSecond: 1_000, valuesPerSecond: 10 };
  const open = createBodyTurns(limits, 10_000);
  const first = open('one');
  await first.note(2_000, 0);
  const second = open('one');
  let isRead = false;
  const reading = second.note(0, 6).finally(() => {
    isRead = true;
  });
  await open('one').note(100, 5);
  await open('another').note(2_000, 0);
  first.end();
  t.mock.timers.tick(1_999);
  await setImmediate();
  assert.equal(isRead, false, 'the first takes two seconds');
  t.mock.timers.tick(1);
  await reading;

  const third = open('one').note(101, 0);
  const refused = assert.rejects(third, (error) => error instanceof LimitExceeded);
  t.mock.timers.tick(10_000);
  await refused;
  second.end();
  t.mock.timers.tick(600);
  await open('one').note(101, 0);
});
