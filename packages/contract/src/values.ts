import './zod-in-browsers.ts';
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
import { maxJsonLength, maxNameLength } from './rules/lengths.ts';

/** The values that inputs are made of: one schema each, shared by server and forms. */

export const id = z.uuid('This is not a valid id.');
/** The input of operations that take only the record's id from their path. */
export const byId = z.strictObject({ id });

/**
 * Keywords of JSON Schema for the API reference, beyond what the generator reads from the checks of a schema. Patterns are
 * among them, because our checks look at a text after it was trimmed, and JSON Schema at the text as it is sent. `or`
 * lists alternatives, `instead` replaces the whole schema.
 */
export const documented = z.registry<{
  or?: readonly object[];
  instead?: object;
  [keyword: string]: unknown;
}>();

// NUL cannot be stored, lone surrogates cannot be encoded, other controls have no place in one line of text.
// oxlint-disable-next-line no-control-regex -- control characters are what is refused here
const controls = /[\u0000-\u001f\u007f]/;
// oxlint-disable-next-line no-control-regex -- as above; tab, line feed and carriage return are allowed in long texts
const controlsExceptLineBreaks = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const inLine = String.raw`[^\u0000-\u001f\u007f]`;
const inLineAndNoSpace = String.raw`[^\s\u0000-\u001f\u007f]`;
const blank = { type: 'string', maxLength: 1_000, pattern: String.raw`^\s*$` };

const clean = (pattern: RegExp) => (text: string) => !pattern.test(text) && text.isWellFormed();

/** How a pattern over a trimmed text looks before the text is trimmed. */
const untrimmed = ({ source }: RegExp): string =>
  String.raw`^\s*(?:${source.replace(/^\^/, '').replace(/\$$/, '')})\s*$`;

/** In characters of Unicode, as PostgreSQL and JSON Schema count them: emojis are one and not two. */
const hasAtMost = (max: number) => (text: string) =>
  // oxlint-disable-next-line typescript/no-misused-spread -- characters are what is counted
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);

/**
 * A text of bounded length. Longer ones are refused before anything else looks at them: NFC, for one, takes a time that
 * grows with the square of a length.
 */
const text = (max: number, message = `Use at most ${max} characters.`) =>
  z.string().refine(hasAtMost(max), { error: message, abort: true }).register(documented, { maxLength: max });

/** One line of text, trimmed and NFC-normalized. */
export const singleLine = (max: number) =>
  text(max)
    .trim()
    .normalize('NFC')
    // There are characters that become several.
    .refine(hasAtMost(max), `Use at most ${max} characters.`)
    .refine(clean(controls), 'Control characters are not allowed.')
    .register(documented, { pattern: String.raw`^\s*${inLine}*\s*$` });

/** The same with something in it. */
export const filledLine = (max: number, message: string) =>
  singleLine(max)
    .min(1, message)
    .register(documented, { pattern: String.raw`^\s*${inLineAndNoSpace}${inLine}*\s*$` });

/** Names: 1 to 120 characters, trimmed. */
export const name = filledLine(maxNameLength, 'Enter a name.');

