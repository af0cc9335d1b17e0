import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'node:test';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { LimitExceeded } from './limit-exceeded.ts';

test('a key has a few at once, in the order in which they came, and takes nothing from the others', async () => {
  const limit = createConcurrencyLimiter({
    bound: 'tests',
    maxConcurrent: 2,
    maxQueued: 10,
    maxWaitMs: 1_000,
  });
  const started: string[] = [];
  const run = (key: string, name: string) =>
    limit(key, async () => {
      started.push(name);
      await delay(20);
      return name;
    });
  const all = ['a', 'b', 'c', 'd'].map((name) => run('one', name));
  all.push(run('other', 'x'));
  await delay(5);
  assert.deepEqual(started, ['a', 'b', 'x']);
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'x']);
  assert.deepEqual(started, ['a', 'b', 'x', 'c', 'd']);
});

test('those who wait too long, or too many, are told so, and a failure gives its place back', async () => {
  const limit = createConcurrencyLimiter({ bound: 'tests', maxConcurrent: 1, maxQueued: 1, maxWaitMs: 20 });
  const first = limit('one', () => delay(60));
  await Promise.all([
    assert.rejects(
      limit('one', () => delay(0)),
      LimitExceeded,
    ),
    assert.rejects(
      limit('one', () => delay(0)),
      LimitExceeded,
    ),
  ]);
  await first;
  await assert.rejects(
    limit('one', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await limit('one', () => Promise.resolve('done')), 'done');
});
