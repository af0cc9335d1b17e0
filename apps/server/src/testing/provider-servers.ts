import { createHmac, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { GetAccountResponse, SendEmailRequest } from '@aws-sdk/client-sesv2';
import type { StoredRequest } from '../email/inbound/provider-event.ts';
import type { OwnTransport, ProviderEndpoints } from '../email/transports/own-transport.ts';
import { listen } from './listen.ts';
import { testCertificate, testKey } from './smtp-certificate.ts';

/** A transport by the stand-in. Its secrets are markers: they are in nothing that is shown. */
export const ownElasticEmail = {
  id: 'transport-1',
  organizationId: 'organization-1',
  settings: { kind: 'elastic_email' },
  secret: 'marker-9d27c1-secret',
  webhookSecret: 'whsec_marker-1c9a',
} satisfies OwnTransport;

export const ownSes = {
  ...ownElasticEmail,
  settings: {
    kind: 'ses',
    region: 'eu-west-1',
    access_key_id: 'AKIAEXAMPLE',
    configuration_set: 'campaigns',
    topic_arn: 'arn:aws:sns:eu-west-1:123456789012:reachout',
    tenant_name: 'nordwind',
  },
} satisfies OwnTransport;

/** What a stand-in does with one message. It takes messages to which nothing is scripted. */
export type Behavior =
  | 'accept'
  /** Too many requests. */
  | 'busy'
  | 'key_revoked'
  /** Status 500 after the body, and the message is not taken. */
  | 'fail'
  /** The same, but the message is taken. */
  | 'take_and_fail'
  /** Takes the message, and never responds. */
  | 'silent'
  | 'hang_up'
  | 'take_and_hang_up'
  | { slowMs: number }
  /** Takes the message, and responds once the promise is resolved. */
  | { held: Promise<unknown>; isFailure?: boolean }
  /** `name` of the error at SES. */
  | { reject: string; name?: string };

interface Reply {
  status: number;
  body: unknown;
  /** The error of SES. */
  name?: string;
}

export interface ProviderServer<M> {
  endpoints: ProviderEndpoints;
  /** An entry of PRIVATE_HOSTS. */
  host: string;
  /** For the next messages, in order. */
  script: Behavior[];
  accepted: M[];
  /** Method, path and query of all requests. */
  requests: string[];
  /** Sent messages of which there is no response yet. */
  open: number;
  /** Every request gets the answer to a revoked key. */
  isRevoked: boolean;
  /** Requests that send nothing are answered after this. */
  held?: Promise<unknown>;
  close: () => void;
}

interface Provider<M> {
  /** Path of the request that sends. */
  sends: string;
  keyOf: (request: IncomingMessage) => string;
  take: (body: M) => Reply;
  errors: { busy: Reply; keyRevoked: Reply; failed: Reply };
  reject: (words: string, name?: string) => Reply;
  /** Other requests. */
  route: (url: URL, method: string, body: string) => Reply;
}

async function startProvider<M>(provider: Provider<M>) {
  const server = createServer((request, response) => void respond(request, response));
  const host = `127.0.0.1:${await listen(server)}`;
  const state: Omit<ProviderServer<M>, 'endpoints'> = {
    host,
    script: [],
    accepted: [],
    requests: [],
    open: 0,
    isRevoked: false,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://provider.example');
    state.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const body = (await buffer(request)).toString();
    const isSend = request.method === 'POST' && url.pathname === provider.sends;
    const behavior = isSend ? (state.script.shift() ?? 'accept') : undefined;
    if (behavior === 'hang_up') return void request.socket.destroy();
    state.open += isSend ? 1 : 0;
    const isRevoked = state.isRevoked || behavior === 'key_revoked' || provider.keyOf(request) === '';
    const reply = isRevoked
      ? provider.errors.keyRevoked
      : behavior === undefined
        ? provider.route(url, request.method ?? '', body)
        : take(behavior, JSON.parse(body) as M);
    if (behavior === 'take_and_hang_up') return void request.socket.destroy();
    if (behavior === 'silent') return;
    if (typeof behavior === 'object' && 'slowMs' in behavior) await delay(behavior.slowMs);
    if (typeof behavior === 'object' && 'held' in behavior) await behavior.held;
    if (!isSend) await state.held;
    state.open -= isSend ? 1 : 0;
    const isText = typeof reply.body === 'string';
    response
      .writeHead(reply.status, {
        'content-type': isText ? 'text/plain' : 'application/json',
        ...(reply.name === undefined ? {} : { 'x-amzn-errortype': reply.name }),
      })
      .end(isText ? reply.body : JSON.stringify(reply.body));
  }

  function take(behavior: Behavior, body: M): Reply {
    if (behavior === 'busy') return provider.errors.busy;
    if (behavior === 'fail') return provider.errors.failed;
    if (typeof behavior === 'object' && 'reject' in behavior)
      return provider.reject(behavior.reject, behavior.name);
    state.accepted.push(body);
    const taken = provider.take(body);
    const isFailure =
      behavior === 'take_and_fail' ||
      (typeof behavior === 'object' && 'held' in behavior && behavior.isFailure);
    return isFailure ? provider.errors.failed : taken;
  }

  return state;
}

export interface ElasticEmailMessage {
  Recipients: { To: string[] };
  Content: {
    Body: { ContentType: string; Content: string; Charset: string }[];
    From: string;
    ReplyTo?: string;
    Subject: string;
    Headers: Record<string, string>;
    Postback?: string;
  };
  Options: { TrackOpens: boolean; TrackClicks: boolean; ChannelName?: string };
}

interface ElasticEmailEntry {
  TransactionID: string;
  To: string;
  EventType: string;
  ChannelName: string;
  MessageCategory: string;
  Message: string;
}

/** Speaks the part of Elastic Email's API v4 that is used. */
export async function startElasticEmail() {
  const log: ElasticEmailEntry[] = [];
  const suppressed: Record<string, { Email: string; DateUpdated: string }[]> = {
    bounces: [],
    complaints: [],
    unsubscribes: [],
  };
  const error = (status: number, words: string): Reply => ({ status, body: { Error: words } });
  const server = await startProvider<ElasticEmailMessage>({
    sends: '/v4/emails/transactional',
    keyOf: ({ headers }) => String(headers['x-elasticemail-apikey'] ?? ''),
    take: ({ Recipients, Options }) => {
      const TransactionID = `transaction-${log.length + 1}`;
      log.push({
        TransactionID,
        To: Recipients.To[0]!,
        EventType: 'Submission',
        ChannelName: Options.ChannelName ?? '',
        MessageCategory: 'Unknown',
        Message: '',
      });
      return { status: 200, body: { TransactionID, MessageID: `message-${log.length}` } };
    },
    errors: {
      busy: error(429, 'Too many requests.'),
      // As the provider does it: not 401.
      keyRevoked: error(400, 'APIKey Expired'),
      failed: error(500, 'Something broke.'),
    },
    reject: (words) => error(400, words),
    route: (url, method, body) => {
      const [, , list = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
      const page = (items: readonly unknown[]): Reply => {
        const offset = Number(url.searchParams.get('offset') ?? 0);
        return {
          status: 200,
          body: items.slice(offset, offset + Number(url.searchParams.get('limit') ?? 20)),
        };
      };
      if (list === 'events') {
        const newest = log.toReversed();
        if (rest[0] === 'channels') return page(newest.filter((entry) => entry.ChannelName === rest[1]));
        return page(
          rest[0] === undefined ? newest : newest.filter((entry) => entry.TransactionID === rest[0]),
        );
      }
      const items = suppressed[rest[0] ?? ''];
      if (list !== 'suppressions' || items === undefined) return error(404, 'Not found.');
      if (method === 'GET') return page(items);
      const added = (JSON.parse(body) as string[]).map((Email) => ({
        Email,
        DateUpdated: '2026-11-20T10:15:00',
      }));
      items.push(...added);
      return { status: 200, body: added };
    },
  });
  const endpoints: ProviderEndpoints = { elasticEmail: `http://${server.host}/v4` };
  return Object.assign(server, { endpoints, log, suppressed });
}

/** A request as the provider's signed webhook makes it. @param fields  e.g. `status`, `postback` */
export function signedWebhook(
  fields: Record<string, string>,
  secret: string,
  { receivedAt = new Date(), sentAt = receivedAt }: { receivedAt?: Date; sentAt?: Date } = {},
): StoredRequest {
  const body = JSON.stringify(fields);
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    method: 'POST',
    headers: { 'x-elasticemail-timestamp': timestamp, 'x-elasticemail-signature': `v1=${mac}` },
    query: '',
    body,
    receivedAt,
  };
}

/** The same without a signature, in its classic form. */
export const classicWebhook = (fields: Record<string, string>): StoredRequest => ({
  method: 'GET',
  headers: {},
  query: new URLSearchParams(fields).toString(),
  body: '',
  receivedAt: new Date(),
});

type SesMessage = Omit<SendEmailRequest, 'Content'> & { Content: { Raw: { Data: string } } };

const certificatePath = '/SimpleNotificationService-0123456789abcdef.pem';

/** Speaks the part of the API of Amazon SES (v2) that is used, and serves what SNS does. */
export async function startAmazonSes() {
  const account: GetAccountResponse = {
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
    SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 120 },
  };
  const suppressed: { EmailAddress: string; Reason: 'BOUNCE' | 'COMPLAINT'; LastUpdateTime: number }[] = [];
  const error = (status: number, name: string, message: string): Reply => ({
    status,
    name,
    body: { message },
  });
  let taken = 0;
  const server = await startProvider<SesMessage>({
    sends: '/v2/email/outbound-emails',
    keyOf: ({ headers, url }) =>
      url?.startsWith('/v2/') === true ? (headers.authorization ?? '') : 'not needed',
    take: () => ({ status: 200, body: { MessageId: `ses-${(taken += 1)}` } }),
    errors: {
      busy: error(429, 'TooManyRequestsException', 'Daily message quota exceeded.'),
      keyRevoked: error(
        403,
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      ),
      failed: error(500, 'InternalServiceErrorException', 'Something broke.'),
    },
    reject: (words, name = 'MessageRejected') => error(400, name, words),
    route: (url) => {
      if (url.pathname === certificatePath) return { status: 200, body: testCertificate };
      if (url.searchParams.get('Action') === 'ConfirmSubscription') return { status: 200, body: '<ok/>' };
      if (url.pathname === '/v2/email/account') return { status: 200, body: account };
      if (url.pathname !== '/v2/email/suppression/addresses') return error(404, 'NotFoundException', 'No.');
      const from = Number(url.searchParams.get('NextToken') ?? 0);
      const to = from + Number(url.searchParams.get('PageSize') ?? 1_000);
      const body = {
        SuppressedDestinationSummaries: suppressed.slice(from, to),
        ...(to < suppressed.length ? { NextToken: String(to) } : {}),
      };
      return { status: 200, body };
    },
  });
  const origin = `http://${server.host}`;
  const endpoints: ProviderEndpoints = { ses: origin, sns: origin };
  return Object.assign(server, { endpoints, account, suppressed, origin });
}

/** A message of SNS, signed with a key of ours. @param changes  applied before it is signed */
export function snsMessage(
  origin: string,
  changes: Record<string, string>,
  { version = '2' }: { version?: '1' | '2' } = {},
): Record<string, string> {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: '7f1c3a52-0000-4000-8000-000000000001',
    TopicArn: ownSes.settings.topic_arn,
    Timestamp: '2026-11-20T10:15:00.000Z',
    SignatureVersion: version,
    SigningCertURL: `${origin}${certificatePath}`,
    ...changes,
  };
  const signed =
    message['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const present = signed.filter((name) => message[name] !== undefined);
  const bytes = Buffer.from(present.map((name) => `${name}\n${message[name]}\n`).join(''));
  const signature = sign(version === '1' ? 'sha1' : 'sha256', bytes, testKey).toString('base64');
  return { ...message, Signature: signature };
}

export const snsRequest = (message: Record<string, string>): StoredRequest => ({
  method: 'POST',
  headers: { 'x-amz-sns-message-type': message['Type'] ?? '' },
  query: '',
  body: JSON.stringify(message),
  receivedAt: new Date(),
});
