import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActiveSend } from './active-send.ts';
import { Batch } from './batch.ts';
import { Batches } from './batches.ts';
import { withoutAttempt } from './finished-message.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './open-transports.ts';

const lanes = new Lanes({ capacity: 32, waitsMs: [60_000], onFree: () => undefined });
const google = lanes.get('google');
const other = lanes.get('other');
// Both lanes have received replies.
for (const lane of [google, other])
  for (let answers = 0; answers < 8; answers += 1) {
    lane.start();
    lane.end({ outcome: 'accepted', reference: '' }, 2_000);
  }

const transport = { isOwn: false } as ActiveSend['transport'];
const noRates = { markLimit: () => Infinity };
const noTries = { attempts: 0, interruptions: 0, uncertain: 0 };

const recipientOf = (seq: number) => ({
  seq,
  contact_id: '',
  address: '',
  variables: {},
  is_suppressed: false,
  tracked: true,
  tries: noTries,
});

/** A leased chunk of 250 recipients, of which `marked` may have been sent. */
function buildBatch(
  sendId: string,
  marked: number,
  { lane = other, isSingle = false, organizationId = 'o', slowness = 0 } = {},
): Batch {
  const send = { ref: { organizationId, sendId }, isSingle, slowness, transport } as ActiveSend;
  const recipients = Array.from({ length: 250 }, (_, index) => recipientOf(index + 1));
  const lease = { firstSeq: 1, lastSeq: 250, leaseToken: 1, markedUpTo: marked, leasedAt: '' };
  return new Batch(send, lane, 1, recipients, lease);
}

function update(of: Lanes, batches: Iterable<Batch>): void {
  of.reset();
  for (const { lane, isOpen } of batches) if (isOpen) of.activate(lane);
  of.share();
}

/** @param bulkLimit  the in-flight limit without the share of single messages */
function hold(bulkLimit: number, ...held: Batch[]): Batches {
  const batches = new Batches(bulkLimit + Math.floor(bulkLimit / 7), noRates);
  for (const batch of held) batches.add(batch);
  return batches;
}

test('storing chunk results does not renew queued leases (JOB-2)', (t) => {
  const chunk = buildBatch('a', 20);
  const queued = new Batch(chunk.send, other, 1, [recipientOf(1), recipientOf(2)], undefined);
  const [chunkAt, queuedAt] = [chunk.renewedAt, queued.renewedAt];
  const later = performance.now() + 10_000;
  t.mock.method(performance, 'now', () => later);
  for (const batch of [chunk, queued]) {
    batch.finish(withoutAttempt(batch.start()!, 'suppressed'));
    batch.confirmStored(batch.takeUnstored(0));
  }
  assert.ok(chunk.renewedAt >= chunkAt + 10_000);
  assert.equal(queued.renewedAt, queuedAt);
});

test('marked and reserved messages use in-flight slots', () => {
  const batches = hold(64, buildBatch('a', 20), buildBatch('b', 30));
  batches.inFlight.reserved = 4;
  assert.equal(batches.inFlight.freeSlots, 10);
  batches.inFlight.reserved = 40;
  assert.equal(batches.inFlight.freeSlots, 0);
});

test('single messages have slots that bulk sends cannot use', () => {
  const single = () => buildBatch('single', 7, { isSingle: true });
  assert.equal(new Batches(64, noRates).inFlight.freeSingleSlots, 56);
  const busy = hold(56, buildBatch('a', 56));
  assert.equal(busy.inFlight.freeSlots, 0);
  assert.equal(busy.inFlight.freeSingleSlots, 8);
  busy.add(single());
  assert.equal(busy.inFlight.freeSingleSlots, 1);
  // A new bulk send has free slots, although single messages use all of their share.
  const full = hold(56, ...Array.from({ length: 8 }, single));
  assert.equal(full.inFlight.freeSingleSlots, 0);
  assert.equal(full.inFlight.fairShare(), 8);
  assert.deepEqual([...full.singlesFirst()].length, 8);
});

