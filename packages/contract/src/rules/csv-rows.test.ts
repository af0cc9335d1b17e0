import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findSeparatorLine, guessSeparator } from './csv-dialect.ts';
import { CsvRowScanner, CsvRowTooLong, type CsvRow } from './csv-rows.ts';
import { findEncoding } from './file-encoding.ts';
import { markFormulas, unmarkFormulas } from './formula-marks.ts';
import { formatList, parseList } from './list-text.ts';

interface Reading {
  size?: number;
  separator?: string;
  maxLength?: number;
}

/** Reads a file in pieces of `size` characters; the first row is the heading. */
function read(text: string, { size = 1_000, separator = ',', maxLength = 1_000 }: Reading = {}): CsvRow[] {
  const scanner = new CsvRowScanner({ separator, maxLength, heading: undefined, line: 1 });
  const rows: CsvRow[] = [];
  const take = (scan: Iterable<CsvRow>) => {
    for (const row of scan) {
      rows.push(row);
      if (rows.length === 1) scanner.heading = row.cells;
    }
  };
  for (let at = 0; at < text.length; at += size) take(scanner.scan(text.slice(at, at + size)));
  take(scanner.end());
  return rows;
}

const head = 'email,name,address';

suite('CSV rows', () => {
  const text = 'a,b\r\n"1\r\n2\r\n",x\r\n\r\n\n3,"4 ""four"""\n5,ü\r6,"\n"\n\n"7","8"\r\n9,x\r\n';
  const expected = [
    { cells: ['a', 'b'], line: 1 },
    { cells: ['1\r\n2\r\n', 'x'], line: 2 },
    { cells: ['3', '4 "four"'], line: 7 },
    { cells: ['5', 'ü'], line: 8 },
    { cells: ['6', '\n'], line: 9 },
    { cells: ['7', '8'], line: 12 },
    { cells: ['9', 'x'], line: 13 },
  ];

  test('rows keep their line under any chunking', () => {
    for (const size of [1, 2, 3, 5, 7, 1_000])
      assert.deepEqual(
        read(text, { size }).map(({ cells, line }) => ({ cells, line })),
        expected,
        `in pieces of ${size}`,
      );
    assert.deepEqual(read(''), []);
    assert.deepEqual(read('\r\n\n\n'), []);
  });

  const swallowing: [what: string, file: string[], unclosed: number[]][] = [
    ['an opening quote in two rows', ['a@x.de,Al,"Box 24', 'b@x.de,Ben,Y', 'c@x.de,Cleo,"Box 12'], [2, 4]],
    [
      'a quote that ends the cell of a later row',
      ['a@x.de,Al,"Box 24', 'b@x.de,Ben,Y', 'c@x.de,Cleo,Box 12"'],
      [2],
    ],
    ['a quote that is never closed', ['a@x.de,Al,"Box 24', 'b@x.de,Ben,Y'], [2]],
    ['a quote in the middle of a row', ['a@x.de,"Al,Box 24', 'b@x.de,Ben,Y'], [2]],
    [
      'a file with all cells in quotes',
      ['"a@x.de","Al","Box 24', '"b@x.de","Ben","Y"', '"c@x.de","Cleo",""'],
      [2],
    ],
    ['a later cell that begins with a separator', ['a@x.de,Al,"Box 24', 'b@x.de,",",Y'], [2]],
    ['a row without an address of its own', ['nobody,Al,"Box 24', 'b@x.de,",",Y'], [2]],
    ['rows without an address', ['1,Al,"Box 24', '2,Ben,Y', '3,Cleo,Z"'], [2]],
  ];
  for (const [what, file, unclosed] of swallowing)
    test(`${what} hides no row`, () => {
      for (const size of [1, 13, 1_000]) {
        const [, ...rows] = read(
          [file[0]?.startsWith('1,') ? 'code,name,address' : head, ...file, ''].join('\r\n'),
          { size },
        );
        assert.deepEqual(
          rows.map(({ line }) => line),
          file.map((_, index) => index + 2),
        );
        assert.deepEqual(
          rows.filter((row) => row.unclosed !== undefined).map(({ line }) => line),
          unclosed,
        );
      }
    });

  test('cells that resemble rows mark their row', () => {
    const [, row, last] = read(`${head}\na@x.de,Al,"Box\nb@x.de,Ben\nc@x.de,Cleo"\nd@x.de,Dan,Y`);
    assert.deepEqual([row?.isMisquoted, row?.cells[2]?.split('\n').length, last?.line], [true, 3, 5]);
  });

  test('an open quote is bounded by the row limit', () => {
    const [, first, ...rest] = read(`${head}\na@x.de,Al,"Box\n${'b@x.de,Ben,Y\n'.repeat(500)}`, {
      maxLength: 100,
      size: 77,
    });
    assert.deepEqual([first?.cells[2], first?.unclosed, rest.length], ['"Box', [2], 500]);
    assert.throws(() => read(`${head}\n${'x'.repeat(300)}`, { maxLength: 100 }), CsvRowTooLong);
  });

  test('cells keep separators and line breaks', () => {
    for (const cell of ['Dear Al,\nthanks, Ben', 'x,y\nz,w', 'one\n\ntwo', 'Ben, b@x.de\nfoo', 'a""b\nc']) {
      const [, row, last] = read(`${head}\na@x.de,"${cell}",Y\nb@x.de,Ben,Z`);
      assert.deepEqual([row?.cells[1], last?.cells[0]], [cell.replaceAll('""', '"'), 'b@x.de']);
    }
  });

  test('a first cell may have an address below', () => {
    assert.deepEqual(read('mail,name\n"x\ny@z.de","+1"\n')[1]?.cells, ['x\ny@z.de', '+1']);
  });

  test('stray quotes are text', () => {
    const cells = (row: string) => read(`a,b,c\n${row}\n`)[1];
    assert.deepEqual(cells('5" pipe,"a"b,c')?.cells, ['5" pipe', '"a"b', 'c']);
    assert.deepEqual(cells('"Smith, J" Jr.,b,c')?.cells, ['"Smith, J" Jr.', 'b', 'c']);
    assert.deepEqual(cells('"x,"y","z"')?.cells, ['"x', 'y', 'z']);
    assert.deepEqual(cells('"x,"y","z"')?.unclosed, [0]);
    for (const doubtful of ['"Smith, J" Jr.,b', '"x,"y"', '"x,"y,z,w'])
      assert.equal(cells(doubtful)?.isMisquoted, true, doubtful);
  });

  test('separators come from a first line or the headings', () => {
    for (const line of ['sep=;', 'SEP=;', '"sep=;"', 'sep=;;;'])
      assert.deepEqual(findSeparatorLine(`${line}\r\na;b`), { separator: ';', length: line.length + 2 });
    assert.equal(findSeparatorLine('sep=\t\na')?.separator, '\t');
    for (const line of ['sep=;;x', 'separator=;', 'sep=', 'step=;'])
      assert.equal(findSeparatorLine(line), undefined, line);
    assert.equal(guessSeparator('a,b;c;d\n1;2;3\n'), ';');
    assert.equal(guessSeparator('"Name, first";mail\nx;y'), ';');
    assert.equal(guessSeparator('Name, first;mail\rx;y\ra,b;c'), ';');
    assert.equal(guessSeparator('mail\na'), ',');
  });

  test('UTF-16 is detected with and without byte order mark', () => {
    const file = 'Straße;Łódź\r\nЖ;1\r\n';
    const little = Buffer.from(file, 'utf16le');
    const big = Buffer.from(little).swap16();
    const encodingOf = (...bytes: Buffer[]) => findEncoding(Buffer.concat(bytes));
    assert.deepEqual(encodingOf(little), { encoding: 'utf-16le', markBytes: 0 });
    assert.deepEqual(encodingOf(big), { encoding: 'utf-16be', markBytes: 0 });
    assert.deepEqual(encodingOf(Buffer.from('fffe', 'hex'), little), { encoding: 'utf-16le', markBytes: 2 });
    assert.deepEqual(encodingOf(Buffer.from('feff', 'hex'), big), { encoding: 'utf-16be', markBytes: 2 });
    assert.deepEqual(encodingOf(Buffer.from(`\u{feff}${file}`)), { encoding: 'utf-8', markBytes: 3 });
    for (const bytes of [Buffer.from(file), Buffer.from('a\0;b\n1;2\n3;4'), Buffer.alloc(100)])
      assert.deepEqual(encodingOf(bytes), { encoding: undefined, markBytes: 0 });
  });
});

