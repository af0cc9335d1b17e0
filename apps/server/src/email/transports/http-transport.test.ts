import assert from 'node:assert/strict';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { after, before, suite, test, type TestContext } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createTokenSigner } from '../links/tokens.ts';
import { createEmailRenderer } from '../mime/email-renderer.ts';
import { createOutboundClient, handoverLimits } from '../../platform/outbound/outbound-client.ts';
import { listen } from '../../testing/listen.ts';
import {
  ownElasticEmail as elastic,
  ownSes as ses,
  startAmazonSes,
  startElasticEmail,
  type Behavior,
} from '../../testing/provider-servers.ts';
import { testCertificate, testKey } from '../../testing/smtp-certificate.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { checkOwnTransport, openOwnTransport } from './open-own-transport.ts';
import { TransportCheckError, type OpenOptions, type OwnTransport } from './own-transport.ts';
import type { MailTransport, OutgoingMessage, TransportResult } from './transport.ts';

const signer = createTokenSigner(Buffer.alloc(32, 3));
const { secret } = elastic;
const tokenOf = (seq: number) => signer.sign({ sendNumber: 99, seq }).return_path;

function build(seq = 7, content: { html?: string; text?: string; subject?: string; name?: string } = {}) {
  const snapshot = {
    version: 1 as const,
    content_hash: 'x',
    from_name: content.name ?? 'Bücher & "Co"',
    from_email: 'news@brand.example',
    reply_to: 'hello@brand.example',
    subject:
      content.subject ?? 'Grüße an alle, die heute noch etwas mehr lesen wollen, als in eine Zeile passt',
    preheader: '',
    html: content.html ?? '<p>Hello</p>',
    text: content.text ?? 'Hello',
    links: [],
    contact_fields: null,
    context: {},
  };
  return createEmailRenderer(snapshot, {
    publicUrl: 'https://t.brand.example',
    signer,
    sendNumber: 99,
    messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
    bounceDomain: 'bounce.brand.example',
    takesReturnedMail: true,
    headers: { feedbackId: 'c1:o1:email:reachout', listId: '"Brand" <b1.brand.example>' },
  }).build(
    { seq, contactId: 'c', address: `user${seq}@sink.example`, variables: {} },
    new Date('2026-11-20T10:15:00Z'),
  );
}

/** Of tests: what takes a minute takes half a second. */
const limits = { ...handoverLimits, connectMs: 500, headersMs: 500, totalMs: 500, unusableNameMs: 20 };

async function startProvider(t: TestContext, own: OwnTransport, options: Partial<OpenOptions> = {}) {
  const server = own.settings.kind === 'ses' ? await startAmazonSes() : await startElasticEmail();
  const outbound = createOutboundClient([server.host], limits);
  const opened: OpenOptions = { outbound, connections: 4, endpoints: server.endpoints, ...options };
  const transport = await openOwnTransport(own, opened);
  t.after(async () => {
    await transport.close();
    await outbound.close();
    server.close();
  });
  return { server, transport, options: opened };
}

/** Settles at once. */
async function send(transport: MailTransport, message: OutgoingMessage): Promise<TransportResult> {
  const { result, settle } = await transport.send(message);
  settle();
  return result;
}

const providers = [
  { name: 'Elastic Email', own: elastic },
  { name: 'Amazon SES', own: ses },
] as const;