test('queued messages have slots that chunks cannot use', () => {
  const queued = () => {
    const batch = buildBatch('deferred', 0);
    return new Batch(batch.send, other, 1, [recipientOf(1)], undefined);
  };
  assert.equal(new Batches(64, noRates).inFlight.freeQueuedSlots, 56);
  const busy = hold(56, buildBatch('a', 56));
  assert.deepEqual([busy.inFlight.freeQueuedSlots, busy.inFlight.freeSlots], [0, 0]);
  assert.equal(busy.inFlight.fairShare(), 0);
  const half = hold(56, buildBatch('a', 30));
  assert.deepEqual([half.inFlight.freeQueuedSlots, half.inFlight.freeSlots], [16, 26]);
  half.inFlight.hasQueuedWaiting = true;
  assert.equal(half.inFlight.freeSlots, 10);
  for (let count = 0; count < 16; count += 1) half.add(queued());
  assert.deepEqual([half.inFlight.freeQueuedSlots, half.inFlight.freeSlots], [0, 10]);
});

test('some places are kept for new sends', () => {
  const open = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      buildBatch(`send ${index}`, 1, { organizationId: `organization ${index}` }),
    );
  const { ref, slowness } = buildBatch('late', 0, { organizationId: 'late' }).send;
  const hasPlace = (count: number, isNew: boolean) =>
    hold(56, ...open(count)).places.hasOneFor({ ref, slowness }, isNew);
  assert.deepEqual([hasPlace(6, false), hasPlace(6, true), hasPlace(8, true)], [false, true, false]);
});

test('single messages start before bulk messages', () => {
  const [bulk, single] = [buildBatch('a', 1), buildBatch('b', 1, { isSingle: true })];
  assert.deepEqual([...hold(56, bulk, single).singlesFirst()], [single, bulk]);
});

test('a limit of one serves both kinds in turn', () => {
  const one = new Batches(1, noRates);
  assert.deepEqual([one.inFlight.freeSlots, one.inFlight.freeSingleSlots], [1, 1]);
  one.add(buildBatch('a', 1));
  assert.equal(one.inFlight.freeSingleSlots, 0);
});

test('sends share the in-flight limit evenly', () => {
  const [first, second] = [buildBatch('a', 10), buildBatch('b', 30)];
  assert.equal(hold(64, first, second).inFlight.fairShare(first), 22);
  assert.equal(hold(64, first, second).inFlight.fairShare(second), 2);
  assert.equal(hold(66, first, second).inFlight.fairShare(), 22);
  assert.equal(hold(64, first).inFlight.fairShare(), 32);
});

test('a batch beyond its share gets no slots', () => {
  const [first, second] = [buildBatch('a', 50), buildBatch('b', 0)];
  assert.equal(hold(64, first, second).inFlight.fairShare(first), -18);
  assert.equal(hold(64, first, second).inFlight.fairShare(second), 14);
});

test('the oldest chunk of a send marks first', () => {
  const [oldest, next, another] = [buildBatch('a', 0), buildBatch('a', 0), buildBatch('b', 0)];
  assert.equal(hold(64, oldest, next, another).inFlight.fairShare(next), 0);
  assert.equal(hold(64, oldest, next, another).inFlight.fairShare(oldest), 32);
  const marked = buildBatch('a', 250);
  assert.equal(hold(300, marked, next).inFlight.fairShare(next), 50);
});

test('a send leases its next chunk while others wait', () => {
  const slow = Array.from({ length: 10 }, () => buildBatch('a', 250));
  for (const batch of slow) while (batch.start() !== undefined);
  const batches = hold(64, ...slow);
  const { send } = slow[0]!;
  assert.equal(batches.places.needsNextChunk(send, other), true);
  batches.add(buildBatch('a', 0));
  assert.equal(batches.places.needsNextChunk(send, other), false);
});

