import './zod-config.ts';
import { z } from 'zod';
import { itemErrors } from './rules/item-errors.ts';
import { maxBatch } from './rules/lengths.ts';
import { documented, itemData, limitedRecord, plainJson } from './values.ts';

/** Requests on several items, in the body formats of Directus: either all of them are written or none. */

/** Item id: a UUID, or the key of a customer's own backend. */
const key = z
  .union([z.string().min(1).max(255), z.int()], { error: 'Use the id of an item.' })
  .transform(String);
const keys = z.array(key).min(1, itemErrors.keys).max(maxBatch, `Use at most ${maxBatch} items.`);

/** A query inside a body; its parameters are parsed by the operation that uses it. */
const itemsQuery = limitedRecord(z.string().max(63), plainJson(500_000), 20).refine(
  (query) => Object.keys(query).length > 0,
  itemErrors.keysOrQuery,
);

/** Whether a body says nothing of which items are meant. */
const lacksItems = (body: unknown): boolean =>
  body === undefined ||
  (typeof body === 'object' && !Array.isArray(body) && !('keys' in (body ?? {}) || 'query' in (body ?? {})));

const itemWithKey = itemData
  .refine((item) => key.safeParse(item['id']).success, { path: ['id'], message: 'Use the id of an item.' })
  .register(documented, { required: ['id'], maxProperties: 500 })
  .transform(({ id, ...data }) => ({ key: key.parse(id), data }));

/** One item, or a list of items. */
export const ItemCreation = z.union(
  [itemData, z.array(itemData).max(maxBatch, `Use at most ${maxBatch} items.`)],
  { error: `Use an item, or a list of at most ${maxBatch} items.` },
);

/** The same change for several items, or one change per item. */
export const ItemChanges = z.union(
  [
    z.strictObject({ keys, data: itemData }),
    z.strictObject({ query: itemsQuery, data: itemData }),
    z.array(itemWithKey).max(maxBatch, `Use at most ${maxBatch} items.`),
  ],
  {
    error: ({ input }) =>
      lacksItems(input)
        ? itemErrors.keysOrQuery
        : `Use { keys, data }, { query, data } or a list of items with their id; at most ${maxBatch} items.`,
  },
);
export type ItemChanges = z.output<typeof ItemChanges>;

export const ItemDeletion = z.union([keys, z.strictObject({ keys }), z.strictObject({ query: itemsQuery })], {
  error: ({ input }) =>
    lacksItems(input)
      ? itemErrors.keysOrQuery
      : `Use a list of keys, { keys } or { query }; at most ${maxBatch} items.`,
});
export type ItemDeletion = z.output<typeof ItemDeletion>;
