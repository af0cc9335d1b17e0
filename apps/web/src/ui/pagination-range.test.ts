import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paginationRange } from './pagination-range.ts';

const written = (page: number, total: number, siblings?: number) =>
  paginationRange(page, total, siblings)
    .map((mark) => (typeof mark === 'number' ? mark : '…'))
    .join(' ');

const examples: [page: number, total: number, siblings: number, expected: string][] = [
  [3, 6, 1, '1 2 3 4 5 6'],
  [1, 7, 1, '1 2 3 4 5 … 7'],
  [4, 7, 1, '1 … 3 4 5 … 7'],
  [5, 10, 1, '1 … 4 5 6 … 10'],
  [8, 10, 1, '1 … 6 7 8 9 10'],
  [4, 8, 2, '1 2 3 4 5 6 … 8'],
];

for (const [page, total, siblings, expected] of examples) {
  test(`page ${page} of ${total} with ${siblings} siblings shows ${expected}`, () => {
    assert.equal(written(page, total, siblings), expected);
  });
}

test('empty lists and single pages have no dots', () => {
  assert.equal(written(1, 0), '');
  assert.equal(written(1, 1), '1');
});

test('the current page is shown, and dots replace pages', () => {
  for (let total = 1; total <= 30; total += 1) {
    for (let page = 1; page <= total; page += 1) {
      const marks = paginationRange(page, total);
      assert.ok(marks.includes(page), `${page} of ${total}`);
      marks.forEach((mark, index) => {
        if (typeof mark === 'number') return;
        const before = marks[index - 1];
        const after = marks[index + 1];
        assert.ok(typeof before === 'number' && typeof after === 'number' && after - before > 1);
      });
    }
  }
});
