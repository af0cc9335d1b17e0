import './zod-config.ts';
import { z } from 'zod';
import {
  domainPattern,
  emailPattern,
  isDeliverable,
  maxEmailLength,
  maxPhoneLength,
  maxWebAddressLength,
  phonePattern,
  webProtocolPattern,
} from './rules/addresses.ts';
import { itemErrors } from './rules/item-errors.ts';
import { hasAtMost, maxJsonLength, maxNameLength } from './rules/lengths.ts';

/** Schemas of input values, shared by server and forms. */

export const id = z.uuid('This is not a valid id.');
/** The input of operations that take only the record's id from their path. */
export const byId = z.strictObject({ id });

/**
 * JSON Schema keywords for the API reference, in addition to those that the generator derives from a schema's checks.
 * Patterns are added here because our checks apply to the trimmed text, and JSON Schema to the text as sent. `or` lists
 * alternatives, `instead` replaces the whole schema.
 */
export const documented = z.registry<{
  or?: readonly object[];
  instead?: object;
  format?: TextFormat;
  [keyword: string]: unknown;
}>();

/**
 * What kind of text a field takes: JSON Schema's `format`, with names of our own where its names mean something narrower.
 * Forms choose the control and the check by it.
 */
export type TextFormat =
  | 'email'
  | 'phone'
  | 'web-address'
  | 'multi-line'
  | 'password'
  | 'time-of-day'
  | 'time-zone'
  | 'country';

// NUL cannot be stored, lone surrogates cannot be encoded, other controls have no place in one line of text.
// oxlint-disable-next-line no-control-regex -- control characters are what is refused here
const controls = /[\u0000-\u001f\u007f]/;
// oxlint-disable-next-line no-control-regex -- as above; tab, line feed and carriage return are allowed in long texts
const controlsExceptLineBreaks = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const inLine = String.raw`[^\u0000-\u001f\u007f]`;
const inLineAndNoSpace = String.raw`[^\s\u0000-\u001f\u007f]`;
const blank = { type: 'string', maxLength: 1_000, pattern: String.raw`^\s*$` };

const clean = (pattern: RegExp) => (text: string) => !pattern.test(text) && text.isWellFormed();

/** Converts a pattern for trimmed text to one for untrimmed text. */
const untrimmed = ({ source }: RegExp): string =>
  String.raw`^\s*(?:${source.replace(/^\^/, '').replace(/\$$/, '')})\s*$`;

/** A text of bounded length. Longer texts are rejected before any other check: NFC, for example, takes quadratic time. */
const text = (max: number, message = `Use at most ${max} characters.`) =>
  z
    .string()
    .refine((given) => hasAtMost(max, given), { error: message, abort: true })
    .register(documented, { maxLength: max });

/** One line of text, trimmed and NFC-normalized. */
export const singleLine = (max: number) =>
  text(max)
    .trim()
    .normalize('NFC')
    // Normalization can turn one character into several.
    .refine((given) => hasAtMost(max, given), `Use at most ${max} characters.`)
    .refine(clean(controls), 'Control characters are not allowed.')
    .register(documented, { pattern: String.raw`^\s*${inLine}*\s*$` });

/** `singleLine` that is not empty. */
export const filledLine = (max: number, message: string) =>
  singleLine(max)
    .min(1, message)
    .register(documented, { pattern: String.raw`^\s*${inLineAndNoSpace}${inLine}*\s*$` });

/** A token or key, restricted to characters that are valid in a header. */
export const token = z
  .string()
  .max(500, { error: 'A token has at most 500 characters.', abort: true })
  .regex(/^[\x21-\x7e]{8,}$/, 'A token has at least 8 letters, digits or signs, without spaces.');

/** A password or key of another service, as it was given: neither trimmed nor normalized. */
export const secretText = text(500)
  .min(1, 'Enter the password or key.')
  .refine(clean(controls), 'Control characters are not allowed.')
  .register(documented, { format: 'password', pattern: String.raw`^${inLine}+$` });

/** Names: 1 to 120 characters, trimmed. */
export const name = filledLine(maxNameLength, 'Enter a name.');

