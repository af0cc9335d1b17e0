import {
  aggregate,
  createDirectus,
  createItem,
  createItems,
  customEndpoint,
  deleteItem,
  deleteItems,
  readCollections,
  readFields,
  readFieldsByCollection,
  readItem,
  readItems,
  readMe,
  readPresets,
  readRelations,
  rest,
  serverInfo,
  serverPing,
  staticToken,
  updateItem,
  updateItemsBatch,
  withOptions,
  withSearch,
  type RestCommand,
} from '@directus/sdk';
import type { Item } from '@reachout/contract/content.ts';
import { maxValues } from '../../platform/outbound/bounded-json.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { AggregateFunction } from '../backend/content-backend.ts';
import { checkCollection, checkKey, checkKeys } from './check-names.ts';
import { DirectusError, toDirectusError } from './directus-error.ts';
import { withRetries, type RetryLimits } from './retries.ts';
import { createSdkFetch, type SdkOptions } from './sdk-fetch.ts';

export interface DirectusQuery {
  fields?: readonly string[];
  filter?: unknown;
  search?: string;
  sort?: readonly string[];
  limit?: number;
  offset?: number;
}

export interface DirectusConnection {
  organizationId: string;
  /** May include a path; has no trailing slash. */
  endpoint: string;
  accessToken: string;
  /** Deadline for its requests in milliseconds since the epoch, as a user is waiting. Jobs have none. */
  until?: number | undefined;
  /** Called after each request with its error, or with `undefined` on success. */
  onEnd?: (error: DirectusError | undefined) => Promise<void>;
}

type Schema = { [collection: string]: Item[] };
/** A command of the SDK. */
export type Command = RestCommand<unknown, Schema>;

/** Expected type of a response; any other is `malformed`. */
type Shape = 'list' | 'object' | 'text' | 'bytes' | 'any';
interface ShapeOf {
  list: Record<string, unknown>[];
  object: Record<string, unknown>;
  text: string;
  bytes: Buffer;
  any: unknown;
}

export interface RequestOptions {
  /** Whether the request is safe to repeat. Default: true; false for creating items without an id. */
  isRepeatable?: boolean;
}

export type DirectusClient = ReturnType<typeof createDirectusClient>;

/** Maximum JSON values of a page: a base, plus an allowance for each requested item. */
const valuesOfPage = 10_000;
const valuesOfItem = 1_000;

/** A longer URL would be rejected with 431; the query is then sent in the body of a SEARCH request. */
const maxQueryLength = 2_000;

/**
 * Sends all requests to an organization's Directus, through the SDK and the guarded outbound client. Validates names and
 * keys before a request and the response's shape after it, and maps errors to one class. Never use it within a transaction.
 *
 * All methods throw DirectusError, InvalidCall or LimitExceeded.
 */
export function createDirectusClient(
  outbound: OutboundClient,
  connection: DirectusConnection,
  retryLimits?: RetryLimits,
) {
  const request = createRequest(outbound, connection, retryLimits);
  return {
    request,
    /** Requests a path for which the SDK has no command. */
    custom: <S extends Shape>(
      command: { path: string; method: 'GET' | 'POST' | 'PATCH'; body?: unknown },
      shape: S,
      options?: RequestOptions,
    ) =>
      request(
        customEndpoint({
          path: command.path,
          method: command.method,
          ...(command.body === undefined ? {} : { body: JSON.stringify(command.body) }),
        }),
        shape,
        options,
      ),
    ...describeRequests(request),
    ...readRequests(request),
    ...writeRequests(request),
  };
}

type SendRequest = ReturnType<typeof createRequest>;

function createRequest(
  outbound: OutboundClient,
  connection: DirectusConnection,
  retryLimits: RetryLimits | undefined,
) {
  const { endpoint, accessToken, until, onEnd } = connection;
  const fetch = createSdkFetch(outbound, connection);
  // An invalid address is reported by the first request.
  const base = URL.canParse(endpoint) ? endpoint : 'https://invalid.invalid';
  const sdk = createDirectus<Schema>(base, { globals: { fetch } })
    .with(staticToken(accessToken))
    .with(rest());

  /** Runs any SDK command, with retries. The caller must validate the collections and keys in it. */
  return async function request<S extends Shape>(
    command: Command,
    shape: S,
    { isRepeatable = true }: RequestOptions = {},
  ): Promise<ShapeOf[S]> {
    const attempt = async () => {
      try {
        return checkShape(await sdk.request(command), shape);
      } catch (error) {
        throw toDirectusError(error, [accessToken]);
      }
    };
    try {
      const response = await (isRepeatable ? withRetries(attempt, retryLimits, until) : attempt());
      await onEnd?.(undefined);
      return response as ShapeOf[S];
    } catch (error) {
      if (error instanceof DirectusError) await onEnd?.(error);
      throw error;
    }
  };
}

/** What the Directus is, and has. */
const describeRequests = (request: SendRequest) => ({
  ping: () => request(serverPing(), 'text'),
  me: () => request(readMe({ fields: ['id'] }), 'object'),
  info: () => request(serverInfo(), 'object'),
  listCollections: () => request(readCollections(), 'list'),
  listFields: async (collection?: string) =>
    await request(
      collection === undefined
        ? readFields()
        : readFieldsByCollection(checkCollection(collection, 'readFields')),
      'list',
    ),
  listRelations: () => request(readRelations(), 'list'),
  /** Shared bookmarks, by name. */
  listPresets: async (collection: string) =>
    await request(
      readPresets({
        filter: {
          collection: { _eq: checkCollection(collection, 'readPresets') },
          bookmark: { _nnull: true },
          user: { _null: true },
        },
        sort: ['bookmark'],
        limit: 500,
      } as never),
      'list',
    ),
});

