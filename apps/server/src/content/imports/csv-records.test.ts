import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readCsv } from './csv-records.ts';
import type { FileRecord } from './file-record.ts';
import { ImportFailed } from './import.ts';

/** Yields the bytes in chunks of this size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function readAll(bytes: Buffer, size: number, start = { byte: 0, line: 1 }): Promise<FileRecord[]> {
  const rows: FileRecord[] = [];
  for await (const row of readCsv(inPieces(bytes.subarray(start.byte), size), ',', start)) rows.push(row);
  return rows;
}

suite('rows of a CSV file', () => {
  const text = 'a,b\r\n"1\r\n2\r\n",x\r\n\r\n\n3,"4 ""four"""\n5,ü\r6,"\n"\n\n';
  const bytes = Buffer.from(text);
  const expected = [
    { cells: ['a', 'b'], line: 1 },
    { cells: ['1\r\n2\r\n', 'x'], line: 2 },
    { cells: ['3', '4 "four"'], line: 7 },
    { cells: ['5', Buffer.from('ü').toString('latin1')], line: 8 },
    { cells: ['6', '\n'], line: 9 },
  ];

  test('have the line they begin on, however the bytes arrive', async () => {
    for (const size of [1, 2, 3, 5, 7, 1000]) {
      const rows = await readAll(bytes, size);
      assert.deepEqual(
        rows.map(({ cells, line }) => ({ cells, line })),
        expected,
        `in pieces of ${size}`,
      );
    }
  });

  test('can be read on from behind each of them, with the same result', async () => {
    const rows = await readAll(bytes, 4);
    for (const [index, { nextByte, nextLine }] of rows.entries()) {
      assert.deepEqual(
        await readAll(bytes, 3, { byte: nextByte, line: nextLine }),
        rows.slice(index + 1),
        `behind row ${index + 1}`,
      );
    }
  });

  const failures: [what: string, content: string, reason: RegExp][] = [
    ['a quote that is not closed', 'a,b\n1,2\n3,"4\n5,6\n', /^From line 3 on: .*never closed/],
    ['a line without an end', `a,b\n1,2\n${'x'.repeat(1_100_000)}`, /^From line 3 on: .*longer than 1 MB/],
    [
      'a quote that swallows a megabyte',
      `a,b\n1,2\n"${'x,y\n'.repeat(300_000)}`,
      /^From line 3 on: .*longer/,
    ],
  ];
  for (const [what, content, reason] of failures) {
    test(`${what} stops after the rows before it`, async () => {
      const seen: string[][] = [];
      await assert.rejects(
        async () => {
          for await (const { cells } of readCsv(inPieces(Buffer.from(content), 65_536), ',', {
            byte: 0,
            line: 1,
          }))
            seen.push(cells);
        },
        (error) => error instanceof ImportFailed && reason.test(error.message),
      );
      assert.deepEqual(seen, [
        ['a', 'b'],
        ['1', '2'],
      ]);
    });
  }

  test('stray quotes are text', async () => {
    const rows = await readAll(Buffer.from('5" pipe,"a"b\n'), 100);
    assert.deepEqual(rows[0]?.cells, ['5" pipe', '"a"b']);
  });

  test('an empty file has none', async () => {
    assert.deepEqual(await readAll(Buffer.alloc(0), 10), []);
    assert.deepEqual(await readAll(Buffer.from('\r\n\n\n'), 10), []);
  });
});
