import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import test, { type TestContext } from 'node:test';
import type { TransportResult } from '../transports/transport.ts';
import { hello, type RelayScript, startScriptedRelay } from '../../testing/scripted-relay.ts';
import { createSettlingPool } from '../../testing/settling-pool.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { listen } from '../../testing/listen.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import type { SmtpPoolOptions } from './smtp-pool.ts';

const mail = {
  envelopeFrom: 'b.1@bounce.example',
  envelopeTo: 'a@x.example',
  message: Buffer.from('Subject: x\r\n\r\nHello\r\n'),
};

function startPool(t: TestContext, port: number, options: Partial<SmtpPoolOptions> = {}) {
  const pool = createSettlingPool({
    url: `smtp://127.0.0.1:${port}`,
    connections: 1,
    backOffMs: 5,
    ...options,
  });
  t.after(() => pool.close());
  return pool;
}

/** Short timeouts only for faults in which the server is silent: on a busy machine, other replies may be slow. */
function timeoutsFor(fault: string): NonNullable<SmtpPoolOptions['timeouts']> {
  if (!/^(?:hang|half)/.test(fault)) return {};
  return fault.endsWith('after dot') ? { endOfData: 1_000 } : { command: 3_000 };
}

const close = { close: true } as const;
const reset = { reset: true } as const;
const hang = { hang: true } as const;

test('the result reports whether a message may have arrived (R6.2)', async (t) => {
  const cases: [string, RelayScript, Partial<TransportResult>][] = [
    ['close at greeting', { greeting: close }, { outcome: 'not_sent' }],
    ['hang at greeting', { greeting: hang }, { outcome: 'not_sent' }],
    ['554 at greeting', { greeting: '554 no\r\n' }, { outcome: 'not_sent' }],
    ['no SMTP at all', { greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n' }, { outcome: 'not_sent' }],
    ['close at EHLO', { ehlo: close }, { outcome: 'not_sent' }],
    ['close at MAIL', { mail: close }, { outcome: 'interrupted' }],
    ['close at RCPT', { rcpt: close }, { outcome: 'interrupted' }],
    ['close at DATA', { data: close }, { outcome: 'interrupted' }],
    ['reset at DATA', { data: reset }, { outcome: 'interrupted' }],
    ['hang at MAIL', { mail: hang, rcpt: hang, data: hang }, { outcome: 'interrupted' }],
    ['hang at DATA', { data: hang }, { outcome: 'interrupted' }],
    ['half a reply at DATA', { data: '35' }, { outcome: 'interrupted' }],
    ['close after dot', { dot: close }, { outcome: 'uncertain' }],
    ['reset after dot', { dot: reset }, { outcome: 'uncertain' }],
    ['hang after dot', { dot: hang }, { outcome: 'uncertain' }],
    ['half a reply after dot', { dot: '250 2.0.0 tak' }, { outcome: 'uncertain' }],
    ['half a multi-line reply after dot', { dot: '250-2.0.0 taken\r\n' }, { outcome: 'uncertain' }],
    ['nonsense after dot', { dot: 'what?\r\n' }, { outcome: 'uncertain' }],
    ['an answer before the text', { data: '354 go\r\n250 taken\r\n' }, { outcome: 'interrupted' }],
    [
      '421 after dot',
      { dot: '421 4.3.2 closing\r\n' },
      { outcome: 'rejected', permanent: false, code: 421, stage: 'message' },
    ],
    [
      '451 after dot',
      { dot: '451 4.3.0 later\r\n' },
      { outcome: 'rejected', permanent: false, code: 451, stage: 'message' },
    ],
    [
      '554 after dot',
      { dot: '554 5.6.0 no\r\n' },
      { outcome: 'rejected', permanent: true, class: 'content' },
    ],
    [
      '421 at MAIL',
      { mail: '421 busy\r\n' },
      { outcome: 'rejected', permanent: false, stage: 'mail', class: 'transient' },
    ],
    ['450 at DATA', { data: '450 later\r\n' }, { outcome: 'rejected', permanent: false, stage: 'data' }],
    ['250 instead of 354', { data: '250 what\r\n' }, { outcome: 'interrupted', stage: 'data' }],
    [
      'multi-line refusal',
      { rcpt: '550-5.1.1 no\r\n550 5.1.1 such user\r\n', data: '503 no\r\n' },
      { outcome: 'rejected', enhanced: '5.1.1', stage: 'rcpt' },
    ],
  ];
  const tries = cases.flatMap(([name, script, expected]) =>
    [hello, '250 test\r\n'].map(async (ehlo) => {
      const server = await startScriptedRelay(t, { ehlo, ...script });
      const result = await startPool(t, server.port, { timeouts: timeoutsFor(name) }).send(mail);
      assert.partialDeepStrictEqual(result, expected, `${name}: ${JSON.stringify(result)}`);
    }),
  );
  await Promise.all(tries);
});

test('a text that is cut off sends no final dot (R6.2)', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (text.startsWith('EHLO')) socket.write(hello);
      else if (text.startsWith('MAIL')) {
        socket.write('250 ok\r\n250 ok\r\n354 go\r\n');
      } else {
        socket.resetAndDestroy();
      }
    });
  });
  const port = await listen(server);
  t.after(() => server.close());
  const pool = startPool(t, port);
  // Far larger than the socket buffers, so the kernel cannot have accepted the end of it.
  const message = Buffer.from(`Subject: x\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(500_000)}`);
  // Another waiting message does not make the result uncertain.
  const [result] = await Promise.all([pool.send({ ...mail, message, isStrict: true }), pool.send(mail)]);
  assert.equal(result.outcome, 'interrupted', JSON.stringify(result));
});

