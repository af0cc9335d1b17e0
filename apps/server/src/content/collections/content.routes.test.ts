import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { type Field } from '@reachout/contract/content-fields.ts';
import { maxCountedItems, maxFilterCount, type Item } from '@reachout/contract/content.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { createLog } from '../../platform/log.ts';
import { indexItems } from '../built-in/search-index-jobs.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { useSharedApp } from '../../testing/app.ts';
import { useWorld } from '../../testing/world.ts';

interface Page {
  data: Item[];
  meta: { total_count: number; filter_count: number; has_more: boolean };
}

suite('content gateway', () => {
  const app = useSharedApp();
  const { owner, base } = useWorld(app);

  before(async () => {
    for (let n = 1; n <= 5; n += 1) {
      const data = { email: `user${n}@x.example`, city: n % 2 === 0 ? 'Köln' : null };
      await owner.ok('POST', `${base}/items/contacts`, data);
    }
  });

  const get = <T = Problem>(path: string) => owner.request<T>('GET', `${base}${path}`);
  const list = async (query: Record<string, string>) => {
    const { body } = await get<Page>(`/items/contacts?${new URLSearchParams(query).toString()}`);
    return { emails: body.data.map(({ email }) => (email as string).slice(4, 5)).join(''), meta: body.meta };
  };

  test('collections are listed with counts and visible fields', async () => {
    const shared = {
      label: null,
      hidden: false,
      sort: null,
      client_id: null,
      brand_id: null,
      client: null,
      brand: null,
    };
    assert.deepEqual((await get<unknown>('/collections')).body, {
      data: [
        { collection: 'contacts', item_count: 5, has_contacts: true, ...shared },
        { collection: 'newsletters', item_count: 0, has_contacts: false, ...shared },
      ],
      meta: { backend: 'built_in' },
    });
    const { body } = await get<{ data: Field[] }>('/fields/contacts');
    assert.deepEqual(
      body.data.map(({ field }) => field),
      [
        'birthday',
        'city',
        'company',
        'country',
        'date_created',
        'date_updated',
        'email',
        'first_name',
        'language',
        'last_name',
        'tags',
        'unsubscribed',
        'vip',
      ],
    );
  });

  test('items can be filtered, searched, sorted, paged and counted', async () => {
    assert.deepEqual(await list({}), {
      emails: '12345',
      meta: { total_count: 5, filter_count: 5, has_more: false },
    });
    assert.deepEqual(await list({ filter: '{"city":{"_icontains":"KÖLN"}}', sort: '-email' }), {
      emails: '42',
      meta: { total_count: 5, filter_count: 2, has_more: false },
    });
    assert.deepEqual(await list({ search: 'USER3' }), {
      emails: '3',
      meta: { total_count: 5, filter_count: 1, has_more: false },
    });
    assert.deepEqual(await list({ sort: 'city, -email', limit: '2', page: '2' }), {
      emails: '53',
      meta: { total_count: 5, filter_count: 5, has_more: false },
    });
  });

  test('counts of filtered items stop at their limit', async () => {
    const body = await owner.ok<{ collection: string }>('POST', `${base}/collections`, { name: 'Crowd' });
    // All of them except one are marked.
    const crowd = sql`select ${base.slice(13)}::uuid as organization_id, ${body.collection} as collection`;
    await sql`
      insert into content_items (organization_id, collection, id, data)
      select crowd.*, n, jsonb_build_object('email', 'crowd' || n || '@x.example', 'vip', n <> 3001)
      from (${crowd}) crowd, generate_series(1, ${maxCountedItems + 2}::int) n
    `.execute(app.owner);
    await sql`
      insert into content_search_queue (organization_id, collection, item_ids)
      select i.organization_id, i.collection, array_agg(i.id)
      from content_items i join (${crowd}) crowd using (organization_id, collection) group by 1, 2
    `.execute(app.owner);
    const find = async (query: Record<string, string>) => {
      const path = `/items/${body.collection}?${new URLSearchParams(query).toString()}`;
      const { data, meta } = (await get<Page>(path)).body;
      return [meta.filter_count, meta.has_more, data.length];
    };
    const check = async () => {
      assert.deepEqual(await find({ search: 'CROWD' }), [maxFilterCount, true, 20]);
      assert.deepEqual(await find({ search: 'x.example', page: '501' }), [maxFilterCount, true, 2]);
      assert.deepEqual(await find({ search: 'CROWD', max_count: '5', limit: '5' }), [5, true, 5]);
      assert.deepEqual(await find({ search: 'CROWD', max_count: '7', limit: '5' }), [7, true, 5]);
      assert.deepEqual(await find({ search: 'crowd300', max_count: '12', limit: '5' }), [11, false, 5]);
      assert.deepEqual(await find({ search: 'nobody', max_count: '0' }), [0, false, 0]);
      assert.deepEqual(await find({ search: 'crowd', filter: '{"vip":false}' }), [1, false, 1]);
      assert.deepEqual(await find({ search: 'crowd3000@' }), [1, false, 1]);
      assert.deepEqual(await find({ search: 'crowd300' }), [11, false, 11]);
      assert.deepEqual(await find({ search: 'crowd300@x.example' }), [1, false, 1]);
      assert.deepEqual(await find({ filter: '{"vip":true}' }), [maxFilterCount, true, 20]);
      assert.deepEqual(await find({ filter: '{"vip":false}' }), [1, false, 1]);
    };
    const setCount = (count: number) =>
      sql`
        update content_collections c set items_count = ${count} from (${crowd}) crowd
        where c.organization_id = crowd.organization_id and c.collection = crowd.collection
      `.execute(app.owner);
    await setCount(maxCountedItems);
    assert.deepEqual(await find({ search: 'CROWD' }), [maxCountedItems + 2, false, 20]);
    const latest = async (query: Record<string, string>) => {
      const path = `/items/${body.collection}?${new URLSearchParams({ sort: '-date_created', ...query }).toString()}`;
      return (await get<Page>(path)).body.data.map(({ id }) => id);
    };
    const page = await latest({ limit: '400' });
    await setCount(maxCountedItems + 2);
    assert.deepEqual(
      await latest({ filter: '{"vip":true}', limit: '20', page: '5' }),
      page.filter((id) => id !== '3001').slice(80, 100),
    );
    assert.deepEqual(await latest({ filter: '{"vip":false}' }), ['3001']);
    await check();
    assert.equal(
      await indexItems({ db: app.owner, log: createLog('silent') }, new AbortController().signal),
      0,
    );
    await check();
  });

  test('invalid queries are rejected with their reason', async () => {
    const queries: [query: string, reason: RegExp][] = [
      ['filter={', /JSON/],
      ['filter={"nope":1}', /filter: nope: .*no such field/],
      ['filter={"email":{"_gt":"a"}}', /filter: email\._gt/],
      ['sort=nope', /sort/],
    ];
    for (const [query, reason] of queries) {
      const { status, body } = await get(`/items/contacts?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_query'], query);
      assert.match((body.data as { reason: string }).reason, reason);
    }
    assert.equal((await get('/items/contacts?limit=501')).status, 422);
  });

  test('items can be created, changed and deleted', async () => {
    const item = `${base}/items/contacts`;
    const bad = await owner.request('POST', item, { vip: 'very' });
    assert.deepEqual([bad.status, bad.body.code], [422, 'validation_failed']);
    assert.deepEqual(bad.body.errors?.map(({ path }) => path).toSorted(), ['email', 'vip']);
    const twice = await owner.request('POST', item, { email: 'USER1@x.example' });
    assert.deepEqual(
      [twice.status, twice.body.code, twice.body.data],
      [409, 'not_unique', { field: 'email' }],
    );

    const created = await owner.request<{ data: Item }>('POST', item, { email: 'new@x.example' });
    assert.equal(created.body.data['user_created'], owner.userId);
    const path = `${item}/${created.body.data['id'] as string}`;
    const changed = await owner.request<{ data: Item }>('PATCH', path, { vip: true });
    assert.deepEqual([changed.body.data['vip'], changed.body.data['email']], [true, 'new@x.example']);
    assert.deepEqual((await owner.request('GET', path)).body, changed.body);
    // A client with an outdated version of the item cannot overwrite that change.
    const changeOf = ({ body }: typeof created, changes: Item) =>
      owner.request('PATCH', `${path}?if_date_updated=${body.data['date_updated'] as string}`, changes);
    assertProblem(await changeOf(created, { vip: false }), 409, 'changed_elsewhere');
    assert.equal((await changeOf(changed, {})).status, 200);
    await owner.ok('DELETE', path);
    assert.equal((await owner.request('GET', path)).status, 404);
    assert.equal((await owner.request('DELETE', path)).status, 404);
  });

  test('platform collections are not accessible', async () => {
    for (const path of ['/fields/reachout_templates', '/items/reachout_templates', '/items/directus_users']) {
      assert.equal((await get(path)).status, 404, path);
    }
    const body = { title: 'x', name: 'x' };
    assert.equal((await owner.request('POST', `${base}/items/reachout_templates`, body)).status, 404);
  });
});
