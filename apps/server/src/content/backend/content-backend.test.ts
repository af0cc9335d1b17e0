import { createContactRules } from '../../contacts/contact-rules.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Item } from '@reachout/contract/content.ts';
import { inOrganization } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts';
import { createContentFixture, type ContentFixture } from '../../testing/content-fixture.ts';
import { numbered, openTarget, people, type Target } from '../../testing/content-target.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { createDirectusBackend } from '../directus/directus-backend.ts';
import { createDirectusClient } from '../directus/directus-client.ts';
import type { ContentBackend, ItemsQuery } from './content-backend.ts';

// The port with both implementations: the built-in one, and the Directus adapter with the REST interface of the built-in
// one, or with a real Directus if the environment names one (testing/content-target.ts).

type Use = <T>(work: (backend: ContentBackend) => Promise<T>) => Promise<T>;

const implementations =
  process.env['CONTENT_BACKEND_URL'] === undefined
    ? (['built-in', 'Directus'] as const)
    : (['Directus'] as const);

for (const implementation of implementations) {
  suite(`content backend: ${implementation}`, () => {
    let target: Target;
    let fixture: ContentFixture;
    let use: Use;
    const outbound = createOutboundClient(['127.0.0.1']);

    before(async () => {
      target = await openTarget();
      fixture = await createContentFixture();
      use = openUse();
      await use((backend) => backend.listCollections());
    });
    beforeEach(async () => {
      const keys = (await find({})).map(({ id }) => id as string);
      await use((backend) => backend.deleteItems(people, keys));
    });
    after(async () => {
      await fixture.close();
      await target.close();
      await outbound.close();
    });

    function openUse(): Use {
      const { url: endpoint, token: accessToken, builtIn } = target;
      if (implementation === 'built-in' && builtIn !== undefined) {
        const { db, organizationId } = builtIn;
        return (work) =>
          inOrganization(db, organizationId, (trx) =>
            work(
              createBuiltInBackend(trx, {
                organizationId,
                userId: null,
                contacts: createContactRules(undefined),
              }),
            ),
          );
      }
      const { organizationId } = fixture;
      const client = createDirectusClient(outbound, { organizationId, endpoint, accessToken });
      const backend = createDirectusBackend(client, organizationId, fixture.inTenant);
      return (work) => work(backend);
    }

    const find = (query: Partial<ItemsQuery>, collection = people) =>
      use((backend) => backend.findItems(collection, { limit: 100, offset: 0, ...query }));
    const names = async (query: Partial<ItemsQuery>) =>
      (await find({ sort: ['name'], ...query })).map(({ name }) => name as string).join(' ');
    const rejected = (work: Promise<unknown>, code: string, what = code) =>
      assert.rejects(work, { code }, what);
    const create = (items: readonly Item[]) => use((backend) => backend.createItems(people, items));
    const addFour = () =>
      create([
        { name: 'Dot', email: 'dot@x.example', age: 41, city: 'Rome' },
        { name: 'Ada', email: 'ada@x.example', age: 36, city: 'London' },
        { name: 'Cem', email: 'cem@x.example', age: null, city: 'Rome' },
        { name: 'Ben', email: 'ben@x.example', age: 20, city: null },
      ]);

    test('collections and fields are described', async () => {
      await addFour();
      const collections = await use((backend) => backend.listCollections());
      const found = collections.find(({ collection }) => collection === people);
      assert.deepEqual([found?.item_count, found?.has_contacts], [4, true]);
      const fields = await use((backend) => backend.listFields(people));
      const fieldOf = (name: string) => fields.find(({ field }) => field === name);
      const { type, required, unique } = fieldOf('email')!;
      assert.deepEqual([type, required, unique], ['string', true, true]);
      assert.deepEqual([fieldOf('age')?.type, fieldOf('city')?.hidden], ['integer', true]);
      await rejected(
        use((backend) => backend.listFields('nothing_of_this_name')),
        'not_found',
      );
    });

    test('one item can be created, read, changed and deleted', async () => {
      const made = await use((backend) =>
        backend.createItem(people, { name: 'Ada', email: 'ada@x.example', nothing_we_know: 1 }),
      );
      const id = made['id'] as string;
      assert.deepEqual([typeof id, made['name'], made['vip']], ['string', 'Ada', false]);
      assert.deepEqual(await use((backend) => backend.getItem(people, id)), made);
      const changed = await use((backend) => backend.updateItem(people, id, { age: 37 }));
      assert.deepEqual([changed['age'], changed['email']], [37, 'ada@x.example']);
      await use((backend) => backend.deleteItem(people, id));
      const odd = implementation === 'built-in' ? ["' or true --", 'NUL\0'] : [];
      for (const key of [id, newId(), 'no key', ...odd])
        for (const work of [
          (backend: ContentBackend): Promise<unknown> => backend.getItem(people, key),
          (backend: ContentBackend): Promise<unknown> => backend.updateItem(people, key, { age: 1 }),
          (backend: ContentBackend): Promise<unknown> => backend.deleteItem(people, key),
        ])
          await rejected(use(work), 'not_found', key);
    });

    test('invalid items are rejected', async () => {
      const [ada] = await create([{ name: 'Ada', email: 'ada@x.example' }]);
      const one = (data: Item) => use((backend) => backend.createItem(people, data));
      await rejected(one({ name: 'Nobody' }), 'validation_failed', 'required');
      await rejected(one({ email: 'ada@x.example' }), 'not_unique', 'an address');
      await rejected(one({ email: 'new@x.example', id: ada!['id']! }), 'not_unique', 'a key');
      await rejected(
        use((backend) => backend.createItem('nothing_of_this_name', {})),
        'not_found',
      );
    });

    test('several items are written in order or not at all', async () => {
      const made = await addFour();
      assertColumn(made, 'name', ['Dot', 'Ada', 'Cem', 'Ben']);
      assert.deepEqual(await create([]), []);
      await rejected(create([{ email: 'eva@x.example' }, { email: 'ben@x.example' }]), 'not_unique');
      await rejected(create([{ email: 'eva@x.example' }, {}]), 'validation_failed');
      const keys = made.map(({ id }) => id as string);
      const update = (changes: { key: string; data: Item }[]) =>
        use((backend) => backend.updateItems(people, changes));
      const changed = await update(
        keys.slice(0, 2).map((key, index) => ({ key, data: { age: 50 + index } })),
      );
      assert.deepEqual(
        changed.map(({ name, age }) => [name, age]),
        [
          ['Dot', 50],
          ['Ada', 51],
        ],
      );
      const missing = newId();
      await rejected(
        update([
          { key: keys[2]!, data: { age: 1 } },
          { key: missing, data: { age: 1 } },
        ]),
        'not_found',
      );
      await rejected(
        use((backend) => backend.deleteItems(people, [keys[2]!, missing])),
        'not_found',
      );
      assert.equal(await names({ filter: { age: { _null: true } } }), 'Cem');
      await use((backend) => backend.deleteItems(people, keys.slice(0, 2)));
      assert.equal(await names({}), 'Ben Cem');
    });

    test('items can be searched, sorted, paged, counted and aggregated', async () => {
      await addFour();
      assert.equal(await names({}), 'Ada Ben Cem Dot');
      assert.equal(await names({ sort: ['-name'], limit: 2, offset: 1 }), 'Cem Ben');
      assert.equal(await names({ filter: { city: { _eq: 'Rome' } } }), 'Cem Dot');
      assert.equal(
        await names({ filter: { _or: [{ age: { _gt: 40 } }, { city: { _null: true } }] } }),
        'Ben Dot',
      );
      assert.equal(await names({ search: 'ADA@x' }), 'Ada');
      assert.equal(await names({ search: 'ROME', filter: { age: { _null: true } } }), 'Cem');
      assert.equal(await names({ search: 'nothing' }), '');
      assert.equal(await names({ limit: 0 }), '');
      assert.equal(await use((backend) => backend.countItems(people, { search: 'rome' })), 2);
      assert.equal(await names({ filter: { email: { _in: ['ada@x.example', 'no@x.example'] } } }), 'Ada');
      const [only] = await find({ fields: ['name'], filter: { name: { _eq: 'Ada' } } });
      const { id, name, ...others } = only!;
      assert.deepEqual([typeof id, name, 'email' in others], ['string', 'Ada', false]);
      const rome = { filter: { city: { _eq: 'Rome' } } };
      assert.equal(await use((backend) => backend.countItems(people, rome)), 2);
      assert.equal(await use((backend) => backend.countItems(people, {})), 4);
      const [sums] = await use((backend) =>
        backend.aggregateItems(people, {
          aggregate: [{ function: 'sum', field: 'age' }],
          groupBy: [],
          limit: 10,
          offset: 0,
        }),
      );
      assert.equal(Number((sums!['sum'] as { age: unknown }).age), 97);
      const cities = await use((backend) =>
        backend.aggregateItems(people, {
          aggregate: [{ function: 'count', field: '*' }],
          groupBy: ['city'],
          limit: 10,
          offset: 0,
        }),
      );
      assert.deepEqual(
        new Set(cities.map(({ city, count }) => `${JSON.stringify(city)} ${Number(count)}`)),
        new Set(['"London" 1', '"Rome" 2', 'null 1']),
      );
      const read = await use(async (backend) => {
        const all: unknown[] = [];
        const query = { sort: ['name'], limit: 3, offset: 1 };
        for await (const items of backend.readItems(people, query))
          all.push(...items.map((item) => item['name']));
        return all;
      });
      assert.deepEqual(read, ['Ben', 'Cem', 'Dot']);
    });

    test("relative dates use midnight in the rule's time zone", async () => {
      await create([
        { name: 'Ada', email: 'ada@x.example', seen: '2026-03-28T22:59:59.000Z' },
        { name: 'Ben', email: 'ben@x.example', seen: '2026-03-28T23:30:00.000Z' },
        { name: 'Cem', email: 'cem@x.example', seen: '2026-03-29T22:30:00.000Z' },
      ]);
      const from = '2026-03-29T00:00:00+01:00[Europe/Berlin]';
      const to = '2026-03-30T00:00:00+02:00[Europe/Berlin]';
      assert.equal(await names({ filter: { seen: { _gte: from } } }), 'Ben Cem');
      assert.equal(await names({ filter: { seen: { _between: [from, to] } } }), 'Ben');
      assert.equal(
        await names({ filter: { seen: { _gte: '2026-03-29T00:00' } } }),
        'Cem',
        'without a zone: UTC',
      );
    });

    test('invalid queries and missing collections have different errors', async () => {
      await rejected(find({ filter: { no_such_field: { _eq: 1 } } }), 'invalid_query', 'field');
      await rejected(find({ filter: { name: { _regex: 'a' } } }), 'invalid_query', 'operator');
      await rejected(
        find({ filter: { user_created: { password: { _nnull: true } } } }),
        'invalid_query',
        'relation',
      );
      await rejected(find({ sort: ['no_such_field'] }), 'invalid_query', 'sort');
      await rejected(find({}, 'nothing_of_this_name'), 'not_found');
      await rejected(
        use((backend) => backend.createItem('nothing_of_this_name', {})),
        'not_found',
      );
    });

    test('items with numeric keys are read by key', async (t) => {
      if (!target.hasNumbered) return t.skip('the built-in backend has none');
      await use((backend) =>
        backend.createItems(
          numbered,
          Array.from({ length: 12 }, (_, index) => ({ title: `Number ${index + 1}` })),
        ),
      );
      const titles: unknown[] = [];
      let last: string | undefined;
      for (let page = 0; page < 4; page += 1) {
        const items = await find({ limit: 5, after: last, sort: ['id'] }, numbered);
        titles.push(...items.map(({ title }) => title));
        last = (items.at(-1)?.['id'] as string | undefined) ?? last;
      }
      assert.deepEqual(
        titles,
        Array.from({ length: 12 }, (_, index) => `Number ${index + 1}`),
      );
    });
  });
}
