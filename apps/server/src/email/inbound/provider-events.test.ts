import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { createTokenSigner } from '../links/tokens.ts';
import { TransportCheckError, type OwnTransport } from '../transports/own-transport.ts';
import { createOutboundClient, outboundLimits } from '../../platform/outbound/outbound-client.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import {
  classicWebhook,
  ownElasticEmail as elastic,
  ownSes as ses,
  signedWebhook,
  snsMessage,
  snsRequest,
  startAmazonSes,
  startElasticEmail,
} from '../../testing/provider-servers.ts';
import type { ProviderEvent, StoredRequest } from './provider-event.ts';
import { readProviderEvents } from './provider-events.ts';
import { readSnsMessage } from './sns.ts';

const token = createTokenSigner(Buffer.alloc(32, 3)).sign({ sendNumber: 99, seq: 7 }).return_path;
const limits = { ...outboundLimits, unusableNameMs: 20 };
const { webhookSecret } = elastic;

async function start<S extends typeof startAmazonSes | typeof startElasticEmail>(t: TestContext, startIt: S) {
  const server = (await startIt()) as Awaited<ReturnType<S>>;
  const outbound = createOutboundClient([server.host], limits);
  t.after(async () => {
    await outbound.close();
    server.close();
  });
  const deps = { outbound, endpoints: server.endpoints };
  return {
    server,
    deps,
    read: (request: StoredRequest, own: OwnTransport) => readProviderEvents(request, own, deps),
  };
}

const failureOf = (of: string, text: string): object => ({ token, kind: 'failure', class: of, text });

