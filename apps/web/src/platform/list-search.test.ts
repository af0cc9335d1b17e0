import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checked, defineList, readListSearch } from './list-search.ts';

const read = checked((raw) => readListSearch(raw, ['name']));

/** Parses search parameters as the router does. */
const search = (raw: Record<string, unknown>) =>
  JSON.parse(JSON.stringify({ ...raw, ...read(raw) })) as unknown;

test('valid list parameters are kept', () => {
  const raw = { search: 'spring', page: 3, order: 'name.desc' };
  assert.deepEqual(search(raw), raw);
});

test('invalid list parameters are dropped', () => {
  assert.deepEqual(search({ search: 7, page: 'two', order: 'password.asc', other: {} }), {});
  assert.deepEqual(search({ page: 0 }), {});
  assert.deepEqual(search({ page: 1.5, search: '  ' }), {});
});

test('pages start at 0, and order has a default', () => {
  const list = defineList({
    pageSize: 20,
    isSearchable: true,
    sortBy: ['name'],
    defaultOrder: 'name.asc',
    filters: ({ days }) => (days === 7 ? { days } : {}),
  });
  const address = list.route.validateSearch({ search: 'spring', page: 3, days: 7, other: 1 });
  assert.deepEqual(JSON.parse(JSON.stringify(address)), { search: 'spring', page: 3, days: 7 });
  assert.deepEqual(list.query(address, {}).input, {
    search: 'spring',
    order: 'name.asc',
    page: 2,
    page_size: 20,
  });
  assert.deepEqual(list.query({}, {}).input, { order: 'name.asc', page: 0, page_size: 20 });
});

test('lists without search ignore the parameter', () => {
  const list = defineList({ pageSize: 10 });
  assert.deepEqual(list.query(list.route.validateSearch({ search: 'spring' }), {}).input, {
    page: 0,
    page_size: 10,
  });
});
