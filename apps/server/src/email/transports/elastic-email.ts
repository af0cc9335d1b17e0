import { maxOpenRequests, type ElasticEmail, type ElasticEmailResponse } from './elastic-email-client.ts';
import { busyProvider, rejectedByProvider, tokenOf } from './provider-replies.ts';
import type { MailProvider } from './http-transport.ts';
import { TransportCheckError, type ProviderLimits } from './own-transport.ts';
import type { OutgoingMessage, TransportResult } from './transport.ts';
import { readMessage } from '../mime/read-message.ts';

const evidenceMs = 5 * 60_000;

/** The log of a channel cannot be searched for a recipient: this many of its entries since then are read. */
const maxPages = 20;
const pageSize = 1_000;
const clockMs = 10_000;

/**
 * Elastic Email (API v4). It builds and signs its own message of the parts of ours, and knows no idempotency key: whether it took a
 * message is found out by the log of the send's channel.
 */
export function elasticEmailProvider(client: ElasticEmail, secret: string | null): MailProvider {
  return {
    evidenceMs,
    secret,
    submit: async (message, mayLeave) =>
      toResult(
        await client.request('POST', '/emails/transactional', { body: toRequest(message), mayLeave }),
        message,
      ),
    findAccepted: (message, since) => findAccepted(client, message, since),
  };
}

/** @throws TransportCheckError */
export async function checkElasticEmail(client: ElasticEmail): Promise<ProviderLimits> {
  const { status, words } = await client.request('GET', '/events', { query: { limit: '1' } });
  if (status !== 200) throw new TransportCheckError(words);
  return { perSecond: null, perDay: null, sentToday: null, openRequests: maxOpenRequests };
}

/** Header fields of ours that go into the provider's message; the others it writes itself. */
const passedOn = [
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'List-Id',
  'Feedback-ID',
  'Precedence',
  'X-Auto-Response-Suppress',
  'Auto-Submitted',
];

/**
 * The provider replaces `{name}` by merge fields, and documents no way to write a brace that it leaves alone. We pass no fields, but a
 * text that has a name of the provider's own in braces, such as `{unsubscribe}`, may not stay as it is.
 */
function toRequest(message: OutgoingMessage): object {
  const { fields, from, subject, text, html } = readMessage(message);
  const token = tokenOf(message);
  const replyTo = fields.get('reply-to');
  const headers = passedOn.flatMap((name) => {
    const value = fields.get(name.toLowerCase());
    return value === undefined ? [] : [[name, value]];
  });
  return {
    Recipients: { To: [message.envelopeTo] },
    Content: {
      Body: [
        { ContentType: 'HTML', Content: html, Charset: 'utf-8' },
        { ContentType: 'PlainText', Content: text, Charset: 'utf-8' },
      ],
      From:
        from.name === ''
          ? from.address
          : `"${from.name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${from.address}>`,
      ...(replyTo === undefined ? {} : { ReplyTo: replyTo }),
      Subject: subject,
      Headers: Object.fromEntries(headers) as Record<string, string>,
      ...(token === undefined ? {} : { Postback: token }),
    },
    Options: {
      TrackOpens: false,
      TrackClicks: false,
      ...(token === undefined ? {} : { ChannelName: channelOf(token) }),
    },
  };
}

/** One for each send: the first part of its tokens. */
export const channelOf = (token: string): string => `reachout-${token.slice(0, token.indexOf('-'))}`;

const ofRate =
  /\b(?:daily|hourly|monthly|sending|plan|rate) limit|\btoo many (?:requests|connections)|\bthrottl/i;

function toResult(
  { status, body, words, isOfAccount }: ElasticEmailResponse,
  message: OutgoingMessage,
): TransportResult {
  if (status >= 200 && status < 300) return { outcome: 'accepted', reference: referenceOf(body) };
  if (status >= 500) return { outcome: 'uncertain', reason: words };
  if (status === 429 || ofRate.test(words)) return busyProvider(words);
  if (isOfAccount) return { outcome: 'not_sent', reason: words };
  return rejectedByProvider(words, message);
}

/** The transaction, by which the provider lists the events of a message. */
const referenceOf = (body: unknown): string | null => {
  const { TransactionID: transaction } = (body ?? {}) as { TransactionID?: unknown };
  return typeof transaction === 'string' ? transaction.slice(0, 100) : null;
};

/**
 * @returns undefined also if the message is behind the entries that are read
 * @throws TransportCheckError if the log cannot be read
 */
async function findAccepted(
  client: ElasticEmail,
  message: OutgoingMessage,
  since: Date,
): Promise<{ reference: string } | undefined> {
  const token = tokenOf(message);
  if (token === undefined) return undefined;
  const recipient = message.envelopeTo.toLowerCase();
  for (let page = 0; page < maxPages; page += 1) {
    const events = await client.listEvents(`/channels/${channelOf(token)}`, {
      eventTypes: ['Submission', 'Sent', 'Bounce'],
      // An earlier message of the same email to this address is another one. Clocks may differ by some seconds.
      from: new Date(since.getTime() - clockMs).toISOString().slice(0, 19),
      orderBy: 'DateAscending',
      limit: String(pageSize),
      offset: String(page * pageSize),
    });
    const found = events.find(({ to }) => to === recipient);
    if (found !== undefined) return { reference: found.transaction };
    if (events.length < pageSize) return undefined;
  }
  return undefined;
}
