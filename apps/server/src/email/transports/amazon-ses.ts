import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { busyProvider, rejectedByProvider, tokenOf } from './provider-replies.ts';
import { toWords } from './provider-words.ts';
import type { MailProvider } from './http-transport.ts';
import {
  TransportCheckError,
  type OpenOptions,
  type OwnTransportOf,
  type ProviderLimits,
} from './own-transport.ts';
import type { OutgoingMessage, TransportResult } from './transport.ts';

const evidenceMs = 15 * 60_000;

/** The SDK is large, and only some organizations need it. */
const loadSdk = () => import('@aws-sdk/client-sesv2');
type Sdk = Awaited<ReturnType<typeof loadSdk>>;

export interface AmazonSes {
  sdk: Sdk;
  client: SESv2Client;
}

/** The SDK passes the options of one call on to the request handler. */
interface CallOptions {
  mayLeave?: (() => boolean) | undefined;
}

interface SdkRequest {
  protocol: string;
  hostname: string;
  port?: number | undefined;
  path: string;
  query?: Record<string, string | string[] | null> | undefined;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

/** A client of the account that tries nothing twice, and whose requests obey the rules of `outbound`. */
export async function openAmazonSes(
  { id, settings, secret }: OwnTransportOf<'ses'>,
  { outbound, endpoints }: Pick<OpenOptions, 'outbound' | 'endpoints'>,
): Promise<AmazonSes> {
  const sdk = await loadSdk();
  const client = new sdk.SESv2Client({
    region: settings.region,
    credentials: { accessKeyId: settings.access_key_id, secretAccessKey: secret ?? '' },
    maxAttempts: 1,
    // Environment variables must not lead mail to another place.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    endpoint: endpoints?.ses ?? `https://email.${checkRegion(settings.region)}`,
    requestHandler: {
      handle: async (request: SdkRequest, { mayLeave }: CallOptions = {}) => {
        // Undici sets both by URL and body.
        const { host: _host, 'content-length': _length, ...headers } = request.headers;
        const {
          status,
          headers: received,
          body,
        } = await outbound.request({
          owner: id,
          url: urlOf(request),
          method: request.method,
          headers,
          body: request.body,
          ...(mayLeave === undefined ? {} : { mayLeave }),
        });
        return { response: { statusCode: status, headers: Object.fromEntries(received), body } };
      },
    },
  });
  return { sdk, client };
}

/** @returns the domain of the region's endpoints, e.g. `eu-west-1.amazonaws.com` @throws TransportCheckError */
function checkRegion(region: string): string {
  if (!/^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/.test(region))
    throw new TransportCheckError('There is no such region.');
  return `${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

function urlOf({ protocol, hostname, port, path, query }: SdkRequest): string {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query ?? {}))
    for (const each of [value ?? ''].flat()) url.searchParams.append(name, each);
  return url.href;
}

/**
 * Amazon SES (API v2) with our message as it is; SES replaces Date, Message-ID and Return-Path. It knows no idempotency key, and cannot
 * be asked for a message: only its events say whether it was taken.
 */
export const amazonSesProvider = (
  { sdk, client }: AmazonSes,
  { settings, secret }: OwnTransportOf<'ses'>,
): MailProvider => ({
  evidenceMs,
  secret,
  submit: async (message, mayLeave) => {
    const token = tokenOf(message);
    const command = new sdk.SendEmailCommand({
      Destination: { ToAddresses: [message.envelopeTo] },
      Content: { Raw: { Data: message.message } },
      ...(token === undefined ? {} : { EmailTags: [{ Name: 'reachout', Value: token }] }),
      ...(settings.configuration_set === null ? {} : { ConfigurationSetName: settings.configuration_set }),
      ...(settings.tenant_name === null ? {} : { TenantName: settings.tenant_name }),
    });
    const options: CallOptions = { mayLeave };
    try {
      const { MessageId: reference = null } = await client.send(command, options as object);
      return { outcome: 'accepted', reference };
    } catch (error) {
      return toResult(error, message, secret);
    }
  },
});

/** @throws TransportCheckError; OutboundFailure, LimitExceeded */
export async function checkAmazonSes(
  { sdk, client }: AmazonSes,
  { secret }: Pick<OwnTransportOf<'ses'>, 'secret'>,
): Promise<ProviderLimits> {
  const account = await client.send(new sdk.GetAccountCommand({})).catch((error: unknown) => {
    throw sesCheckError(error, secret);
  });
  if (account.EnforcementStatus === 'SHUTDOWN' || account.SendingEnabled !== true)
    throw new TransportCheckError('Amazon SES has paused sending for this account.');
  const {
    MaxSendRate: perSecond,
    Max24HourSend: perDay,
    SentLast24Hours: sentToday,
  } = account.SendQuota ?? {};
  return {
    perSecond: perSecond ?? null,
    // -1: without a limit.
    perDay: perDay === undefined || perDay < 0 ? null : perDay,
    sentToday: sentToday ?? null,
    openRequests: null,
  };
}

/** @returns what SES said, as an error for people; the error itself if there was no response */
export const sesCheckError = (error: unknown, secret: string | null): unknown =>
  statusOf(error) === undefined ? error : new TransportCheckError(wordsOf(error, secret));

const throttling = /^(?:Throttling\w*|TooManyRequestsException|LimitExceededException|RequestThrottled\w*)$/;
/** Names a fault of the settings, such as an unknown configuration set: messages wait until it is mended. */
const ofSettings = /^NotFoundException$/;
const ofRecipient =
  /\b(?:illegal|invalid|missing|malformed)\b.{0,40}\b(?:address|domain|local|recipient|user ?name)\b|\bmissing final '@domain'|\blocal address contains/i;

/** @throws the error, if it is no response of SES that can be read */
function toResult(error: unknown, message: OutgoingMessage, secret: string | null): TransportResult {
  const status = statusOf(error);
  if (status === undefined || status < 400) throw error;
  const { name } = error as Error;
  const words = wordsOf(error, secret);
  if (status === 429 || throttling.test(name)) return busyProvider(words);
  if (status >= 500) return { outcome: 'uncertain', reason: words };
  if (status === 401 || status === 403 || ofSettings.test(name))
    return { outcome: 'not_sent', reason: words };
  if (name === 'AccountSuspendedException')
    return rejectedByProvider(words, message, { class: 'reputation' });
  // SES or the customer has paused the account, and may go on later.
  if (name === 'SendingPausedException')
    return rejectedByProvider(words, message, { class: 'reputation', permanent: false });
  if (name === 'MailFromDomainNotVerifiedException')
    return rejectedByProvider(words, message, { class: 'authentication' });
  if (name === 'BadRequestException' && ofRecipient.test(words))
    return rejectedByProvider(words, message, { class: 'address_hard' });
  return rejectedByProvider(words, message);
}

/** @returns undefined if there was no response */
const statusOf = (error: unknown): number | undefined =>
  error instanceof Error
    ? (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
    : undefined;

const wordsOf = (error: unknown, secret: string | null): string => {
  const { name, message } = error as Error;
  return toWords(message === '' ? name : message, [secret]);
};
