import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import { defaultTimeouts } from '../../email/smtp/smtp-server.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import { maxBreakerMs } from './breaker.ts';
import { LanePressure, laneWaitsMs } from './lane-pace.ts';
import { Lanes } from './open-transports.ts';
import { assertColumn } from '../../testing/assert-column.ts';

const accepted: TransportResult = { outcome: 'accepted', reference: '' };
const deferred: TransportResult = {
  outcome: 'rejected',
  permanent: false,
  code: 450,
  enhanced: '4.2.0',
  text: 'not now',
  stage: 'rcpt',
  class: 'transient',
};
const interrupted: TransportResult = { outcome: 'interrupted', stage: 'rcpt', reason: 'ECONNRESET' };
const throttled = { ...deferred, code: 421, enhanced: '4.7.0' };

const startLanes = () => new Lanes({ capacity: 32, waitsMs: [60_000], onFree: () => undefined });

test('a lane with mostly transient results waits longer each time (R7.8)', () => {
  const pressure = new LanePressure(laneWaitsMs);
  const reject = () => {
    for (let count = 0; count < 99; count += 1) assert.equal(pressure.record(accepted), undefined);
    for (let count = 0; count < 100; count += 1) assert.equal(pressure.record(deferred), undefined);
    return pressure.record(deferred);
  };
  const rejectAgain = () => {
    for (let count = 0; count < 199; count += 1) pressure.record(deferred);
    return pressure.record(deferred);
  };
  const minutes = [reject(), rejectAgain(), rejectAgain(), rejectAgain(), rejectAgain()].map(
    (ms) => ms! / 60_000,
  );
  assert.deepEqual(minutes, [1, 5, 15, 60, 60]);
  // After 20 accepted messages, the back-off starts at one minute again.
  assert.equal(reject(), 60_000);
});

test('a waiting lane has a reason and costs no attempts', () => {
  const lanes = startLanes();
  const google = lanes.get('google');
  for (let count = 0; count < 14; count += 1)
    assert.deepEqual(google.end(throttled, 1), { isRequeued: false });
  const { isRequeued, backOff } = google.end(throttled, 1);
  assert.equal(isRequeued, true);
  assert.match(
    describeSendError(backOff!.reason),
    /^Google takes no more messages for now; the next ones are sent in 1 min/,
  );
  assert.equal(google.canStart, false);
  assert.equal(lanes.get('yahoo').canStart, true);
  // Messages that were in flight at that time do not extend the wait.
  for (let count = 0; count < 30; count += 1)
    assert.deepEqual(google.end(throttled, 1), { isRequeued: true });
  assert.ok(google.waitMs <= 60_000);
  assertColumn(lanes.waiting(), 'lane', ['google']);
});

test('one provider does not stop the lane of small providers', () => {
  const other = startLanes().get('other');
  for (let count = 0; count < 300; count += 1)
    assert.deepEqual(other.end(throttled, 1), { isRequeued: false });
  assert.equal(other.isWaiting, false);
});

test('withdrawn messages do not count for the breaker', () => {
  const lanes = startLanes();
  const lane = lanes.get('other');
  for (let count = 0; count < 50; count += 1)
    assert.deepEqual(lane.end({ outcome: 'withdrawn', reason: '' }, 30_000), { isRequeued: true });
  assert.equal(lanes.isAway, false);
  assert.equal(lane.canStart, true);
});

test('one message of each try counts after lost connections', async () => {
  const freed = Promise.withResolvers<void>();
  const lanes = new Lanes({ capacity: 32, waitsMs: [60_000], onFree: () => freed.resolve() });
  const lane = lanes.get('google');
  for (let count = 0; count < 9; count += 1)
    assert.deepEqual(lane.end(interrupted, 1), { isRequeued: false });
  const opened = lane.end(interrupted, 1);
  assert.equal(opened.isRequeued, true);
  assert.equal(opened.backOff?.isOfLane, true);
  assert.deepEqual(lane.end(interrupted, 1), { isRequeued: true });
  await freed.promise;
  const tried = lane.end(interrupted, 1);
  assert.equal(tried.isRequeued, false);
  assert.equal(tried.backOff?.isOfLane, true);
  assert.deepEqual(lane.end(interrupted, 1), { isRequeued: true });
});

test('a busy mail server stops all lanes', () => {
  const lanes = startLanes();
  const busy: TransportResult = { ...deferred, code: 452, stage: 'mail', isServerBusy: true };
  const google = lanes.get('google');
  const { backOff, ...first } = google.end(busy, 1);
  assert.deepEqual(first, { isRequeued: true, isRefused: true });
  assert.match(
    describeSendError(backOff!.reason),
    /^The mail server takes no messages for now\. .* 452 not now$/,
  );
  assert.equal(backOff!.isOfLane, false);
  assert.equal(lanes.get('yahoo').canStart, false);
  assert.deepEqual(google.end(busy, 1), { isRequeued: true });
  assert.deepEqual(google.end(busy, 1, 3), { isRequeued: true });
  assert.deepEqual(google.end(busy, 1, 4), { isRequeued: false });
});

test('the next message leaves 15 s after an outage', () => {
  // One connection attempt without a response, and the maximum pause of the circuit breaker.
  assert.ok(defaultTimeouts.connect + maxBreakerMs <= 15_000);
});
