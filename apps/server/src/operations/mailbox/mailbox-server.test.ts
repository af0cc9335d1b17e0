import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { createEmailRenderer } from '../../email/mime/email-renderer.ts';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { connect, type Database } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { buildSentEmail, emailSnapshot, type SentEmail } from '../../testing/sent-email.ts';
import { startMailboxServer, type MailboxServer } from './mailbox-server.ts';
import { maxStoredMessages } from './message-store.ts';

const signer = createTokenSigner(randomBytes(32));

let database: TestDatabase;
let owner: Database;
let db: Database;
let mailbox: MailboxServer;

const open = (url: string) =>
  connect(url, { name: 'tests', connections: 4, statementTimeoutMs: 20_000, onError: () => {} });
const start = (pool: Database) =>
  startMailboxServer({ db: pool, authDb: pool, signer, port: 0, log: createLog('silent') });

before(async () => {
  database = await createTestDatabase();
  owner = open(database.ownerUrl);
  db = open(database.appUrl);
  mailbox = await start(db);
});
after(async () => {
  await mailbox.stop();
  await db.destroy();
  await owner.destroy();
  await database.drop();
});

const returnPath = (sent: SentEmail, seq = 1) =>
  `b.${signer.sign({ sendNumber: sent.sendNumber, seq }).return_path}@bounce.reachout.example`;

interface Attempt {
  from: string;
  to: string | string[];
  raw?: string | Buffer;
}

/** Sends by SMTP as any program would. Rejects with the server's reply. */
async function send({ from, to, raw = 'Subject: Hello\r\n\r\nHello\r\n' }: Attempt, url = mailbox.url) {
  const transport = createTransport(url);
  try {
    return await transport.sendMail({ envelope: { from, to }, raw });
  } finally {
    transport.close();
  }
}

const refusal = (attempt: Attempt) =>
  send(attempt).then(
    () => 'accepted',
    (error: unknown) => String((error as { response?: string }).response),
  );

const listMessages = (sent: SentEmail) =>
  owner
    .selectFrom('mailbox_messages')
    .selectAll()
    .where('organization_id', '=', sent.organizationId)
    .orderBy('id')
    .execute();

