import { cutText } from './cut-text.ts';
import type { PlaceholdersIn } from './placeholders.ts';

/**
 * Why an import rejected a row or stopped. Stored as a code with values, so that each user sees it in their language; these
 * are the English texts, also used in the API. `detail` is a technical text, which is not translated.
 */
export const importErrors = {
  // Errors of a row.
  cell_count: 'This row has {{count}} cells instead of {{expected}}.',
  cell_too_large: 'This cell has more than {{kilobytes}} kB.',
  not_in_encoding: 'This is not {{encoding}}. Was the file saved with another encoding?',
  quote_not_closed: 'This begins with a quote that is not closed.',
  misquoted: 'The quotes of this row leave open where its cells end.',
  required: 'This is required.',
  not_storable: 'This contains characters that can’t be stored.',
  too_long: 'Use at most {{max}} characters.',
  not_an_address: 'This is not an email address.',
  sign_in_address: 'An email address can’t have the sign “{{sign}}” here.',
  not_a_choice: 'Use one of the values of this field: {{values}}.',
  not_a_web_address: 'This is not a web address such as https://example.com/image.png.',
  no_consent_answer: 'This says neither that the person wants email, nor that they do not.',
  consent_missing: 'Nothing says that this person wants email.',
  not_a_word: 'Use one of these words: {{words}}.',
  no_such_date: 'This date does not exist.',
  not_a_date: 'Use a date such as 2026-03-31 or 31.03.2026.',
  not_a_date_time: 'Use a date and time such as 2026-03-31T08:00:00.',
  not_a_time: 'Use a time of day such as 08:30:00.',
  not_a_number: 'Use a number such as 12.5.',
  not_whole: 'Use a whole number.',
  not_kept_as_number: 'As a number, this would become {{value}}. Use a text field to keep it as it is.',
  number_too_large: 'This number is too large.',
  not_a_uuid: 'Use a UUID.',
  not_json: 'This is not JSON.',
  several_match: 'Several items have this value, so that none of them was changed.',
  not_unique: 'Another item has this value.',
  item_gone: 'The item was deleted in the meantime.',
  rejected_elsewhere: 'The Directus rejects this row. Its words: {{detail}}',
  contacts_full: 'The organization has as many contacts as it may have.',
  content_full: 'The organization has as much content as it may have.',
  // Errors of a file.
  file_empty: 'The file is empty.',
  too_many_columns: 'The file has more than {{limit}} columns.',
  no_such_column: 'There is no column “{{column}}”. The file has: {{found}}. Is the separator right?',
  column_twice: 'The file has two columns “{{column}}”.',
  too_many_rows: 'A file has at most {{limit}} rows. Only the first {{limit}} were read.',
  row_too_long: 'From line {{line}} on: this row is longer than 1 MB. Only the rows before it were read.',
  not_a_list: 'From line {{line}} on: this is no list of JSON objects. Only the rows before it were read.',
  object_too_long:
    'From line {{line}} on: this object is longer than 1 MB. Only the rows before it were read.',
  collection_gone: 'The collection no longer exists.',
  settings_unfit:
    'The fields of the collection have changed. Import the file again. Technical detail: {{detail}}',
  no_write_access:
    'The token of the Directus may not create and change items of this collection. Allow it there, and import the file again.',
  backend_failed: 'The Directus could not be used. Technical detail: {{detail}}',
  backend_waiting:
    'The Directus can’t be used at the moment. The import goes on by itself once it can. Technical detail: {{detail}}',
  rows_miscounted:
    'Of {{rows}} rows, {{counted}} were accounted for, so they were not stored. The rows before them are imported. Please tell the operator of this installation.',
  not_stored: 'A part of this file could not be stored. The rows before it are imported.',
  given_up:
    'This import was given up after several attempts. The rows up to here are imported. Upload the file again, or ask the operator of this installation to retry the import within a week.',
} as const;

export type ImportErrorCode = keyof typeof importErrors;

type ValueNames<Code extends ImportErrorCode> = PlaceholdersIn<(typeof importErrors)[Code]>;
type Value = string | number;

export const importErrorCodes = Object.keys(importErrors) as [ImportErrorCode, ...ImportErrorCode[]];

export interface ImportError {
  code: ImportErrorCode;
  values: Record<string, Value>;
}

const maxValueLength = 500;

/** @param values  the placeholders of the code's text; long values are truncated */
export const importError = <Code extends ImportErrorCode>(
  code: Code,
  ...[values]: [ValueNames<Code>] extends [never] ? [] : [Record<ValueNames<Code>, Value>]
): ImportError => ({
  code,
  values: Object.fromEntries(
    Object.entries<Value>(values ?? {}).map(([name, value]) => [
      name,
      // PostgreSQL can store neither NUL nor lone surrogates.
      typeof value === 'string' ? cutText(value, maxValueLength).toWellFormed().replaceAll('\0', '') : value,
    ]),
  ),
});