suite('exported cells', () => {
  test('exported cells are read back unchanged', () => {
    const texts = [
      '',
      'a',
      '+49 30',
      "'+49",
      "''=1",
      '-5',
      '=cmd',
      'a;=1',
      "a;'=1",
      '- x\n- y',
      "x\r\n '-y",
      'a;"=1',
      "it's",
      '\t=',
      '@',
    ];
    for (const text of texts) {
      const marked = markFormulas(text);
      assert.equal(unmarkFormulas(marked), text, JSON.stringify([text, marked]));
      assert.doesNotMatch(marked, /(?:^|[;\t\r\n])["\s]*[=+\-@]/);
    }
  });

  test('entries of lists stay separate', () => {
    for (const list of [
      ['a', 'b'],
      ['Paris, France', 'x'],
      ['say "hi"'],
      [' a '],
      ['', 'b'],
      [''],
      ['["x"]'],
      ['a\nb', '"'],
    ])
      assert.deepEqual(parseList(formatList(list)), list, formatList(list));
    assert.equal(formatList(['Press', 'VIP']), 'Press, VIP');
    assert.deepEqual(parseList('a ,b,"c, d" , 5" disk'), ['a', 'b', 'c, d', '5" disk']);
    assert.deepEqual(parseList('["a, b","c"]'), ['a, b', 'c']);
    assert.deepEqual(parseList('"open, b'), ['"open', 'b']);
  });
});
