import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from './log.ts';
import { createPoller } from './poller.ts';

const log = createLog('silent');
const everyMs = 60_000;

suite('poller', () => {
  test('several wakes during a run cause one more', async () => {
    const started: PromiseWithResolvers<void>[] = [];
    let runs = 0;
    const next = () => {
      const run = Promise.withResolvers<void>();
      started.push(run);
      runs += 1;
      return run.promise;
    };
    const poller = createPoller({ name: 'test', everyMs, log, work: next });
    assert.equal(runs, 1);
    poller.wake();
    poller.wake();
    assert.equal(runs, 1);
    started[0]!.resolve();
    await new Promise(setImmediate);
    assert.equal(runs, 2);
    started[1]!.resolve();
    await poller.stop();
    assert.equal(runs, 2);
  });

  test('a failed run does not stop polling', async () => {
    let runs = 0;
    const poller = createPoller({
      name: 'test',
      everyMs,
      log,
      work: () => Promise.reject(new Error(`away ${(runs += 1)}`)),
    });
    await new Promise(setImmediate);
    poller.wake();
    await new Promise(setImmediate);
    assert.equal(runs, 2);
    await poller.stop();
  });

  test('polling repeats by itself', async () => {
    const third = Promise.withResolvers<void>();
    let runs = 0;
    const poller = createPoller({
      name: 'test',
      everyMs: 1,
      log,
      work: async () => {
        runs += 1;
        if (runs === 3) third.resolve();
      },
    });
    await third.promise;
    await poller.stop();
  });

  test('stopping waits for the current run', async () => {
    let runs = 0;
    let hasEnded = false;
    const poller = createPoller({
      name: 'test',
      everyMs,
      log,
      work: async (signal) => {
        runs += 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        hasEnded = true;
      },
    });
    poller.wake();
    await poller.stop();
    poller.wake();
    assert.deepEqual({ runs, hasEnded }, { runs: 1, hasEnded: true });
  });
});
