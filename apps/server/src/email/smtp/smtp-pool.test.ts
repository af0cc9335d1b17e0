import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createSettlingPool } from '../../testing/settling-pool.ts';
import { createSmtpPool, type SmtpPoolOptions } from './smtp-pool.ts';
import { testCertificate, testKey } from '../../testing/smtp-certificate.ts';
import { listen } from '../../testing/listen.ts';

interface Received {
  from: string;
  to: string[];
  text: string;
  user: string | undefined;
  secure: boolean;
  session: string;
}

/** Starts a real SMTP server on the loopback interface; `refusal` can reject an address by its local part. */
async function startServer(t: TestContext, options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const signIns: string[] = [];
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 100,
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    key: testKey,
    cert: testCertificate,
    onAuth: ({ username, password, method }, session, done) => {
      signIns.push(`${method} ${username}:${password} ${session.secure}`);
      if (password === 'right: ü') done(null, { user: username! });
      else done(new Error('5.7.8 wrong'));
    },
    onMailFrom: ({ address }, _session, done) => done(refusal('mail', address)),
    onRcptTo: ({ address }, _session, done) => done(refusal('rcpt', address)),
    onData: (stream, session, done) => {
      void (async () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const body = await text(stream);
        const error = stream.sizeExceeded ? failure(552, '5.3.4 too large') : refusal('data', to[0]!);
        if (error === null) {
          const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
          received.push({
            from,
            to,
            text: body,
            user: session.user,
            secure: session.secure,
            session: session.id,
          });
        }
        done(error);
      })();
    },
    ...options,
  });
  server.on('error', () => undefined);
  const port = await listen(server.server);
  t.after(() => {
    server.close();
  });
  return { received, signIns, port };
}

function failure(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function refusal(stage: string, address: string): Error | null {
  const [, at, code, enhanced] = /^(mail|rcpt|data)-(\d+)-?([\d.]*)@/.exec(address) ?? [];
  return at === stage ? failure(Number(code), `${enhanced} refused`.trim()) : null;
}

function startPool(t: TestContext, options: SmtpPoolOptions) {
  const pool = createSettlingPool({ clientName: 'client.test', ...options });
  t.after(() => pool.close());
  return pool;
}

const message = Buffer.from('Subject: hi\r\n\r\nHello\r\n');
const from = 'b.1@bounce.example';
const ordinary = { envelopeFrom: from, envelopeTo: 'a@x.example', message };

test('messages arrive unchanged over few connections', async (t) => {
  const { received, port } = await startServer(t);
  const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 3 });
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      pool.send({ envelopeFrom: from, envelopeTo: `u${index}@x.example`, message }),
    ),
  );
  assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['accepted']));
  assert.deepEqual(
    received.map(({ to }) => to.join()).toSorted(),
    results.map((_, index) => `u${index}@x.example`).toSorted(),
  );
  assert.ok(received.every((mail) => mail.from === from && mail.text === message.toString()));
  assert.ok(new Set(received.map(({ session }) => session)).size <= 3);
});

test('commands are sent singly without PIPELINING', async (t) => {
  const { received, port } = await startServer(t, { hidePIPELINING: true });
  const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 1 });
  const send = (envelopeTo: string) => pool.send({ envelopeFrom: from, envelopeTo, message });
  assert.equal((await send('a@x.example')).outcome, 'accepted');
  assert.equal((await send('rcpt-550-5.1.1@x.example')).outcome, 'rejected');
  assert.equal((await send('b@x.example')).outcome, 'accepted');
  assert.equal(received.length, 2);
});

test('refusals report stage, code and class (R6.1)', async (t) => {
  for (const hidePIPELINING of [false, true]) {
    const { received, port } = await startServer(t, { hidePIPELINING });
    const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 1 });
    const cases = [
      [
        from,
        'rcpt-550-5.1.1@x.example',
        { permanent: true, code: 550, enhanced: '5.1.1', stage: 'rcpt', class: 'address_hard' },
      ],
      [
        from,
        'rcpt-451-4.7.1@x.example',
        { permanent: false, code: 451, enhanced: '4.7.1', stage: 'rcpt', class: 'transient' },
      ],
      [
        'mail-550-5.7.25@x.example',
        'a@x.example',
        { permanent: true, code: 550, enhanced: '5.7.25', stage: 'mail', class: 'reputation' },
      ],
      [
        from,
        'data-554-5.7.1@x.example',
        { permanent: true, code: 554, enhanced: '5.7.1', stage: 'message', class: 'content' },
      ],
      [
        from,
        'data-421-4.7.28@x.example',
        { permanent: false, code: 421, enhanced: '4.7.28', stage: 'message', class: 'reputation' },
      ],
    ] as const;
    for (const [envelopeFrom, envelopeTo, expected] of cases) {
      const result = await pool.send({ envelopeFrom, envelopeTo, message });
      assert.partialDeepStrictEqual(result, { outcome: 'rejected', ...expected }, envelopeTo);
      assert.equal(
        (await pool.send({ envelopeFrom: from, envelopeTo: 'ok@x.example', message })).outcome,
        'accepted',
      );
    }
    assert.equal(received.length, cases.length);
  }
});

test('dots and bare line ends arrive within one message (EML-4)', async (t) => {
  const { received, port } = await startServer(t);
  const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 1 });
  const nasty = 'Subject: x\n\n.\n..\r.\r\n.\r\nMAIL FROM:<evil@x.example>\r\n\n.\r\n\r.\r\nend';
  const result = await pool.send({
    envelopeFrom: from,
    envelopeTo: 'a@x.example',
    message: Buffer.from(nasty),
  });
  assert.equal(result.outcome, 'accepted');
  assert.deepEqual(
    received.map((mail) => mail.text),
    [`${nasty.replaceAll(/\r\n|\r|\n/g, '\r\n')}\r\n`],
  );
});

