import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { createItems, type Items } from '../../../../../packages/tracker/src/items.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { useTestApp } from '../../testing/app.ts';
import { signInOwner } from '../../testing/create-organization.ts';

suite('item helpers of the tracker', () => {
  const app = useTestApp();
  let url: string;
  let items: Items;

  before(async () => {
    const { owner, organizationId } = await signInOwner(app);
    const { token } = await makeKeyOf(app, organizationId, owner.userId);
    url = `${await app.app.listen({ host: '127.0.0.1', port: 0 })}/content/${organizationId}`;
    items = createItems({ url: `${url}/`, token });
  });

  test('create, read, update and delete items of the content API', async () => {
    const [first, second, third] = await Promise.all(
      ['a', 'b', 'c'].map((name) => items.createItem('contacts', { email: `${name}@x.example`, city: name })),
    );
    const keyOf = (item: Record<string, unknown> | undefined) => String(item?.['id']);
    assert.equal((await items.readItem('contacts', keyOf(first)))['city'], 'a');
    const query = {
      filter: { city: { _in: ['b', 'c'] } },
      fields: ['city', 'email'],
      sort: ['-city'],
      limit: 5,
    };
    assert.deepEqual(await items.readItems('contacts', query), [
      { city: 'c', email: 'c@x.example' },
      { city: 'b', email: 'b@x.example' },
    ]);
    assert.equal((await items.updateItem('contacts', keyOf(first), { city: 'Ulm' }))['city'], 'Ulm');
    await items.deleteItem('contacts', keyOf(first));
    const [changed] = await items.updateItems('contacts', [keyOf(second)], { city: 'Bonn' });
    assert.equal(changed?.['city'], 'Bonn');
    await items.updateItems('contacts', { filter: { city: { _eq: 'Bonn' } } }, { city: 'Köln' });
    assert.equal((await items.readItem('contacts', keyOf(second)))['city'], 'Köln');
    await items.deleteItems('contacts', [keyOf(second)]);
    assert.equal((await items.readItems('contacts')).length, 1);
    await items.deleteItems('contacts', { filter: { id: { _eq: keyOf(third) } } });
    const more = await items.createItems('contacts', [{ email: 'd@x.example' }, { email: 'e@x.example' }]);
    await items.deleteItems('contacts', more.map(keyOf));
    assert.deepEqual(await items.readItems('contacts'), []);
  });

  test('reject what lacks a collection, key or query, or names a core collection', async () => {
    const rejected: [call: () => Promise<unknown>, message: string][] = [
      [() => items.createItem('', {}), 'Collection cannot be empty'],
      [() => items.readItem('contacts', ''), 'Key cannot be empty'],
      [() => items.updateItem('contacts', '', {}), 'Key cannot be empty'],
      [() => items.deleteItem('contacts', ''), 'Key cannot be empty'],
      [() => items.updateItem('', '', {}), 'Key cannot be empty'],
      [() => items.readItem('', ''), 'Collection cannot be empty'],
      [() => items.updateItems('contacts', [], {}), 'Keys cannot be empty'],
      [() => items.updateItems('contacts', {}, {}), 'keysOrQuery cannot be empty'],
      [() => items.deleteItems('contacts', []), 'Keys cannot be empty'],
      [() => items.deleteItems('contacts', {}), 'keysOrQuery cannot be empty'],
      ...(
        [
          'createItem',
          'createItems',
          'readItem',
          'readItems',
          'updateItem',
          'updateItems',
          'deleteItem',
          'deleteItems',
        ] as const
      ).map((helper): [() => Promise<unknown>, string] => [
        () => items[helper]('directus_users', 'x' as never, {}),
        `Cannot use ${helper} for core collections`,
      ]),
    ];
    for (const [call, message] of rejected) await assert.rejects(call, { message });
  });

  test('reject with the status of the response', async () => {
    const message = 'Unauthorized';
    await assert.rejects(createItems({ url, token: 'wrong' }).readItems('contacts'), { message });
  });
});
