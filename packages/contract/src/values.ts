import { z } from 'zod';
import {
  domainPattern,
  emailPattern,
  maxEmailLength,
  maxPhoneLength,
  maxWebAddressLength,
  phonePattern,
  webProtocolPattern,
} from './rules/addresses.ts';
import { maxNameLength } from './rules/lengths.ts';

/** The values that inputs are made of: one schema each, shared by server and forms. */

export const id = z.uuid('This is not a valid id.');
/** The input of operations that take only the record's id from their path. */
export const byId = z.strictObject({ id });

// NUL cannot be stored, lone surrogates cannot be encoded, other controls have no place in one line of text.
// oxlint-disable-next-line no-control-regex -- control characters are what is refused here
const controls = /[\u0000-\u001f\u007f]/;
// oxlint-disable-next-line no-control-regex -- as above; tab, line feed and carriage return are allowed in long texts
const controlsExceptLineBreaks = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const clean = (pattern: RegExp) => (multiLine: string) =>
  !pattern.test(multiLine) && multiLine.isWellFormed();

/** One line of text, trimmed and NFC-normalized. */
export const singleLine = (max: number) =>
  z
    .string()
    .trim()
    .normalize('NFC')
    .max(max, `Use at most ${max} characters.`)
    .refine(clean(controls), 'Control characters are not allowed.');

/** Names: 1 to 120 characters, trimmed. */
export const name = singleLine(maxNameLength).min(1, 'Enter a name.');

/** Long text; line ends are kept. */
export const multiLine = (max: number) =>
  z
    .string()
    .max(max, `Use at most ${max} characters.`)
    .refine(clean(controlsExceptLineBreaks), 'Control characters are not allowed.');

/** An email address by the HTML rule, at most 254 characters. */
export const email = z
  .string()
  .trim()
  .max(maxEmailLength, 'An email address has at most 254 characters.')
  .regex(emailPattern, 'Enter an email address such as name@example.com.');

/** As people write telephone numbers; at least five digits. */
export const phone = singleLine(maxPhoneLength).regex(
  phonePattern,
  'Enter a phone number such as +49 30 901820.',
);

/** http and https only: such an address becomes a link on screen. */
export const webAddress = singleLine(maxWebAddressLength).pipe(
  z.url({
    protocol: webProtocolPattern,
    hostname: domainPattern,
    error: 'Enter a web address such as https://example.com.',
  }),
);

/** ISO 3166-1 alpha-2; which ones there are, the database says. */
export const countryId = z.string().regex(/^[A-Z]{2}$/, 'Choose a country.');

/** A field that may be left empty: nothing, blanks and null are the same. */
export const optional = <T extends z.ZodType>(value: T) =>
  z.preprocess(
    (given) => (typeof given === 'string' && given.trim() === '' ? null : given),
    value.nullable(),
  );

/** The key of an item in a content backend: a UUID, or what a customer's own uses. */
export const itemKey = singleLine(255);

export const timeZone = z.string().refine(isTimeZone, 'Use a time zone such as Europe/Berlin.');

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
  .max(40, 'Use a time such as 2026-03-01T08:00:00Z.')
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

export const collectionName = z.string().regex(contentName, 'This is not a valid collection name.');

export const fieldName = z
  .string()
  .regex(contentName, 'Field names contain lower-case letters, digits and underscores only.');

/** JSON data of content items: plain values by field name. */
export const itemData = z.record(fieldName, z.json());

export const deleted = z.object({ id });