const readRequests = (request: SendRequest) => ({
  readItems: async (collection: string, query: DirectusQuery): Promise<Item[]> => {
    const command = readItems(checkCollection(collection, 'readItems') as never, query as never);
    const { limit = 100 } = query;
    const mostValues = limit < 0 ? maxValues : Math.min(valuesOfPage + limit * valuesOfItem, maxValues);
    const bounded = withSdkOptions(reading(command, query), { mostValues });
    const items = await request(bounded, 'list');
    if (limit >= 0 && items.length > limit) throw malformed('It has more items than were asked for.');
    return items as Item[];
  },
  readItem: async (collection: string, key: string | number, query: DirectusQuery = {}): Promise<Item> =>
    (await request(
      readItem(checkCollection(collection, 'readItem') as never, checkKey(key), query as never),
      'object',
    )) as Item,
  countItems: async (
    collection: string,
    query: Pick<DirectusQuery, 'filter' | 'search'> = {},
  ): Promise<number> => {
    const command = aggregate(
      checkCollection(collection, 'aggregate') as never,
      {
        aggregate: { count: '*' },
        query,
      } as never,
    );
    return readCount(await request(reading(command, query), 'list'));
  },
  aggregateItems: async (
    collection: string,
    {
      aggregate: values,
      groupBy,
      ...query
    }: DirectusQuery & {
      aggregate: Partial<Record<AggregateFunction, string | string[]>>;
      groupBy?: readonly string[];
    },
  ): Promise<Item[]> => {
    const command = aggregate(
      checkCollection(collection, 'aggregate') as never,
      { aggregate: values, ...(groupBy === undefined ? {} : { groupBy }), query } as never,
    );
    return (await request(reading(command, query), 'list')) as Item[];
  },
});

const writeRequests = (request: SendRequest) => ({
  createItem: async (collection: string, data: Item): Promise<Item> =>
    // Without permission to read, the response is empty.
    ((await request(createItem(checkCollection(collection, 'createItem') as never, data as never), 'any', {
      isRepeatable: data['id'] !== undefined,
    })) ?? data) as Item,
  /** Creates all items or none. The result is not in the order of `data`. */
  createItems: async (collection: string, data: readonly Item[]): Promise<Item[]> => {
    const command = createItems(checkCollection(collection, 'createItems') as never, data as never);
    const isRepeatable = data.every((item) => item['id'] !== undefined);
    const created = await request(command, 'any', { isRepeatable });
    // Without permission to read, the response is empty.
    return (created === null ? data : checkShape(created, 'list')) as Item[];
  },
  updateItem: async (collection: string, key: string | number, data: Item): Promise<Item> => {
    const id = checkKey(key);
    const updated = await request(
      updateItem(checkCollection(collection, 'updateItem') as never, id, data as never),
      'any',
    );
    // With an admin token, the response for a missing item is empty.
    if (updated === null) throw notThere();
    return checkShape(updated, 'object') as Item;
  },
  /** Updates all items or none. */
  updateItems: async (
    collection: string,
    changes: readonly { key: string | number; data: Item }[],
  ): Promise<Item[]> => {
    const name = checkCollection(collection, 'updateItems');
    const keys = checkKeys(changes.map(({ key }) => key));
    const items = changes.map(({ data }, index) => ({ ...data, id: keys[index]! }));
    const updated = await request(updateItemsBatch(name as never, items as never), 'any');
    // With an admin token, the response omits missing items.
    const list = (updated === null ? [] : checkShape(updated, 'list')) as Item[];
    if (list.length < new Set(keys).size) throw notThere();
    return list;
  },
  deleteItem: async (collection: string, key: string | number): Promise<void> => {
    const name = checkCollection(collection, 'deleteItem');
    await request(deleteItem(name as never, checkKey(key)), 'any');
  },
  deleteItems: async (collection: string, keys: readonly (string | number)[]): Promise<void> => {
    const name = checkCollection(collection, 'deleteItems');
    await request(deleteItems(name as never, checkKeys(keys) as never), 'any');
  },
});

const reading = (command: Command, query: object): Command =>
  JSON.stringify(query).length > maxQueryLength ? withSearch(command) : command;

export const withSdkOptions = (command: Command, options: SdkOptions): Command =>
  withOptions(command as never, options as object);

/** Reads the count from a response to `aggregate[count]=*`. */
export function readCount([row]: readonly Record<string, unknown>[]): number {
  const count = Number(row?.['count']);
  if (!Number.isSafeInteger(count) || count < 0) throw malformed('It has no count.');
  return count;
}

export const malformed = (message: string) => new DirectusError('malformed', message);

/** The error that a token without admin rights gets from Directus. */
const notThere = () =>
  new DirectusError('not_allowed', 'There is no such item.', { status: 403, code: 'FORBIDDEN' });

function checkShape(value: unknown, shape: Shape): unknown {
  const isObject = (entry: unknown) => typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  const isRight: Record<Shape, () => boolean> = {
    list: () => Array.isArray(value) && value.every(isObject),
    object: () => isObject(value) && !(value instanceof Response),
    text: () => typeof value === 'string',
    bytes: () => Buffer.isBuffer(value),
    any: () => value === null || isObject(value) || Array.isArray(value),
  };
  if (!isRight[shape]() || value instanceof Response) {
    throw malformed('The response is not one of Directus.');
  }
  return value;
}
