import type { Item } from '@reachout/contract/content.ts';

/**
 * The fields of an item, without its key, in a form that PostgreSQL can store: a remote backend may have texts with NUL and
 * with half a character.
 */
export function toStorableItem(item: Item, fields: readonly string[]): Record<string, unknown> {
  const known = Object.fromEntries(fields.map((field) => [field, item[field] ?? null]));
  return toStorable(known) as Record<string, unknown>;
}

/** What comes from a backend is not nested deeply: platform/outbound sees to it. */
function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (Array.isArray(value)) return value.map(toStorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [toStorable(key), toStorable(entry)]),
  );
}
