import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseExampleList, sortContactLists } from './use-example-contacts.ts';

const list = (
  collection: string,
  client_id: string | null = null,
  brand_id: string | null = null,
  has_contacts = true,
) => ({ collection, client_id, brand_id, has_contacts });
const lists = sortContactLists([
  list('articles', null, null, false),
  list('people'),
  list('of_client', 'c'),
  list('of_brand', 'c', 'b'),
]);

test('contacts of the brand come first, then of its client, then shared ones', () => {
  assert.deepEqual(
    lists.map(({ collection }) => collection),
    ['of_brand', 'of_client', 'people'],
  );
});

test('merge tags read the audience, else the chosen list, else the first', () => {
  assert.equal(chooseExampleList(lists, {}), 'of_brand');
  assert.equal(chooseExampleList(lists, { chosen: 'people' }), 'people');
  assert.equal(chooseExampleList(lists, { chosen: 'gone' }), 'of_brand');
  assert.equal(chooseExampleList(lists, { chosen: 'people', ofAudience: 'members' }), 'members');
  assert.equal(chooseExampleList([], {}), undefined);
});
