import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { InboundServer } from '../../apps/server/src/email/inbound/inbound-server.ts';
import { readReturnedMail } from '../../apps/server/src/email/inbound/read-returned-mail.ts';
import type { InboundMail } from '../../apps/server/src/email/inbound/returned-mail.ts';
import { createTokenSigner } from '../../apps/server/src/email/links/tokens.ts';
import { classifyRejection } from '../../apps/server/src/email/rejections/classify-rejection.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startSmtpSink, type SmtpSink } from '../../apps/server/src/testing/smtp-sink.ts';
import { waitUntil } from '../../apps/server/src/testing/wait-until.ts';
import { isInstalled } from './programs.ts';
import { startPostfix, type Postfix } from './start-postfix.ts';

const problem = !isInstalled('postfix')
  ? 'Postfix is not installed'
  : process.getuid?.() === 0
    ? undefined
    : 'only root can start Postfix';

/** Where the reports are stored that arrive, for those who look for examples. */
const folder = process.env['REACHOUT_KEEP_REPORTS'];

const refusals: Record<string, { code: number; text: string }> = {
  nouser: { code: 550, text: '5.1.1 no such user' },
  full: { code: 452, text: '4.2.2 The mailbox is over its quota' },
  defer: { code: 450, text: '4.7.1 Greylisted, try again later' },
  policy: { code: 550, text: "5.7.26 brand.test does not pass DMARC, which the sender's policy rejects" },
};

suite('returned mail by Postfix', { skip: problem }, () => {
  const signer = createTokenSigner(Buffer.alloc(32, 5));
  const taken: InboundMail[] = [];
  let sink: SmtpSink;
  let listener: InboundServer;
  let postfix: Postfix;

  before(async () => {
    sink = await startSmtpSink();
    sink.refuse = (recipient) => refusals[recipient.split('@')[0]!];
    listener = new InboundServer({
      host: '127.0.0.1',
      port: 0,
      name: 'bounce.brand.test',
      signer,
      isBounceHost: (domain) => Promise.resolve(domain === 'bounce.brand.test'),
      store: (mail) => {
        taken.push(mail);
        return Promise.resolve();
      },
      log: createLog('silent'),
    });
    postfix = await startPostfix({
      'rcpt.test': Number(new URL(sink.url).port),
      'bounce.brand.test': await listener.listen(),
    });
  });
  after(async () => {
    await postfix.stop();
    await listener.stop();
    await sink.close();
  });

  let seq = 0;
  async function sendTo(recipient: string) {
    seq += 1;
    const mailbox = `b.${signer.sign({ sendNumber: 1, seq }).return_path}`;
    const transport = createTransport(postfix.url);
    await transport.sendMail({
      envelope: { from: `${mailbox}@bounce.brand.test`, to: recipient },
      from: 'news@brand.test',
      to: recipient,
      subject: 'Our news',
      text: 'Hello',
    });
    transport.close();
    const mail = await waitUntil('the report arrives', () => taken.find((one) => one.mailbox === mailbox));
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${recipient}.eml`), mail.raw);
    }
    return await readReturnedMail(mail);
  }

  const expected = {
    'nouser@rcpt.test': [550, '5.1.1', 'rcpt', 'address_hard'],
    'full@rcpt.test': [452, '4.2.2', 'rcpt', 'mailbox_full'],
    'defer@rcpt.test': [450, '4.7.1', 'rcpt', 'transient'],
    'policy@rcpt.test': [550, '5.7.26', 'rcpt', 'authentication'],
  } as const;
  for (const [recipient, facts] of Object.entries(expected))
    test(`a report about ${recipient} is read as its failure`, async () => {
      const mail = await sendTo(recipient);
      assert.ok(mail.kind === 'failure', JSON.stringify(mail));
      assert.deepEqual(
        [mail.code, mail.enhanced, mail.stage, classifyRejection(mail).class],
        facts,
        mail.text,
      );
    });

  test('an unknown host is the failure of its domain', async () => {
    const mail = await sendTo('ada@gone.test');
    assert.ok(mail.kind === 'failure', JSON.stringify(mail));
    assert.match(classifyRejection(mail).class, /^(?:domain_hard|routing_soft)$/);
  });
});
