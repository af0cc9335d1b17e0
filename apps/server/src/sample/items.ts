import type { Item } from '@reachout/contract/content.ts';
import { findFields } from '../content/built-in/collections.queries.ts';
import { checkNewItem, uniqueValuesOf } from '../content/built-in/stored-field.ts';
import type { Transaction } from '../platform/database/database.ts';
import { insertRows } from './rows.ts';

/** Stores new items of a collection of the built-in backend, and queues them for the search index. */
export async function buildItems(
  trx: Transaction,
  of: { organization_id: string; collection: string; user_created?: string },
  items: readonly { id: string; at: Date; data: Item }[],
): Promise<void> {
  const { user_created, ...place } = of;
  const fields = (await findFields(trx, place.organization_id, place.collection)) ?? [];
  const checked = items.map(({ id, at, data: given }) => {
    const result = checkNewItem(fields, given);
    if ('errors' in result) throw new Error(`${place.collection}: ${JSON.stringify(result.errors)}`);
    return { id, date: at.toISOString(), data: result.data };
  });
  await insertRows(
    trx,
    'content_items',
    checked.map(({ id, date, data }) => ({
      ...place,
      id,
      data: JSON.stringify(data),
      user_created: user_created ?? null,
      date_created: date,
      date_updated: date,
    })),
  );
  await insertRows(
    trx,
    'content_unique_values',
    checked.flatMap(({ id, data }) =>
      uniqueValuesOf(fields, data).map((claim) => ({ ...place, ...claim, item_id: id })),
    ),
  );
  await trx
    .updateTable('content_collections')
    .set((eb) => ({ items_count: eb('items_count', '+', items.length) }))
    .where('organization_id', '=', place.organization_id)
    .where('collection', '=', place.collection)
    .execute();
  await insertRows(trx, 'content_search_queue', { ...place, item_ids: items.map(({ id }) => id) });
}