suite('what Elastic Email reports', () => {
  const fields = {
    transaction: 'transaction-1',
    messageid: 'message-1',
    to: 'user7@sink.example',
    channel: 'reachout-2r',
    postback: token,
  };
  const error = (category: string) => ({ ...fields, status: 'Error', category });

  test('signed notifications are believed', async (t) => {
    const { server, read } = await start(t, startElasticEmail);
    const cases: [Record<string, string>, object][] = [
      [
        { ...fields, status: 'Sent' },
        { token, kind: 'accepted', reference: 'transaction-1' },
      ],
      [{ ...fields, status: 'Opened' }, { kind: 'note' }],
      [{ ...fields, status: 'Clicked' }, { kind: 'note' }],
      [{ ...fields, status: 'constructor' }, { kind: 'note' }],
      [
        { ...fields, status: 'AbuseReport' },
        { token, kind: 'complaint' },
      ],
      [
        { ...fields, status: 'Unsubscribed' },
        { token, kind: 'unsubscribe' },
      ],
      [{ ...fields, postback: 'of other mail', status: 'AbuseReport' }, { kind: 'note' }],
      [error('NoMailbox'), failureOf('address_hard', 'NoMailbox')],
      [error('AccountProblem'), failureOf('address_likely', 'AccountProblem')],
      [error('Spam'), failureOf('reputation', 'Spam')],
      [error('SPFProblem'), failureOf('authentication', 'SPFProblem')],
      [error('ContentFilter'), failureOf('content', 'ContentFilter')],
      [error('DNSProblem'), failureOf('routing_soft', 'DNSProblem')],
      [error('GreyListed'), failureOf('expired', 'GreyListed')],
      [error('NotDelivered'), failureOf('unknown', 'NotDelivered')],
      [error('constructor'), failureOf('unknown', 'constructor')],
    ];
    for (const [given, expected] of cases) {
      const found = await read(signedWebhook(given, webhookSecret), elastic);
      assert.partialDeepStrictEqual(found, { events: [expected] as ProviderEvent[] });
    }
    assert.deepEqual(server.requests, []);
  });

  test('a wrong, altered or old signature is rejected (R8.3)', async (t) => {
    const { server, read } = await start(t, startElasticEmail);
    const good = signedWebhook(error('NoMailbox'), webhookSecret);
    const old = (ms: number) =>
      signedWebhook(error('NoMailbox'), webhookSecret, { sentAt: new Date(Date.now() + ms) });
    const withSignature = (signature: string) => ({
      ...good,
      headers: { ...good.headers, 'x-elasticemail-signature': signature },
    });
    const bad = [
      signedWebhook(error('NoMailbox'), 'whsec_other'),
      { ...good, body: good.body.replace('NoMailbox', 'Spam') },
      { ...good, headers: { ...good.headers, 'x-elasticemail-timestamp': '' } },
      withSignature('v1='),
      withSignature('v1=00'),
      withSignature(good.headers['x-elasticemail-signature']!.slice(3)),
      old(-301_000),
      old(301_000),
    ];
    for (const request of bad)
      assert.ok('rejected' in (await read(request, elastic)), JSON.stringify(request));
    assert.ok('events' in (await read(old(-290_000), elastic)));
    assert.deepEqual(server.requests, []);
  });

  test('without a signature, the log of the account decides (R8.3)', async (t) => {
    const { server, read } = await start(t, startElasticEmail);
    const hint = classicWebhook(error('NoMailbox'));
    const unsigned = { ...hint, method: 'POST', body: JSON.stringify(error('NoMailbox')) };
    const form = { ...hint, method: 'POST', body: hint.query };
    for (const request of [hint, unsigned, form])
      assert.ok('rejected' in (await read(request, elastic)), 'nothing is logged');
    const entry = {
      TransactionID: 'transaction-1',
      To: 'user7@sink.example',
      EventType: 'Bounce',
      ChannelName: 'reachout-2r',
      MessageCategory: 'AccountProblem',
      Message: '550 5.2.1 disabled',
    };
    for (const wrong of [
      { EventType: 'Sent' },
      { ChannelName: 'reachout-2s' },
      { To: 'user8@sink.example' },
      { TransactionID: 'transaction-2' },
    ])
      server.log.push({ ...entry, ...wrong });
    assert.ok('rejected' in (await read(hint, elastic)), 'something else is logged');
    server.log.push(entry);
    for (const request of [hint, unsigned, form]) {
      server.requests.length = 0;
      assert.partialDeepStrictEqual(await read(request, elastic), {
        events: [failureOf('address_likely', 'AccountProblem 550 5.2.1 disabled') as ProviderEvent],
      });
      assert.equal(server.requests.length, 1);
    }
  });

  test('a hint of other mail, or of nothing, asks nobody', async (t) => {
    const { server, read } = await start(t, startElasticEmail);
    for (const given of [{ status: 'Error' }, { ...fields, status: 'Opened' }])
      assert.deepEqual(await read(classicWebhook(given), elastic), { events: [{ kind: 'note' }] });
    for (const query of ['', `status=Error&postback=${token}&transaction=../../suppressions`])
      assert.ok('rejected' in (await read({ ...classicWebhook({}), query }, elastic)));
    assert.deepEqual(server.requests, []);
  });

  test('a log that cannot be reached leaves the hint for later', async (t) => {
    const { server, read } = await start(t, startElasticEmail);
    server.isRevoked = true;
    await assert.rejects(read(classicWebhook(error('NoMailbox')), elastic), TransportCheckError);
    server.close();
    await assert.rejects(read(classicWebhook(error('NoMailbox')), elastic), OutboundFailure);
  });
});

