import { setTimeout as delay } from 'node:timers/promises';
import { parseAddress } from '../addresses/address.ts';
import { openAmazonSes, sesCheckError } from './amazon-ses.ts';
import { createElasticEmailClient } from './elastic-email-client.ts';
import {
  TransportCheckError,
  type OpenOptions,
  type OwnTransport,
  type OwnTransportOf,
} from './own-transport.ts';

/** An address to which a provider does not send any more, for all that its account sends. */
export interface ProviderSuppression {
  /** Key (`parseAddress`). */
  address: string;
  kind: 'bounce' | 'complaint' | 'unsubscribe';
  at: Date;
}

type SuppressionOptions = Pick<OpenOptions, 'outbound' | 'endpoints'>;

/** Of one list, so that a list without end is not read for ever. */
const maxSuppressions = 100_000;
/** Of both providers. */
const pageSize = 1_000;
/** SES allows one request a second for operations other than sending. */
const sesPageMs = 1_000;

/**
 * Lists the addresses that the provider suppresses, at most 100,000 of a list; nothing for a mail server.
 * @param since  leaves out what was suppressed earlier
 * @throws TransportCheckError if the provider refuses; OutboundFailure, LimitExceeded
 */
export async function* listProviderSuppressions(
  own: OwnTransport,
  options: SuppressionOptions,
  since?: Date,
): AsyncGenerator<ProviderSuppression> {
  const { settings } = own;
  if (settings.kind === 'smtp') return;
  const pages =
    settings.kind === 'ses'
      ? listOfSes({ ...own, settings }, options, since)
      : listOfElasticEmail(own, options);
  for await (const { address, kind, at } of pages) {
    const parsed = parseAddress(address);
    const isDue = since === undefined || at >= since;
    if (isDue && 'key' in parsed && !Number.isNaN(at.getTime())) yield { address: parsed.key, kind, at };
  }
}

const elasticEmailLists = [
  ['bounces', 'bounce'],
  ['complaints', 'complaint'],
  ['unsubscribes', 'unsubscribe'],
] as const;

/** The provider cannot filter its lists by time. */
async function* listOfElasticEmail(
  own: OwnTransport,
  options: SuppressionOptions,
): AsyncGenerator<ProviderSuppression> {
  const client = createElasticEmailClient(own, options);
  for (const [list, kind] of elasticEmailLists) {
    for (let offset = 0; offset < maxSuppressions; offset += pageSize) {
      const query = { limit: String(pageSize), offset: String(offset) };
      const page = await client.list(`/suppressions/${list}`, query);
      for (const { Email: address, DateUpdated: at } of page)
        yield { address: String(address), kind, at: new Date(toUtc(String(at))) };
      if (page.length < pageSize) break;
    }
  }
}

/** Its times are UTC, with or without saying so. */
const toUtc = (time: string): string => (/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`);

async function* listOfSes(
  own: OwnTransportOf<'ses'>,
  options: SuppressionOptions,
  since: Date | undefined,
): AsyncGenerator<ProviderSuppression> {
  const { sdk, client } = await openAmazonSes(own, options);
  const { tenant_name: tenant } = own.settings;
  let next: string | undefined;
  for (let read = 0; read < maxSuppressions; read += pageSize) {
    if (read > 0) await delay(sesPageMs);
    const command = new sdk.ListSuppressedDestinationsCommand({
      PageSize: pageSize,
      NextToken: next,
      StartDate: since,
      ...(tenant === null ? {} : { TenantName: tenant }),
    });
    const page = await client.send(command).catch((error: unknown) => {
      throw sesCheckError(error, own.secret);
    });
    for (const { EmailAddress, Reason, LastUpdateTime } of page.SuppressedDestinationSummaries ?? [])
      yield {
        address: EmailAddress ?? '',
        kind: Reason === 'COMPLAINT' ? 'complaint' : 'bounce',
        at: LastUpdateTime ?? new Date(Number.NaN),
      };
    next = page.NextToken;
    if (next === undefined) return;
  }
}

/**
 * Tells Elastic Email who has unsubscribed, so that nothing else that its account sends reaches them. Does nothing for SES, whose list
 * knows bounces and complaints alone, and for mail servers.
 * @throws as `listProviderSuppressions`; what was added before stays
 */
export async function addProviderUnsubscribes(
  own: OwnTransport,
  options: SuppressionOptions,
  addresses: readonly string[],
): Promise<void> {
  if (own.settings.kind !== 'elastic_email') return;
  const client = createElasticEmailClient(own, options);
  for (let from = 0; from < addresses.length; from += pageSize) {
    const body = addresses.slice(from, from + pageSize);
    const { status, words } = await client.request('POST', '/suppressions/unsubscribes', { body });
    if (status < 200 || status >= 300) throw new TransportCheckError(words);
  }
}
