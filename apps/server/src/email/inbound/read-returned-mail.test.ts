import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import { classifyRejection } from '../rejections/classify-rejection.ts';
import { readReturnedMail } from './read-returned-mail.ts';
import { maxInboundBytes } from './returned-mail.ts';

const token = '2r-7-k3vq8m1x0c5n7b2z9l4j6h1g0f';
const unsubscribeToken = '2r-7-t8w2y5u1i9o3p7a4s6d0f2g5h8';
const mailbox = `b.${token}`;
const folder = new URL('./fixtures/', import.meta.url);

/** As servers send it. */
const readFixture = (name: string): Buffer =>
  Buffer.from(readFileSync(new URL(`${name}.eml`, folder), 'latin1').replaceAll('\n', '\r\n'), 'latin1');

const read = (raw: string | Buffer, to = mailbox) =>
  readReturnedMail({ mailbox: to, raw: Buffer.from(raw), receivedAt: new Date() });

/** Code, enhanced code and class of each failure. */
const failures: Record<string, [code: number, enhanced: string | null, of: BounceClass]> = {
  'postfix-unknown-user': [550, '5.1.1', 'address_hard'],
  'postfix-unknown-host': [550, '5.4.4', 'domain_hard'],
  'postfix-expired': [450, '4.7.1', 'transient'],
  'postfix-spam': [550, '5.7.1', 'content'],
  'postfix-captured-nouser': [550, '5.1.1', 'address_hard'],
  'postfix-captured-full': [452, '4.2.2', 'mailbox_full'],
  'postfix-captured-defer': [450, '4.7.1', 'transient'],
  'postfix-captured-policy': [550, '5.7.26', 'authentication'],
  'postfix-captured-unknown-host': [550, '5.4.4', 'routing_soft'],
  'exim-captured-nouser': [550, '5.1.1', 'address_hard'],
  'exim-captured-bare': [550, null, 'address_hard'],
  'exim-captured-full': [452, '4.2.2', 'mailbox_full'],
  'exim-captured-spam': [554, '5.7.1', 'content'],
  'exim-captured-unrouteable': [550, '5.4.4', 'routing_soft'],
  'exim-unknown-user': [550, '5.1.1', 'address_hard'],
  'exim-without-diagnostic': [552, '5.2.2', 'mailbox_full'],
  'exim-unrouteable': [550, '5.4.4', 'routing_soft'],
  'exim-text': [550, '5.1.1', 'address_hard'],
  'exchange-recipient-not-found': [550, '5.1.10', 'address_hard'],
  'exchange-expired': [550, '4.4.7', 'expired'],
  'exchange-text': [550, '5.1.1', 'address_hard'],
  'gmail-unknown-user': [550, '5.1.1', 'address_hard'],
  'gmail-full': [450, '4.2.2', 'mailbox_full'],
  qmail: [550, '5.1.1', 'address_hard'],
  'qmail-local': [550, '5.1.1', 'address_hard'],
  'qmail-expired': [451, '4.3.2', 'transient'],
  sendmail: [553, '5.3.0', 'address_hard'],
  'sendmail-dmarc': [550, '5.7.26', 'authentication'],
  'second-recipient-failed': [550, '5.1.1', 'address_hard'],
  'cut-behind-the-report': [550, '5.1.1', 'address_hard'],
  'cut-within-the-report': [550, '5.1.1', 'address_hard'],
  'base64-report': [550, '5.1.1', 'address_hard'],
};

const complaints = {
  'yahoo-abuse': 'abuse',
  'microsoft-jmrp': 'abuse',
  'microsoft-jmrp-old': 'abuse',
  fraud: 'fraud',
} as const;

const notes = {
  'postfix-delayed': 'delayed',
  'exim-delay-text': 'delayed',
  delivered: 'delivered',
  'not-spam': 'not_spam',
  'auto-reply': 'auto_reply',
  vacation: 'auto_reply',
  'answer-of-a-person': 'unreadable',
  garbage: 'unreadable',
} as const;

