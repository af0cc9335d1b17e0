import type { Field } from '@reachout/contract/content-fields.ts';
import type { ConsentReading, NewField } from '@reachout/contract/content-imports.ts';
import { countConsents, optOutMeaningOf, plainHeading } from '@reachout/contract/rules/consent-column.ts';
import { consentField } from '#web/content/collections/contact-fields.ts';
import type { FileSample } from './file-sample.ts';
import { newFieldFor } from './new-fields.ts';
import { findConsentColumns } from './suggest-mapping.ts';

/** The field of each column, and the fields to create. */
export interface Mapping {
  fieldOf: Record<string, string>;
  newFields: readonly NewField[];
  /** Optional fields whose unreadable values reject their row. */
  rejectFields: readonly string[];
  /** How the column of opt-outs is read; undefined until the user changes what is suggested. */
  consent: ConsentReading | undefined;
}

type Columns = Pick<FileSample, 'header' | 'columns'>;

/** How the column that maps to the opt-outs is read; undefined if there is none. */
export function consentReadingOf(
  { header, columns }: Columns,
  { fieldOf, consent }: Pick<Mapping, 'fieldOf' | 'consent'>,
): ConsentReading | undefined {
  const mapped = header.find((heading) => fieldOf[heading] === consentField);
  if (mapped === undefined) return undefined;
  const known = findConsentColumns(header, columns).find(({ heading }) => heading === mapped);
  return (
    consent ?? { yes_means: known?.yesMeans ?? optOutMeaningOf(plainHeading(mapped)), unclear: 'reject' }
  );
}

/** What a column of consents says: the people who opted out, and those whose cell decides nothing. */
export const consentsOf = (
  { header, columns }: Columns,
  heading: string,
  yesMeans: ConsentReading['yes_means'],
) => countConsents(columns[header.indexOf(heading)]!.consents, yesMeans);

/** Columns of consents that are not imported although people opted out in them, with their number. */
export const skippedConsents = ({ header, columns }: Columns, { fieldOf }: Pick<Mapping, 'fieldOf'>) =>
  findConsentColumns(header, columns).flatMap(({ heading, yesMeans }) => {
    const { optedOut } = consentsOf({ header, columns }, heading, yesMeans);
    return fieldOf[heading] === undefined && optedOut > 0 ? [{ heading, count: optedOut }] : [];
  });

/** Stands for a field that is created for the column; no field can have this name. */
export const newField = '+';

/**
 * Maps a column to another field.
 * @param fields  the existing ones
 * @param chosen  name of a field, `newField`, or empty to skip the column
 */
export function mapColumn(
  mapping: Mapping,
  { header, columns }: Columns,
  fields: readonly Field[],
  index: number,
  chosen: string,
): Mapping {
  const column = header[index]!;
  const { [column]: before, ...rest } = mapping.fieldOf;
  const newFields = mapping.newFields.filter(({ field }) => field !== before);
  // Another column of opt-outs is read in its own way.
  const isOfConsent = before === consentField || chosen === consentField;
  const kept = { ...mapping, newFields, ...(isOfConsent && { consent: undefined }) };
  if (chosen === '') return { ...kept, fieldOf: rest };
  if (chosen !== newField) return { ...kept, fieldOf: { ...rest, [column]: chosen } };
  const taken = [...fields, ...newFields].map(({ field }) => field);
  const made = newFieldFor(column, columns[index]!, taken);
  return { ...kept, fieldOf: { ...rest, [column]: made.field }, newFields: [...newFields, made] };
}