for (const { name, own } of providers)
  suite(`messages handed over to ${name}`, () => {
    test('what the provider does decides the result (R6.7)', async (t) => {
      const { server, transport } = await startProvider(t, own);
      const cases: [Behavior, Partial<TransportResult>][] = [
        ['accept', { outcome: 'accepted' }],
        [
          { reject: 'Message contains spam content.' },
          { outcome: 'rejected', permanent: true, class: 'content' },
        ],
        [
          { reject: 'Email address is not verified: news@brand.example' },
          { outcome: 'rejected', permanent: true, class: 'authentication' },
        ],
        [
          { reject: 'Invalid recipient address: user7@sink.example', name: 'BadRequestException' },
          { outcome: 'rejected', permanent: true, class: 'address_hard' },
        ],
        [{ reject: 'Your account is suspended.' }, { outcome: 'rejected', class: 'reputation' }],
        ['busy', { outcome: 'rejected', permanent: false, isServerBusy: true }],
        ['key_revoked', { outcome: 'not_sent' }],
        ['fail', { outcome: 'uncertain' }],
        ['accept', { outcome: 'accepted' }],
        ['silent', { outcome: 'uncertain' }],
        ['accept', { outcome: 'accepted' }],
        ['hang_up', { outcome: 'uncertain' }],
      ];
      for (const [behavior, expected] of cases) {
        server.script.push(behavior);
        const result = await send(transport, build());
        assert.partialDeepStrictEqual(result, expected, JSON.stringify({ behavior, result }));
        assert.ok(!JSON.stringify(result).includes(secret));
      }
    });

    test('a key in the words of the provider is not shown (R6.10)', async (t) => {
      const { server, transport } = await startProvider(t, own);
      server.script.push({ reject: `The key ${secret} is odd.` });
      const result = await send(transport, build());
      assert.partialDeepStrictEqual(result, {
        outcome: 'rejected',
        text: 'The key is odd.',
      });
    });

    test('a provider that cannot be reached gets nothing', async (t) => {
      const outbound = createOutboundClient([], limits);
      const endpoints = { elasticEmail: 'https://127.0.0.1/v4', ses: 'https://localhost' };
      const transport = await openOwnTransport(own, { outbound, connections: 2, endpoints });
      t.after(() => outbound.close());
      const results = [await send(transport, build())];
      for (let count = 0; count < 6; count += 1) results.push(await send(transport, build()));
      assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['not_sent']));
    });

    test('a connection that is never established is no request that left', async (t) => {
      // It accepts connections, and never speaks TLS.
      const sockets: Socket[] = [];
      const mute = createTcpServer((socket) => void sockets.push(socket.on('error', () => undefined)));
      const port = await listen(mute);
      const outbound = createOutboundClient([`127.0.0.1:${port}`], limits);
      const base = `https://127.0.0.1:${port}`;
      const endpoints = { elasticEmail: base, ses: base };
      const transport = await openOwnTransport(own, { outbound, connections: 2, endpoints });
      t.after(async () => {
        await outbound.close();
        for (const socket of sockets) socket.destroy();
        mute.close();
      });
      assert.partialDeepStrictEqual(await send(transport, build()), { outcome: 'not_sent' });
    });

    test('a message that may not leave any more is withdrawn (R6.7)', async (t) => {
      const { server, transport } = await startProvider(t, own);
      let asked = 0;
      const mayLeave = () => (asked += 1) < 2;
      assert.equal((await send(transport, { ...build(), mayLeave })).outcome, 'withdrawn');
      assert.equal(asked, 2, 'once before the request, and once before its first byte');
      assert.equal(server.accepted.length, 0);
    });

    test('requests and unsettled results are limited', async (t) => {
      const { server, transport } = await startProvider(t, own, { connections: 2 });
      server.script.push(...Array.from({ length: 4 }, () => ({ slowMs: 50 })));
      const sent = [1, 2, 3, 4].map((seq) => transport.send(build(seq)));
      await waitUntil('two requests', () => server.open === 2);
      assert.equal(transport.usage.connections, 2);
      const first = await Promise.all(sent.slice(0, 2));
      assert.equal(server.accepted.length, 2, 'the others wait until results are settled');
      for (const { settle } of first) settle();
      for (const { settle } of await Promise.all(sent.slice(2))) settle();
      assert.equal(server.accepted.length, 4);
      assert.equal(transport.usage.slotsInUse, 0);
    });

    test('while a provider fails, requests leave one at a time (R6.8)', async (t) => {
      const { server, transport } = await startProvider(t, own);
      server.script.push('fail');
      assert.equal((await send(transport, build(1))).outcome, 'uncertain');
      server.script.push('fail');
      const results = await Promise.all([2, 3, 4].map((seq) => send(transport, build(seq))));
      assert.deepEqual(results.map(({ outcome }) => outcome).toSorted(), [
        'not_sent',
        'not_sent',
        'uncertain',
      ]);
      const healed = await Promise.all([5, 6, 7].map((seq) => send(transport, build(seq))));
      assert.ok(healed.every(({ outcome }) => outcome === 'accepted'));
    });

    test('closing waits for requests, and sends nothing more', async (t) => {
      const { server, transport } = await startProvider(t, own, { connections: 1 });
      server.script.push({ slowMs: 50 });
      const first = send(transport, build(1));
      const second = transport.send(build(2));
      await waitUntil('a request', () => server.open === 1);
      await transport.close();
      assert.equal((await first).outcome, 'accepted');
      assert.equal((await second).result.outcome, 'not_sent');
      assert.equal((await send(transport, build(3))).outcome, 'not_sent');
    });

    test('an address that could be another command is refused', async (t) => {
      const { server, transport } = await startProvider(t, own);
      const message = { ...build(), envelopeTo: 'a@x.example, b@x.example' };
      assert.partialDeepStrictEqual(await send(transport, message), {
        outcome: 'rejected',
        class: 'address_hard',
      });
      assert.equal(server.requests.length, 0);
    });

    test('checking an account reads its limits, or why it fails', async (t) => {
      const { options } = await startProvider(t, own);
      const known =
        own === ses
          ? { perSecond: 14, perDay: 50_000, sentToday: 120, openRequests: null }
          : { perSecond: null, perDay: null, sentToday: null, openRequests: 20 };
      assert.deepEqual(await checkOwnTransport(own, options), known);
      const endpoints = { elasticEmail: 'https://localhost', ses: 'https://localhost' };
      await assert.rejects(checkOwnTransport(own, { ...options, endpoints }), (error) => {
        assert.ok(error instanceof TransportCheckError);
        assert.equal(error.words, 'There is no public server of this name.');
        return true;
      });
    });
  });

