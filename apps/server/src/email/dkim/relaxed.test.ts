import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relaxBody, relaxField, splitMessage } from './relaxed.ts';
import { assertColumn } from '../../testing/assert-column.ts';

const relaxBodyText = (text: string) => relaxBody(Buffer.from(text, 'latin1')).toString('latin1');

test('relaxed forms are those of RFC 6376', () => {
  // RFC 6376 section 3.4.5.
  const { fields, body } = splitMessage(
    Buffer.from('A: X\r\nB : Y\t\r\n\tZ  \r\n\r\n C \r\nD \t E\r\n\r\n\r\n'),
  );
  assert.deepEqual(fields.map(relaxField), ['a:X', 'b:Y Z']);
  assert.equal(relaxBody(body).toString(), ' C\r\nD E\r\n');
});

test('bodies end with one line break, or are empty', () => {
  for (const [body, relaxed] of [
    ['', ''],
    ['\r\n', ''],
    ['\r\n\r\n\r\n', ''],
    [' ', ''],
    [' \t\r\n\t', ''],
    ['a', 'a\r\n'],
    ['a \t', 'a\r\n'],
    ['a\r\n \r\n\t\r\n', 'a\r\n'],
    ['\r\n\r\na\r\n', '\r\n\r\na\r\n'],
    ['\t a\t \tb\r\n', ' a b\r\n'],
    ['a\u00a0 \r\n', 'a\u00a0\r\n'],
    ['a\rb\n\r\n', 'a\rb\n\r\n'],
  ] as const)
    assert.equal(relaxBodyText(body), relaxed, JSON.stringify(body));
});

test('a megabyte of blanks takes linear time', () => {
  const blanks = ' \t'.repeat(500_000);
  assert.equal(relaxBodyText(`a${blanks}b${blanks}`), 'a b\r\n');
  assert.equal(relaxField({ name: 'x', value: `${blanks}b${blanks}` }), 'x:b');
});

test('messages are split at their first blank line', () => {
  for (const [message, names, body] of [
    ['A: 1\r\nB:2\r\n\r\nC: 3\r\n\r\n', ['a', 'b'], 'C: 3\r\n\r\n'],
    ['A: 1\r\n x: y\r\nno field\r\n\r\n', ['a'], ''],
    ['A: 1\r\n', ['a'], ''],
    ['\r\nA: 1\r\n\r\n', [], 'A: 1\r\n\r\n'],
    ['', [], ''],
  ] as const) {
    const parts = splitMessage(Buffer.from(message));
    assertColumn(parts.fields, 'name', names);
    assert.equal(parts.body.toString(), body);
  }
});
