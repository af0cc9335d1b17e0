import {
  guessConsentMeaning,
  plainHeading,
  type ConsentMeaning,
} from '@reachout/contract/rules/consent-column.ts';
import { fieldHeadings } from '@reachout/contract/rules/field-headings.ts';
import type { ColumnCells } from './new-fields.ts';

/**
 * Suggests a field for each column; a field is suggested for one column only. A column of addresses is known by its cells, too.
 * @param columns  the cells of each column
 */
export function suggestMapping(
  header: readonly string[],
  columns: readonly ColumnCells[],
  fields: readonly string[],
): Record<string, string> {
  const plain = header.map(plainHeading);
  const free = new Set(header.flatMap((heading, index) => (heading === '' ? [] : [index])));
  const mapping: Record<string, string> = {};
  const [consent] = findConsentColumns(header, columns);
  for (const field of fields) {
    const named = [field, ...(fieldHeadings[field] ?? [])].flatMap((name) =>
      [...free].filter((index) => plain[index] === name),
    );
    const index =
      field === 'email'
        ? findAddresses(named, [...free], columns)
        : field === 'unsubscribed'
          ? (named[0] ?? consent?.index)
          : named[0];
    if (index === undefined) continue;
    mapping[header[index]!] = field;
    free.delete(index);
  }
  return mapping;
}

/** A column that says who wants email. */
export interface ConsentColumn {
  index: number;
  heading: string;
  /** What “yes” means in it. */
  yesMeans: ConsentMeaning;
}

/** @param columns  the cells of each column */
export const findConsentColumns = (
  header: readonly string[],
  columns: readonly ColumnCells[],
): ConsentColumn[] =>
  header.flatMap((heading, index) => {
    const yesMeans = guessConsentMeaning(plainHeading(heading), columns[index]!.consents);
    return heading === '' || yesMeans === undefined ? [] : [{ index, heading, yesMeans }];
  });

/** Prefers columns by their headings, unless they have no addresses and others do. */
function findAddresses(
  named: readonly number[],
  all: readonly number[],
  columns: readonly ColumnCells[],
): number | undefined {
  const hasAny = (index: number) => columns[index]?.hasAddress === true;
  return named.find(hasAny) ?? all.find((index) => columns[index]?.isAddresses === true) ?? named[0];
}
