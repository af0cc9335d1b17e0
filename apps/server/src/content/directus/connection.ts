import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { SealPlace, Secrets } from '../../platform/secrets.ts';
import { toFailingState } from './check-connection.ts';
import {
  countBuiltIn,
  findConnectionRow,
  findElasticEmailKey,
  saveElasticEmailKey,
  updateState,
  type ConnectionRow,
} from './connection.queries.ts';
import { createDirectusClient, type DirectusClient, type DirectusConnection } from './directus-client.ts';
import type { DirectusError } from './directus-error.ts';
import type { RetryLimits } from './retries.ts';
import { countSeenCollections } from './seen-collections.queries.ts';

export interface DirectusDeps {
  outbound: OutboundClient;
  secrets: Secrets;
}

const placeOf = (column: 'access_token' | 'ee_api_key', organizationId: string): SealPlace => ({
  table: 'organization_directus',
  column,
  id: organizationId,
  organizationId,
});

/** A connection with its decrypted token and the row it was read from. */
export interface OpenConnection extends DirectusConnection {
  row: ConnectionRow;
}

/**
 * Reads an organization's connection, for use after the transaction.
 * @returns undefined if the built-in backend is in use
 */
export async function findConnection(
  trx: Transaction,
  secrets: Secrets,
  organizationId: string,
): Promise<OpenConnection | undefined> {
  const row = await findConnectionRow(trx, organizationId);
  if (row === undefined || row.access_token === null) return undefined;
  const accessToken = secrets.open(placeOf('access_token', organizationId), row.access_token);
  return { organizationId, endpoint: row.endpoint, accessToken, row };
}

interface ClientOptions {
  /** Deadline for its requests, in milliseconds since the epoch. */
  until?: number | undefined;
  retryLimits?: RetryLimits | undefined;
}

/**
 * Creates a client that records when the token is rejected and when it is accepted again, so that the settings show it for
 * requests from any caller.
 * @param run  opens a transaction of this organization
 */
export function openClient(
  { outbound }: Pick<DirectusDeps, 'outbound'>,
  { row, ...connection }: OpenConnection,
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  { until, retryLimits }: ClientOptions = {},
): DirectusClient {
  let isRefused = row.failure === 'credentials';
  const onEnd = async (error: DirectusError | undefined): Promise<void> => {
    if ((error?.failure === 'credentials') === isRefused || (error !== undefined && isRefused)) return;
    isRefused = !isRefused;
    const state =
      error === undefined
        ? ({ state: 'connected', failure: null, error_content: null } as const)
        : toFailingState(error);
    await run((trx) => updateState(trx, connection.organizationId, row, state));
  };
  return createDirectusClient(outbound, { ...connection, until, onEnd }, retryLimits);
}

/**
 * Opens a client for an organization's Directus, for jobs.
 * @param run  opens a transaction of this organization
 * @returns undefined if the built-in backend is in use
 */
export async function openDirectus(
  { outbound, secrets }: DirectusDeps,
  organizationId: string,
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  retryLimits?: RetryLimits,
): Promise<DirectusClient | undefined> {
  const connection = await run((trx) => findConnection(trx, secrets, organizationId));
  return connection && openClient({ outbound }, connection, run, { retryLimits });
}

/** @returns the key of the organization's account at Elastic Email; null without one */
export async function readElasticEmailKey(
  trx: Transaction,
  secrets: Secrets,
  organizationId: string,
): Promise<string | null> {
  const sealed = await findElasticEmailKey(trx, organizationId);
  return sealed && secrets.open(placeOf('ee_api_key', organizationId), sealed);
}

/** Sets, replaces or removes the key. What is known of a Directus stays. */
export const storeElasticEmailKey = (
  trx: Transaction,
  secrets: Secrets,
  organizationId: string,
  key: string | null,
): Promise<void> =>
  saveElasticEmailKey(trx, organizationId, key && secrets.seal(placeOf('ee_api_key', organizationId), key));

export const sealAccessToken = (secrets: Secrets, organizationId: string, token: string): string =>
  secrets.seal(placeOf('access_token', organizationId), token);

/** @returns the settings for display; of each secret only the last four characters */
export async function describeContentBackend(
  trx: Transaction,
  secrets: Secrets,
  organizationId: string,
): Promise<ContentBackend> {
  const row = await findConnectionRow(trx, organizationId);
  const built_in = await countBuiltIn(trx, organizationId);
  if (row === undefined) return { kind: 'built_in', directus: null, built_in };
  const sealed = row.access_token;
  return {
    kind: row.access_token === null ? 'built_in' : 'directus',
    directus: {
      ...row,
      access_token:
        sealed === null
          ? null
          : { last_four: secrets.open(placeOf('access_token', organizationId), sealed).slice(-4) },
      collection_count: await countSeenCollections(trx, organizationId),
    },
    built_in,
  };
}