test('an accepted DATA after refused recipients gets empty text', async (t) => {
  for (const dot of ['250 ok\r\n', '554 no recipients\r\n']) {
    const server = await startScriptedRelay(t, { rcpt: '550 5.1.1 no\r\n', dot });
    const pool = startPool(t, server.port);
    for (let count = 0; count < 2; count++) {
      assert.partialDeepStrictEqual(await pool.send(mail), { outcome: 'rejected', stage: 'rcpt', code: 550 });
    }
    assert.deepEqual(server.messages, ['', '']);
    assert.equal(server.connections, 1);
  }
});

test('a rejected sender with accepted recipient delivers no text', async (t) => {
  for (const ehlo of [hello, '250 test\r\n']) {
    const relay = await startScriptedRelay(t, { ehlo, mail: '550 5.7.1 no\r\n' });
    const pool = startPool(t, relay.port);
    for (const connections of [1, 2]) {
      assert.partialDeepStrictEqual(await pool.send(mail), { outcome: 'rejected', stage: 'mail', code: 550 });
      assert.deepEqual([relay.messages, relay.connections], [[], connections]);
    }
  }
});

test('a message replaces a closed idle connection', async (t) => {
  for (const second of [close, '421 4.4.2 idle too long\r\n']) {
    let mails = 0;
    const script: RelayScript = {
      get mail() {
        return mails++ === 0 ? '250 ok\r\n' : second;
      },
    };
    const server = await startScriptedRelay(t, script, {});
    const pool = startPool(t, server.port);
    assert.equal((await pool.send(mail)).outcome, 'accepted');
    assert.equal((await pool.send(mail)).outcome, 'accepted');
    assert.deepEqual([server.messages.length, server.connections], [2, 2]);
  }
});

test('failure notifications with headers only are requested (RFC 3461)', async (t) => {
  const server = await startScriptedRelay(t, {});
  await startPool(t, server.port).send(mail);
  assert.deepEqual(server.seen.slice(1, 3), [
    'MAIL FROM:<b.1@bounce.example> RET=HDRS',
    'RCPT TO:<a@x.example> NOTIFY=FAILURE',
  ]);
});

test('replies sent before encryption are ignored (CVE-2011-0411)', async (t) => {
  for (const injected of ['250-test\r\n250 AUTH PLAIN\r\n', '250-test\r\n', '25']) {
    const server = await startScriptedRelay(t, {
      ehlo: '250-test\r\n250 STARTTLS\r\n',
      rset: `220 go\r\n${injected}`,
    });
    const url = `smtp://me:secret@127.0.0.1:${server.port}`;
    const result = await startPool(t, server.port, { url, requireTls: true }).send(mail);
    assert.equal(result.outcome, 'not_sent');
    assert.match(result.reason, /spoke/);
    assert.ok(!server.seen.some((line) => line.startsWith('AUTH')));
  }
});

test('an unreachable relay is retried with back-off', async (t) => {
  const server = await startScriptedRelay(t, { greeting: close }, { greeting: close }, {});
  const pool = startPool(t, server.port);
  const first = await Promise.all([pool.send(mail), pool.send(mail)]);
  assertColumn(first, 'outcome', ['not_sent', 'not_sent']);
  assert.equal((await pool.send(mail)).outcome, 'not_sent');
  assert.equal((await pool.send(mail)).outcome, 'accepted');
  const refused = createSettlingPool({ url: 'smtp://127.0.0.1:1', connections: 2, backOffMs: 1 });
  for (let count = 0; count < 3; count++) assert.equal((await refused.send(mail)).outcome, 'not_sent');
  await refused.close();
});

test('a relay can limit the number of connections', async (t) => {
  const server = await startScriptedRelay(t, {}, { greeting: '421 too many connections\r\n' });
  const pool = startPool(t, server.port, { connections: 3 });
  assert.equal((await pool.send(mail)).outcome, 'accepted');
  const results = await Promise.all(Array.from({ length: 20 }, () => pool.send(mail)));
  assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['accepted']));
});

test('an idle connection ends with QUIT', async (t) => {
  const server = await startScriptedRelay(t, {});
  const pool = startPool(t, server.port, { timeouts: { idle: 30 } });
  assert.equal((await pool.send(mail)).outcome, 'accepted');
  await waitUntil('it says QUIT', () => server.seen.includes('QUIT'));
});

test('a message during QUIT uses a new connection', async (t) => {
  const server = await startScriptedRelay(t, { quit: hang }, {});
  const pool = startPool(t, server.port, { connections: 2, timeouts: { idle: 30 } });
  assert.equal((await pool.send(mail)).outcome, 'accepted');
  await waitUntil('it says QUIT', () => server.seen.includes('QUIT'));
  assert.equal((await pool.send(mail)).outcome, 'accepted');
  assert.equal(server.connections, 2);
});

test('closing does not wait for a silent server', async (t) => {
  const server = await startScriptedRelay(t, { greeting: hang });
  const pool = createSettlingPool({ url: `smtp://127.0.0.1:${server.port}`, connections: 1 });
  const result = pool.send(mail);
  await waitUntil('it is connected', () => server.connections === 1);
  await pool.close();
  assert.equal((await result).outcome, 'not_sent');
});