suite('the message of Elastic Email', () => {
  test('its parts are those of ours, character by character', async (t) => {
    const { server, transport } = await startProvider(t, elastic);
    const html =
      '<p>Liebe Jürgen,</p>\r\n<p>.\r\n..\r\nFrom us  with   blanks \r\n= 100 % =3D 𝄞 {firstname} {{ "{" }}</p>' +
      `<p>${'ä long line '.repeat(40)}</p>\r\n`;
    const text = `Liebe Jürgen,\r\n.\r\n..\r\nFrom us\t=\r\n${'ü'.repeat(200)} {unsubscribe}\r\n`;
    assert.equal((await send(transport, build(7, { html, text }))).outcome, 'accepted');
    const [{ Recipients, Content, Options } = assert.fail()] = server.accepted as {
      Recipients: object;
      Content: {
        Headers: Record<string, string>;
        Body: unknown;
        From: string;
        Subject: string;
        Postback: string;
        ReplyTo: string;
      };
      Options: object;
    }[];
    const { unsubscribe, return_path: token } = signer.sign({ sendNumber: 99, seq: 7 });
    assert.deepEqual(Recipients, { To: ['user7@sink.example'] });
    assert.deepEqual(Content.Body, [
      { ContentType: 'HTML', Content: html.replace('{{ "{" }}', '{'), Charset: 'utf-8' },
      { ContentType: 'PlainText', Content: text, Charset: 'utf-8' },
    ]);
    assert.equal(Content.From, String.raw`"Bücher & \"Co\"" <news@brand.example>`);
    assert.equal(Content.ReplyTo, 'hello@brand.example');
    assert.equal(
      Content.Subject,
      'Grüße an alle, die heute noch etwas mehr lesen wollen, als in eine Zeile passt',
    );
    assert.deepEqual(Content.Headers, {
      'List-Unsubscribe': `<https://t.brand.example/u/${unsubscribe}>, <mailto:u+${unsubscribe}@bounce.brand.example>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': '"Brand" <b1.brand.example>',
      'Feedback-ID': 'c1:o1:email:reachout',
      Precedence: 'bulk',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
    });
    assert.equal(Content.Postback, token);
    assert.deepEqual(Options, { TrackOpens: false, TrackClicks: false, ChannelName: 'reachout-2r' });
  });

  test('names and subjects that are folded or quoted stay as they are', async (t) => {
    const { server, transport } = await startProvider(t, elastic);
    const cases = [
      { name: '', subject: 'Plain' },
      { name: String.raw`A "quoted" \ name`, subject: `Words ${'that are many '.repeat(10)}end` },
      { name: 'ж'.repeat(60), subject: `${'ж'.repeat(90)} =?UTF-8?B?eA==?= ${'𝄞'.repeat(30)}` },
    ];
    for (const { name, subject } of cases) await send(transport, build(7, { name, subject }));
    const got = server.accepted as { Content: { From: string; Subject: string } }[];
    assert.deepEqual(
      got.map(({ Content }) => Content.Subject),
      cases.map(({ subject }) => subject),
    );
    assert.equal(got[0]!.Content.From, 'news@brand.example');
    assert.equal(got[1]!.Content.From, String.raw`"A \"quoted\" \\ name" <news@brand.example>`);
    assert.equal(got[2]!.Content.From, `"${'ж'.repeat(60)}" <news@brand.example>`);
  });
});

suite('the message of Amazon SES', () => {
  test('it is ours byte by byte, with its token as a tag', async (t) => {
    const { server, transport } = await startProvider(t, ses);
    const built = build();
    assert.equal((await send(transport, built)).outcome, 'accepted');
    const { Content, ...rest } = server.accepted[0] as { Content: { Raw: { Data: string } } };
    assert.ok(Buffer.from(Content.Raw.Data, 'base64').equals(built.message));
    assert.deepEqual(rest, {
      Destination: { ToAddresses: ['user7@sink.example'] },
      EmailTags: [{ Name: 'reachout', Value: tokenOf(7) }],
      ConfigurationSetName: 'campaigns',
      TenantName: 'nordwind',
    });
  });

  test('an account that may not send fails the check', async (t) => {
    const { server, options } = await startProvider(t, ses);
    for (const account of [{ EnforcementStatus: 'SHUTDOWN' }, { SendingEnabled: false }]) {
      Object.assign((server as Awaited<ReturnType<typeof startAmazonSes>>).account, account);
      await assert.rejects(checkOwnTransport(ses, options), /paused sending/);
    }
  });

  test('a region that is no region is not asked', async () => {
    const outbound = createOutboundClient([], limits);
    const settings = { ...ses.settings, region: 'eu-west-1.evil.example/' };
    await assert.rejects(
      checkOwnTransport({ ...ses, settings }, { outbound, connections: 1 }),
      TransportCheckError,
    );
    await outbound.close();
  });
});

suite('messages whose earlier attempt is uncertain', () => {
  const repeated = (mayRepeat: boolean) => ({ ...build(), repeat: { mayRepeat, since: new Date() } });

  test('Elastic Email is asked first, and gets no second copy (R6.9)', async (t) => {
    const { server, transport } = await startProvider(t, elastic);
    server.script.push('take_and_fail');
    assert.equal((await send(transport, build())).outcome, 'uncertain');
    for (const mayRepeat of [true, false])
      assert.deepEqual(await send(transport, repeated(mayRepeat)), {
        outcome: 'accepted',
        reference: 'transaction-1',
      });
    assert.equal(server.accepted.length, 1);
  });

  test('what is not found is sent only if it may repeat (R6.9)', async (t) => {
    for (const own of [elastic, ses]) {
      const { server, transport } = await startProvider(t, own);
      assert.equal((await send(transport, repeated(false))).outcome, 'uncertain');
      assert.equal(server.accepted.length, 0);
      assert.equal((await send(transport, repeated(true))).outcome, 'accepted');
    }
  });

  test('a log that cannot be read sends nothing', async (t) => {
    const { server, transport } = await startProvider(t, elastic);
    server.isRevoked = true;
    assert.partialDeepStrictEqual(await send(transport, repeated(true)), {
      outcome: 'not_sent',
      reason: 'APIKey Expired',
    });
    assert.equal(server.accepted.length, 0);
  });

  test('providers tell how long evidence takes', async (t) => {
    const times = [];
    for (const own of [elastic, ses]) times.push((await startProvider(t, own)).transport.evidenceMs);
    assert.deepEqual(times, [300_000, 900_000]);
  });
});

suite('mail servers of organizations', () => {
  let server: SMTPServer;
  let port: number;
  const taken: { from: string; secure: boolean }[] = [];

  before(async () => {
    server = new SMTPServer({
      logger: false,
      closeTimeout: 100,
      disableReverseLookup: true,
      key: testKey,
      cert: testCertificate,
      secure: true,
      onAuth: ({ password }, _session, done) => {
        if (password === secret) done(null, { user: 'nordwind' });
        else done(Object.assign(new Error(`5.7.8 ${password} is wrong`), { responseCode: 535 }));
      },
      onData: (stream, session, done) => {
        stream.resume();
        const { mailFrom } = session.envelope;
        taken.push({ from: mailFrom === false ? '' : mailFrom.address, secure: session.secure });
        stream.on('end', () => done());
      },
    });
    server.on('error', () => undefined);
    port = await listen(server.server);
  });
  after(() => {
    server.close();
  });

  const ownOf = (changes: object = {}, password = secret): OwnTransport => ({
    ...elastic,
    secret: password,
    settings: {
      kind: 'smtp',
      host: 'localhost',
      port,
      security: 'tls',
      username: 'nordwind',
      envelope: 'ours',
      ...changes,
    },
  });
  const optionsOf = (t: TestContext, listed: string[]): OpenOptions => {
    const outbound = createOutboundClient(listed, limits);
    t.after(() => outbound.close());
    return { outbound, connections: 2, endpoints: { smtpCa: testCertificate } };
  };
  const open = async (t: TestContext, own: OwnTransport, options: OpenOptions) => {
    const transport = await openOwnTransport(own, options);
    t.after(() => transport.close());
    return transport;
  };

  test('messages leave over TLS, from our sender or theirs', async (t) => {
    const options = optionsOf(t, [`localhost:${port}`]);
    for (const envelope of ['ours', 'sender']) {
      const transport = await open(t, ownOf({ envelope }), options);
      assert.equal((await send(transport, build())).outcome, 'accepted');
    }
    assert.deepEqual(taken.splice(0), [
      { from: `b.${tokenOf(7)}@bounce.brand.example`, secure: true },
      { from: 'news@brand.example', secure: true },
    ]);
  });

  test('private hosts are reached only if the operator lists them (OUT-2)', async (t) => {
    for (const host of ['127.0.0.1', '[::1]', '0x7f.1', '2130706433', 'localhost.'])
      for (const listed of [[], ['localhost:25'], ['localhost']]) {
        if (host === 'localhost.' && listed[0] === 'localhost') continue;
        const opened = openOwnTransport(ownOf({ host }), optionsOf(t, listed)).then(async (transport) => {
          const result = await send(transport, build());
          await transport.close();
          assert.equal(result.outcome, 'not_sent');
          throw new Error('not sent');
        });
        await assert.rejects(opened, /private network|no public server|not sent/, `${host} ${listed.join()}`);
      }
    assert.equal(taken.length, 0);
  });

  test('a host is a host, and nothing else', async (t) => {
    const options = optionsOf(t, [`localhost:${port}`]);
    for (const host of ['user@localhost', 'localhost/x', 'localhost?x', 'a b', ''])
      await assert.rejects(openOwnTransport(ownOf({ host }), options), /can’t be used/, host);
  });

  test('a wrong password sends nothing, and is not shown (R6.10)', async (t) => {
    const options = optionsOf(t, [`localhost:${port}`]);
    const wrong = 'marker-wrong-password';
    const result = await send(await open(t, ownOf({}, wrong), options), build());
    assert.partialDeepStrictEqual(result, { outcome: 'not_sent' });
    assert.match(JSON.stringify(result), /AUTH rejected: 535/);
    assert.ok(!JSON.stringify(result).includes(wrong));
    await assert.rejects(checkOwnTransport(ownOf({}, wrong), options), (error) => {
      assert.ok(error instanceof TransportCheckError);
      assert.match(error.words, /^AUTH rejected: 535/);
      assert.ok(!error.words.includes(wrong));
      return true;
    });
  });

  test('a check signs in, and the certificate has to fit', async (t) => {
    const options = optionsOf(t, [`localhost:${port}`]);
    const unknown = { perSecond: null, perDay: null, sentToday: null, openRequests: null };
    assert.deepEqual(await checkOwnTransport(ownOf(), options), unknown);
    await assert.rejects(
      checkOwnTransport(ownOf(), { ...options, endpoints: {} }),
      /self.signed certificate/i,
    );
  });
});
