export interface ItemsOptions {
  /** Of the content backend, `https://cms.example.com`. */
  url: string;
  /** Of the content backend: the token of a website reads nothing. */
  token: string;
}

export type Item = Record<string, unknown>;

/** Parameters of the content backend: `fields`, `filter`, `sort`, `limit`, … */
export type ItemQuery = Record<string, unknown>;

export interface Items {
  createItem: (collection: string, item: Item) => Promise<Item>;
  /** All or none. */
  createItems: (collection: string, items: Item[]) => Promise<Item[]>;
  readItem: (collection: string, key: string) => Promise<Item>;
  readItems: (collection: string, query?: ItemQuery) => Promise<Item[]>;
  updateItem: (collection: string, key: string, item: Item) => Promise<Item>;
  /** Changes all of them alike, or none. */
  updateItems: (collection: string, keysOrQuery: string[] | ItemQuery, item: Item) => Promise<Item[]>;
  deleteItem: (collection: string, key: string) => Promise<void>;
  deleteItems: (collection: string, keysOrQuery: string[] | ItemQuery) => Promise<void>;
}

/** Functions for the items of a content backend. They reject with what is missing, or with the status of the response. */
export function createItems({ url, token }: ItemsOptions): Items {
  async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(url.replace(/\/+$/, '') + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // Since HTTP/2, the status has no text.
    if (!response.ok) throw new Error(response.statusText || `Status ${response.status}`);
    const text = await response.text();
    return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
  }

  return {
    createItem: async (collection, item) => await request('POST', pathOf('createItem', collection), item),
    createItems: async (collection, items) => await request('POST', pathOf('createItems', collection), items),
    readItem: async (collection, key) => await request('GET', pathOf('readItem', collection, key)),
    readItems: async (collection, query = {}) =>
      await request('GET', `${pathOf('readItems', collection)}?${toParameters(query)}`),
    updateItem: async (collection, key, item) => {
      // Before the collection, as in the SDK of Directus.
      checkKey(key);
      return await request('PATCH', pathOf('updateItem', collection, key), item);
    },
    updateItems: async (collection, keysOrQuery, item) =>
      await request('PATCH', pathOf('updateItems', collection), { ...which(keysOrQuery), data: item }),
    deleteItem: async (collection, key) => await request('DELETE', pathOf('deleteItem', collection, key)),
    deleteItems: async (collection, keysOrQuery) =>
      await request('DELETE', pathOf('deleteItems', collection), which(keysOrQuery)),
  };
}

function which(keysOrQuery: string[] | ItemQuery): object {
  if (Array.isArray(keysOrQuery)) {
    if (keysOrQuery.length === 0) throw new Error('Keys cannot be empty');
    return { keys: keysOrQuery };
  }
  if (Object.keys(keysOrQuery ?? {}).length === 0) throw new Error('keysOrQuery cannot be empty');
  return { query: keysOrQuery };
}

function checkKey(key: string): void {
  if (!key) throw new Error('Key cannot be empty');
}

/** @param keys  of the one item, if it is about one */
function pathOf(helper: keyof Items, collection: string, ...keys: [key?: string]): string {
  if (!collection) throw new Error('Collection cannot be empty');
  if (collection.startsWith('directus_')) throw new Error(`Cannot use ${helper} for core collections`);
  if (keys.length > 0) checkKey(keys[0] ?? '');
  return ['/items', collection, ...keys]
    .map((part = '', i) => (i === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

/** Objects as JSON, lists of names separated by commas. */
const toParameters = (query: ItemQuery): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, toText(value)]),
  );

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  const isNames = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return isNames ? value.join(',') : JSON.stringify(value);
}
