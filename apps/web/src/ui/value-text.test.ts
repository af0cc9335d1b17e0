import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueText } from './value-text.ts';

test('stored values become one line of text', () => {
  const cases: [value: unknown, text: string][] = [
    [null, '–'],
    ['', '–'],
    ['Ada', 'Ada'],
    [0, '0'],
    [false, 'false'],
    [['news', 'offers'], 'news, offers'],
    [[], '–'],
    [{ a: 1 }, '{"a":1}'],
  ];
  for (const [value, text] of cases) assert.equal(valueText(value), text);
});