suite('built-in mailbox', () => {
  test('listens on this machine only', () => {
    assert.match(mailbox.url, /^smtp:\/\/127\.0\.0\.1:\d+$/);
  });

  test('keeps each byte of a message of ours, for the organization that sent it', async () => {
    const sent = await buildSentEmail(owner);
    const { message, envelopeFrom, envelopeTo } = createEmailRenderer(
      {
        ...emailSnapshot,
        subject: 'Grüße an {{ contact.first_name }}, mit einem langen Betreff über viele Zeilen',
      },
      {
        publicUrl: 'https://reachout.example',
        signer,
        sendNumber: sent.sendNumber,
        messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
        bounceDomain: 'bounce.reachout.example',
        headers: { feedbackId: 'a:b:c:d', listId: '<a.example>' },
      },
    ).build(
      { seq: 1, contactId: 'c', address: 'Mia@example.org', variables: { first_name: 'Mia' } },
      new Date(),
    );
    const info = await send({ from: envelopeFrom, to: envelopeTo, raw: message });
    assert.match(info.response, /^250 2\.0\.0 /);

    const [stored, ...others] = await listMessages(sent);
    assert.equal(others.length, 0);
    assert.equal(stored?.send_id, sent.sendId);
    assert.equal(stored.seq, 1);
    assert.equal(stored.recipient, 'Mia@example.org');
    assert.equal(stored.sender, envelopeFrom);
    assert.equal(stored.subject, 'Grüße an Mia, mit einem langen Betreff über viele Zeilen');
    assert.deepEqual(stored.raw, message);
  });

  test('keeps lines of dots and odd line ends as one message', async () => {
    const sent = await buildSentEmail(owner);
    const raw = 'Subject: dots\r\n\r\n.\r\n..\r\n.hidden\r\nMAIL FROM:<x@y.example>\r\n.\r\nend\r\n';
    await send({ from: returnPath(sent), to: 'mia@example.org', raw });
    const stored = await listMessages(sent);
    assert.equal(stored.length, 1);
    assert.equal(stored[0]?.raw.toString(), raw);
  });

  test('takes only senders that this installation signed (EML-5)', async () => {
    const sent = await buildSentEmail(owner);
    const genuine = returnPath(sent);
    const foreign = createTokenSigner(randomBytes(32));
    const ref = { sendNumber: sent.sendNumber, seq: 1 };
    for (const from of [
      '',
      'news@nordwind.example',
      genuine.replace(/.(?=@)/, (last) => (last === 'a' ? 'b' : 'a')),
      genuine.slice(2),
      `x${genuine}`,
      `b.${foreign.sign(ref).return_path}@bounce.reachout.example`,
      `b.${signer.sign(ref).unsubscribe}@bounce.reachout.example`,
      `b.${signer.sign({ sendNumber: 999_999_999, seq: 1 }).return_path}@bounce.reachout.example`,
    ])
      assert.match(await refusal({ from, to: 'mia@example.org' }), /^550 5\.7\.1 /, from);
    assert.deepEqual(await listMessages(sent), []);
    assert.equal(await refusal({ from: genuine.toUpperCase(), to: 'mia@example.org' }), 'accepted');
  });

  test('gives each organization its own messages', async () => {
    const [one, other] = [await buildSentEmail(owner), await buildSentEmail(owner)];
    await Promise.all(
      [one, other, one].map((sent, index) =>
        send({ from: returnPath(sent, index + 1), to: `m${index}@example.org` }),
      ),
    );
    assert.deepEqual((await listMessages(one)).map(({ recipient }) => recipient).sort(), [
      'm0@example.org',
      'm2@example.org',
    ]);
    assert.deepEqual(
      (await listMessages(other)).map(({ recipient }) => recipient),
      ['m1@example.org'],
    );
  });

  test('refuses at bounce.test as mail servers do, and nowhere else', async () => {
    const sent = await buildSentEmail(owner);
    const from = returnPath(sent);
    assert.match(await refusal({ from, to: 'nouser1@bounce.test' }), /^550 5\.1\.1 /);
    assert.match(await refusal({ from, to: 'full@bounce.test' }), /^452 4\.2\.2 /);
    assert.match(await refusal({ from, to: 'DEFER.me@Bounce.Test' }), /^450 4\.7\.1 /);
    for (const to of ['mia@bounce.test', 'nouser@example.org', 'nouser@x.bounce.test'])
      assert.equal(await refusal({ from, to }), 'accepted', to);
  });

  test('refuses more than 10 MB, announced or not, and goes on', async () => {
    const sent = await buildSentEmail(owner);
    const raw = Buffer.concat([Buffer.from('Subject: big\r\n\r\n'), Buffer.alloc(10_000_100, 'x\r\n')]);
    assert.match(await refusal({ from: returnPath(sent), to: 'mia@example.org', raw }), /^552 /);
    const lines = await talk([
      'EHLO me',
      `MAIL FROM:<${returnPath(sent)}>\r\nRCPT TO:<mia@example.org>\r\nDATA`,
      `${raw.toString('latin1')}\r\n.`,
      'NOOP',
      'QUIT',
    ]);
    assert.match(lines.at(-3) ?? '', /^552 5?/);
    assert.match(lines.at(-2) ?? '', /^250 /);
    assert.deepEqual(await listMessages(sent), []);
  });

  test('offers pipelining and size, but neither sign-in nor encryption; takes one recipient', async () => {
    const sent = await buildSentEmail(owner);
    const lines = await talk([
      'EHLO me',
      'AUTH PLAIN AGEAYg==',
      'STARTTLS',
      `MAIL FROM:<${returnPath(sent)}>`,
      'RCPT TO:<a@example.org>',
      'RCPT TO:<b@example.org>',
      'QUIT',
    ]);
    assert.ok(lines.some((line) => /^250[- ]PIPELINING$/.test(line)));
    assert.ok(lines.some((line) => /^250[- ]SIZE 10000000$/.test(line)));
    assert.ok(!lines.some((line) => /AUTH|STARTTLS/.test(line) && line.startsWith('250')));
    const codes = lines.filter((line) => /^\d{3} /.test(line)).map((line) => line.slice(0, 3));
    assert.deepEqual(codes, ['220', '250', '500', '500', '250', '250', '452', '221']);
  });

  test('says later, not yes, when it cannot store', async () => {
    const sent = await buildSentEmail(owner);
    const pool = open(database.appUrl);
    const cut = await start(pool);
    await send({ from: returnPath(sent), to: 'first@example.org' }, cut.url);
    await pool.destroy();
    const error: unknown = await send({ from: returnPath(sent), to: 'second@example.org' }, cut.url).catch(
      (reason: unknown) => reason,
    );
    assert.match(String((error as { response?: string }).response), /^451 4\.3\.0 /);
    await cut.stop();
    assert.deepEqual(
      (await listMessages(sent)).map(({ recipient }) => recipient),
      ['first@example.org'],
    );
  });

  test('keeps the newest 5,000 of an organization', async () => {
    const sent = await buildSentEmail(owner);
    const other = await buildSentEmail(owner);
    const old = (sendOf: SentEmail, count: number) =>
      owner
        .insertInto('mailbox_messages')
        .columns([
          'organization_id',
          'id',
          'send_id',
          'seq',
          'recipient',
          'sender',
          'subject',
          'raw',
          'received_at',
        ])
        .expression((make) =>
          make
            .selectFrom(make.fn<{ n: number }>('generate_series', [make.lit(1), make.val(count)]).as('n'))
            .select((each) => [
              each.val(sendOf.organizationId).as('organization_id'),
              each.fn<string>('gen_random_uuid', []).as('id'),
              each.val(sendOf.sendId).as('send_id'),
              each.lit(1).as('seq'),
              each.val('old@example.org').as('recipient'),
              each.val('b').as('sender'),
              each.val('old').as('subject'),
              each.val(Buffer.from('x')).as('raw'),
              each.val('2026-01-01T00:00:00Z').as('received_at'),
            ]),
        )
        .execute();
    await old(sent, maxStoredMessages + 300);
    await old(other, 10);
    const fresh = await start(db);
    await send({ from: returnPath(sent), to: 'new@example.org' }, fresh.url);
    await fresh.stop();
    const stored = await listMessages(sent);
    assert.equal(stored.length, maxStoredMessages);
    assert.ok(stored.some(({ recipient }) => recipient === 'new@example.org'));
    assert.equal((await listMessages(other)).length, 10);
  });
});

/** Speaks SMTP by hand: each entry is sent once the reply to the one before is complete. */
async function talk(lines: string[]): Promise<string[]> {
  const socket = connectSocket(Number(new URL(mailbox.url).port), '127.0.0.1');
  const replies: string[] = [];
  let rest = '';
  // How many final reply lines each entry brings; the greeting comes first.
  const expected = [
    1,
    ...lines.map((entry) => (entry.startsWith('MAIL FROM') ? entry.split('\r\n').length : 1)),
  ];
  let step = 0;
  socket.setEncoding('latin1');
  for await (const chunk of socket as AsyncIterable<string>) {
    const parts = (rest + chunk).split('\r\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      replies.push(line);
      if (/^\d{3}-/.test(line)) continue;
      expected[step]!--;
      if (expected[step] !== 0) continue;
      const next = lines[step];
      step++;
      if (next !== undefined) socket.write(`${next}\r\n`, 'latin1');
    }
  }
  return replies;
}
