import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { before, suite, test } from 'node:test';
import type { MailboxMessage, MailboxMessageDetail } from '@reachout/contract/mailbox.ts';
import type { Config } from '../../platform/config.ts';
import { newId } from '../../platform/ids.ts';
import { createTestApp, useTestApp, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows } from '../../testing/rows.ts';
import { createMailboxKey } from './mailbox-key.ts';
import { createSystemMailboxTransport } from './mailbox-transport.ts';

const raw = (subject: string) =>
  `From: Reachout <reachout@localhost>\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello</p><a href="https://reachout.example/sign-up/confirm?token=abc">Confirm</a>\r\n`;

const list = '/api/system_mailbox?page=0&page_size=20';

const linkOf = ({ services }: TestApp) => new URL(createMailboxKey(services.config)!.link).pathname;

/** @returns the cookie that the link sets */
async function openLink(app: TestApp): Promise<string> {
  const { headers } = await app.request('GET', linkOf(app));
  return String(headers['set-cookie']).split(';')[0]!;
}

suite('mailbox of the platform', () => {
  const app = useTestApp();
  let cookie: string;

  before(async () => {
    cookie = await openLink(app);
  });

  test('messages are listed newest first', async () => {
    const transport = createSystemMailboxTransport(app.services.authDb, app.services.log);
    const send = async (envelopeTo: string, subject: string) => {
      const message = { envelopeFrom: 'reachout@localhost', envelopeTo, message: Buffer.from(raw(subject)) };
      return (await transport.send(message)).result.outcome;
    };
    for (const [to, subject] of [
      ['ada@lovelace.example', 'One'],
      ['bob@x.example', '100% sure'],
    ] as const)
      assert.equal(await send(to, subject), 'accepted');
    const ask = (query: string) =>
      app.request<{ items: MailboxMessage[]; count: number }>('GET', `${list}${query}`, {
        headers: { cookie },
      });
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
    const detail = await app.ok<MailboxMessageDetail>('GET', `/api/system_mailbox/${id}`, {
      headers: { cookie },
    });
    assert.deepEqual(detail.links, [
      { text: 'Confirm', url: 'https://reachout.example/sign-up/confirm?token=abc' },
    ]);
    assert.equal(detail.subject, 'One');
    const unknown = await app.request('GET', `/api/system_mailbox/${newId()}`, { headers: { cookie } });
    assertProblem(unknown, 404, 'not_found');
    const ofOrganizations = await listRows(app.owner, 'mailbox_messages', ['id'], {});
    assert.deepEqual(ofOrganizations, []);
  });

  test('the mailbox needs the key of this installation (TOK-4)', async () => {
    const [message] = await listRows(app.owner, 'account_mailbox_messages', ['id'], {});
    const paths = [list, `/api/system_mailbox/${message!.id}`];
    const person = await app.signIn();
    const other = { ...app.services.config, secretKey: 'another secret key of at least 32 characters' };
    const foreign = new URL(createMailboxKey(other)!.link).pathname.split('/').at(-1)!;
    for (const path of paths) {
      for (const headers of [
        {},
        person.headers,
        { cookie: 'reachout_mailbox=' },
        { cookie: `reachout_mailbox=${foreign}` },
        { cookie: cookie.slice(0, -1) },
        { cookie: `${cookie}A` },
      ])
        assertProblem(await app.request('GET', path, { headers }), 404, 'not_found');
      await app.ok('GET', path, { headers: { cookie } });
    }
    for (const key of [foreign, 'x', '%00', 'x'.repeat(500)]) {
      const { status, headers } = await app.request<undefined>('GET', `/mailbox/key/${key}`);
      assert.deepEqual([status, headers['location'], headers['set-cookie']], [302, '/mailbox', undefined]);
    }
  });

  test('the link sets a strict HTTP-only cookie (SES-2)', async () => {
    const { headers } = await app.request('GET', linkOf(app));
    assert.match(
      String(headers['set-cookie']),
      /^reachout_mailbox=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(headers['cache-control'], 'no-store');
    const https = createMailboxKey({ ...app.services.config, publicUrl: 'https://localhost:3000' })!;
    assert.equal(https.isIn(cookie), false);
    assert.equal(https.isIn(`__Host-${cookie}`), true);
  });

  test('requests through a proxy need the key (TOK-4)', async () => {
    const other = await createTestApp({}, { beside: app });
    try {
      await other.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = other.app.server.address() as AddressInfo;
      const ask = (path: string, more = '') => {
        const socket = connect(port, '127.0.0.1');
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${more}Connection: close\r\n\r\n`);
        return text(socket);
      };
      assert.match(await ask(list), /^HTTP\/1\.1 404 /);
      assert.match(await ask(list, `Cookie: ${cookie}\r\n`), /^HTTP\/1\.1 200 /);
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
    test(`the mailbox is closed when ${when}`, async () => {
      const other = await createTestApp(settings, { beside: app });
      try {
        const id = newId();
        await insertRows(other.owner, 'account_mailbox_messages', {
          id,
          recipient: 'a@b.example',
          sender: 's',
          subject: 'x',
          raw: Buffer.from(raw('x')),
          received_at: new Date().toISOString(),
        });
        assert.equal(createMailboxKey(other.services.config), undefined);
        const person = await other.signIn();
        for (const headers of [{ cookie }, { cookie: `__Host-${cookie}` }, person.headers])
          for (const path of [list, `/api/system_mailbox/${id}`])
            assertProblem(await other.request('GET', path, { headers }), 404, 'not_found');
        assert.equal((await other.request('GET', linkOf(app))).headers['set-cookie'], undefined);
      } finally {
        await other.close();
      }
    });
});
