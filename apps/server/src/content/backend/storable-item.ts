import type { Item } from '@reachout/contract/content.ts';

/**
 * @returns the given fields of an item in a form that PostgreSQL can store: texts of a remote backend may contain
 *   NUL or lone surrogates
 */
export function toStorableItem(item: Item, fields: readonly string[]): Record<string, unknown> {
  const known = Object.fromEntries(fields.map((field) => [field, item[field] ?? null]));
  return toStorable(known) as Record<string, unknown>;
}

/** Safe to recurse: platform/outbound limits the nesting of backend responses. */
function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (Array.isArray(value)) return value.map(toStorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [toStorable(key), toStorable(entry)]),
  );
}
