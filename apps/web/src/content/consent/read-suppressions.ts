import { csvOptions } from '@reachout/contract/rules/csv-options.ts';
import { CsvError, parse } from 'csv-parse/browser/esm';
import {
  readCsvSample,
  sampleBytes,
  type Encoding,
  type Separator,
} from '#web/content/imports/csv-sample.ts';

/** The columns of a file of suppressions, by position. */
export interface SuppressionColumns {
  address: number;
  /** Undefined if there is none. */
  reason: number | undefined;
  at: number | undefined;
}

export interface SuppressionFile {
  file: File;
  encoding: Encoding;
  separator: Separator;
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
  const bytes = new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer());
  const { encoding, separator, header, more } = readCsvSample(bytes, file.size <= sampleBytes);
  const columnOf = (what: keyof SuppressionColumns) => {
    const index = header.findIndex((cell) =>
      headings[what].includes(cell.toLowerCase().replaceAll(/[^a-zäöüß]/g, '')),
    );
    return index === -1 ? undefined : index;
  };
  const hasHeading = !header.some(isLikeAddress);
  const withAddresses = [header, ...more].flatMap((row) => {
    const index = row.findIndex(isLikeAddress);
    return index === -1 ? [] : [index];
  });
  const address = (hasHeading ? columnOf('address') : undefined) ?? withAddresses[0];
  if (address === undefined) return undefined;
  const columns = { address, reason: columnOf('reason'), at: columnOf('at') };
  return { file, encoding, separator, header: hasHeading ? header : [], columns };
}

const isLikeAddress = (cell: string): boolean => /^\S+@\S+\.\S+$/.test(cell.trim());

export interface SuppressionRow {
  /** 1-based row of the file, with the heading, without empty ones. */
  row: number;
  address: string;
  reason: string;
  at: string;
}

/** Reads the rows piece by piece, so that a file of any size needs little memory. @throws CsvError */
export async function* readSuppressions(
  { file, encoding, separator, header }: SuppressionFile,
  { address, reason, at }: SuppressionColumns,
): AsyncGenerator<SuppressionRow[]> {
  let rows: SuppressionRow[] = [];
  let count = 0;
  let failure: Error | undefined;
  const parser = parse({
    ...csvOptions,
    bom: true,
    delimiter: separator,
    on_record: (cells: string[]) => {
      count += 1;
      const cell = (index: number | undefined) => (index === undefined ? '' : (cells[index] ?? '').trim());
      if (count > 1 || header.length === 0)
        rows.push({ row: count, address: cell(address), reason: cell(reason), at: cell(at) });
      return null;
    },
  });
  parser.resume();
  parser.on('error', (error: Error) => {
    failure = error;
  });
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < file.size || start === 0; start += pieceBytes) {
    const piece = await file.slice(start, start + pieceBytes).arrayBuffer();
    const isLast = start + pieceBytes >= file.size;
    await new Promise<void>((resolve) => {
      const text = decoder.decode(piece, { stream: !isLast });
      if (isLast) {
        parser.once('end', resolve).once('error', () => resolve());
        parser.end(text);
      } else parser.write(text, () => resolve());
    });
    yield rows;
    rows = [];
    if (failure !== undefined) throw failure;
  }
}

const pieceBytes = 512 * 1024;

export const isBrokenCsv = (error: unknown): boolean => error instanceof CsvError;
