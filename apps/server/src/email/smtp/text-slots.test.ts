import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type RelayScript, startScriptedRelay } from '../../testing/scripted-relay.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createSmtpPool, type SmtpPoolOptions } from './smtp-pool.ts';
import { TextSlots, type ReleaseSlot } from '../transports/text-slots.ts';

const mail = {
  envelopeFrom: 'b.1@bounce.example',
  envelopeTo: 'a@x.example',
  message: Buffer.from('Subject: x\r\n\r\nHello\r\n'),
};

async function start(t: TestContext, script: RelayScript, options: Partial<SmtpPoolOptions> = {}) {
  const relay = await startScriptedRelay(t, script);
  const url = `smtp://127.0.0.1:${relay.port}`;
  const pool = createSmtpPool({ url, connections: 2, backOffMs: 5, ...options });
  t.after(() => pool.close());
  return { relay, pool, send: () => pool.send(mail) };
}

test('pending texts never exceed the connections (R7.4)', async (t) => {
  const { relay, pool, send } = await start(t, {}, { timeouts: { slot: 30 } });
  assert.equal(pool.capacity, 4);
  const handovers = await Promise.all(Array.from({ length: 4 }, send));
  const outcomes = handovers.map(({ result }) => result.outcome);
  // Messages without a slot in time were not sent.
  assert.deepEqual(outcomes.toSorted(), ['accepted', 'accepted', 'withdrawn', 'withdrawn']);
  assert.equal(relay.messages.length, 2);
  for (const { settle } of handovers) settle();
  const [next] = await Promise.all([send(), send()]);
  assert.equal(relay.messages.length, 4);
  assert.equal(next.result.outcome, 'accepted');
});

test('a cancelled message is not sent', async (t) => {
  const { relay, pool, send } = await start(t, {}, { connections: 1 });
  const first = await send();
  let isWanted = true;
  const takenBack = pool.send({ ...mail, envelopeTo: 'b@x.example', mayLeave: () => isWanted });
  const next = send();
  // The server waits for its text, which waits for a slot.
  await waitUntil('the server waits for its text', () =>
    relay.seen.some((line) => line.startsWith('RCPT TO:<b@x.example>')),
  );
  isWanted = false;
  first.settle();
  assert.equal((await takenBack).result.outcome, 'withdrawn');
  assert.equal((await next).result.outcome, 'accepted');
  assert.equal(relay.messages.length, 2);
  (await next).settle();
});

test('each settled result allows one more text (R7.4)', async (t) => {
  const { relay, send } = await start(t, {}, { connections: 1 });
  const first = await send();
  const second = send();
  const third = send();
  first.settle();
  // A second `settle` has no effect.
  first.settle();
  const { result, settle } = await second;
  assert.equal(result.outcome, 'accepted');
  await waitUntil(
    'the third is announced',
    () => relay.seen.filter((line) => line.startsWith('RCPT')).length === 3,
  );
  assert.equal(relay.messages.length, 2);
  settle();
  const last = await third;
  assert.equal(last.result.outcome, 'accepted');
  assert.equal(relay.messages.length, 3);
  last.settle();
});

test('only texts that may have arrived hold a slot', async (t) => {
  const held: RelayScript[] = [
    { dot: { close: true } },
    { dot: '451 4.3.0 later\r\n' },
    { dot: '250 taken\r\n' },
  ];
  const free: RelayScript[] = [
    { rcpt: '550 5.1.1 no\r\n' },
    { rcpt: '550 5.1.1 no\r\n', data: '554 no\r\n' },
    { rcpt: { close: true } },
    { data: '450 later\r\n' },
  ];
  for (const [scripts, expected] of [
    [held, 'withdrawn'],
    [free, undefined],
  ] as const) {
    for (const script of scripts) {
      const { send } = await start(t, script, { connections: 1, timeouts: { slot: 20 } });
      const first = await send();
      const second = await send();
      assert.equal(second.result.outcome, expected ?? first.result.outcome, JSON.stringify(script));
      first.settle();
      second.settle();
    }
  }
});

test('slots with late replies are reported', async () => {
  const slots = new TextSlots(3);
  let releaseFirst: ReleaseSlot = () => undefined;
  slots.request((release) => (releaseFirst = release));
  slots.request(() => undefined);
  await waitUntil('both are late', () => slots.heldLong === 2);
  slots.request(() => undefined);
  assert.equal(slots.heldLong, 2);
  releaseFirst();
  assert.equal(slots.heldLong, 1);
});

test('slots are assigned in order and requests can be cancelled', () => {
  const slots = new TextSlots(1);
  const served: string[] = [];
  const releases: ReleaseSlot[] = [];
  const request = (name: string) => {
    const onFree = (release: ReleaseSlot) => {
      served.push(name);
      releases.push(release);
    };
    slots.request(onFree);
    return onFree;
  };
  request('a');
  const b = request('b');
  request('c');
  slots.cancel(b);
  releases[0]!();
  releases[0]!();
  assert.deepEqual(served, ['a', 'c']);
  releases[1]!();
  request('d');
  assert.deepEqual(served, ['a', 'c', 'd']);
});
