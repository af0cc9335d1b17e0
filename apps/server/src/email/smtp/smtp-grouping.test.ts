import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import {
  type RelayAct,
  type RelayScript,
  type ScriptedRelay,
  startScriptedRelay,
} from '../../testing/scripted-relay.ts';
import { createSettlingPool } from '../../testing/settling-pool.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import type { SmtpPoolOptions } from './smtp-pool.ts';

const mailTo = (envelopeTo: string) => ({
  envelopeFrom: 'b.1@bounce.example',
  envelopeTo,
  message: Buffer.from(`Subject: x\r\n\r\nTo ${envelopeTo}\r\n`),
  isStrict: true as const,
});
const textTo = (name: string) => `Subject: x\r\n\r\nTo ${name}@x.example\r\n`;

function poolOptions(port: number, options: Partial<SmtpPoolOptions> = {}): SmtpPoolOptions {
  // Long enough for a busy machine, so that the next message still waits for its turn.
  const timeouts = { follower: 60_000, ...options.timeouts };
  return { url: `smtp://127.0.0.1:${port}`, connections: 1, backOffMs: 5, ...options, timeouts };
}

function startPool(t: TestContext, port: number, options: Partial<SmtpPoolOptions> = {}) {
  const pool = createSettlingPool(poolOptions(port, options));
  t.after(() => pool.close());
  return {
    ...pool,
    /** Sends all at once. @returns short results, such as `accepted`, `rejected 550 rcpt`, `interrupted data` */
    sendAll: (...names: string[]) =>
      Promise.all(
        names.map(async (name) => {
          const result = await pool.send(mailTo(`${name}@x.example`));
          const code = result.outcome === 'rejected' ? ` ${result.code}` : '';
          return `${result.outcome}${code}${'stage' in result ? ` ${result.stage}` : ''}`;
        }),
      ),
  };
}

/** Replies with `act` to the recipient `name`, and with `usual` to others. */
const only =
  (name: string, act: RelayAct, usual = '250 ok\r\n') =>
  (recipient: string): RelayAct =>
    recipient.startsWith(`${name}@`) ? act : usual;

/** Replies with `act` the second time. */
function second(act: RelayAct): () => RelayAct {
  let count = 0;
  return () => (++count === 2 ? act : '250 ok\r\n');
}

/** Counts the writes of the client's sockets to the kernel. */
function watchWrites(t: TestContext, port: number): () => number {
  let count = 0;
  const prototype = Socket.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const method of ['_write', '_writev']) {
    const original = prototype[method]!;
    t.mock.method(prototype, method, function (this: Socket, ...args: unknown[]) {
      if (this.remotePort === port) count += 1;
      return original.apply(this, args);
    });
  }
  return () => count;
}

const hasSeen = ({ seen }: ScriptedRelay, start: string) => seen.some((line) => line.startsWith(start));

const close = { close: true } as const;
const hang = { hang: true } as const;

test('a text end and the next envelope share one write (R6.4)', async (t) => {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const dot = async () => {
    await isOpen;
    return '250 taken\r\n';
  };
  const relay = await startScriptedRelay(t, { dot });
  const countWrites = watchWrites(t, relay.port);
  const pool = startPool(t, relay.port);
  const names = Array.from({ length: 20 }, (_, index) => `u${index}`);
  const sends = pool.sendAll(...names);
  await waitUntil('the next one is announced', () => hasSeen(relay, 'RCPT TO:<u1@x.example>'));
  // The first text has no reply yet.
  assert.equal(relay.messages.length, 1);
  open();
  assert.deepEqual(new Set(await sends), new Set(['accepted']));
  assert.deepEqual(relay.messages, names.map(textTo));
  // EHLO, the first envelope, 20 texts.
  assert.equal(countWrites(), 22);
});

