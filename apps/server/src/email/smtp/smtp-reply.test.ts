import assert from 'node:assert/strict';
import test from 'node:test';
import type { BounceClass, SmtpStage } from '../transports/transport.ts';
import { classifyRejection, cleanReplyText, findEnhancedCode, SmtpReplyParser } from './smtp-reply.ts';

test('a reply is whole however the network cut it', () => {
  const text = '250-first\r\n250-SIZE 10\r\n250 last\r\n550 5.1.1 no\nsuch'.replace('\nsuch', '\r\n');
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new SmtpReplyParser();
    const replies = [
      ...parser.push(Buffer.from(text.slice(0, cut))),
      ...parser.push(Buffer.from(text.slice(cut))),
    ];
    assert.deepEqual(
      replies.map(({ code, lines }) => [code, lines]),
      [
        [250, ['first', 'SIZE 10', 'last']],
        [550, ['5.1.1 no']],
      ],
    );
    assert.equal(parser.isMidReply, false);
  }
});

test('what is no SMTP, or never ends, is refused; the replies before it count', () => {
  const problemOf = (...texts: string[]) => {
    const parser = new SmtpReplyParser();
    const codes = texts.flatMap((text) => parser.push(Buffer.from(text)).map(({ code }) => code));
    return { codes, problem: parser.problem };
  };
  assert.match(problemOf('HTTP/1.1 400 Bad Request\r\n').problem ?? '', /^Not an SMTP reply: HTTP/);
  assert.match(problemOf('999 x\r\n').problem ?? '', /^Not an SMTP reply/);
  assert.deepEqual(problemOf('250 ok\r\nwhat?\r\n250 ok\r\n', '250 ok\r\n').codes, [250]);
  const endless = Array.from({ length: 100 }, () => `250-${'x'.repeat(1000)}\r\n`);
  assert.equal(problemOf(...endless).problem, 'The server sent an endless reply.');
});

test('TPL-6: reply texts are cut and hold no controls', () => {
  assert.equal(cleanReplyText('a\u001b[31m\u0000b\u009bü\r\nc'), 'a [31m b c');
  assert.equal(cleanReplyText('x'.repeat(1000)).length, 500);
});

test('an enhanced code must fit the reply', () => {
  assert.equal(findEnhancedCode(550, '5.1.1 gone'), '5.1.1');
  assert.equal(findEnhancedCode(550, '#5.1.0 Address rejected.'), '5.1.0');
  assert.equal(findEnhancedCode(550, 'rejected <a@b> #5.1.0 Address rejected'), '5.1.0');
  assert.equal(findEnhancedCode(450, '5.1.1 gone'), null);
  assert.equal(findEnhancedCode(550, '5.1.1.7 is an address'), null);
});

test('real refusals fall into their class', () => {
  const cases: [number, string, SmtpStage, BounceClass][] = [
    [550, '5.1.1 The email account that you tried to reach does not exist.', 'rcpt', 'address_hard'],
    [550, '5.2.1 The email account that you tried to reach is disabled.', 'rcpt', 'address_hard'],
    [450, '4.2.1 The user you are trying to contact is receiving mail too quickly.', 'rcpt', 'transient'],
    [
      550,
      '5.2.1 The user you are trying to contact is receiving mail at a rate that prevents delivery',
      'rcpt',
      'transient',
    ],
    [525, '5.7.13 User account disabled', 'rcpt', 'address_hard'],
    [550, 'Requested action not taken: mailbox unavailable', 'rcpt', 'address_hard'],
    [550, '<x@y>: Recipient address rejected: User unknown in virtual mailbox table', 'rcpt', 'address_hard'],
    [554, "delivery error: dd This user doesn't have a yahoo.com account ", 'message', 'address_hard'],
    [550, '5.4.1 Recipient address rejected: Access denied.', 'rcpt', 'address_likely'],
    [550, 'no', 'rcpt', 'address_likely'],
    [550, '5.7.17 Mailbox owner has changed', 'rcpt', 'address_likely'],
    [556, '5.1.10 Recipient address has null MX', 'rcpt', 'domain_hard'],
    [550, '5.1.2 Host or domain name not found', 'rcpt', 'domain_hard'],
    [550, '5.4.4 Unable to route', 'rcpt', 'routing_soft'],
    [451, '4.4.1 connection timed out', 'rcpt', 'routing_soft'],
    [452, '4.2.2 The email account that you tried to reach is over quota.', 'rcpt', 'mailbox_full'],
    [552, '5.2.2 mailbox full', 'rcpt', 'mailbox_full'],
    [552, 'Mailbox quota exceeded', 'message', 'mailbox_full'],
    [552, '5.3.4 Message size exceeds fixed limit', 'mail', 'too_big'],
    [450, '4.7.1 Greylisted, try again in 5 minutes', 'rcpt', 'transient'],
    [421, 'Service not available', 'mail', 'transient'],
    [452, '4.3.1 Insufficient system storage', 'mail', 'transient'],
    [554, '5.4.7 delivery time expired', 'message', 'expired'],
    [421, '4.7.28 Our system has detected an unusual rate of unsolicited mail', 'message', 'reputation'],
    [421, 'RP-001 rate limited (S3115)', 'mail', 'reputation'],
    [421, '4.7.0 [TSS04] Messages from 1.2.3.4 temporarily deferred', 'mail', 'reputation'],
    [554, '5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org', 'rcpt', 'reputation'],
    [550, '5.7.606 Access denied, banned sending IP', 'mail', 'reputation'],
    [550, '5.7.25 The IP address sending this message does not have a PTR record', 'message', 'reputation'],
    [550, '5.7.26 This mail is unauthenticated', 'message', 'authentication'],
    [421, '4.7.32 not aligned', 'message', 'authentication'],
    [
      550,
      '5.7.515 Access denied, sending domain does not meet the required authentication level',
      'message',
      'authentication',
    ],
    [554, '5.7.9 Message not accepted for policy reasons', 'message', 'authentication'],
    [550, '5.7.1 rejected: DMARC check failed, policy reject', 'message', 'authentication'],
    [554, '5.7.1 Message looks like spam', 'message', 'content'],
    [554, 'Transaction failed', 'message', 'content'],
    [550, '5.6.0 broken content', 'message', 'content'],
    [503, '5.5.1 Bad sequence of commands', 'rcpt', 'protocol'],
    [530, '5.7.0 Must issue a STARTTLS command first', 'mail', 'protocol'],
    [554, '5.7.1 <x@y>: Relay access denied', 'rcpt', 'protocol'],
    [535, '5.7.8 Authentication credentials invalid', 'mail', 'protocol'],
    [571, 'odd', 'mail', 'unknown'],
  ];
  for (const [code, text, stage, expected] of cases) {
    const enhanced = findEnhancedCode(code, text);
    assert.equal(classifyRejection({ code, enhanced, text, stage }), expected, `${code} ${text}`);
  }
});
