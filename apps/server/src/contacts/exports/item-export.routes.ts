import type { Item } from '@reachout/contract/content.ts';
import { fileExport, type ExportContext } from '../../identity/access/file-exports.ts';
import { invalidQuery } from '../../content/backend/content-errors.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';
import { parseFilter, rejectPlatformCollections } from '../../content/collections/item-input.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { openSubscriptionColumns } from '../consent/subscription-columns.ts';
import { openTopicColumns } from '../consent/topic-columns.ts';
import {
  exportItems,
  maxExportItems,
  readBuiltInPages,
  type ExportedField,
  type ItemSource,
} from './item-export.ts';

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
