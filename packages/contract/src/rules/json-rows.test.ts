import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { JsonRowsBroken, JsonRowScanner, parseJsonRow } from './json-rows.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Reads a file in chunks of `size` bytes. */
function read(text: string, size = 1_000, maxBytes = 1_000) {
  const bytes = encode(text);
  const scanner = new JsonRowScanner(maxBytes, { byte: 0, line: 1 });
  const rows = [];
  for (let at = 0; at < bytes.length; at += size) rows.push(...scanner.scan(bytes.subarray(at, at + size)));
  return rows.map((row) => ({ ...row, value: parseJsonRow(row.bytes) }));
}

suite('rows of a JSON file', () => {
  const list = '[\n{"a":"[{\\"}"},\n\n {"a":{"b":[1,{"c":"ö"}]}}]\n';

  test('are its objects, however the file is cut', () => {
    for (let size = 1; size <= 20; size += 1)
      assert.deepEqual(
        read(list, size).map(({ value, line, nextLine }) => [value, line, nextLine]),
        [
          [{ a: '[{"}' }, 2, 2],
          [{ a: { b: [1, { c: 'ö' }] } }, 4, 4],
        ],
        String(size),
      );
    assert.deepEqual(
      read('{"a":1}\n{"a":2}\r\n').map(({ value }) => value),
      [{ a: 1 }, { a: 2 }],
    );
    assert.deepEqual(read('[]'), []);
  });

  test('can be read on from the end of each', () => {
    const [first] = read(list);
    const rest = encode(list).subarray(first!.nextByte);
    const scanner = new JsonRowScanner(1_000, { byte: first!.nextByte, line: first!.nextLine });
    const [second] = [...scanner.scan(rest)];
    assert.deepEqual(
      [second!.line, second!.nextByte, parseJsonRow(second!.bytes)],
      [4, encode(list).length - 2, { a: { b: [1, { c: 'ö' }] } }],
    );
  });

  test('end where the file is no list of objects, or one is too long or too deep', () => {
    const broken = (reason: string, line: number) => (error: unknown) =>
      error instanceof JsonRowsBroken && error.reason === reason && error.line === line;
    assert.throws(() => read('[{"a":1},\n"text"]'), broken('not_a_list', 2));
    assert.throws(() => read('email;name'), broken('not_a_list', 1));
    assert.throws(() => read(`{"a":"${'x'.repeat(1_000)}"}`, 10), broken('too_long', 1));
    assert.throws(() => read(`\n{"a":${'['.repeat(100)}`), broken('not_a_list', 2));
    assert.equal(read('{"a":nothing}')[0]?.value, undefined);
  });
});