test('an invalid envelope address is never sent (EML-1, EML-2)', async (t) => {
  const { received, port } = await startServer(t);
  const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 1 });
  const evil = [
    'a@x.example>\r\nRCPT TO:<b@x.example',
    '<a@x.example>, b@x.example',
    'a@x.example NOTIFY=NEVER',
    '',
    'ü@x.example',
    '"a b"@x.example',
    'a@x.example\n',
  ];
  for (const address of evil) {
    for (const envelope of [
      { envelopeFrom: from, envelopeTo: address },
      { envelopeFrom: address, envelopeTo: 'a@x.example' },
    ]) {
      assert.partialDeepStrictEqual(await pool.send({ ...envelope, message }), {
        outcome: 'rejected',
        permanent: true,
      });
    }
  }
  assert.equal(received.length, 0);
});

test('credentials and mail require STARTTLS (EML-4)', async (t) => {
  for (const method of ['PLAIN', 'LOGIN']) {
    const server = await startServer(t, { disabledCommands: [], authOptional: false, authMethods: [method] });
    const url = `smtp://me:${encodeURIComponent('right: ü')}@127.0.0.1:${server.port}`;
    const pool = startPool(t, { url, connections: 1, requireTls: true, tls: { ca: testCertificate } });
    assert.equal((await pool.send(ordinary)).outcome, 'accepted');
    assert.deepEqual(server.signIns, [`${method} me:right: ü true`]);
    assert.partialDeepStrictEqual(server.received, [{ user: 'me', secure: true }]);
  }
});

test('implicit TLS requires a valid certificate', async (t) => {
  const server = await startServer(t, { secure: true, disabledCommands: [] });
  const url = `smtps://me:${encodeURIComponent('right: ü')}@127.0.0.1:${server.port}`;
  const trusting = startPool(t, { url, connections: 1, tls: { ca: testCertificate } });
  const results = await Promise.all(Array.from({ length: 5 }, () => trusting.send(ordinary)));
  assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['accepted']));
  assert.deepEqual(new Set(server.received.map(({ text: body }) => body)), new Set([message.toString()]));
  assert.equal(server.received.length, 5);
  const careful = startPool(t, { url, connections: 1 });
  const result = await careful.send(ordinary);
  assert.equal(result.outcome, 'not_sent');
  assert.equal(server.signIns.length, 1);
});

test('a remote server without STARTTLS receives nothing (EML-4, R6.3)', async (t) => {
  const server = await startServer(t, { disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  // "127.1" is another name of this machine, so it is treated like a remote host.
  for (const [host, options] of [
    ['127.1', {}],
    ['127.0.0.1', { requireTls: true as const }],
  ] as const) {
    const pool = startPool(t, { url: `smtp://me:x@${host}:${server.port}`, connections: 1, ...options });
    const result = await pool.send(ordinary);
    assert.equal(result.outcome, 'not_sent');
    assert.match(result.reason, /STARTTLS/);
  }
  assert.deepEqual([server.signIns, server.received], [[], []]);
});

test('a wrong password sends nothing and stays secret', async (t) => {
  const server = await startServer(t, { disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  const pool = startPool(t, { url: `smtp://me:secret-word@127.0.0.1:${server.port}`, connections: 1 });
  const result = await pool.send(ordinary);
  assert.equal(result.outcome, 'not_sent');
  assert.match(result.reason, /^AUTH rejected: 5/);
  assert.doesNotMatch(JSON.stringify(result), /secret-word|c2VjcmV0/);
});

test('a message above SIZE is rejected without a transaction', async (t) => {
  const { received, port } = await startServer(t, { size: 1000 });
  const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 1 });
  const large = Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(70)}\r\n`.repeat(20));
  const result = await pool.send({ envelopeFrom: from, envelopeTo: 'a@x.example', message: large });
  assert.partialDeepStrictEqual(result, {
    outcome: 'rejected',
    permanent: true,
    enhanced: '5.3.4',
    class: 'too_big',
  });
  assert.equal((await pool.send(ordinary)).outcome, 'accepted');
  assert.equal(received.length, 1);
});

test('a connection carries a limited number of messages (R6.3)', async (t) => {
  const { received, port } = await startServer(t);
  const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 1, messagesPerConnection: 2 });
  for (let count = 0; count < 5; count++) {
    assert.equal((await pool.send(ordinary)).outcome, 'accepted');
  }
  assert.equal(new Set(received.map(({ session }) => session)).size, 3);
});

test('closing finishes active messages and rejects new ones', async (t) => {
  const { received, port } = await startServer(t);
  const pool = startPool(t, { url: `smtp://127.0.0.1:${port}`, connections: 2 });
  const sends = Array.from({ length: 2 }, () => pool.send(ordinary));
  await pool.send(ordinary);
  const waiting = Array.from({ length: 10 }, () => pool.send(ordinary));
  await pool.close();
  const outcomes = (await Promise.all([...sends, ...waiting])).map(({ outcome }) => outcome);
  assert.equal(outcomes.filter((outcome) => outcome === 'accepted').length + 1, received.length);
  assert.ok(outcomes.every((outcome) => outcome === 'accepted' || outcome === 'not_sent'));
  assert.equal((await pool.send(ordinary)).outcome, 'not_sent');
});

test('an invalid relay address is rejected immediately', () => {
  for (const url of ['http://x.example', 'x', 'smtp://', 'smtp:x']) {
    assert.throws(() => createSmtpPool({ url, connections: 1 }), TypeError);
  }
});
