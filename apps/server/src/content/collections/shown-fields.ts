import type { Item } from '@reachout/contract/content.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { UnknownField } from '../backend/content-errors.ts';

/** Splits a comma-separated list of names. */
export const splitNames = (names: string | undefined): string[] =>
  (names ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/**
 * Determines the fields of the items in a response. Call it before anything is written, so that a change that was made
 * never results in an error.
 * @param text  the parameter `fields`
 * @returns undefined for all
 * @throws UnknownField
 */
export async function readFields(
  backend: ContentBackend,
  collection: string,
  text: string | undefined,
): Promise<string[] | undefined> {
  const names = splitNames(text);
  if (names.length === 0 || names.includes('*')) return undefined;
  const known = (await backend.listFields(collection)).map(({ field }) => field);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UnknownField(`fields: There is no field “${unknown}” in this collection.`);
  return names;
}

/** Always includes the key, by which screens and clients identify items. */
export const showFields = (item: Item, fields: readonly string[] | undefined): Item =>
  fields === undefined
    ? item
    : Object.fromEntries(['id', ...fields].map((name) => [name, item[name] ?? null]));