/** Multi-line text; line breaks are kept. */
export const multiLine = (max: number) =>
  text(max)
    .refine(clean(controlsExceptLineBreaks), 'Control characters are not allowed.')
    .register(documented, {
      format: 'multi-line',
      pattern: String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$`,
    });

/** An email address, at most 254 characters. */
export const email = text(maxEmailLength, 'An email address has at most 254 characters.')
  .trim()
  .regex(emailPattern, 'Enter an email address such as name@example.com.')
  .refine(isDeliverable, 'Enter an email address such as name@example.com.')
  .register(documented, {
    format: 'email',
    pattern: untrimmed(emailPattern),
    allOf: [{ pattern: String.raw`^\s*[^@]{1,64}@` }],
  });

/** Phone number with at least five digits. */
export const phone = singleLine(maxPhoneLength)
  .regex(phonePattern, 'Enter a phone number such as +49 30 901820.')
  .register(documented, { format: 'phone', pattern: untrimmed(phonePattern) });

/** Only http and https, because such an address becomes a link on screen. */
export const webAddress = singleLine(maxWebAddressLength)
  .pipe(
    z.url({
      protocol: webProtocolPattern,
      hostname: domainPattern,
      error: 'Enter a web address such as https://example.com.',
    }),
  )
  .register(documented, {
    format: 'web-address',
    pattern: untrimmed(
      // oxlint-disable-next-line no-control-regex -- control characters are refused
      /^[hH][tT][tT][pP][sS]?:\/\/(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}(?::[0-9]{1,4})?(?:[/?#][^\u0000-\u001f\u007f]*)?$/,
    ),
  });

/** ISO 3166-1 alpha-2 code; the database checks whether it exists. */
export const countryId = z
  .string()
  .max(2, { error: 'Choose a country.', abort: true })
  .regex(/^[A-Z]{2}$/, 'Choose a country.')
  .register(documented, { format: 'country' });

/** A field that may be empty: empty text, blanks and null are treated the same. */
export function optional<T extends z.ZodType>(value: T) {
  const schema = z.preprocess(
    (given) =>
      typeof given === 'string' && given.length <= blank.maxLength && given.trim() === '' ? null : given,
    value.nullable(),
  );
  documented.add(schema, { or: [blank] });
  return schema;
}

/** Key of an item in a content backend: a UUID, or the key of a customer's own backend. */
export const itemKey = singleLine(255);

/**
 * Any JSON value. The API reference has no schema of it: generators of clients leave out what refers to itself.
 * @param max  maximum number of characters of its JSON text
 */
export const plainJson = (max: number) =>
  z
    .json()
    .refine((value) => JSON.stringify(value).length <= max, `Use at most ${max} characters of JSON.`)
    .register(documented, {
      instead: { description: `At most ${max} characters as JSON text.` },
    });

// JSON text contains these escapes only for characters that cannot be stored: NUL and lone surrogates.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** `plainJson` for values that are stored. */
export const storableJson = (max: number) =>
  plainJson(max).refine(
    (value) => !unstorable.test(JSON.stringify(value)),
    'Control characters are not allowed.',
  );

const knownCurrencies = new Set(Intl.supportedValuesOf('currency'));
/** ISO 4217. */
export const currency = z
  .string()
  .max(3)
  .refine((code) => knownCurrencies.has(code), 'Use a currency such as EUR.')
  .register(documented, { pattern: '^[A-Z]{3}$' });

export const timeZone = z
  .string()
  .max(64, { error: 'Use a time zone such as Europe/Berlin.', abort: true })
  .refine(isTimeZone, 'Use a time zone such as Europe/Berlin.')
  // Former zone names are accepted as well.
  .register(documented, { format: 'time-zone', enum: ['UTC', ...Intl.supportedValuesOf('timeZone')] });

function isTimeZone(zone: string): boolean {
  try {
    return zone !== '' && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A time of day, `HH:MM`. */
export const timeOfDay = z
  .string()
  .max(5, { error: 'Use a time such as 08:30.', abort: true })
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 08:30.')
  .register(documented, { format: 'time-of-day' });

/** The output of an export. */
export const csvFile = z.string().register(documented, { contentMediaType: 'text/csv' });

/** A point in time, ISO 8601 in UTC. */
export const timestamp = z.string();

/** A point in time in filters: ISO 8601 with an offset, with years and offsets that every program supports. */
export const timestampInput = z.iso
  .datetime({ offset: true, error: 'Use a time such as 2026-03-01T08:00:00Z.' })
  .max(40, { error: 'Use a time such as 2026-03-01T08:00:00Z.', abort: true })
  .regex(/^(19[7-9]|2[01]\d)\d.*(Z|[+-](0\d|1[0-4]):\d\d)$/, 'Use a time between the years 1970 and 2200.');

export const pageSize = z.coerce.number<number>().int().min(1).max(500);

/** Of lists that name no other. */
export const defaultPageSize = 10;

/** 0-based page and page size of a list; the response carries the exact count. */
export const paging = (defaultSize: number = defaultPageSize) => ({
  page: z.coerce.number<number>().int().min(0).max(100_000).default(0),
  page_size: pageSize.default(defaultSize),
});

/** Paging of a list whose pages are larger for a search, because users read all of its results; the server knows the size. */
export const searchPaging = { ...paging(), page_size: pageSize.optional() };

export const search = singleLine(200).optional();

/** `column.asc` or `column.desc`, with a column from a fixed list. */
export const order = <const C extends readonly [string, ...string[]]>(
  columns: C,
  initial: `${C[number]}.${'asc' | 'desc'}`,
) =>
  z
    .enum(
      columns.flatMap((column) => [`${column}.asc`, `${column}.desc`]) as `${C[number]}.${'asc' | 'desc'}`[],
    )
    .default(initial as never);

export const list = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), count: z.number() });

/** Names of collections and fields in content backends; the database has the same check. */
const contentName = /^[a-z][a-z0-9_]{0,62}$/;

export const collectionName = z
  .string()
  .min(1, { error: itemErrors.collection, abort: true })
  .max(63, { error: 'This is not a valid collection name.', abort: true })
  .regex(contentName, 'This is not a valid collection name.');

export const fieldName = z
  .string()
  .max(63, { error: 'A field name has at most 63 characters.', abort: true })
  .regex(contentName, 'Field names contain lower-case letters, digits and underscores only.');

/** An object with keys of one schema and a maximum number of them. */
export const limitedRecord = <K extends z.core.$ZodRecordKey, V extends z.ZodType>(
  key: K,
  value: V,
  max: number,
) =>
  z
    .record(key, value)
    .refine((record) => Object.keys(record).length <= max, `Use at most ${max} keys.`)
    .register(documented, { maxProperties: max });

/** JSON data of content items: plain values by field name. */
export const itemData = limitedRecord(fieldName, plainJson(maxJsonLength), 500);

export const deleted = z.object({ id });
