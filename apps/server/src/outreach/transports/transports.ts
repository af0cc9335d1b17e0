import type { TransportSettings } from '@reachout/contract/rules/transports.ts';
import type { Transports } from '@reachout/contract/transports.ts';
import { readElasticEmailKey } from '../../content/directus/connection.ts';
import { checkOwnTransport, openOwnTransport } from '../../email/transports/open-own-transport.ts';
import {
  TransportCheckError,
  type OpenOptions,
  type OwnTransport,
  type ProviderLimits,
} from '../../email/transports/own-transport.ts';
import type { OutgoingMessage } from '../../email/transports/transport.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import type { SealPlace, Secrets } from '../../platform/secrets.ts';
import { listChoices, listTransports, type TransportRow } from './transport.queries.ts';

export const secretPlace = (
  column: 'secret' | 'webhook_secret',
  organizationId: string,
  id: string,
): SealPlace => ({ table: 'transports', column, id, organizationId });

/** Opens the secrets of a transport. */
export async function toOwnTransport(
  trx: Transaction,
  secrets: Secrets,
  organizationId: string,
  { id, settings, ...sealed }: Pick<TransportRow, 'id' | 'settings' | 'secret' | 'webhook_secret'>,
): Promise<OwnTransport> {
  const open = (column: 'secret' | 'webhook_secret') =>
    sealed[column] && secrets.open(secretPlace(column, organizationId, id), sealed[column]);
  return {
    id,
    organizationId,
    settings,
    secret:
      settings.kind === 'elastic_email'
        ? await readElasticEmailKey(trx, secrets, organizationId)
        : open('secret'),
    webhookSecret: open('webhook_secret'),
  };
}

/** What a check found: the limits, or why the transport cannot be used, in the words of its server or provider. */
export type CheckResult = { limits: ProviderLimits; words: null } | { limits: null; words: string };

export async function checkNow(own: OwnTransport, options: OpenOptions): Promise<CheckResult> {
  try {
    return { limits: await checkOwnTransport(own, options), words: null };
  } catch (error) {
    if (error instanceof TransportCheckError) return { limits: null, words: error.words };
    throw error;
  }
}

export const transportFailed = (message: string) => apiError('transport_failed', { message });

/** @returns the id that the server or provider gave the message @throws 424 `transport_failed` unless it was accepted */
export async function sendThrough(
  own: OwnTransport,
  options: OpenOptions,
  message: OutgoingMessage,
): Promise<string | null> {
  const transport = await openOwnTransport(own, options).catch((error: unknown) => {
    throw error instanceof OutboundFailure || error instanceof TransportCheckError
      ? transportFailed(error.message)
      : error;
  });
  try {
    const { result, settle } = await transport.send(message);
    settle();
    if (result.outcome === 'accepted') return result.reference;
    throw transportFailed(result.outcome === 'rejected' ? `${result.code} ${result.text}` : result.reason);
  } finally {
    await transport.close();
  }
}

/**
 * Whether a secret that was given for one account may be used for another: it is never sent to a server or with an account that
 * it was not given for.
 */
export function isSameAccount(one: TransportSettings, other: TransportSettings): boolean {
  if (one.kind === 'smtp' && other.kind === 'smtp')
    return one.host === other.host && one.port === other.port && one.username === other.username;
  if (one.kind === 'ses' && other.kind === 'ses')
    return one.region === other.region && one.access_key_id === other.access_key_id;
  return one.kind === other.kind;
}

const eventsPurpose = 'transport events';
const nameOf = (organizationId: string, id: string) => `${organizationId}.${id}`;

/** The last part of the address that a provider reports to. */
export const signEventsAddress = (secrets: Secrets, organizationId: string, id: string): string =>
  `${nameOf(organizationId, id)}.${secrets.hash(eventsPurpose, nameOf(organizationId, id))}`;

/** @returns whose address this is; undefined if it was not signed here */
export function verifyEventsAddress(
  secrets: Secrets,
  address: string,
): { organizationId: string; id: string } | undefined {
  const [organizationId = '', id = '', mac = ''] = address.split('.');
  // Compared as hashes: how long it takes says nothing about the signature.
  const isSigned = secrets
    .hashes(eventsPurpose, nameOf(organizationId, id))
    .map((signed) => secrets.hash('compared', signed))
    .includes(secrets.hash('compared', mac));
  return isSigned ? { organizationId, id } : undefined;
}

/** @returns the settings for display; of each key only the last four characters */
export async function describeTransports(
  trx: Transaction,
  { secrets, publicUrl }: { secrets: Secrets; publicUrl: string },
  organizationId: string,
): Promise<Transports> {
  const rows = await listTransports(trx, organizationId);
  const choices = await listChoices(trx, organizationId);
  const key = await readElasticEmailKey(trx, secrets, organizationId);
  const brandsOf = (id: string | null) =>
    choices.flatMap(({ brand_id, brand_name, transport_id }) =>
      brand_id !== null && transport_id === id ? [{ id: brand_id, name: brand_name ?? '' }] : [],
    );
  return {
    items: rows.map((row) => {
      const { id, settings, per_second, per_day, open_requests, left_today } = row;
      return {
        id,
        name: row.name,
        settings,
        has_secret: settings.kind === 'elastic_email' ? key !== null : row.secret !== null,
        last_four:
          settings.kind === 'ses' && row.secret !== null
            ? secrets.open(secretPlace('secret', organizationId, id), row.secret).slice(-4)
            : settings.kind === 'elastic_email'
              ? (key?.slice(-4) ?? null)
              : null,
        error_content: row.error_content,
        checked_at: row.checked_at,
        limits: { per_second, per_day, open_requests, left_today },
        events_url:
          settings.kind === 'smtp'
            ? null
            : `${publicUrl}/hooks/transports/${signEventsAddress(secrets, organizationId, id)}`,
        has_webhook_secret: row.webhook_secret !== null,
        is_default: choices.some(({ brand_id, transport_id }) => brand_id === null && transport_id === id),
        brands: brandsOf(id),
      };
    }),
    elastic_email_key: key === null ? null : { last_four: key.slice(-4) },
    brands_of_installation: brandsOf(null),
  };
}
