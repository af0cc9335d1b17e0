import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCurrent, type EntryPlace } from './current.ts';
import { entryPlaces } from './places.ts';

const base = '/o/0190';
const places: EntryPlace[] = Object.values(entryPlaces(base));

test('a plain entry is current wherever the path starts with its href', () => {
  assert.ok(isCurrent({ href: '/o/1/campaigns' }, '/o/1/campaigns/7'));
  assert.ok(!isCurrent({ href: '/o/1/campaigns' }, '/o/1/clients'));
});

test('an exact entry is current at its own path only', () => {
  assert.ok(isCurrent({ href: '/o/1', exact: true }, '/o/1'));
  assert.ok(!isCurrent({ href: '/o/1', exact: true }, '/o/1/campaigns'));
});

test('an alternate path makes an entry current', () => {
  assert.ok(isCurrent({ href: '/o/1/clients', alternates: ['/o/1/brands'] }, '/o/1/brands/3'));
});

test('no sibling href starts another, unless it is exact', () => {
  for (const entry of places) {
    if (entry.exact) continue;
    for (const other of places) {
      assert.ok(entry === other || !other.href.startsWith(entry.href), `${entry.href} starts ${other.href}`);
    }
  }
});

test('every place has exactly one current entry', () => {
  for (const place of places) {
    assert.equal(places.filter((entry) => isCurrent(entry, place.href)).length, 1, place.href);
  }
});
