import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLinkRows, weightOf } from './link-shares.ts';

const link = (link_no: number, unique: number) => ({
  link_no,
  url: `https://shop.example/${link_no}`,
  unique,
  total: unique * 3,
  bots: 100,
});

test('links are ordered by their share of clicks', () => {
  const rows = toLinkRows([link(0, 10), link(1, 0), link(2, 30), link(3, 20)]);
  assert.deepEqual(
    rows.map((row) => [row.number, row.share, weightOf(row, rows)]),
    [
      [3, 0.5, 'most'],
      [4, 1 / 3, 'most'],
      [1, 1 / 6, 'some'],
      [2, 0, 'none'],
    ],
  );
});

test('no link stands out without clicks', () => {
  const rows = toLinkRows([link(0, 0), link(1, 0)]);
  assert.deepEqual(
    rows.map((row) => [row.number, row.share, weightOf(row, rows)]),
    [
      [1, 0, 'none'],
      [2, 0, 'none'],
    ],
  );
});
