import { itemErrors } from '@reachout/contract/rules/item-errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { InvalidCall } from './directus-error.ts';

// The SDK inserts keys and collections into the path unescaped: the key `../../users` would request the users.

/** @throws InvalidCall for an empty or invalid name, and for Directus' own collections */
export function checkCollection(collection: string | null | undefined, call: string): string {
  if (collection === undefined || collection === null || collection === '') {
    throw new InvalidCall(itemErrors.collection);
  }
  if (collection.startsWith('directus_')) throw new InvalidCall(`Cannot use ${call} for core collections`);
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(collection)) throw new InvalidCall('There is no such collection.');
  return collection;
}

/** A UUID or a whole number. @throws InvalidCall */
export function checkKey(key: string | number | null | undefined): string {
  if (key === undefined || key === null || key === '') throw new InvalidCall(itemErrors.key);
  const text = String(key);
  if (!isItemKey(text)) throw new InvalidCall('There is no such item.');
  return text;
}

/** @throws InvalidCall */
export function checkKeys(keys: readonly (string | number)[]): string[] {
  if (keys.length === 0) throw new InvalidCall(itemErrors.keysOrQuery);
  return keys.map(checkKey);
}

/** Whether a usable collection can have an item with this key: only UUID and integer keys are supported. */
export const isItemKey = (text: string): boolean => isUuid(text) || /^-?\d{1,19}$/.test(text);