test('a send leases chunks of several lanes', () => {
  const batches = hold(64, buildBatch('a', 0));
  const [{ send }] = [...batches] as [Batch];
  assert.equal(batches.places.needsNextChunk(send, other), false);
  assert.equal(batches.places.needsNextChunk(send, google), true);
});

test('a lane beside others marks only what it can start', () => {
  const [first, second] = [buildBatch('a', 3, { lane: google }), buildBatch('b', 0)];
  const batches = hold(64, first, second);
  update(lanes, batches);
  assert.equal(google.slots, 2);
  assert.equal(batches.inFlight.fairShare(first), 1);
  batches.delete(second);
  update(lanes, batches);
  assert.equal(batches.inFlight.fairShare(first), 61);
});

test('slow lanes limit the chunks of an organization', () => {
  const slowLanes = new Lanes({ capacity: 32, waitsMs: [60_000], onFree: () => undefined });
  const [gmx, others] = [slowLanes.get('gmx'), slowLanes.get('other')];
  for (const lane of [gmx, others])
    for (let replies = 0; replies < 16; replies += 1) {
      lane.start();
      lane.end({ outcome: 'accepted', reference: '' }, 2_000);
    }
  const quick = slowLanes.get('google');
  quick.start();
  quick.end({ outcome: 'accepted', reference: '' }, 10);
  const open = (lane: Lane, count: number) =>
    Array.from({ length: count }, (_, index) => buildBatch('a', 1, { lane, organizationId: `${index}` }));
  const hasRoom = (lane: Lane, count: number) => {
    const batches = hold(64, ...open(lane, count), buildBatch('b', 1, { lane: quick }));
    update(slowLanes, batches);
    return batches.places.needsNextChunk(buildBatch('c', 0).send, lane);
  };
  assert.deepEqual([hasRoom(gmx, 1), hasRoom(gmx, 2)], [true, false]);
  assert.deepEqual([hasRoom(others, 3), hasRoom(others, 4)], [true, false]);
});

test('organizations and slow sends have limited places', () => {
  const of = (organizationId: string, slowness = 0) => ({ ref: { organizationId, sendId: 'new' }, slowness });
  const build = (organizationId: string, sendId: string, slowness = 0) =>
    buildBatch(sendId, 0, { organizationId, slowness });
  const batches = hold(64, ...['a', 'b', 'c', 'd'].map((sendId) => build('large', sendId)));
  assert.equal(batches.places.hasOneFor(of('large'), true), false);
  assert.equal(batches.places.hasOneFor(of('small'), true), true);
  for (const sendId of ['e', 'f', 'g']) batches.add(build(sendId, sendId, 100));
  assert.equal(batches.places.hasOneFor(of('small'), true), true);
  assert.equal(batches.places.hasOneFor(of('small', 100), true), false);
  assert.deepEqual(
    batches.places.beyondSlowBuilds().map(({ send }) => send.ref.sendId),
    ['g'],
  );
  batches.add(build('h', 'h'));
  assert.equal(batches.places.hasOneFor(of('small'), true), false);
});

test('transports of organizations leave slots and places to others', () => {
  const batches = hold(64);
  const free = batches.inFlight.freeSlots;
  const options = { capacity: 20, waitsMs: [60_000], onFree: () => undefined, isOwn: true };
  for (let count = 0; count < 8; count += 1) {
    const lane = new Lanes(options).get('other');
    const batch = buildBatch(`own ${count}`, 8, { lane, organizationId: `${count}` });
    Object.assign(batch.send, { transport: { isOwn: true } });
    batches.add(batch);
  }
  assert.equal(batches.inFlight.freeSlots, free);
  assert.equal(batches.inFlightOfOwn.freeSlots, 0);
  assert.ok(batches.places.hasOneFor(buildBatch('a', 0).send, false));
});
