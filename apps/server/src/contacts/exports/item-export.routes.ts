import type { Item, exportFormats } from '@reachout/contract/content.ts';
import { fileExport, type ExportContext } from '../../identity/access/file-exports.ts';
import { invalidQuery, type ContentBackend, type ItemsQuery } from '../../content/backend/content-backend.ts';
import { parseFilter, rejectPlatformCollections } from '../../content/collections/item-input.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { openSubscriptionColumns, openTopicColumns } from '../consent/subscription-columns.ts';
import type { Field, FieldType } from '@reachout/contract/content-fields.ts';
import { formatList } from '@reachout/contract/rules/list-text.ts';
import { toCsvHead, toCsvLine } from '../../platform/csv-text.ts';
import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';

/**
 * The items of a collection, in either backend. Its columns are those of the collection, as CSV or JSON that an import reads
 * again, and those of subscriptions have another access scope: pieces and columns are therefore its own.
 */
export const itemExport = (deps: DirectusDeps) =>
  fileExport('content.exportItems', async ({ collection, format, ...query }, context) => {
    const { who, transaction } = context;
    const source: ItemSource = {
      collection: rejectPlatformCollections(collection),
      filter: parseFilter(query.filter),
      search: query.search,
    };
    const open = await openBackend(deps, who, transaction);
    const { fields, count } =
      open.kind === 'directus'
        ? await describeExport(open.backend, source)
        : await transaction((trx) => describeExport(open.within(trx), source));
    const subscriptions = await openSubscriptions(context, collection, fields);
    const pages =
      open.kind === 'directus'
        ? open.backend.readItems(collection, { ...source, limit: maxExportItems, offset: 0 })
        : readBuiltInPages(context, source);
    const filters = [
      ...(JSON.stringify(source.filter) === '{}' ? [] : ['filter']),
      ...(source.search === undefined ? [] : ['search']),
    ];
    return {
      name: `${collection}.${format}`,
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      pieces: exportItems(
        subscriptions?.fill(pages) ?? pages,
        [...fields, ...(subscriptions?.fields ?? [])],
        format,
      ),
      note: {
        record_type: 'collections',
        record_id: collection,
        record_name: collection,
        details: { format, count, filters },
      },
    };
  });

/** The subscriptions of contacts, for readers of consent: they may see it of fewer clients than the contacts. */
async function openSubscriptions(
  context: ExportContext,
  collection: string,
  fields: readonly ExportedField[],
) {
  if (!fields.some(({ field }) => field === 'email') || !context.who.can('read', 'Consent')) return undefined;
  const { who, readPage } = await context.within(['read', 'Content'], ['read', 'Consent']);
  const { organizationId } = who;
  const columns = await readPage((trx) => openSubscriptionColumns(trx, { organizationId, collection }));
  const topics = await readPage((trx) => openTopicColumns(trx, { organizationId, collection }));
  return {
    fields: [...columns.names, ...topics.names].map((field) => ({ field, type: 'string' as const })),
    fill: async function* (pages: AsyncIterable<Item[]>): AsyncGenerator<Item[]> {
      for await (const items of pages)
        yield await readPage(async (trx) => topics.fill(trx, await columns.fill(trx, items)));
    },
  };
}

/**
 * Checks the query.
 * @returns the fields of the file: the key, the visible fields, and the dates of creation and last change
 */
async function describeExport(backend: ContentBackend, { collection, ...query }: ItemSource) {
  const fields = await backend.listFields(collection);
  const count = await backend.countItems(collection, query);
  if (count > maxExportItems)
    throw invalidQuery(`filter: ${count} items match, and a file has at most ${maxExportItems}.`);
  const rank = (name: string) => (name === 'id' ? 0 : name.startsWith('date_') ? 2 : 1);
  const shown = fields
    .filter(({ field, hidden }) => field === 'id' || !hidden)
    .toSorted((one, other) => rank(one.field) - rank(other.field));
  return { fields: shown, count };
}

type ExportFormat = (typeof exportFormats)[number];

/** Same as the limit of imports, so that an export can be imported again. */
const maxExportItems = 1_000_000;

const pageItems = 2_000;
/** In characters of JSON: a page of large items ends early. It is written at once, and waits for the client as a whole. */
const pageLength = 1_000_000;

interface ItemSource {
  collection: string;
  filter: unknown;
  search: string | undefined;
}

/** A column of a file. */
type ExportedField = Pick<Field, 'field' | 'type'>;

/** Converts items to the text of a file. The next page is read once the client has received the previous one. */
async function* exportItems(
  pages: AsyncIterable<Item[]>,
  fields: readonly ExportedField[],
  format: ExportFormat,
): AsyncGenerator<string> {
  const { head, between, tail, write } = writers[format];
  yield head(fields);
  let count = 0;
  for await (const items of pages) {
    yield (count === 0 ? '' : between) + items.map((item) => write(fields, item)).join(between);
    count += items.length;
    if (count >= maxExportItems) break;
  }
  yield tail;
}

/**
 * Reads the items of the built-in backend, each page in a separate transaction, so that a slow client holds no connection.
 * Items added in the meantime are included, and no item is included twice.
 */
async function* readBuiltInPages(
  { who, readPage }: ExportContext,
  { collection, filter, search }: ItemSource,
): AsyncGenerator<Item[]> {
  for (let after: string | undefined; ;) {
    const query = { filter, search, limit: pageItems, offset: 0, after };
    const items = await readPage((trx) => readUpToLength(createBuiltInBackend(trx, who), collection, query));
    if (items.length === 0) return;
    yield items;
    after = items.at(-1)?.['id'] as string;
  }
}

async function readUpToLength(
  backend: ContentBackend,
  collection: string,
  query: ItemsQuery,
): Promise<Item[]> {
  const items: Item[] = [];
  let length = 0;
  for await (const piece of backend.readItems(collection, query)) {
    items.push(...piece);
    length += JSON.stringify(piece).length;
    if (length >= pageLength) break;
  }
  return items;
}

interface Writer {
  head: (fields: readonly ExportedField[]) => string;
  write: (fields: readonly ExportedField[], item: Item) => string;
  between: string;
  tail: string;
}

const writers: Record<ExportFormat, Writer> = {
  csv: {
    head: (fields) => toCsvHead(fields.map(({ field }) => field)),
    write: (fields, item) => toCsvLine(fields.map(({ field, type }) => toCell(type, item[field]))),
    between: '',
    tail: '',
  },
  json: {
    head: () => '[\n',
    write: (fields, item) =>
      JSON.stringify(Object.fromEntries(fields.map(({ field }) => [field, item[field] ?? null]))),
    between: ',\n',
    tail: '\n]\n',
  },
};

/** Formats a value as imports read it: lists separated by commas, other structures as JSON. */
function toCell(type: FieldType, value: Item[string] | undefined): string {
  if (value === null || value === undefined) return '';
  if (type === 'json') return JSON.stringify(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return formatList(value);
  return JSON.stringify(value);
}
