import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import { channelOf } from '../transports/elastic-email.ts';
import { createElasticEmailClient } from '../transports/elastic-email-client.ts';
import { TransportCheckError, type OwnTransport } from '../transports/own-transport.ts';
import { toWords } from '../transports/provider-words.ts';
import {
  note,
  readToken,
  type ProviderEvent,
  type ProviderEventDeps,
  type ProviderEvents,
  type StoredRequest,
} from './provider-event.ts';

/** Fields of a notification, by name in lower case. */
type Fields = Readonly<Record<string, string>>;

/** A signature that is older was perhaps recorded. */
const maxAgeMs = 5 * 60_000;
const maxReports = 100;

/** A signed notification is believed. Another one is a hint: what it says has to be in the log of the account. */
export async function readElasticEmailEvents(
  request: StoredRequest,
  own: OwnTransport,
  deps: ProviderEventDeps,
): Promise<ProviderEvents> {
  const reports = readReports(request);
  if (reports.length === 0) return { rejected: 'The request has no fields.' };
  const signature = request.headers['x-elasticemail-signature'];
  if (signature === undefined || own.webhookSecret === null) return await confirm(reports[0]!, own, deps);
  if (!isSigned(request, signature, own.webhookSecret))
    return { rejected: 'The signature of the request is wrong or too old.' };
  return { events: reports.map((fields) => toEvent(fields)) };
}

function readReports({ method, query, body }: StoredRequest): Fields[] {
  const toFields = (entries: Iterable<[string, unknown]>): Fields =>
    Object.fromEntries(
      [...entries].flatMap(([name, value]) =>
        typeof value === 'string' ? [[name.toLowerCase(), value.slice(0, 2_000)]] : [],
      ),
    );
  if (method === 'GET' || body === '') return query === '' ? [] : [toFields(new URLSearchParams(query))];
  try {
    const parsed: unknown = JSON.parse(body);
    return [parsed]
      .flat()
      .slice(0, maxReports)
      .map((report: unknown) => toFields(Object.entries(report ?? {})));
  } catch {
    return [toFields(new URLSearchParams(body))];
  }
}

function isSigned({ headers, body, receivedAt }: StoredRequest, signature: string, secret: string): boolean {
  const timestamp = headers['x-elasticemail-timestamp'] ?? '';
  const seconds = /^\d{1,11}$/.test(timestamp) ? Number(timestamp) : Date.parse(timestamp) / 1_000;
  if (!(Math.abs(seconds * 1_000 - receivedAt.getTime()) <= maxAgeMs)) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest();
  const given = /^v1=([\da-f]{64})$/i.exec(signature.trim())?.[1] ?? '';
  const actual = Buffer.from(given, 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Names of the same thing in notifications of several ages. */
const transactionOf = (fields: Fields): string => fields['transaction'] ?? fields['transactionid'] ?? '';

/** What a notification says: docs of the provider, "Notification Settings". What is opened and clicked, we count ourselves. */
const statuses: ReadonlyMap<string, 'accepted' | 'failure' | 'complaint' | 'unsubscribe'> = new Map([
  ['sent', 'accepted'],
  ['error', 'failure'],
  ['abusereport', 'complaint'],
  ['unsubscribed', 'unsubscribe'],
]);

/** The same in the log. */
const typesOfLog = {
  accepted: ['Submission', 'Sent'],
  failure: ['Bounce', 'Error', 'Suppress'],
  complaint: ['Complaint'],
  unsubscribe: ['Unsubscribe', 'TransactionalUnsubscribe'],
} as const;

const kindOf = (fields: Fields) => statuses.get((fields['status'] ?? '').toLowerCase());

function toEvent(fields: Fields, { message = '' } = {}): ProviderEvent {
  const token = readToken(fields['postback']);
  const kind = kindOf(fields);
  if (token === undefined || kind === undefined) return { kind: 'note' };
  if (kind === 'accepted') return { token, kind, reference: transactionOf(fields).slice(0, 100) };
  if (kind !== 'failure') return { token, kind };
  const category = fields['category'] ?? '';
  const text = toWords(message === '' ? category : `${category} ${message}`, []);
  return { token, kind, class: classes.get(category) ?? 'unknown', code: 550, enhanced: null, text };
}

/** Categories of bounces. What the provider has tried for a while and given up is `expired`. */
const classes: ReadonlyMap<string, BounceClass> = new Map([
  ['NoMailbox', 'address_hard'],
  ['AccountProblem', 'address_likely'],
  ['Spam', 'reputation'],
  ['BlackListed', 'reputation'],
  ['SPFProblem', 'authentication'],
  ['ContentFilter', 'content'],
  ['DNSProblem', 'routing_soft'],
  ['GreyListed', 'expired'],
  ['Throttled', 'expired'],
  ['Timeout', 'expired'],
  ['ConnectionProblem', 'expired'],
  ['ConnectionTerminated', 'expired'],
]);

/** Looks for a hint in the log of its transaction, which has to be of the send that the token names. */
async function confirm(fields: Fields, own: OwnTransport, deps: ProviderEventDeps): Promise<ProviderEvents> {
  const token = readToken(fields['postback']);
  const kind = kindOf(fields);
  if (token === undefined || kind === undefined) return note;
  const transaction = transactionOf(fields);
  if (!/^[\w-]{1,100}$/.test(transaction)) return { rejected: 'The notification names no transaction.' };
  const client = createElasticEmailClient(own, deps);
  const events = await client.listEvents(`/${transaction}`, { limit: '100' }).catch((error: unknown) => {
    if (error instanceof TransportCheckError && !error.isOfAccount) return error.words;
    throw error;
  });
  if (typeof events === 'string') return { rejected: events };
  const to = (fields['to'] ?? '').toLowerCase();
  const types: readonly string[] = typesOfLog[kind];
  const found = events.find(
    (event) => types.includes(event.type) && event.channel === channelOf(token) && event.to === to,
  );
  if (found === undefined) return { rejected: 'The log of the account does not say the same.' };
  return { events: [toEvent({ ...fields, category: found.category }, found)] };
}
