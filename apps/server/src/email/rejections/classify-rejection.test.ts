import assert from 'node:assert/strict';
import test from 'node:test';
import { aboutSender, fillIn, missingAddresses } from '../../testing/rejection-wordings.ts';
import { classifyRejection } from './classify-rejection.ts';
import { findEnhancedCode } from '../smtp/smtp-reply.ts';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import type { RejectionSubject, SmtpStage } from './rejection.ts';

const envelope = {
  sender: 'b.Ab12-Cd34_Ef56@bounce.example',
  recipient: 'user7@sink.example',
  fromDomain: 'nordwind.example',
  clientName: 'mta1.reachout.example',
};
const classOf = (code: number, said: string, stage: SmtpStage) => {
  const text = fillIn(said, envelope);
  return classifyRejection({ code, enhanced: findEnhancedCode(code, text), text, stage, envelope });
};

test('an enhanced code must match its reply', () => {
  assert.equal(findEnhancedCode(550, '5.1.1 gone'), '5.1.1');
  assert.equal(findEnhancedCode(550, 'Sorry\n5.1.1 gone'), '5.1.1');
  assert.equal(findEnhancedCode(550, '#5.1.0 Address rejected.'), '5.1.0');
  assert.equal(findEnhancedCode(550, 'rejected <a@b> #5.1.0 Address rejected'), '5.1.0');
  assert.equal(findEnhancedCode(550, 'no mailbox here by that name (5.1.1)'), '5.1.1');
  assert.equal(findEnhancedCode(550, 'permanent failure (x@y:550 5.1.1 no such user)'), '5.1.1');
  assert.equal(findEnhancedCode(450, '5.1.1 gone'), null);
  assert.equal(findEnhancedCode(550, '5.1.1.7 is an address'), null);
});

test('exact codes determine the class', () => {
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
    [550, '5.4.1 Recipient address rejected: Access denied.', 'rcpt', 'address_likely'],
    [550, 'no', 'rcpt', 'address_likely'],
    [550, '5.7.17 Mailbox owner has changed', 'rcpt', 'address_likely'],
    [556, '5.1.10 Recipient address has null MX', 'rcpt', 'domain_hard'],
    [550, '5.1.10 rejected', 'rcpt', 'domain_hard'],
    [550, '5.1.2 Host or domain name not found', 'rcpt', 'domain_hard'],
    [553, "5.1.2 We weren't able to find the recipient domain.", 'rcpt', 'domain_hard'],
    [550, '5.4.310 DNS domain sink.example does not exist', 'rcpt', 'domain_hard'],
    [550, '5.4.4 Unable to route', 'rcpt', 'routing_soft'],
    [451, '4.4.1 connection timed out', 'rcpt', 'routing_soft'],
    [452, '4.2.2 The email account that you tried to reach is over quota.', 'rcpt', 'mailbox_full'],
    [552, '5.2.2 mailbox full', 'rcpt', 'mailbox_full'],
    [552, 'Mailbox quota exceeded', 'message', 'mailbox_full'],
    [552, '5.3.4 Message size exceeds fixed limit', 'mail', 'too_big'],
    [450, '4.7.1 Greylisted, try again in 5 minutes', 'rcpt', 'transient'],
    [550, 'Mailbox temporarily unavailable', 'rcpt', 'transient'],
    [550, '<R>: Recipient address rejected: user lookup failed', 'rcpt', 'transient'],
    [550, '<R>: Recipient address rejected: policy service unavailable', 'rcpt', 'unknown'],
    [554, '5.4.7 delivery time expired', 'message', 'expired'],
    [421, '4.7.28 Our system has detected an unusual rate of unsolicited mail', 'message', 'reputation'],
    [421, 'RP-001 rate limited (S3115)', 'mail', 'reputation'],
    [421, '4.7.0 [TSS04] Messages from 1.2.3.4 temporarily deferred', 'mail', 'reputation'],
    [421, '4.7.32 not aligned', 'message', 'authentication'],
    [554, '5.7.9 Message not accepted for policy reasons', 'message', 'authentication'],
    [554, '5.7.1 Message looks like spam', 'message', 'content'],
    [554, 'Transaction failed', 'message', 'content'],
    [554, '5.7.1 Unknown address in the header of the message', 'message', 'content'],
    [550, '5.6.0 broken content', 'message', 'content'],
    [503, '5.5.1 Bad sequence of commands', 'rcpt', 'protocol'],
    [530, '5.7.0 Must issue a STARTTLS command first', 'mail', 'protocol'],
    [554, '5.7.1 <R>: Relay access denied', 'rcpt', 'protocol'],
    [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", 'rcpt', 'protocol'],
    [535, '5.7.8 Authentication credentials invalid', 'mail', 'protocol'],
    [571, 'odd', 'rcpt', 'unknown'],
  ];
  for (const [code, text, stage, expected] of cases)
    assert.equal(classOf(code, text, stage).class, expected, `${code} ${text}`);
});

test('sender rejections never classify the recipient (R6.5)', () => {
  for (const stage of ['rcpt', 'mail', 'message'] as const)
    for (const [code, text] of aboutSender) {
      const { subject, class: bounceClass } = classOf(code, text, stage);
      assert.equal(subject, 'sender', `${stage} ${code} ${text}: ${bounceClass}`);
      assert.ok(
        ['authentication', 'reputation', 'protocol'].includes(bounceClass),
        `${text}: ${bounceClass}`,
      );
    }
});

