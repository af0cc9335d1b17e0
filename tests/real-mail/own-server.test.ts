import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  checkOwnTransport,
  openOwnTransport,
} from '../../apps/server/src/email/transports/open-own-transport.ts';
import type { OpenOptions, OwnTransport } from '../../apps/server/src/email/transports/own-transport.ts';
import {
  createOutboundClient,
  type OutboundClient,
} from '../../apps/server/src/platform/outbound/outbound-client.ts';
import { testCertificate } from '../../apps/server/src/testing/smtp-certificate.ts';
import { startSmtpSink, type SmtpSink } from '../../apps/server/src/testing/smtp-sink.ts';
import { waitUntil } from '../../apps/server/src/testing/wait-until.ts';
import { isInstalled } from './programs.ts';
import { startPostfix, type Postfix } from './start-postfix.ts';

const problem = !['postfix', 'saslpasswd2'].every(isInstalled)
  ? 'Postfix or sasl2-bin is not installed'
  : process.getuid?.() === 0
    ? undefined
    : 'only root can start Postfix';

const password = 'pass word-ä';

suite('an organization’s server is a Postfix with TLS and sign-in', { skip: problem }, () => {
  let sink: SmtpSink;
  let postfix: Postfix;
  let outbound: OutboundClient;
  let options: OpenOptions;
  let own: OwnTransport;

  before(async () => {
    sink = await startSmtpSink({ keepMessages: true });
    postfix = await startPostfix(
      { 'rcpt.test': Number(new URL(sink.url).port) },
      { user: 'agency', password },
    );
    const port = Number(new URL(postfix.url).port);
    outbound = createOutboundClient([`localhost:${port}`]);
    options = { outbound, connections: 2, endpoints: { smtpCa: testCertificate } };
    own = {
      id: 'transport',
      organizationId: 'organization',
      settings: {
        kind: 'smtp',
        host: 'localhost',
        port,
        security: 'starttls',
        username: 'agency@relay.test',
        envelope: 'ours',
      },
      secret: password,
      webhookSecret: null,
    };
  });
  after(async () => {
    await outbound.close();
    await postfix.stop();
    await sink.close();
  });

  const send = async (secret: string, recipient = 'ada@rcpt.test') => {
    const transport = await openOwnTransport({ ...own, secret }, options);
    const text = `From: news@brand.test\r\nTo: ${recipient}\r\nSubject: Our news\r\n\r\nHello\r\n`;
    const { result, settle } = await transport.send({
      envelopeFrom: 'news@brand.test',
      envelopeTo: recipient,
      message: Buffer.from(text),
    });
    settle();
    await transport.close();
    return result;
  };

  test('a check signs in, and repeats what the server says', async () => {
    await checkOwnTransport(own, options);
    await assert.rejects(checkOwnTransport({ ...own, secret: 'wrong' }, options), /535/);
  });

  test('messages are accepted and delivered', async () => {
    const result = await send(password);
    assert.equal(result.outcome, 'accepted', JSON.stringify(result));
    const taken = await waitUntil('the message arrives', () => sink.taken[0]);
    assert.match(taken.raw, /with ESMTPSA/);
  });

  test('a password that is not valid keeps messages here', async () => {
    const result = await send('wrong');
    assert.equal(result.outcome, 'not_sent');
    assert.match(JSON.stringify(result), /535/);
    assert.doesNotMatch(JSON.stringify(result), /pass word/);
  });
});
