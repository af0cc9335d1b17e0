import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { keyRecordOf, makeDkimKey } from '../../apps/server/src/testing/dkim-key.ts';
import { openDkim, type OpenDkim } from './open-dkim.ts';
import { judgeSpam } from './spam-assassin.ts';
import { signStarterEmails, type SignedEmail } from './starter-emails.ts';
import { startBind, textRecord, type Bind } from './start-bind.ts';

const domain = 'good.test';
const privateKey = makeDkimKey();
const record = keyRecordOf(privateKey);
const mailServer = { host: 'mx.good.test', address: '185.199.108.5' };

suite('signatures in DNS', () => {
  let bind: Bind;
  let dkim: OpenDkim;
  let emails: SignedEmail[];

  before(async () => {
    bind = await startBind({
      [domain]: [
        textRecord('r1._domainkey', record),
        textRecord('other._domainkey', keyRecordOf(makeDkimKey())),
        textRecord('revoked._domainkey', 'v=DKIM1; k=rsa; p='),
        textRecord('twice._domainkey', record),
        textRecord('twice._domainkey', keyRecordOf(makeDkimKey())),
        textRecord('_dmarc', 'v=DMARC1; p=reject; adkim=s'),
        textRecord('bounce', `v=spf1 ip4:${mailServer.address} -all`),
        'bounce MX 10 mx',
        ...['@', 'mx', 'reachout'].map((name) => `${name} A ${mailServer.address}`),
      ],
    });
    dkim = await openDkim(bind);
    emails = await signStarterEmails({ domain, selector: 'r1', privateKey });
  });
  after(() => bind.stop());

  const assertVerified = async (message: Buffer, what: string) => {
    const { output } = await dkim.verify(message);
    assert.match(output, /verification \(s=r1, d=good\.test, 2048-bit key\) succeeded/, what);
  };
  const assertFailed = async (message: string, what: string) => {
    const { output } = await dkim.verify(Buffer.from(message, 'latin1'));
    assert.match(output, /failed|did not verify/, what);
    assert.doesNotMatch(output, /succeeded/, what);
  };

  test('OpenDKIM verifies all default templates (EML-8)', async () => {
    assert.ok(emails.length >= 10);
    for (const { name, message } of emails) await assertVerified(message, name);
  });

  test('OpenDKIM finds every change of a signed message (EML-8)', async () => {
    const signed = emails[0]!.message.toString('latin1');
    const replace = (pattern: RegExp | string, by: string) => {
      assert.notEqual(signed.replace(pattern, by), signed, String(pattern));
      return signed.replace(pattern, by);
    };
    for (const field of [
      'From: Other <other@evil.test>',
      'Subject: Other',
      'List-Unsubscribe: <https://evil.test/>',
      'Reply-To: other@evil.test',
      'To: other@receiver.test',
      'Cc: other@receiver.test',
      'Sender: other@evil.test',
    ])
      await assertFailed(`${field}\r\n${signed}`, field);
    const changed = {
      'no List-Unsubscribe-Post': replace(/^List-Unsubscribe-Post: .*\r\n/m, ''),
      'other Feedback-ID': replace(/^Feedback-ID: /m, 'Feedback-ID: 2'),
      'other body': replace('Unsubscribe</a>', 'Subscribe</a>'),
      'longer body': `${signed}More\r\n`,
    };
    for (const [what, message] of Object.entries(changed)) await assertFailed(message, what);
    await assertVerified(Buffer.from(replace(/^Precedence: .*\r\n/m, ''), 'latin1'), 'without Precedence');
  });

  test('opendkim-testkey compares the key with its record', async () => {
    const codeOf = async (selector: string) => (await dkim.testKey(domain, selector, privateKey)).code;
    assert.equal(await codeOf('r1'), 0);
    assert.equal(await codeOf('other'), 65);
    for (const selector of ['absent', 'revoked', 'twice']) assert.equal(await codeOf(selector), 69, selector);
  });

  test('SpamAssassin finds nothing wrong with signed default templates', async () => {
    for (const { name, score, rules } of await judgeSpam(bind, emails, mailServer)) {
      assert.ok(score < 1, `${name}: ${score} for ${rules.join(', ')}`);
      for (const rule of ['SPF_PASS', 'DKIM_VALID', 'DKIM_VALID_AU'])
        assert.ok(rules.includes(rule), `${name} has no ${rule}: ${rules.join(', ')}`);
    }
  });

  test('SpamAssassin does not believe a changed message', async () => {
    const [{ message, ...email }] = emails as [SignedEmail];
    const changed = { ...email, message: Buffer.concat([Buffer.from('Subject: Other\r\n'), message]) };
    const [report] = await judgeSpam(bind, [changed], mailServer);
    assert.ok(report!.rules.includes('DKIM_INVALID'), report!.rules.join(', '));
  });
});
