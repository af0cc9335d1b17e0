import type { Field, Item } from '@reachout/contract/content.ts';
import { valueText } from '#web/ui/value-text.ts';

/** A value as the control of its field has it while it is edited. */
export type FieldValue = string | number | boolean | string[];

type Json = Item[string];

export const isNumber = ({ type }: Pick<Field, 'type'>): boolean =>
  ['integer', 'bigInteger', 'float', 'decimal'].includes(type);

/** What the control of a field shows at first; what has no value is empty. */
export function toFieldValue({ type }: Pick<Field, 'type'>, value: Json | undefined): FieldValue {
  if (type === 'boolean') return value === true;
  if (type === 'csv') return Array.isArray(value) ? value.map(valueText) : [];
  if (value === null || value === undefined) return '';
  if (type === 'json') return JSON.stringify(value, null, 2);
  if (type === 'timestamp' && typeof value === 'string') return localMoment(value);
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** The other way round: as it is stored. What is empty is no value. */
export function toStoredValue({ type }: Pick<Field, 'type'>, value: FieldValue | undefined): Json {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  if (type === 'timestamp' && typeof value === 'string') return instantOf(value);
  if (type !== 'json' || typeof value !== 'string') return value;
  // The server says what is wrong with text that is no JSON.
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

/** Whether two values of a field are one: no value, an empty text and an empty list are the same. */
export function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

const plain = (value: Json | undefined): Json =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value;

/** The fields whose value differs from that of the item, as they are stored. */
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

/** @returns undefined for text that is no JSON */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** An instant as `datetime-local` wants it: the reader's own wall time. */
function localMoment(instant: string): string {
  const moment = new Date(instant);
  if (Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function instantOf(wallTime: string): string {
  const moment = new Date(wallTime);
  return Number.isNaN(moment.getTime()) ? wallTime : moment.toISOString();
}
