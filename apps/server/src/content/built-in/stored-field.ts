import type { Field, FieldInterface, FieldType } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { checkValue, maxUniqueString, type JsonValue, type Checked } from '../backend/field-values.ts';
import { systemFields } from '../backend/filter-rule.ts';
import { shortenText } from '@reachout/contract/rules/cut-text.ts';
import { isEmail, isWebAddress } from '@reachout/contract/rules/addresses.ts';

/** A field of the built-in backend, as stored in `content_fields`. */
export interface StoredField {
  name: string;
  /** Display name; null where `name` serves as one. */
  label: string | null;
  type: FieldType;
  interface: FieldInterface | null;
  choices: string[] | null;
  required: boolean;
  unique: boolean;
  hidden: boolean;
  readonly: boolean;
  defaultValue: JsonValue;
  sort: number | null;
}

/** The columns that every item has. They are read-only, except that `id` may be set at creation. */
export const describeSystemFields = (collection: string): Field[] =>
  systemFields.map(({ name, type }) => ({
    collection,
    field: name,
    label: null,
    type,
    interface: null,
    choices: null,
    required: false,
    unique: name === 'id',
    hidden: name === 'id' || name === 'user_created',
    readonly: true,
    default_value: null,
    sort: null,
  }));

export const describeField = (collection: string, field: StoredField): Field => ({
  collection,
  field: field.name,
  label: field.label,
  type: field.type,
  interface: field.interface,
  choices: field.choices,
  required: field.required,
  unique: field.unique,
  hidden: field.hidden,
  readonly: field.readonly,
  default_value: field.defaultValue,
  sort: field.sort,
});

/** Error message for a required field without a value. */
export const requiredMessage = 'This is required.';

export type FieldErrors = { path: string; message: string }[];

/** Checks a value of one field; null and undefined mean no value. */
export function checkField(
  field: StoredField,
  value: JsonValue | undefined,
): { value: JsonValue } | { reason: string } {
  if (value === null || value === undefined) {
    return field.required ? { reason: requiredMessage } : { value: null };
  }
  const ofType = checkValue(field.type, value);
  if ('reason' in ofType) return ofType;
  const checked = checkInterface(field, ofType.value);
  if ('reason' in checked) return checked;
  if (field.required && checked.value === '') return { reason: requiredMessage };
  if (field.unique && uniqueValueOf(checked.value).length > maxUniqueString) {
    return { reason: `Use at most ${maxUniqueString} characters.` };
  }
  return checked;
}

/**
 * Checks the data of a new item and fills in defaults.
 * @returns the data to store, or the errors by field
 */
export const checkNewItem = (
  fields: readonly StoredField[],
  data: Item,
): { data: Record<string, JsonValue> } | { errors: FieldErrors } =>
  collect(fields, (field) => checkField(field, own(data, field.name) ?? field.defaultValue));

/** Checks changes of an item; only the fields that they contain. */
export function checkChanges(
  fields: readonly StoredField[],
  changes: Item,
): { data: Record<string, JsonValue> } | { errors: FieldErrors } {
  const named = fields.filter(({ name }) => Object.hasOwn(changes, name));
  return collect(named, (field) => checkField(field, own(changes, field.name)));
}

/**
 * The value by which a unique field is compared. Strings are trimmed and lowercased, because two contacts whose addresses
 * differ only in that are one person.
 */
export const uniqueValueOf = (value: JsonValue): string =>
  typeof value === 'string' ? value.trim().toLowerCase() : JSON.stringify(value);

/** The values that an item's unique fields claim; empty ones claim nothing. */
export const uniqueValuesOf = (
  fields: readonly StoredField[],
  data: Record<string, JsonValue>,
): { field: string; value: string }[] =>
  fields
    .filter(({ unique }) => unique)
    .map(({ name }) => ({ field: name, value: own(data, name) ?? null }))
    .filter(({ value }) => value !== null && value !== '')
    .map(({ field, value }) => ({ field, value: uniqueValueOf(value) }));

const own = (data: Item, name: string): JsonValue | undefined =>
  Object.hasOwn(data, name) ? data[name] : undefined;

function collect(
  fields: readonly StoredField[],
  check: (field: StoredField) => { value: JsonValue } | { reason: string },
): { data: Record<string, JsonValue> } | { errors: FieldErrors } {
  const results = fields.map((field) => ({ name: field.name, result: check(field) }));
  const errors = results.flatMap(({ name, result }) =>
    'reason' in result ? [{ path: name, message: result.reason }] : [],
  );
  if (errors.length > 0) return { errors };
  return {
    data: Object.fromEntries(
      results.flatMap(({ name, result }) => ('value' in result ? [[name, result.value]] : [])),
    ),
  };
}

/** Settings that restrict the values of a field beyond its type. */
interface Narrowing {
  type: FieldType;
  interface: FieldInterface | null;
  choices: readonly string[] | null;
}

/** Checks a value that already has the type of its field. An empty string means no value, and is valid. */
export function checkInterface({ type, interface: name, choices }: Narrowing, value: JsonValue): Checked {
  // For a file id, the code that stores it checks that the file exists.
  if (name === null || value === '' || type === 'uuid') return { value };
  return checks[name](value, choices ?? []);
}

const checks: Record<FieldInterface, (value: JsonValue, choices: readonly string[]) => Checked> = {
  email: (value) =>
    typeof value === 'string' && isEmail(value)
      ? { value: value.trim() }
      : { reason: 'Enter an email address such as name@example.com.' },
  select: (value, choices) =>
    choices.some((choice) => choice === value)
      ? { value }
      : { reason: `Use one of these values: ${shorten(choices.join(', '))}` },
  // The type covers everything.
  tags: (value) => ({ value }),
  // Made safe where it is printed.
  rich_text: (value) => ({ value }),
  image: (value) =>
    typeof value === 'string' && isWebAddress(value)
      ? { value: value.trim() }
      : { reason: 'Enter the web address of an image, such as https://example.com/image.png.' },
};

const shorten = (text: string): string => shortenText(text, 200);