suite('returned mail', () => {
  test('each fixture has an expectation', () => {
    const expected = [failures, complaints, notes].flatMap(Object.keys);
    const names = readdirSync(folder).map((file) => file.replace('.eml', ''));
    assert.deepEqual(expected.toSorted(), names.toSorted());
  });

  for (const [name, [code, enhanced, bounceClass]] of Object.entries(failures))
    test(`the failure of ${name} has its code and class (R8.1)`, async () => {
      const mail = await read(readFixture(name));
      assert.ok(mail.kind === 'failure', JSON.stringify(mail));
      assert.deepEqual(
        [mail.code, mail.enhanced, classifyRejection(mail).class],
        [code, enhanced, bounceClass],
        mail.text,
      );
      assert.ok(!mail.text.includes('our customers'), 'it is not read from the returned message');
    });

  test('the stage is the one that the report tells', async () => {
    const stages = await Promise.all(
      ['postfix-unknown-user', 'postfix-spam', 'exim-without-diagnostic', 'qmail', 'sendmail-dmarc'].map(
        async (name) => {
          const mail = await read(readFixture(name));
          return mail.kind === 'failure' ? mail.stage : undefined;
        },
      ),
    );
    assert.deepEqual(stages, ['rcpt', 'message', 'message', 'rcpt', 'data']);
  });

  test('a report names the address that could not be reached', async () => {
    const report = readFixture('postfix-unknown-user').toString('latin1');
    const named = async (raw: string | Buffer) => {
      const mail = await read(raw);
      return mail.kind === 'failure' ? mail.failed : 'none';
    };
    assert.equal(await named(report), 'nouser@recipient.example');
    assert.equal(
      await named(report.replace(/Final-Recipient:.*/, 'Final-Recipient: UTF-8;<Ada@b\u00fccher.example>')),
      'ada@xn--bcher-kva.example',
    );
    assert.equal(await named(report.replace(/Final-Recipient:.*\r\n/, '')), 'nouser@recipient.example');
    assert.equal(
      await named(report.replace(/Final-Recipient:.*/, 'Final-Recipient: x-local; ada')),
      undefined,
    );
    assert.equal(await named(readFixture('qmail')), undefined);
  });

  test('a report names its message by the returned header', async () => {
    const mail = await read(readFixture('postfix-unknown-user'), 'complaints');
    assert.ok(mail.kind === 'failure');
    assert.deepEqual(mail.named, { return_path: [token], unsubscribe: [unsubscribeToken] });
  });

  for (const [name, feedbackType] of Object.entries(complaints))
    test(`the complaint of ${name} names its message`, async () =>
      assert.deepEqual(await read(readFixture(name), 'complaints'), {
        kind: 'complaint',
        feedbackType,
        named: { return_path: [token], unsubscribe: [unsubscribeToken] },
      }));

  for (const [name, note] of Object.entries(notes))
    test(`${name} is a note: ${note}`, async () =>
      assert.deepEqual(await read(readFixture(name)), { kind: 'note', note }));

  test('a notice needs an empty envelope sender', async () => {
    const notice = readFixture('qmail').toString('latin1').replace('<>', '<ada@recipient.example>');
    assert.deepEqual(await read(notice), { kind: 'note', note: 'unreadable' });
  });

  test('a report without Action says nothing of a recipient', async () => {
    const report = readFixture('postfix-unknown-user').toString('latin1').replace('Action: failed\r\n', '');
    assert.equal((await read(report.replace('<>', '<a@b.example>'))).kind, 'note');
  });

  test('any mail to the address of List-Unsubscribe unsubscribes', async () => {
    assert.deepEqual(await read('', `u+${unsubscribeToken}`), { kind: 'unsubscribe' });
    assert.deepEqual(await read(readFixture('garbage'), `u+${unsubscribeToken}`), { kind: 'unsubscribe' });
  });

  test('mail cut anywhere is read without an error (R8.2)', async () => {
    const whole = readFixture('gmail-unknown-user');
    for (let length = 0; length < whole.length; length += 97)
      assert.match((await read(whole.subarray(0, length))).kind, /^(?:failure|note)$/);
  });

  const repeat = (text: string) => text.repeat(Math.ceil(maxInboundBytes / text.length));
  const hostile: Record<string, string> = {
    dashes: `\r\n\r\n${repeat('-')}`,
    'nested parts': repeat('Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a\r\n'),
    'codes without end': `\r\n\r\n${repeat('550 ')}`,
    'blanks before a code': `\r\n\r\n${repeat(' ')}550 5.1.1`,
    'folded fields': `Subject: ${repeat('\r\n ')}x`,
    'encoded words': `Subject: ${repeat('=?utf-8?q?=41?= ')}\r\n\r\n`,
    addresses: `From: ${repeat('<a@b>,')}\r\n\r\n`,
    'open tags': `Content-Type: text/html\r\n\r\n${repeat('<a ')}`,
    'recipients without end': `Content-Type: message/delivery-status\r\n\r\n${repeat('Action: x\r\n\r\n')}`,
  };
  for (const [name, text] of Object.entries(hostile))
    test(`${name} are read within a second (R8.2)`, async () => {
      const start = performance.now();
      const head = 'Return-Path: <>\r\nX-Failed-Recipients: a\r\n';
      assert.equal(typeof (await read(`${head}${text}`.slice(0, maxInboundBytes))).kind, 'string');
      assert.ok(performance.now() - start < 1_000, `${performance.now() - start} ms`);
    });
});
