import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { createTransport } from 'nodemailer';
import type { MailboxMessage, MailboxMessageDetail } from '@reachout/contract/mailbox.ts';
import { createTokenSigner } from '../../email/links/tokens.ts';
import type { Config } from '../../platform/config.ts';
import { newId } from '../../platform/ids.ts';
import { writeReturnPath } from '../../identity/account-email/return-path.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { startMailboxServer, type MailboxServer } from './mailbox-server.ts';

const raw = (subject: string) =>
  `From: Reachout <reachout@localhost>\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello</p><a href="https://reachout.example/sign-up/confirm?token=abc">Confirm</a>\r\n`;

async function send(url: string, from: string, to: string, subject = 'Hello'): Promise<string> {
  const transport = createTransport(url);
  try {
    const { response } = await transport.sendMail({ envelope: { from, to }, raw: raw(subject) });
    return response;
  } catch (error) {
    return String((error as { response?: string }).response);
  } finally {
    transport.close();
  }
}

const list = '/api/system_mailbox?page=0&page_size=20';

suite("the platform's own mail in the built-in mailbox", () => {
  let app: TestApp;
  let mailbox: MailboxServer;

  before(async () => {
    app = await createTestApp();
    const { db, authDb, signer, log } = app.services;
    mailbox = await startMailboxServer({ db, authDb, signer, log, port: 0 });
  });
  after(async () => {
    await mailbox.stop();
    await app.close();
  });

  const returnPath = () => writeReturnPath(app.services.signer, newId(), 'mailbox.localhost');

  test('is kept beside that of the organizations, and shown newest first to anyone who sits here', async () => {
    for (const [to, subject] of [
      ['ada@lovelace.example', 'One'],
      ['bob@x.example', '100% sure'],
    ] as const)
      assert.match(await send(mailbox.url, returnPath(), to, subject), /^250 2\.0\.0 /);
    const ask = (query: string) =>
      app.request<{ items: MailboxMessage[]; count: number }>('GET', `${list}${query}`);
    const { status, body } = await ask('');
    assert.equal(status, 200);
    assert.equal(body.count, 2);
    assert.deepEqual(
      body.items.map(({ recipient, subject, size_bytes }) => [recipient, subject, size_bytes]),
      [
        ['bob@x.example', '100% sure', raw('100% sure').length],
        ['ada@lovelace.example', 'One', raw('One').length],
      ],
    );
    const subjects = async (query: string) => (await ask(query)).body.items.map(({ subject }) => subject);
    assert.deepEqual(await subjects('&search=LOVELACE'), ['One']);
    assert.deepEqual(await subjects(`&search=${encodeURIComponent('%')}`), ['100% sure']);

    const { id } = body.items[1]!;
    const detail = await app.request<MailboxMessageDetail>('GET', `/api/system_mailbox/${id}`);
    assert.equal(detail.status, 200);
    assert.deepEqual(detail.body.links, [
      { text: 'Confirm', url: 'https://reachout.example/sign-up/confirm?token=abc' },
    ]);
    assert.equal(detail.body.subject, 'One');
    assertProblem(await app.request('GET', `/api/system_mailbox/${newId()}`), 404, 'not_found');
    const ofOrganizations = await app.owner.selectFrom('mailbox_messages').select('id').execute();
    assert.deepEqual(ofOrganizations, []);
  });

  test('comes from this installation alone (EML-5)', async () => {
    const genuine = returnPath();
    const foreign = createTokenSigner(Buffer.alloc(32, 1));
    const count = async () =>
      (await app.owner.selectFrom('account_mailbox_messages').select('id').execute()).length;
    const stored = await count();
    for (const from of [
      'reachout@localhost',
      writeReturnPath(foreign, newId(), 'mailbox.localhost'),
      genuine.replace(/^s\./, 'b.'),
      genuine.replace(/.(?=@)/, (last) => (last === 'a' ? 'b' : 'a')),
      // What a recipient of a campaign can read off a message.
      `s.${app.services.signer.sign('return_path', { sendNumber: 1, seq: 1 })}@mailbox.localhost`,
      `s.${app.services.signer.sign('unsubscribe', { sendNumber: 1, seq: 1 })}@mailbox.localhost`,
    ])
      assert.match(await send(mailbox.url, from, 'mia@example.org'), /^550 5\.7\.1 /, from);
    assert.equal(await count(), stored);
    assert.match(await send(mailbox.url, genuine.toUpperCase(), 'mia@example.org'), /^250 /);
  });

  test('cannot be read under a foreign name that points here, nor through a proxy', async () => {
    const [message] = await app.owner.selectFrom('account_mailbox_messages').select('id').execute();
    for (const path of [list, `/api/system_mailbox/${message!.id}`]) {
      for (const host of [
        'evil.example',
        'evil.example:3000',
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        '192.0.2.1',
      ])
        assertProblem(await app.request('GET', path, { headers: { host } }), 404, 'not_found');
      for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
        assert.equal((await app.request('GET', path, { headers: { host } })).status, 200, host);
      // A proxy or tunnel on this machine, set up without telling this server its public address.
      for (const header of [
        'x-forwarded-for',
        'x-forwarded-proto',
        'X-Original-URL',
        'X-Original-Forwarded-For',
        'X-Real-IP',
        'CF-Connecting-IP',
        'CF-Ray',
        'True-Client-IP',
        'forwarded',
        'via',
      ])
        assertProblem(
          await app.request('GET', path, { headers: { host: 'localhost:3000', [header]: '192.0.2.1' } }),
          404,
          'not_found',
        );
    }
  });

  test('cannot be read through a proxy that adds nothing but asks in HTTP/1.0, as nginx does', async () => {
    const other = await createTestApp({}, { beside: app });
    try {
      await other.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = other.app.server.address() as AddressInfo;
      for (const [version, status] of [
        ['1.1', 200],
        ['1.0', 404],
      ] as const) {
        const socket = connect(port, '127.0.0.1');
        socket.write(`GET ${list} HTTP/${version}\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
        assert.match(await text(socket), new RegExp(`^HTTP/1\\.[01] ${status} `), version);
      }
    } finally {
      await other.close();
    }
  });

  const elsewhere: [string, Partial<Config>][] = [
    ['the server listens for everybody', { host: '0.0.0.0' }],
    ['the server has a public address', { publicUrl: 'https://reachout.example' }],
    ['a mail server is set', { smtpUrl: 'smtp://127.0.0.1:2525' }],
  ];
  for (const [when, settings] of elsewhere)
    test(`is not found where ${when}, not even by who is signed in`, async () => {
      const other = await createTestApp(settings);
      try {
        const id = newId();
        await other.owner
          .insertInto('account_mailbox_messages')
          .values({
            id,
            recipient: 'a@b.example',
            sender: 's',
            subject: 'x',
            raw: Buffer.from(raw('x')),
            received_at: new Date().toISOString(),
          })
          .execute();
        const person = await other.signIn();
        for (const as of [undefined, person])
          for (const path of [list, `/api/system_mailbox/${id}`])
            for (const host of ['localhost:3000', 'reachout.example'])
              assertProblem(await other.request('GET', path, { as, headers: { host } }), 404, 'not_found');
      } finally {
        await other.close();
      }
    });
});