/** Long text; line ends are kept. */
export const multiLine = (max: number) =>
  text(max)
    .refine(clean(controlsExceptLineBreaks), 'Control characters are not allowed.')
    .register(documented, {
      pattern: String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$`,
    });

/** An email address, at most 254 characters. */
export const email = text(maxEmailLength, 'An email address has at most 254 characters.')
  .trim()
  .regex(emailPattern, 'Enter an email address such as name@example.com.')
  .refine(isDeliverable, 'Enter an email address such as name@example.com.')
  .register(documented, {
    pattern: untrimmed(emailPattern),
    allOf: [{ pattern: String.raw`^\s*[^@]{1,64}@` }],
  });

/** As people write telephone numbers; at least five digits. */
export const phone = singleLine(maxPhoneLength)
  .regex(phonePattern, 'Enter a phone number such as +49 30 901820.')
  .register(documented, { pattern: untrimmed(phonePattern) });

/** http and https only: such an address becomes a link on screen. */
export const webAddress = singleLine(maxWebAddressLength)
  .pipe(
    z.url({
      protocol: webProtocolPattern,
      hostname: domainPattern,
      error: 'Enter a web address such as https://example.com.',
    }),
  )
  .register(documented, {
    pattern: untrimmed(
      // oxlint-disable-next-line no-control-regex -- control characters are refused
      /^[hH][tT][tT][pP][sS]?:\/\/(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}(?::[0-9]{1,4})?(?:[/?#][^\u0000-\u001f\u007f]*)?$/,
    ),
  });

/** ISO 3166-1 alpha-2; which ones there are, the database says. */
export const countryId = z
  .string()
  .max(2, { error: 'Choose a country.', abort: true })
  .regex(/^[A-Z]{2}$/, 'Choose a country.');

/** A field that may be left empty: nothing, blanks and null are the same. */
export function optional<T extends z.ZodType>(value: T) {
  const schema = z.preprocess(
    (given) =>
      typeof given === 'string' && given.length <= blank.maxLength && given.trim() === '' ? null : given,
    value.nullable(),
  );
  documented.add(schema, { or: [blank] });
  return schema;
}

/** The key of an item in a content backend: a UUID, or what a customer's own uses. */
export const itemKey = singleLine(255);

/**
 * JSON of any shape, which the API reference describes in a component.
 * @param max  characters of its text
 */
export const plainJson = (max: number) =>
  z
    .json()
    .refine((value) => JSON.stringify(value).length <= max, `Use at most ${max} characters of JSON.`)
    .register(documented, {
      instead: { $ref: `#/components/schemas/Json`, description: `At most ${max} characters as JSON text.` },
    });

// What cannot be stored is all that JSON writes in this way, NUL and lone surrogates.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** The same, for what is stored. */
export const storableJson = (max: number) =>
  plainJson(max).refine(
    (value) => !unstorable.test(JSON.stringify(value)),
    'Control characters are not allowed.',
  );

export const timeZone = z
  .string()
  .max(64, { error: 'Use a time zone such as Europe/Berlin.', abort: true })
  .refine(isTimeZone, 'Use a time zone such as Europe/Berlin.')
  // Former names of zones are understood as well.
  .register(documented, { enum: ['UTC', ...Intl.supportedValuesOf('timeZone')] });

function isTimeZone(zone: string): boolean {
  try {
    return zone !== '' && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A point in time, ISO 8601 in UTC. */
export const timestamp = z.string();

/** A point in time as filters take it: ISO 8601 with an offset, in years and offsets that every program can count in. */
export const timestampInput = z.iso
  .datetime({ offset: true, error: 'Use a time such as 2026-03-01T08:00:00Z.' })
  .max(40, { error: 'Use a time such as 2026-03-01T08:00:00Z.', abort: true })
  .regex(/^(19[7-9]|2[01]\d)\d.*(Z|[+-](0\d|1[0-4]):\d\d)$/, 'Use a time between the years 1970 and 2200.');

export const pageSize = z.coerce.number<number>().int().min(1).max(500);

/** 0-based page and page size of a list; the response carries the exact count. */
export const paging = (defaultSize: number) => ({
  page: z.coerce.number<number>().int().min(0).max(100_000).default(0),
  page_size: pageSize.default(defaultSize),
});

export const search = singleLine(200).optional();

/** `column.asc` or `column.desc`, the columns from a fixed list. */
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

/** Of collections and fields in content backends; the database checks the same. */
const contentName = /^[a-z][a-z0-9_]{0,62}$/;

export const collectionName = z
  .string()
  .max(63, { error: 'This is not a valid collection name.', abort: true })
  .regex(contentName, 'This is not a valid collection name.');

export const fieldName = z
  .string()
  .max(63, { error: 'A field name has at most 63 characters.', abort: true })
  .regex(contentName, 'Field names contain lower-case letters, digits and underscores only.');

/** An object with any keys of a kind, and no more than so many of them. */
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
