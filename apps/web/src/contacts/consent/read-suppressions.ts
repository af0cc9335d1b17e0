import { unmarkFormulas } from '@reachout/contract/rules/formula-marks.ts';
import { readCsvRows, readFileSample, type FileSample } from '#web/contacts/imports/file-sample.ts';

/** The columns of a file of suppressions, by position. */
export interface SuppressionColumns {
  address: number;
  /** Undefined if there is none. */
  reason: number | undefined;
  at: number | undefined;
}

export interface SuppressionFile {
  file: File;
  sample: Pick<FileSample, 'encoding' | 'separator'>;
  /** Empty for a file without a heading. */
  header: string[];
  columns: SuppressionColumns;
}

/** Headings of exports of this and other programs, in lower case and with letters alone. */
const headings: Record<keyof SuppressionColumns, readonly string[]> = {
  address: ['address', 'email', 'emailaddress', 'mail', 'recipient', 'adresse', 'emailadresse', 'empfänger'],
  reason: [
    'reason',
    'type',
    'suppressionreason',
    'suppressiontype',
    'status',
    'state',
    'grund',
    'art',
    'typ',
  ],
  at: [
    'at',
    'time',
    'date',
    'created',
    'createdat',
    'createdtime',
    'timestamp',
    'suppressedat',
    'unsubscribedat',
    'unsubtime',
    'optouttime',
    'zeit',
    'datum',
    'zeitpunkt',
  ],
};

/** @returns undefined for a file in which no column has addresses */
export async function openSuppressions(file: File): Promise<SuppressionFile | undefined> {
  const { format, isBinary, header, rows, ...sample } = await readFileSample(file);
  if (format !== 'csv' || isBinary) return undefined;
  const columnOf = (what: keyof SuppressionColumns) => {
    const index = header.findIndex((cell) =>
      headings[what].includes(cell.toLowerCase().replaceAll(/[^a-zäöüß]/g, '')),
    );
    return index === -1 ? undefined : index;
  };
  const hasHeading = !header.some(isLikeAddress);
  const withAddresses = [header, ...rows].flatMap((row) => {
    const index = row.findIndex(isLikeAddress);
    return index === -1 ? [] : [index];
  });
  const address = (hasHeading ? columnOf('address') : undefined) ?? withAddresses[0];
  if (address === undefined) return undefined;
  const columns = { address, reason: columnOf('reason'), at: columnOf('at') };
  return { file, sample, header: hasHeading ? header : [], columns };
}

const isLikeAddress = (cell: string): boolean => /^\S+@\S+\.\S+$/.test(cell.trim());

export interface SuppressionRow {
  /** 1-based row of the file, with the heading, without empty ones. */
  row: number;
  address: string;
  reason: string;
  at: string;
}

/** Reads the rows piece by piece, so that a file of any size needs little memory. @throws CsvRowTooLong */
export async function* readSuppressions(
  { file, sample, header }: SuppressionFile,
  { address, reason, at }: SuppressionColumns,
): AsyncGenerator<SuppressionRow[]> {
  let count = 0;
  for await (const rows of readCsvRows(file, sample)) {
    const found: SuppressionRow[] = [];
    for (const { cells } of rows) {
      count += 1;
      const cell = (index: number | undefined) =>
        index === undefined ? '' : unmarkFormulas(cells[index] ?? '').trim();
      if (count > 1 || header.length === 0)
        found.push({ row: count, address: cell(address), reason: cell(reason), at: cell(at) });
    }
    yield found;
  }
}
