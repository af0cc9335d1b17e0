import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActiveSend } from './active-send.ts';
import { SlowBuilds } from './message-builder.ts';

const buildSend = () => ({ buildsToMeasure: 0, slowness: 0 }) as ActiveSend;

/** Waits without using CPU time, like a process that the scheduler does not run. */
const wait = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function compute(ms: number): void {
  const start = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= ms * 1_000) return;
  }
}

function time(builds: SlowBuilds, send: ActiveSend, build: () => unknown): boolean {
  const started = builds.start(send);
  build();
  return builds.end(send, started);
}

test('waiting for the CPU does not make a send slow', () => {
  const builds = new SlowBuilds(() => undefined);
  const send = buildSend();
  for (let count = 0; count < 3; count += 1)
    assert.equal(
      time(builds, send, () => wait(60)),
      false,
    );
  assert.equal(send.slowness, 0);
  assert.equal(builds.holdsBack(send), false);
});

test('a slow send waits until others had their time', async () => {
  const free = Promise.withResolvers<void>();
  const builds = new SlowBuilds(free.resolve);
  const [slow, quick] = [buildSend(), buildSend()];
  // The first slow build only starts the measurement.
  assert.equal(
    time(builds, slow, () => compute(60)),
    false,
  );
  const tookLong = time(builds, slow, () => {
    compute(60);
    wait(200);
  });
  const builtAt = performance.now();
  assert.equal(tookLong, true);
  assert.equal(builds.holdsBack(slow), true);
  assert.equal(builds.holdsBack(quick), false);
  await free.promise;
  // Four times as long as the others waited for it, minus timer rounding.
  const waitedMs = performance.now() - builtAt;
  assert.ok(waitedMs >= 4 * 250, `${waitedMs} ms`);
  assert.equal(builds.holdsBack(slow), false);
  for (let count = 0; count < 100; count += 1) time(builds, slow, () => undefined);
  assert.equal(slow.slowness, 0);
});

test('a suspended process does not prolong the pause', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let ends = 0;
  const builds = new SlowBuilds(() => (ends += 1));
  const send = { ...buildSend(), buildsToMeasure: 1 };
  time(builds, send, () => {
    compute(60);
    wait(2_500);
  });
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  // The timer fires early. No other event would continue the send, so the timer has to be set again.
  t.mock.timers.tick(8_001);
  assert.equal(builds.holdsBack(send), true);
  assert.equal(ends, 0);
  now += 8_001;
  t.mock.timers.tick(8_001);
  assert.equal(builds.holdsBack(send), false);
  assert.equal(ends, 1);
});
