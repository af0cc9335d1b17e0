import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { currentTimeZone } from '#web/i18n/format.ts';
import { instantOf, wallTimeOf } from '#web/i18n/zoned-time.ts';
import { valueText } from '#web/ui/value-text.ts';

/** A value in the format of its input during editing. */
export type FieldValue = string | number | boolean | string[];

type Json = Item[string];

export const isNumber = ({ type }: Pick<Field, 'type'>): boolean =>
  ['integer', 'bigInteger', 'float', 'decimal'].includes(type);

/** Converts a stored value to the input's initial value; null becomes empty. */
export function toFieldValue({ type }: Pick<Field, 'type'>, value: Json | undefined): FieldValue {
  // No value is neither yes nor no, also for filter rules.
  if (type === 'boolean') return typeof value === 'boolean' ? value : '';
  if (type === 'csv') return Array.isArray(value) ? value.map(valueText) : [];
  if (value === null || value === undefined) return '';
  if (type === 'json') return JSON.stringify(value, null, 2);
  if (type === 'timestamp' && typeof value === 'string') return wallTimeOf(value, currentTimeZone());
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** Converts an input value to the stored format. Empty becomes null. */
export function toStoredValue({ type }: Pick<Field, 'type'>, value: FieldValue | undefined): Json {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  if (type === 'timestamp' && typeof value === 'string')
    return instantOf(value, currentTimeZone())?.toISOString() ?? value;
  if (type !== 'json' || typeof value !== 'string') return value;
  // The server reports what is wrong with text that is not JSON.
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

/** Whether two values of a field are equal: null, an empty string and an empty list are the same. */
export function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

const plain = (value: Json | undefined): Json =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value;

/** @returns the fields whose value differs from the item's, in stored format */
export function changedFields(
  fields: readonly Pick<Field, 'field' | 'type'>[],
  before: Item,
  values: Readonly<Record<string, FieldValue>>,
): Item {
  const isEdited = (field: Pick<Field, 'field' | 'type'>) =>
    !isSameValue(toFieldValue(field, before[field.field]), values[field.field]);
  return Object.fromEntries(
    fields.filter(isEdited).map((field) => [field.field, toStoredValue(field, values[field.field])]),
  );
}

/** @returns undefined if the text is not JSON */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
