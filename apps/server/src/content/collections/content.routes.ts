import { operations } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { invalidQuery } from '../backend/content-errors.ts';
import { getImport, listImports } from '../imports/imports.ts';
import { withBackend } from '../built-in/with-backend.ts';

/** The platform's own collections have operations, abilities and rules of their own: here they are not there. */
function rejectPlatformCollections(collection: string): string {
  if (isPlatformCollection(collection)) throw notFound();
  return collection;
}

function parseFilter(text: string | undefined): unknown {
  if (text === undefined || text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw invalidQuery('filter: This is not JSON.');
  }
}

const splitSort = (sort: string | undefined): string[] =>
  (sort ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

export const contentRoutes = {
  collections: operations.content.collections.handler(({ context }) =>
    withBackend(context, async (backend) => ({ data: await backend.listCollections() })),
  ),
  fields: operations.content.fields.handler(({ input, context }) =>
    withBackend(context, async (backend) => {
      const fields = await backend.listFields(rejectPlatformCollections(input.collection));
      return { data: fields.filter(({ hidden }) => !hidden) };
    }),
  ),
  items: operations.content.items.handler(({ input, context }) =>
    withBackend(context, async (backend) => {
      const collection = rejectPlatformCollections(input.collection);
      const query = { filter: parseFilter(input.filter), search: input.search };
      const { limit, page } = input;
      const sort = splitSort(input.sort);
      const data = await backend.findItems(collection, { ...query, sort, limit, offset: (page - 1) * limit });
      const total_count = await backend.countItems(collection, {});
      const isAll = JSON.stringify(query.filter) === '{}' && (query.search ?? '') === '';
      const filter_count = isAll ? total_count : await backend.countItems(collection, query);
      return { data, meta: { total_count, filter_count } };
    }),
  ),
  createItem: operations.content.createItem.handler(({ input, context }) =>
    withBackend(context, async (backend) => ({
      data: await backend.createItem(rejectPlatformCollections(input.collection), input.data),
    })),
  ),
  item: operations.content.item.handler(({ input, context }) =>
    withBackend(context, async (backend) => ({
      data: await backend.getItem(rejectPlatformCollections(input.collection), input.key),
    })),
  ),
  updateItem: operations.content.updateItem.handler(({ input, context }) =>
    withBackend(context, async (backend) => ({
      data: await backend.updateItem(rejectPlatformCollections(input.collection), input.key, input.data),
    })),
  ),
  deleteItem: operations.content.deleteItem.handler(({ input, context }) =>
    withBackend(context, async (backend) => {
      await backend.deleteItem(rejectPlatformCollections(input.collection), input.key);
      return { key: input.key };
    }),
  ),
  imports: operations.content.imports.handler(({ context }) =>
    context.transaction(async (trx) => ({ data: await listImports(trx, context.organizationId) })),
  ),
  getImport: operations.content.getImport.handler(({ input, context }) =>
    context.transaction((trx) => getImport(trx, context.organizationId, input.id)),
  ),
};