suite('what Amazon SES reports', () => {
  const mail = { messageId: 'ses-1', tags: { reachout: [token] } };
  const bounced = (bounceType: string, bounceSubType: string, diagnosticCode?: string) => ({
    eventType: 'Bounce',
    mail,
    bounce: {
      bounceType,
      bounceSubType,
      bouncedRecipients: [{ emailAddress: 'user7@sink.example', diagnosticCode }],
    },
  });
  const notification = (origin: string, event: unknown, changes: Record<string, string> = {}) =>
    snsRequest(snsMessage(origin, { Message: JSON.stringify(event), ...changes }));

  test('events of our topic become what they mean', async (t) => {
    const { server, read } = await start(t, startAmazonSes);
    const cases: [unknown, object][] = [
      [
        { eventType: 'Send', mail },
        { token, kind: 'accepted', reference: 'ses-1' },
      ],
      [
        { eventType: 'Delivery', mail },
        { token, kind: 'accepted' },
      ],
      [{ eventType: 'DeliveryDelay', mail }, { kind: 'note' }],
      [{ eventType: 'Open', mail }, { kind: 'note' }],
      [
        { eventType: 'Complaint', mail, complaint: { complaintFeedbackType: 'abuse' } },
        { token, kind: 'complaint' },
      ],
      [{ eventType: 'Complaint', mail, complaint: { complaintFeedbackType: 'not-spam' } }, { kind: 'note' }],
      [{ eventType: 'Reject', mail, reject: { reason: 'Bad content' } }, failureOf('content', 'Bad content')],
      [
        { eventType: 'Rendering Failure', mail, failure: { errorMessage: 'No template' } },
        failureOf('protocol', 'No template'),
      ],
      [{ eventType: 'Bounce', mail: { tags: {} } }, { kind: 'note' }],
      [null, { kind: 'note' }],
      [bounced('Permanent', 'NoEmail'), failureOf('address_hard', 'Permanent NoEmail')],
      [bounced('Permanent', 'General'), failureOf('address_likely', 'Permanent General')],
      [bounced('Permanent', 'constructor'), failureOf('address_likely', 'Permanent constructor')],
      [
        bounced('Permanent', 'General', 'smtp; 550 5.1.1 user unknown'),
        { ...failureOf('address_hard', '5.1.1 user unknown'), code: 550, enhanced: '5.1.1' },
      ],
      [
        bounced('Permanent', 'General', 'smtp; 550 5.7.1 SPF check failed for your domain'),
        failureOf('authentication', '5.7.1 SPF check failed for your domain'),
      ],
      [bounced('Permanent', 'OnAccountSuppressionList'), { kind: 'failure', class: 'address_likely' }],
      [
        bounced('Transient', 'General', 'smtp; 451 4.7.1 try later'),
        { kind: 'failure', class: 'expired', code: 451 },
      ],
      [bounced('Transient', 'General'), { kind: 'failure', class: 'expired', code: 450 }],
      [bounced('Transient', 'MailboxFull'), { kind: 'failure', class: 'mailbox_full' }],
      [bounced('Transient', 'MessageTooLarge'), { kind: 'failure', class: 'too_big' }],
      [bounced('Transient', 'ContentRejected'), { kind: 'failure', class: 'content' }],
      [bounced('Undetermined', 'Undetermined'), { kind: 'failure', class: 'unknown' }],
    ];
    for (const [event, expected] of cases)
      assert.partialDeepStrictEqual(
        await read(notification(server.origin, event), ses),
        { events: [expected] as ProviderEvent[] },
        JSON.stringify(event),
      );
    assert.equal(server.requests.length, 1, 'the certificate is fetched once');
  });

  test('both versions of signatures are verified', async (t) => {
    const { server, read } = await start(t, startAmazonSes);
    const Message = JSON.stringify({ eventType: 'Delivery', mail });
    for (const version of ['1', '2'] as const) {
      const message = snsMessage(server.origin, { Message, Subject: 'About mail' }, { version });
      assert.ok('events' in (await read(snsRequest(message), ses)));
      const altered = [
        { Message: `${Message} ` },
        { Subject: 'x' },
        { SignatureVersion: version === '1' ? '2' : '1' },
        { SignatureVersion: '3' },
        { SignatureVersion: 'constructor' },
        { Signature: '' },
        { Type: 'SubscriptionConfirmation' },
      ];
      for (const change of altered)
        assert.ok(
          'rejected' in (await read(snsRequest({ ...message, ...change }), ses)),
          JSON.stringify(change),
        );
    }
  });

  test('only topics of the transport are believed (R8.3)', async (t) => {
    const { server, read } = await start(t, startAmazonSes);
    const TopicArn = 'arn:aws:sns:eu-west-1:999999999999:reachout';
    const event = { eventType: 'Complaint', mail };
    assert.ok('rejected' in (await read(notification(server.origin, event, { TopicArn }), ses)));
    const withoutTopic = { ...ses, settings: { ...ses.settings, topic_arn: null } };
    assert.ok('rejected' in (await read(notification(server.origin, event), withoutTopic)));
  });

  test('certificates come from SNS only (R8.3)', async (t) => {
    const { server, deps } = await start(t, startAmazonSes);
    const path = '/SimpleNotificationService-0123456789abcdef.pem';
    const asked: string[] = [];
    const outbound = {
      ...deps.outbound,
      request: (request: { url: string }) => {
        asked.push(request.url);
        return Promise.reject(new Error('asked'));
      },
    };
    const readFrom = (url: string, region = 'eu-west-1') => {
      const topicArn = `arn:aws:sns:${region}:123456789012:reachout`;
      const signed = snsMessage(server.origin, { Message: '{}', TopicArn: topicArn });
      const message = { ...signed, SigningCertURL: url };
      return readSnsMessage(JSON.stringify(message), { outbound, owner: 'one', topicArn });
    };
    const denied = [
      `http://sns.eu-west-1.amazonaws.com${path}`,
      `https://sns.eu-west-1.amazonaws.com:8443${path}`,
      `https://user@sns.eu-west-1.amazonaws.com${path}`,
      `https://sns.eu-west-1.amazonaws.com.evil.example${path}`,
      `https://sns.evil.example${path}`,
      `https://evil.example/sns.eu-west-1.amazonaws.com${path}`,
      `https://s3.eu-west-1.amazonaws.com${path}`,
      `https://sns.a.b.amazonaws.com${path}`,
      `https://sns.s3.amazonaws.com${path}`,
      `https://sns.us-east-1.amazonaws.com${path}`,
      'https://sns.eu-west-1.amazonaws.com/other.pem',
      'https://sns.eu-west-1.amazonaws.com/?Action=Get.pem',
      `${server.origin}${path}`,
      'no address',
    ];
    for (const url of denied) assert.equal(await readFrom(url), undefined, url);
    assert.deepEqual(asked, []);
    await assert.rejects(readFrom(`https://sns.eu-west-1.amazonaws.com${path}`), /asked/);
    const ofChina = 'https://sns.cn-north-1.amazonaws.com.cn';
    await assert.rejects(readFrom(`${ofChina}${path}`, 'cn-north-1'), /asked/);
  });

  test('subscriptions of the own topic are confirmed at SNS', async (t) => {
    const { server, read } = await start(t, startAmazonSes);
    const confirmation = (changes: Record<string, string>) =>
      snsRequest(
        snsMessage(server.origin, {
          Type: 'SubscriptionConfirmation',
          Message: 'You have chosen to subscribe.',
          Token: 'token',
          SubscribeURL: `${server.origin}/?Action=ConfirmSubscription&Token=token`,
          ...changes,
        }),
      );
    const confirmed = () => server.requests.filter((request) => request.includes('ConfirmSubscription'));
    const TopicArn = 'arn:aws:sns:eu-west-1:999999999999:reachout';
    assert.ok('rejected' in (await read(confirmation({ TopicArn }), ses)));
    const SubscribeURL = 'https://evil.example/?Action=ConfirmSubscription';
    assert.ok('rejected' in (await read(confirmation({ SubscribeURL }), ses)));
    assert.deepEqual(confirmed(), []);
    assert.deepEqual(await read(confirmation({}), ses), { events: [{ kind: 'note' }] });
    assert.equal(confirmed().length, 1);
  });

  test('hostile bodies are rejected', async (t) => {
    const { server, read } = await start(t, startAmazonSes);
    for (const body of ['', 'x', 'null', '[]', '7', '{"Type":{}}'])
      assert.ok('rejected' in (await read({ ...snsRequest({}), body }, ses)), body);
    for (const event of [{ eventType: 'Bounce', mail, bounce: { bouncedRecipients: 7 } }, { mail: 7 }, 7]) {
      const found = await read(notification(server.origin, event), ses);
      assert.ok('rejected' in found || found.events[0]?.kind === 'note');
    }
    assert.ok('rejected' in (await read(notification(server.origin, 'x', { Message: '{' }), ses)));
  });
});

test('a mail server reports nothing by requests', async (t) => {
  const { read } = await start(t, startElasticEmail);
  const settings = {
    kind: 'smtp',
    host: 'h',
    port: 25,
    security: 'tls',
    username: null,
    envelope: 'ours',
  } as const;
  assert.ok('rejected' in (await read(classicWebhook({}), { ...elastic, settings })));
});
