import type { Item } from '@reachout/contract/content.ts';
import { invalidQuery } from '../backend/content-backend.ts';
import { maxPageLength, pageTooLarge, requirePageLength } from '../backend/page-length.ts';
import type { ItemReader } from '../built-in/system-rows.queries.ts';
import type { RestQuery } from './read-query.ts';
import { forbidden } from './rest-error.ts';

/** A serialized response: pages of items are too large to be serialized twice. */
export type Rendered = { json: string };

/** `GET` and `SEARCH /items/{collection}`. */
export async function readItems(
  backend: ItemReader,
  collection: string,
  query: RestQuery,
): Promise<Rendered> {
  const meta = await readMeta(backend, collection, query);
  const end = meta === undefined ? '}' : `,"meta":${JSON.stringify(meta)}}`;
  if (query.aggregate.length + query.groupBy.length > 0) {
    const groups = requirePageLength(await aggregate(backend, collection, query));
    return { json: `{"data":${JSON.stringify(groups)}${end}` };
  }
  const pick = await picker(backend, collection, query.fields);
  const pieces: string[] = [];
  let length = 0;
  if (query.limit > 0) {
    for await (const items of backend.readItems(collection, toItemsQuery(query))) {
      for (const item of items) {
        const piece = JSON.stringify(pick(item));
        length += piece.length;
        if (length > maxPageLength && pieces.length > 0) throw pageTooLarge(pieces.length);
        pieces.push(piece);
      }
    }
  }
  return { json: `{"data":[${pieces.join(',')}]${end}` };
}

/** @returns the keys of the items that a write query matches @throws `invalid_query` when there are more than `max` */
export async function findKeys(
  backend: ItemReader,
  collection: string,
  query: RestQuery,
  max: number,
): Promise<string[]> {
  const limit = Math.min(query.limit, max + 1);
  const items = await backend.findItems(collection, { ...toItemsQuery(query), limit, fields: [] });
  if (items.length > max) throw invalidQuery(`query: More than ${max} items match. Change fewer at once.`);
  return items.map(keyOf);
}

/** Every item has its key in `id`, as text. */
export const keyOf = ({ id }: Item): string => id as string;

const toItemsQuery = ({ filter, search, sort, limit, offset, fields }: RestQuery) => ({
  filter,
  search,
  sort,
  limit,
  offset,
  ...(fields === undefined ? {} : { fields }),
});

async function aggregate(
  backend: ItemReader,
  collection: string,
  { filter, search, aggregate: values, groupBy, sort, limit, offset }: RestQuery,
): Promise<Item[]> {
  const [only] = values;
  // The backend maintains the number of all items, and counts the matches of a filter faster without the rest of the query.
  const isCount = values.length === 1 && groupBy.length === 0 && only?.field === '*';
  if (isCount && only?.function === 'count' && limit > 0 && offset === 0) {
    return [{ count: String(await backend.countItems(collection, { filter, search })) }];
  }
  return await backend.aggregateItems(collection, {
    filter,
    search,
    aggregate: values,
    groupBy,
    sort,
    limit,
    offset,
  });
}

async function readMeta(
  backend: ItemReader,
  collection: string,
  { meta, filter, search }: RestQuery,
): Promise<Record<string, number> | undefined> {
  if (meta.size === 0) return undefined;
  return {
    ...(meta.has('total_count') ? { total_count: await backend.countItems(collection, {}) } : {}),
    ...(meta.has('filter_count')
      ? { filter_count: await backend.countItems(collection, { filter, search }) }
      : {}),
  };
}

/** @returns a function that picks the requested fields @throws RestError 403 for an unknown field */
export async function picker(
  backend: ItemReader,
  collection: string,
  names: readonly string[] | undefined,
): Promise<(item: Item) => Item> {
  if (names === undefined) return (item) => item;
  const known = new Set((await backend.listFields(collection)).map(({ field }) => field));
  if (names.some((name) => !known.has(name))) throw forbidden();
  return (item) => Object.fromEntries(names.map((name) => [name, item[name] ?? null]));
}
