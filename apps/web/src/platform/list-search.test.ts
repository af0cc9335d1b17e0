import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checked, readListSearch } from './list-search.ts';

const read = checked((raw) => readListSearch(raw, ['name']));

/** As the router does it. */
const search = (raw: Record<string, unknown>) =>
  JSON.parse(JSON.stringify({ ...raw, ...read(raw) })) as unknown;

test('what an address says and a list can use is kept', () => {
  const raw = { search: 'spring', page: 3, order: 'name.desc' };
  assert.deepEqual(search(raw), raw);
});

test('what a list cannot use is dropped, and never comes through unchecked', () => {
  assert.deepEqual(search({ search: 7, page: 'two', order: 'password.asc', other: {} }), {});
  assert.deepEqual(search({ page: 0 }), {});
  assert.deepEqual(search({ page: 1.5, search: '  ' }), {});
});