test('a resent message shares no write with another text (R6.4)', async (t) => {
  const relay = await startScriptedRelay(t, {});
  const countWrites = watchWrites(t, relay.port);
  const { send } = startPool(t, relay.port);
  const results = await Promise.all([
    send(mailTo('a@x.example')),
    send({ ...mailTo('b@x.example'), leavesAlone: true }),
    send(mailTo('c@x.example')),
  ]);
  assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['accepted']));
  // In order, although "c" could have followed "a".
  assert.deepEqual(relay.messages, ['a', 'b', 'c'].map(textTo));
  // EHLO; envelope and text of "a", envelope of "b", its text with the envelope of "c", the text of "c".
  assert.equal(countWrites(), 6);
});

test('a failed message does not affect its neighbors (R6.4)', async (t) => {
  const noRecipient = { data: only('b', '554 no valid recipients\r\n', '354 go\r\n') };
  const cases: [string, RelayScript, string, number][] = [
    ['late rejection of the text', { dot: only('b', '552 5.2.2 full\r\n') }, 'rejected 552 message', 1],
    ['4xx to the text', { dot: only('b', '451 later\r\n') }, 'rejected 451 message', 1],
    ['rejected sender, open DATA', { mail: second('550 no\r\n') }, 'rejected 550 mail', 2],
    ['421 at MAIL, once', { mail: second('421 busy\r\n') }, 'accepted', 2],
    ['close at MAIL, once', { mail: second(close) }, 'accepted', 2],
    ['rejected recipient', { rcpt: only('b', '550 no\r\n'), ...noRecipient }, 'rejected 550 rcpt', 1],
    ['rejected recipient, open DATA', { rcpt: only('b', '550 no\r\n') }, 'rejected 550 rcpt', 1],
    ['421 at RCPT', { rcpt: only('b', '421 busy\r\n') }, 'rejected 421 rcpt', 3],
    ['421 to the text', { dot: only('b', '421 busy\r\n') }, 'rejected 421 message', 2],
    ['close at RCPT', { rcpt: only('b', close) }, 'interrupted rcpt', 3],
    ['close after the text', { dot: only('b', close) }, 'uncertain', 2],
    ['silence after the text', { dot: only('b', hang) }, 'uncertain', 2],
    ['nonsense after the text', { dot: only('b', '354 go\r\n') }, 'uncertain', 2],
    ['nonsense at RCPT', { rcpt: only('b', '354 go\r\n') }, 'interrupted rcpt', 3],
    ['garbage after the text', { dot: only('b', 'what?\r\n') }, 'uncertain', 2],
    ['450 at DATA', { data: only('b', '450 no\r\n', '354 go\r\n') }, 'rejected 450 data', 1],
    ['421 at DATA', { data: only('b', '421 no\r\n', '354 go\r\n') }, 'rejected 421 data', 3],
    ['close at DATA', { data: only('b', close, '354 go\r\n') }, 'interrupted data', 3],
    [
      'reply before its text',
      { data: only('b', '354 go\r\n250 taken\r\n', '354 go\r\n') },
      'interrupted data',
      3,
    ],
  ];
  await Promise.all(
    cases.map(async ([what, script, expected, connections]) => {
      const relay = await startScriptedRelay(t, script);
      const timeouts = what === 'silence after the text' ? { endOfData: 2_000 } : {};
      const pool = startPool(t, relay.port, { timeouts });
      const results = await pool.sendAll('a', 'b', 'c', 'd');
      assert.deepEqual(results, ['accepted', expected, 'accepted', 'accepted'], what);
      assert.equal(relay.connections, connections, what);
      const arrived = relay.messages.filter((text) => text !== '' && !text.includes('b@'));
      assert.deepEqual(arrived, ['a', 'c', 'd'].map(textTo), what);
      const isTextDue = /message|uncertain|accepted/.test(expected);
      assert.equal(relay.messages.includes(textTo('b')), isTextDue, what);
    }),
  );
});

