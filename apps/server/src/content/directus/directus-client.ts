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

/** Query parameters of Directus. */
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
  /** May carry a path, and ends without a slash. */
  endpoint: string;
  accessToken: string;
  /** When its requests end at the latest, as `Date.now()` counts: somebody waits. Jobs have no such end. */
  until?: number | undefined;
  /** Told what became of each request; `undefined` for one that succeeded. */
  onEnd?: (error: DirectusError | undefined) => Promise<void>;
}

type Schema = { [collection: string]: Item[] };
/** Of the SDK. */
export type Command = RestCommand<unknown, Schema>;

/** What a response has to be, or it is `malformed`. */
type Shape = 'list' | 'object' | 'text' | 'bytes' | 'any';
interface ShapeOf {
  list: Record<string, unknown>[];
  object: Record<string, unknown>;
  text: string;
  bytes: Buffer;
  any: unknown;
}

export interface RequestOptions {
  /** Whether it does no harm when it is done twice. Default: true for all but creating without an id. */
  isRepeatable?: boolean;
}

export type DirectusClient = ReturnType<typeof createDirectusClient>;

/** A page has so many values of JSON at most, and so many more for each item that was asked for. */
const valuesOfPage = 10_000;
const valuesOfItem = 1_000;

/** A URL beyond this would be refused with 431: the query then goes into the body of a SEARCH request. */
const maxQueryLength = 2_000;

/**
 * The one place that talks to a Directus of an organization: through the SDK, over the guarded client, with names and keys checked
 * before, shapes checked after, and errors of one class. Never within a transaction.
 *
 * All methods throw DirectusError, InvalidCall or LimitExceeded.
 */
export function createDirectusClient(
  outbound: OutboundClient,
  connection: DirectusConnection,
  retryLimits?: RetryLimits,
) {
  const { endpoint, accessToken, until, onEnd } = connection;
  const fetch = createSdkFetch(outbound, connection);
  // An address that cannot be read is told by the first request.
  const base = URL.canParse(endpoint) ? endpoint : 'https://invalid.invalid';
  const sdk = createDirectus<Schema>(base, { globals: { fetch } })
    .with(staticToken(accessToken))
    .with(rest());

  /** Runs any command of the SDK, with retries. Collections and keys in it are the caller's to check. */
  async function request<S extends Shape>(
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
  }

  const reading = (command: Command, query: object): Command =>
    JSON.stringify(query).length > maxQueryLength ? withSearch(command) : command;

  return {
    request,
    ping: () => request(serverPing(), 'text'),
    me: () => request(readMe({ fields: ['id'] }), 'object'),
    info: () => request(serverInfo(), 'object'),
    listCollections: () => request(readCollections(), 'list'),
    /** Of one collection, or of all. */
    listFields: async (collection?: string) =>
      await request(
        collection === undefined
          ? readFields()
          : readFieldsByCollection(checkCollection(collection, 'readFields')),
        'list',
      ),
    /** Saved views that are shared, by name. */
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

    createItem: async (collection: string, data: Item): Promise<Item> =>
      // Without the right to read, there is nothing in the response.
      ((await request(createItem(checkCollection(collection, 'createItem') as never, data as never), 'any', {
        isRepeatable: data['id'] !== undefined,
      })) ?? data) as Item,
    /** All or none, not in the order in which they were given. */
    createItems: async (collection: string, data: readonly Item[]): Promise<Item[]> => {
      const command = createItems(checkCollection(collection, 'createItems') as never, data as never);
      const isRepeatable = data.every((item) => item['id'] !== undefined);
      const created = await request(command, 'any', { isRepeatable });
      // Without the right to read, there is nothing in the response.
      return (created === null ? data : checkShape(created, 'list')) as Item[];
    },
    updateItem: async (collection: string, key: string | number, data: Item): Promise<Item> => {
      const id = checkKey(key);
      const updated = await request(
        updateItem(checkCollection(collection, 'updateItem') as never, id, data as never),
        'any',
      );
      // A token with all rights gets nothing for an item that is not there.
      if (updated === null) throw notThere();
      return checkShape(updated, 'object') as Item;
    },
    /** All or none. */
    updateItems: async (
      collection: string,
      changes: readonly { key: string | number; data: Item }[],
    ): Promise<Item[]> => {
      const name = checkCollection(collection, 'updateItems');
      const keys = checkKeys(changes.map(({ key }) => key));
      const items = changes.map(({ data }, index) => ({ ...data, id: keys[index]! }));
      const updated = await request(updateItemsBatch(name as never, items as never), 'any');
      // A token with all rights leaves out what is not there.
      const list = (updated === null ? [] : checkShape(updated, 'list')) as Item[];
      if (list.length < new Set(keys).size) throw notThere();
      return list;
    },
    deleteItem: async (collection: string, key: string | number): Promise<void> => {
      const id = checkKey(key);
      await request(deleteItem(checkCollection(collection, 'deleteItem') as never, id), 'any');
    },
    deleteItems: async (collection: string, keys: readonly (string | number)[]): Promise<void> => {
      const name = checkCollection(collection, 'deleteItems');
      await request(deleteItems(name as never, checkKeys(keys) as never), 'any');
    },
    /** A path that the SDK has no command for. */
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
  };
}

export const withSdkOptions = (command: Command, options: SdkOptions): Command =>
  withOptions(command as never, options as object);

/** The response to `aggregate[count]=*`. */
export function readCount([row]: readonly Record<string, unknown>[]): number {
  const count = Number(row?.['count']);
  if (!Number.isSafeInteger(count) || count < 0) throw malformed('It has no count.');
  return count;
}

export const malformed = (message: string) => new DirectusError('malformed', message);

/** As a token without all rights is told. */
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
