import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { JsonRowsBroken, JsonRowScanner, parseJsonRow } from './json-rows.ts';

/** Reads a file in pieces of `size` characters. */
function read(text: string, size = 1_000, maxLength = 1_000) {
  const scanner = new JsonRowScanner(maxLength, 1);
  const rows = [];
  for (let at = 0; at < text.length; at += size) rows.push(...scanner.scan(text.slice(at, at + size)));
  return rows.map((row) => ({ ...row, value: parseJsonRow(row.text) }));
}

suite('JSON rows', () => {
  const list = '[\n{"a":"[{\\"}"},\n\n {"a":{"b":[1,{"c":"ö"}]}}]\n';

  test('objects are rows under any chunking', () => {
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

  test('reading can resume after each row', () => {
    const [first] = read(list);
    const scanner = new JsonRowScanner(1_000, first!.nextLine);
    const [second] = [...scanner.scan(list.slice(first!.next))];
    assert.deepEqual(
      [second!.line, first!.next + second!.next, parseJsonRow(second!.text)],
      [4, list.length - 2, { a: { b: [1, { c: 'ö' }] } }],
    );
  });

  test('large numbers keep all digits', () => {
    assert.deepEqual(parseJsonRow('{"a":12345678901234567890,"b":5,"c":[0.12345678901234567890]}'), {
      a: '12345678901234567890',
      b: 5,
      c: ['0.12345678901234567890'],
    });
  });

  test('invalid, long and deep lists end the rows', () => {
    const broken = (reason: string, line: number) => (error: unknown) =>
      error instanceof JsonRowsBroken && error.reason === reason && error.line === line;
    assert.throws(() => read('[{"a":1},\n"text"]'), broken('not_a_list', 2));
    assert.throws(() => read('email;name'), broken('not_a_list', 1));
    assert.throws(() => read(`{"a":"${'x'.repeat(1_000)}"}`, 10), broken('too_long', 1));
    assert.throws(() => read(`\n{"a":${'['.repeat(100)}`), broken('not_a_list', 2));
    assert.equal(read('{"a":nothing}')[0]?.value, undefined);
  });
});
