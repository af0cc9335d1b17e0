import type { Item } from '@reachout/contract/content.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { UnknownField } from '../backend/content-errors.ts';

/** Names in a text, separated by commas. */
export const splitNames = (names: string | undefined): string[] =>
  (names ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/**
 * The fields that the items of a response have. Asked before anything is written: a change that is made is not answered with
 * an error.
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

/** With its key always: screens and clients look for items by it. */
export const showFields = (item: Item, fields: readonly string[] | undefined): Item =>
  fields === undefined
    ? item
    : Object.fromEntries(['id', ...fields].map((name) => [name, item[name] ?? null]));
