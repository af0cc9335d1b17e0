import assert from 'node:assert/strict';
import test from 'node:test';
import { LeasedBatch, type ActiveSend } from './lease.ts';
import { freeSlots, fairShare } from './in-flight-limit.ts';

const noTries = { attempts: 0, interruptions: 0, uncertain: 0 };

/** A leased chunk of 250 recipients of which `marked` may have left. */
function buildBatch(sendId: string, marked: number): LeasedBatch {
  const send = { ref: { organizationId: 'o', sendId } } as ActiveSend;
  const recipients = Array.from({ length: 250 }, (_, index) => ({
    seq: index + 1,
    contact_id: '',
    address: '',
    variables: {},
    is_suppressed: false,
    tries: noTries,
  }));
  const lease = { firstSeq: 1, lastSeq: 250, leaseToken: 1, markedUpTo: marked, leasedAt: '' };
  return new LeasedBatch(send, 1, recipients, lease);
}

test('what is marked ahead or promised takes room, down to none', () => {
  const batches = new Set([buildBatch('a', 20), buildBatch('b', 30)]);
  assert.equal(freeSlots(64, batches, 4), 10);
  assert.equal(freeSlots(64, batches, 40), 0);
});

test('sends share the in-flight limit evenly, and a new one gets what is left of its part', () => {
  const [first, second] = [buildBatch('a', 10), buildBatch('b', 30)];
  const batches = new Set([first, second]);
  assert.equal(fairShare(64, batches, 0, first), 22);
  assert.equal(fairShare(64, batches, 0, second), 2);
  assert.equal(fairShare(66, batches, 0, undefined), 22);
  assert.equal(fairShare(64, new Set([first]), 0, undefined), 32);
});

test('a batch that has more than its part is asked to wait', () => {
  const [first, second] = [buildBatch('a', 50), buildBatch('b', 0)];
  assert.equal(fairShare(64, new Set([first, second]), 0, first), -18);
  assert.equal(fairShare(64, new Set([first, second]), 0, second), 14);
});

test('of one send the oldest chunk marks first, and one that has marked all leaves its part to the others', () => {
  const [oldest, next, other] = [buildBatch('a', 0), buildBatch('a', 0), buildBatch('b', 0)];
  assert.equal(fairShare(64, new Set([oldest, next, other]), 0, next), 0);
  assert.equal(fairShare(64, new Set([oldest, next, other]), 0, oldest), 32);
  const marked = buildBatch('a', 250);
  assert.equal(fairShare(300, new Set([marked, next]), 0, next), 50);
});
