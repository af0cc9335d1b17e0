import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { toCsvLine } from './csv-text.ts';

/** Parses a line like a program that splits cells at `separator` and recognizes quotes only at the start of a cell. */
function readCells(line: string, separator: string): string[] {
  const cell = new RegExp(
    String.raw`(?:"((?:[^"]|"")*)"|)([^${separator}\r\n]*)(?:[${separator}\r\n]|$)`,
    'gy',
  );
  return [...line.matchAll(cell)].map(([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest);
}

suite('CSV lines', () => {
  test('no cell is a formula under any separator (CSV-2)', () => {
    for (const formula of [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\u0000=1',
      '\uff1d1',
      '\uff0b1',
      '\uff0d1',
      '\uff201',
    ]) {
      for (const before of [
        '',
        'a;',
        'a\t',
        'a\n',
        'a\r\n',
        'a; ',
        'a;\t',
        'a;"',
        'a;""',
        'a;b;',
        ';',
        '\t',
      ]) {
        const line = toCsvLine(['first', `${before}${formula}"`, 'last']);
        for (const separator of [',', ';', '\t'])
          for (const cell of readCells(line, separator))
            assert.doesNotMatch(
              cell.trim(),
              // oxlint-disable-next-line no-control-regex -- NUL is among the characters that CSV-2 names
              /^["\s]*[=+\-@\u0000\uff1d\uff0b\uff0d\uff20]/u,
              JSON.stringify([line, separator]),
            );
      }
    }
  });

  test('all other text is unchanged', () => {
    assert.equal(
      toCsvLine(['Mozilla/5.0 (X11; Linux x86_64)', 'a-b', '1;2', 'say "hi"', '', '{"a":-1}']),
      'Mozilla/5.0 (X11; Linux x86_64),a-b,1;2,"say ""hi""",,"{""a"":-1}"\r\n',
    );
  });
});
