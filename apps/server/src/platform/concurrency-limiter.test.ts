import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import test from 'node:test';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { LimitExceeded } from './limit-exceeded.ts';

test('each key runs a few tasks in order', async () => {
  const limit = createConcurrencyLimiter({
    bound: 'tests',
    maxConcurrent: 2,
    maxQueued: 10,
    maxWaitMs: 60_000,
  });
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const run = (key: string, name: string) =>
    limit(key, async () => {
      started.push(name);
      await gate.promise;
      return name;
    });
  const all = ['a', 'b', 'c', 'd'].map((name) => run('one', name));
  all.push(run('other', 'x'));
  await immediate();
  assert.deepEqual(started, ['a', 'b', 'x']);
  gate.resolve();
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'x']);
  assert.deepEqual(started, ['a', 'b', 'x', 'c', 'd']);
});

test('long waits and full queues are rejected', async () => {
  const limit = createConcurrencyLimiter({ bound: 'tests', maxConcurrent: 1, maxQueued: 1, maxWaitMs: 20 });
  const gate = Promise.withResolvers<void>();
  const first = limit('one', () => gate.promise);
  await Promise.all([
    assert.rejects(
      limit('one', () => Promise.resolve()),
      LimitExceeded,
    ),
    assert.rejects(
      limit('one', () => Promise.resolve()),
      LimitExceeded,
    ),
  ]);
  gate.resolve();
  await first;
  await assert.rejects(
    limit('one', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await limit('one', () => Promise.resolve('done')), 'done');
});