test('unknown recipients are recognized except after MAIL', () => {
  for (const [code, text] of missingAddresses) {
    assert.deepEqual(classOf(code, text, 'rcpt'), { subject: 'recipient', class: 'address_hard' }, text);
    assert.equal(classOf(code, text, 'mail').subject, 'sender', text);
  }
});

test('replies after the text concern the recipient', () => {
  const cases: [number, string, BounceClass][] = [
    [
      554,
      '30 Sorry, your message to R cannot be delivered. This mailbox is disabled (554.30).',
      'address_hard',
    ],
    [554, "delivery error: dd This user doesn't have a yahoo.com account (R) [0]", 'address_hard'],
    [550, '5.1.1 <R>: user unknown', 'address_hard'],
    [550, '5.1.10 RESOLVER.ADR.RecipientNotFound; not found', 'address_hard'],
    [554, 'Message rejected: invalid address in the To header', 'content'],
    [554, 'unknown error', 'content'],
    [550, 'That email address does not exist', 'address_hard'],
    [550, 'Sender verify failed', 'authentication'],
    [554, 'R no longer valid', 'address_hard'],
    [554, 'This email address is no longer valid', 'address_hard'],
    [554, 'delivery error: dd This address is no longer in use [0]', 'address_hard'],
    [554, "The email address you entered couldn't be found", 'address_hard'],
    [554, 'No such address', 'address_hard'],
    [554, 'Adresse ist nicht mehr gueltig', 'address_hard'],
    [554, 'S is no longer valid', 'authentication'],
    [554, 'Return address no longer valid', 'authentication'],
    [554, 'Your IP address is no longer trusted', 'reputation'],
    [554, 'The link in this message is no longer valid', 'content'],
    [554, 'Message contains an address that is no longer valid', 'content'],
    [554, 'list address closed for non-members', 'content'],
  ];
  for (const [code, text, expected] of cases)
    assert.equal(classOf(code, text, 'message').class, expected, text);
});

test('RCPT TO is the recipient where the dialog is not quoted', () => {
  const cases: [number, string, BounceClass][] = [
    [501, 'Invalid RCPT TO', 'address_hard'],
    [501, 'Invalid rcpt to: <R>', 'address_hard'],
    [501, 'Bad RCPT TO address', 'address_hard'],
    [501, 'Invalid address', 'address_hard'],
    [511, 'Bad email address', 'address_hard'],
    [550, 'Invalid RCPT TO', 'address_hard'],
    [551, 'User not local; please try <x@other.example>', 'address_hard'],
    [553, 'rcpt to not valid', 'address_hard'],
    [501, 'Syntax error in parameters or arguments', 'protocol'],
    [503, 'RCPT TO not available before MAIL FROM', 'authentication'],
    [500, 'RCPT command unrecognized', 'protocol'],
    [501, 'Invalid MAIL FROM', 'authentication'],
    [550, 'Too many invalid RCPT TO commands', 'reputation'],
    [550, 'Access closed (in reply to RCPT TO command)', 'address_likely'],
  ];
  for (const [code, text, expected] of cases)
    assert.equal(classOf(code, text, 'rcpt').class, expected, `${code} ${text}`);
});

test('words in addresses and host names are ignored', () => {
  const odd = { ...envelope, recipient: 'sender@client-ip.example', fromDomain: 'user-unknown.example' };
  const subjectOf = (text: string) =>
    classifyRejection({ code: 550, enhanced: null, text, stage: 'rcpt', envelope: odd });
  assert.equal(subjectOf('<sender@client-ip.example>: no such user').class, 'address_hard');
  assert.equal(subjectOf('mx.relay-helo.example: mailbox unavailable').class, 'address_hard');
  assert.equal(subjectOf('user-unknown.example is not welcome').subject, 'sender');
  // Somebody who writes to colleagues.
  const own = { ...envelope, recipient: 'user7@nordwind.example' };
  const reply = { code: 550, enhanced: null, stage: 'rcpt' as const, envelope: own };
  assert.equal(
    classifyRejection({ ...reply, text: 'No such user7@nordwind.example at nordwind.example: user unknown' })
      .class,
    'address_hard',
  );
});

test('transient MAIL replies concern the session by default', () => {
  const cases: [number, string, SmtpStage, RejectionSubject][] = [
    [452, '4.4.5 too many messages in this session', 'mail', 'session'],
    [452, '4.3.1 Insufficient system storage', 'mail', 'session'],
    [451, '4.7.1 try later', 'mail', 'session'],
    [450, '4.7.1 Client host rejected: too busy', 'mail', 'session'],
    [452, 'Too many recipients received this session', 'rcpt', 'session'],
    [421, '4.7.0 Too many connections from 192.0.2.1', 'rcpt', 'session'],
    [421, '4.3.2 System shutting down', 'message', 'session'],
    [550, 'Too many messages per connection', 'mail', 'session'],
    [450, '4.1.8 <S>: Sender address rejected: Domain not found', 'mail', 'sender'],
    [451, '4.7.1 Too much mail from S', 'mail', 'sender'],
    [450, '4.2.0 <R>: Recipient address rejected: Greylisted', 'rcpt', 'recipient'],
    [450, '4.1.1 user unknown', 'rcpt', 'recipient'],
    [432, '4.3.2 STOREDRV.Deliver; recipient thread limit exceeded', 'rcpt', 'recipient'],
  ];
  for (const [code, text, stage, expected] of cases)
    assert.equal(classOf(code, text, stage).subject, expected, text);
});