test('an envelope after a lost text uses a new connection', async (t) => {
  for (const dot of [close, '421 4.3.2 closing\r\n', '250 taken\r\nwhat?\r\n', { reset: true } as const]) {
    const relay = await startScriptedRelay(t, { dot }, {});
    const pool = startPool(t, relay.port);
    const [first, ...others] = await pool.sendAll('a', 'b', 'c');
    const expected =
      typeof dot !== 'string' ? 'uncertain' : dot.startsWith('250') ? 'accepted' : 'rejected 421 message';
    assert.equal(first, expected);
    assert.deepEqual(others, ['accepted', 'accepted']);
    assert.deepEqual([relay.messages.length, relay.connections], [3, 2]);
  }
});

test('a 503 reply after rejected text causes a resend', async (t) => {
  for (const atData of ['503 5.5.1 no\r\n', '354 go\r\n']) {
    let mails = 0;
    const mail = () => (++mails === 2 ? '503 5.5.1 nested\r\n' : '250 ok\r\n');
    const data = () => (mails === 2 ? atData : '354 go\r\n');
    const relay = await startScriptedRelay(t, { mail, data, dot: only('a', '554 5.6.0 no\r\n') }, {});
    assert.deepEqual(await startPool(t, relay.port).sendAll('a', 'b'), ['rejected 554 message', 'accepted']);
    assert.equal(relay.connections, 2);
    // No empty text is sent for the recipient of that message.
    assert.deepEqual(relay.messages, ['a', 'b'].map(textTo));
  }
});

test('an unanswered text does not delay other messages', async (t) => {
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const dot = async (recipient: string) => {
    if (recipient.startsWith('slow')) await isAnswered;
    return '250 taken\r\n';
  };
  const relay = await startScriptedRelay(t, { dot });
  const timeouts = { follower: 20 };
  const pool = startPool(t, relay.port, { connections: 2, timeouts });
  assert.deepEqual(await pool.sendAll('w'), ['accepted']);
  const slow = pool.sendAll('slow');
  const others = ['a', 'b', 'c', 'd'];
  assert.deepEqual(
    await pool.sendAll(...others),
    others.map(() => 'accepted'),
  );
  answer();
  assert.deepEqual(await slow, ['accepted']);
  // Each text arrived once.
  assert.deepEqual(relay.messages.toSorted(), ['w', 'slow', ...others].map(textTo).toSorted());
});

test('a server that ignores pipelining receives messages singly', async (t) => {
  const relay = await startScriptedRelay(t, { isForgetful: true });
  const pool = startPool(t, relay.port, { timeouts: { command: 1_000 } });
  const names = ['a', 'b', 'c', 'd', 'e'];
  assert.deepEqual(
    await pool.sendAll(...names),
    names.map(() => 'accepted'),
  );
  assert.deepEqual([relay.messages, relay.connections], [names.map(textTo), 2]);
});

test('grouped messages count towards the connection limit (R6.3)', async (t) => {
  const relay = await startScriptedRelay(t, {});
  const pool = startPool(t, relay.port, { messagesPerConnection: 2 });
  assert.deepEqual(new Set(await pool.sendAll('a', 'b', 'c', 'd', 'e')), new Set(['accepted']));
  assert.equal(relay.connections, 3);
});

test('a grouped message above SIZE is rejected locally', async (t) => {
  const relay = await startScriptedRelay(t, { ehlo: '250-test\r\n250-PIPELINING\r\n250 SIZE 40\r\n' });
  const pool = startPool(t, relay.port);
  const long = 'a-name-that-is-long';
  assert.deepEqual(await pool.sendAll('a', long, 'c'), ['accepted', 'rejected 552 mail', 'accepted']);
  assert.deepEqual(relay.messages, ['a', 'c'].map(textTo));
  assert.ok(hasSeen(relay, `MAIL FROM:<b.1@bounce.example> SIZE=${textTo('a').length}`));
});
