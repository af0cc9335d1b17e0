import assert from 'node:assert/strict';
import test from 'node:test';
import { RenderError } from './render-error.ts';
import { withTimeLimit } from './time-limit.ts';

test('endless work is stopped and later work runs (TPL-2)', () => {
  const cpu = process.cpuUsage();
  const endless = [
    () => {
      for (;;);
    },
    // Neither `catch` nor `finally` can prevent the abort.
    () => {
      for (;;) {
        try {
          for (;;);
        } catch {
          continue;
        }
      }
    },
    () => /^(?:a+)+$/.test(`${'a'.repeat(60)}b`),
  ];
  for (const task of endless) {
    assert.throws(
      () => withTimeLimit(50, task),
      (error) => error instanceof RenderError && error.code === 'too_slow',
    );
    assert.equal(
      withTimeLimit(5_000, () => 'done'),
      'done',
    );
  }
  assert.ok(process.cpuUsage(cpu).user < 2_000_000);
});

test('time without CPU counts after a longer limit (TPL-2)', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const waitTimes = (times: number) => {
    let begun = 0;
    return () => {
      begun += 1;
      // While this thread waits, it uses no CPU time, as if other processes were running.
      if (begun <= times) Atomics.wait(cell, 0, 0, 10_000);
      return begun;
    };
  };
  assert.equal(withTimeLimit(200, waitTimes(2)), 3);
  assert.throws(
    () => withTimeLimit(20, waitTimes(Infinity)),
    (error) => error instanceof RenderError && error.code === 'too_slow',
  );
});

test('an error of the work is thrown unchanged', () => {
  const failure = new RenderError('too_large', 'x');
  assert.throws(
    () =>
      withTimeLimit(5_000, () => {
        throw failure;
      }),
    (error) => error === failure,
  );
});
