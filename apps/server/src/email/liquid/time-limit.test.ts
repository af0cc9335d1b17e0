import assert from 'node:assert/strict';
import test from 'node:test';
import { RenderError } from './render-error.ts';
import { withTimeLimit } from './time-limit.ts';

test('TPL-2: work that never ends is stopped from outside, and the next work runs', () => {
  const cpu = process.cpuUsage();
  const endless = [
    () => {
      for (;;);
    },
    // Neither a catch nor a finally keeps it alive.
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
      withTimeLimit(50, () => 'done'),
      'done',
    );
  }
  assert.ok(process.cpuUsage(cpu).user < 2_000_000);
});

test('a failure inside comes out as it is', () => {
  const failure = new RenderError('too_large', 'x');
  assert.throws(
    () =>
      withTimeLimit(50, () => {
        throw failure;
      }),
    (error) => error === failure,
  );
});
