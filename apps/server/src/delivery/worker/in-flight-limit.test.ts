import assert from 'node:assert/strict';
import test from 'node:test';
import { DeliveryRun, type ActiveSend } from './lease.ts';
import { roomIn, shareOf } from './in-flight-limit.ts';

/** A leased chunk of 250 recipients of which `marked` may have left. */
function buildRun(sendId: string, marked: number): DeliveryRun {
  const send = { ref: { organizationId: 'o', sendId } } as ActiveSend;
  const recipients = Array.from({ length: 250 }, (_, index) => ({
    seq: index + 1,
    contact_id: '',
    address: '',
    variables: {},
    attempts: 0,
    is_suppressed: false,
  }));
  const lease = { lo: 1, hi: 250, leaseToken: 1, startedUpto: marked, leasedAt: '' };
  return new DeliveryRun(send, 1, recipients, lease);
}

test('what is marked ahead or promised takes room, down to none', () => {
  const runs = new Set([buildRun('a', 20), buildRun('b', 30)]);
  assert.equal(roomIn(64, runs, 4), 10);
  assert.equal(roomIn(64, runs, 40), 0);
});

test('sends share the window evenly, and a new one gets what is left of its part', () => {
  const [first, second] = [buildRun('a', 10), buildRun('b', 30)];
  const runs = new Set([first, second]);
  assert.equal(shareOf(64, runs, 0, first), 22);
  assert.equal(shareOf(64, runs, 0, second), 2);
  assert.equal(shareOf(66, runs, 0, undefined), 22);
  assert.equal(shareOf(64, new Set([first]), 0, undefined), 32);
});

test('a run that has more than its part is asked to wait', () => {
  const [first, second] = [buildRun('a', 50), buildRun('b', 0)];
  assert.equal(shareOf(64, new Set([first, second]), 0, first), -18);
  assert.equal(shareOf(64, new Set([first, second]), 0, second), 14);
});

test('of one send the oldest chunk marks first, and one that has marked all leaves its part to the others', () => {
  const [oldest, next, other] = [buildRun('a', 0), buildRun('a', 0), buildRun('b', 0)];
  assert.equal(shareOf(64, new Set([oldest, next, other]), 0, next), 0);
  assert.equal(shareOf(64, new Set([oldest, next, other]), 0, oldest), 32);
  const marked = buildRun('a', 250);
  assert.equal(shareOf(300, new Set([marked, next]), 0, next), 50);
});
