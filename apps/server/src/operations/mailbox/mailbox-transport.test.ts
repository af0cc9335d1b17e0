import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, suite, test } from 'node:test';
import type { MailTransport } from '../../email/transports/transport.ts';
import { createEmailRenderer } from '../../email/mime/email-renderer.ts';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { connect, type Database } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { buildSentEmail, emailSnapshot, type SentEmail } from '../../testing/sent-email.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { createMailboxTransport, maxStoredMessages } from './mailbox-transport.ts';

const signer = createTokenSigner(randomBytes(32));

const database = useSendDatabase(() => mailbox.close());
let owner: Database;
let db: Database;
let mailbox: MailTransport;

const open = (url: string) =>
  connect(url, { name: 'tests', connections: 4, statementTimeoutMs: 20_000, onError: () => {} });
const start = (pool: Database, slots = 4) =>
  createMailboxTransport({ db: pool, signer, log: createLog('silent'), slots });

before(() => {
  ({ owner, app: db } = database);
  mailbox = start(db);
});

const returnPath = (sent: SentEmail, seq = 1) =>
  `b.${signer.sign({ sendNumber: sent.sendNumber, seq }).return_path}@bounce.reachout.example`;

interface Attempt {
  from: string;
  to: string;
  raw?: string;
}

/** @returns a short result, such as `accepted` or `rejected 550 5.1.1` */
async function send(
  { from, to, raw = 'Subject: Hello\r\n\r\nHello\r\n' }: Attempt,
  transport = mailbox,
): Promise<string> {
  const message = { envelopeFrom: from, envelopeTo: to, message: Buffer.from(raw) };
  const { result, settle } = await transport.send(message);
  settle();
  return result.outcome === 'rejected' ? `rejected ${result.code} ${result.enhanced}` : result.outcome;
}

const listMessages = (sent: SentEmail) =>
  owner
    .selectFrom('mailbox_messages')
    .selectAll()
    .where('organization_id', '=', sent.organizationId)
    .orderBy('id')
    .execute();

suite('built-in mailbox', () => {
  test('a stored message is unchanged', async () => {
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
    const { result, settle } = await mailbox.send({ envelopeFrom, envelopeTo, message });
    settle();
    const [stored, ...others] = await listMessages(sent);
    assert.equal(others.length, 0);
    assert.deepEqual(result, { outcome: 'accepted', reference: null });
    assert.equal(stored?.send_id, sent.sendId);
    assert.equal(stored.seq, 1);
    assert.equal(stored.recipient, 'Mia@example.org');
    assert.equal(stored.sender, envelopeFrom);
    assert.equal(stored.subject, 'Grüße an Mia, mit einem langen Betreff über viele Zeilen');
    assert.deepEqual(stored.raw, message);
  });

  test('only signed senders are accepted (EML-5)', async () => {
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
      assert.equal(await send({ from, to: 'mia@example.org' }), 'rejected 550 5.7.1', from);
    assert.deepEqual(await listMessages(sent), []);
    assert.equal(await send({ from: genuine.toUpperCase(), to: 'mia@example.org' }), 'accepted');
  });

  test('each organization has separate messages', async () => {
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
    assertColumn(await listMessages(other), 'recipient', ['m1@example.org']);
  });

  test('addresses at bounce.test are rejected', async () => {
    const sent = await buildSentEmail(owner);
    const from = returnPath(sent);
    assert.equal(await send({ from, to: 'nouser1@bounce.test' }), 'rejected 550 5.1.1');
    assert.equal(await send({ from, to: 'full@bounce.test' }), 'rejected 452 4.2.2');
    assert.equal(await send({ from, to: 'DEFER.me@Bounce.Test' }), 'rejected 450 4.7.1');
    for (const to of ['mia@bounce.test', 'nouser@example.org', 'nouser@x.bounce.test'])
      assert.equal(await send({ from, to }), 'accepted', to);
  });

  test('unsettled messages are limited by the slots (R7.4)', async () => {
    const sent = await buildSentEmail(owner);
    const narrow = start(db, 2);
    const message = { envelopeFrom: returnPath(sent), message: Buffer.from('Subject: x\r\n\r\n') };
    let isWanted = true;
    const sends = ['a', 'b', 'c', 'd'].map((name) =>
      narrow.send({
        ...message,
        envelopeTo: `${name}@example.org`,
        mayLeave: () => name !== 'c' || isWanted,
      }),
    );
    const [first, second] = await Promise.all(sends.slice(0, 2));
    assert.equal((await listMessages(sent)).length, 2);
    isWanted = false;
    first!.settle();
    // A withdrawn message releases its slot to the next one.
    assert.equal((await sends[2]!).result.outcome, 'withdrawn');
    const last = await sends[3]!;
    assert.equal(last.result.outcome, 'accepted');
    assert.deepEqual(
      // The first two are stored at the same time.
      (await listMessages(sent)).map(({ recipient }) => recipient).toSorted(),
      ['a@example.org', 'b@example.org', 'd@example.org'],
    );
    second!.settle();
    last.settle();
    await narrow.close();
  });

  test('a message that cannot be stored is deferred', async () => {
    const sent = await buildSentEmail(owner);
    const pool = open(database.appUrl);
    const cut = start(pool);
    assert.equal(await send({ from: returnPath(sent), to: 'first@example.org' }, cut), 'accepted');
    await pool.destroy();
    const later = await send({ from: returnPath(sent), to: 'second@example.org' }, cut);
    assert.equal(later, 'rejected 451 4.3.0');
    await cut.close();
    assertColumn(await listMessages(sent), 'recipient', ['first@example.org']);
  });

  test('the newest 5,000 messages per organization are kept', async () => {
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
    const fresh = start(db);
    await send({ from: returnPath(sent), to: 'new@example.org' }, fresh);
    await fresh.close();
    const stored = await listMessages(sent);
    assert.equal(stored.length, maxStoredMessages);
    assert.ok(stored.some(({ recipient }) => recipient === 'new@example.org'));
    assert.equal((await listMessages(other)).length, 10);
  });
});
