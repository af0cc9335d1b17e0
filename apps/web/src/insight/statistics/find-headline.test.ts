import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHeadline } from './find-headline.ts';

const current = (clicked: number, delivered = 1_000) =>
  ({ clicked, delivered: delivered + 200, not_measured: 200 }) as never;
const recent = { emails: 5, delivered: 5_100, not_measured: 100, clicked: 350 };
const link = (link_no: number, unique: number) => ({
  link_no,
  unique,
  url: `https://shop.example/${link_no}`,
  total: unique,
  bots: 0,
});

test('an email is compared with the last ones of its brand', () => {
  const better = findHeadline({ current: current(99), recent }, [link(0, 30), link(1, 70)]);
  assert.deepEqual(
    [
      better?.direction,
      better?.now,
      better?.before,
      better?.emails,
      better?.link?.link_no,
      better?.link?.share,
    ],
    ['more', [99, 1_000], [350, 5_000], 5, 1, 0.7],
  );
  assert.equal(findHeadline({ current: current(40), recent }, [])?.direction, 'less');
});

test('nothing is said where there is too little to say', () => {
  // Chance, few recipients, and the first email of a brand.
  for (const compared of [
    { current: current(75), recent },
    { current: current(99, 99), recent },
    { current: current(99), recent: { emails: 1, delivered: 50, not_measured: 0, clicked: 1 } },
    { current: current(99), recent: null },
  ])
    assert.equal(findHeadline(compared, []), undefined);
  // A single link got all clicks, and few clicks say nothing about links.
  for (const links of [[link(0, 90)], [link(0, 10), link(1, 12)]])
    assert.equal(findHeadline({ current: current(99), recent }, links)?.link, undefined);
});
