import type { Field, FieldType } from '@reachout/contract/content-fields.ts';
import type { exportFormats, Item } from '@reachout/contract/content.ts';
import { formatList } from '@reachout/contract/rules/list-text.ts';
import type { ExportContext } from '../../identity/access/file-exports.ts';
import { toCsvHead, toCsvLine } from '../../platform/csv-text.ts';
import type { ContentBackend, ItemsQuery } from '../../content/backend/content-backend.ts';
import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';

type ExportFormat = (typeof exportFormats)[number];

/** Same as the limit of imports, so that an export can be imported again. */
export const maxExportItems = 1_000_000;

const pageItems = 2_000;
/** In characters of JSON: a page of large items ends early. It is written at once, and waits for the client as a whole. */
const pageLength = 1_000_000;

export interface ItemSource {
  collection: string;
  filter: unknown;
  search: string | undefined;
}

/** A column of a file. */
export type ExportedField = Pick<Field, 'field' | 'type'>;

/** Converts items to the text of a file. The next page is read once the client has received the previous one. */
export async function* exportItems(
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
export async function* readBuiltInPages(
  { who, readPage: inTurn }: ExportContext,
  { collection, filter, search }: ItemSource,
): AsyncGenerator<Item[]> {
  for (let after: string | undefined; ;) {
    const query = { filter, search, limit: pageItems, offset: 0, after };
    const items = await inTurn((trx) => readPage(createBuiltInBackend(trx, who), collection, query));
    if (items.length === 0) return;
    yield items;
    after = items.at(-1)?.['id'] as string;
  }
}

async function readPage(backend: ContentBackend, collection: string, query: ItemsQuery): Promise<Item[]> {
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
