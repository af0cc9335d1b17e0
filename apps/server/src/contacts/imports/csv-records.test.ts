import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileEncodings, type FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { readCsv, type FileRecord } from './file-records.ts';
import { openFileText } from './file-text.ts';
import { ImportFailed } from './import.ts';

/** Yields the bytes in chunks of this size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

function encode(text: string, encoding: FileEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

interface Reading {
  encoding: FileEncoding;
  size: number;
  start?: { byte: number; line: number };
}

async function readAll(bytes: Buffer, { encoding, size, start = { byte: 0, line: 1 } }: Reading) {
  const rows: (Omit<FileRecord, 'cells'> & { cells: (string | undefined)[] })[] = [];
  const text = openFileText(encoding);
  const chunks = inPieces(bytes.subarray(start.byte), size);
  for await (const row of readCsv(chunks, text, { separator: ',', heading: ['a', 'b'] }, start))
    rows.push({ ...row, cells: row.cells.map(text.decode) });
  return rows;
}

suite('CSV records', () => {
  const text = 'a,b\r\n"1\r\n2\r\n",x\r\n\r\n\n3,"4 ""four"""\n5,ü\r6,"\n"\n\n';

  test('parsing can resume after every record', async () => {
    for (const encoding of fileEncodings) {
      const bytes = encode(text, encoding);
      for (const size of [1, 3, 4, 1_000]) {
        const rows = await readAll(bytes, { encoding, size });
        const what = `${encoding} in pieces of ${size}`;
        assert.deepEqual(
          rows.map(({ cells, line }) => [line, ...cells]),
          [
            [1, 'a', 'b'],
            [2, '1\r\n2\r\n', 'x'],
            [7, '3', '4 "four"'],
            [8, '5', 'ü'],
            [9, '6', '\n'],
          ],
          what,
        );
        for (const [index, { nextByte, nextLine }] of rows.entries()) {
          const start = { byte: nextByte, line: nextLine };
          assert.deepEqual(await readAll(bytes, { encoding, size, start }), rows.slice(index + 1), what);
        }
      }
    }
  });

  test('invalid records are separated from valid ones', async () => {
    const cells = async (bytes: Buffer, encoding: FileEncoding) =>
      (await readAll(bytes, { encoding, size: 100 })).map((row) => row.cells);
    assert.deepEqual(await cells(Buffer.from('ü,a\nb,\xfc', 'latin1'), 'utf-8'), [
      [undefined, 'a'],
      ['b', undefined],
    ]);
    // The file ends within a character.
    const cut = Buffer.from('a,b\nc,d', 'utf16le').subarray(0, -1);
    assert.deepEqual(await cells(cut, 'utf-16le'), [
      ['a', 'b'],
      ['c', undefined],
    ]);
  });

  test('an unterminated record ends the file', async () => {
    const seen: number[] = [];
    const bytes = Buffer.from(`a,b\n1,2\n${'x'.repeat(1_100_000)}`);
    const rows = readCsv(
      inPieces(bytes, 65_536),
      openFileText('utf-8'),
      { separator: ',', heading: ['a', 'b'] },
      { byte: 0, line: 1 },
    );
    await assert.rejects(
      async () => {
        for await (const { line } of rows) seen.push(line);
      },
      (error) => error instanceof ImportFailed && /^From line 3 on: .*longer than 1 MB/.test(error.message),
    );
    assert.deepEqual(seen, [1, 2]);
  });
});
