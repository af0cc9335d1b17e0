import {
  aggregate,
  authenticateShare,
  createDirectus,
  createItem,
  createItems,
  createShare,
  deleteItem,
  deleteItems,
  readCollection,
  readCollections,
  readFieldsByCollection,
  readItem,
  readItems,
  readMe,
  readPresets,
  rest,
  serverInfo,
  serverPing,
  staticToken,
  updateItem,
  updateItems,
  updateItemsBatch,
  withSearch,
} from '@directus/sdk';
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { newId } from '../../platform/ids.ts';
import { assertRefused } from '../../testing/assert-refused.ts';
import { openTarget, people } from '../../testing/content-target.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { useOpened } from '../../testing/use-made.ts';

// The behavior of every content backend: the built-in one, or a real Directus if the environment names one
// (testing/content-target.ts). Asserts only what both have in common: status, code and shape, never messages.

interface Person {
  id: string;
  name: string | null;
  email: string;
  age: number | null;
  city: string | null;
  vip: boolean | null;
  joined: string | null;
  seen: string | null;
}

suite('conformance of content backends', () => {
  const connect = (token = target.token) => createDirectus(target.url).with(staticToken(token)).with(rest());
  const anonymous = () => createDirectus(target.url).with(rest());
  const read = async (query: object) =>
    (await connect().request(readItems(people, query as never))) as unknown as Person[];
  const names = async (query: object) =>
    (await read({ sort: ['name'], fields: ['name'], ...query })).map(({ name }) => name).join(' ');
  const call = async (
    method: string,
    path: string,
    { token = target.token, body }: { token?: string; body?: unknown } = {},
  ) => {
    const response = await fetch(`${target.url}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, code: /"code":"([A-Z_]+)"/.exec(text)?.[1], text };
  };

  const target = useOpened(() => openTarget());
  before(async () => {
    await connect().request(
      createItems(people, [
        {
          name: 'Ada',
          email: 'ada@x.example',
          age: 36,
          city: 'London',
          vip: true,
          joined: '2020-01-31',
          seen: '2026-03-01T08:00:00.000Z',
        },
        { name: 'Ben', email: 'ben@x.example', age: 20, city: 'Berlin', joined: '2021-02-28' },
        { name: 'Cem', email: 'cem@x.example', age: 41, city: 'Berlin', vip: true, joined: '2022-03-31' },
        { name: 'Dot', email: 'dot@x.example', age: null, city: null },
        { name: 'Eva', email: 'eva@x.example', age: 29, city: '', joined: '2023-04-30' },
      ] as never),
    );
  });

  test('the server reports its health and the current user', async () => {
    assert.equal(await anonymous().request(serverPing()), 'pong');
    const { queryLimit } = await connect().request(serverInfo());
    assert.equal(typeof queryLimit?.default, 'number');
    assert.equal((await anonymous().request(serverInfo())).queryLimit, undefined);
    assert.equal(typeof (await connect().request(readMe())).id, 'string');
    assert.equal((await call('GET', '/users/me', { token: '' })).status, 401);
  });

  test('schema endpoints describe collections, fields and presets', async () => {
    const collections = await connect().request(readCollections());
    const found = collections.find(({ collection }) => collection === people);
    assert.ok(found?.schema, 'with a table');
    assert.notEqual(found?.meta?.hidden, true);
    assert.equal((await connect().request(readCollection(people))).collection, people);
    const fields = await connect().request(readFieldsByCollection(people));
    const typeOf = Object.fromEntries(fields.map(({ field, type }) => [field, type]));
    assert.deepEqual(
      ['id', 'name', 'age', 'vip', 'joined', 'seen'].map((field) => typeOf[field]),
      ['uuid', 'string', 'integer', 'boolean', 'date', 'timestamp'],
    );
    assert.equal(fields.find(({ field }) => field === 'city')?.meta?.hidden, true);
    assert.ok('city' in (await read({ limit: 1 }))[0]!, 'hidden fields come along all the same');
    await assertRefused(
      connect().request(readFieldsByCollection('nothing_like_it')),
      403,
      'FORBIDDEN',
      'fields',
    );
    await assertRefused(connect().request(readCollection('nothing_like_it')), 403, 'FORBIDDEN', 'collection');
    const presets = await connect().request(
      readPresets({ filter: { collection: { _eq: people } }, sort: ['bookmark'], limit: -1 } as never),
    );
    assert.deepEqual(presets, []);
  });

  test('every filter operator finds the expected items', async () => {
    for (const [filter, expected] of [
      [{ name: { _eq: 'Ada' } }, 'Ada'],
      [{ name: 'Ada' }, 'Ada'],
      [{ city: { _neq: 'Berlin' } }, 'Ada Eva'],
      [{ age: { _lt: 30 } }, 'Ben Eva'],
      [{ age: { _lte: 29 } }, 'Ben Eva'],
      [{ age: { _gt: 36 } }, 'Cem'],
      [{ age: { _gte: '36' } }, 'Ada Cem'],
      [{ age: { _between: [20, 29] } }, 'Ben Eva'],
      [{ age: { _nbetween: [20, 29] } }, 'Ada Cem'],
      [{ joined: { _gte: '2022-03-31' } }, 'Cem Eva'],
      [{ joined: { _between: ['2021-01-01', '2022-12-31'] } }, 'Ben Cem'],
      [{ name: { _in: ['Ada', 'Eva'] } }, 'Ada Eva'],
      [{ city: { _nin: ['Berlin'] } }, 'Ada Eva'],
      [{ age: { _null: true } }, 'Dot'],
      [{ age: { _nnull: true } }, 'Ada Ben Cem Eva'],
      [{ city: { _empty: true } }, 'Dot Eva'],
      [{ city: { _nempty: true } }, 'Ada Ben Cem'],
      [{ email: { _icontains: 'BEN' } }, 'Ben'],
      [{ name: { _starts_with: 'C' } }, 'Cem'],
      [{ name: { _istarts_with: 'c' } }, 'Cem'],
      [{ name: { _nstarts_with: 'C' } }, 'Ada Ben Dot Eva'],
      [{ name: { _ends_with: 'a' } }, 'Ada Eva'],
      [{ vip: { _eq: true } }, 'Ada Cem'],
      [{ _and: [{ vip: { _eq: true } }, { city: { _eq: 'Berlin' } }] }, 'Cem'],
      [{ _or: [{ name: { _eq: 'Dot' } }, { age: { _gt: 40 } }] }, 'Cem Dot'],
      [{ vip: { _eq: true }, age: { _lt: 40, _gt: 30 } }, 'Ada'],
      [{}, 'Ada Ben Cem Dot Eva'],
      [{ _and: [] }, 'Ada Ben Cem Dot Eva'],
      [{ _or: [] }, 'Ada Ben Cem Dot Eva'],
    ] as const)
      assert.equal(await names({ filter }), expected, JSON.stringify(filter));
  });

  test('items can be sorted, paged and searched', async () => {
    assert.equal(await names({ sort: ['-name'], limit: 2 }), 'Eva Dot');
    assert.equal(
      await names({ sort: ['city', '-name'], filter: { city: { _nempty: true } } }),
      'Cem Ben Ada',
    );
    assert.equal(await names({ limit: 2, page: 2 }), 'Cem Dot');
    assert.equal(await names({ limit: 2, offset: 3 }), 'Dot Eva');
    assert.equal(await names({ limit: -1 }), 'Ada Ben Cem Dot Eva');
    assert.equal(await names({ limit: 0 }), '');
    assert.equal(await names({ search: 'berlin' }), 'Ben Cem');
    const withMeta = await call('GET', `/items/${people}?limit=1&fields=name&meta=*&filter[vip][_eq]=true`);
    const { data, meta } = JSON.parse(withMeta.text) as { data: unknown[]; meta: object };
    assert.deepEqual([data.length, meta], [1, { total_count: 5, filter_count: 2 }]);
  });

  test('items can be counted and grouped', async () => {
    const [all] = await connect().request(aggregate(people, { aggregate: { count: '*' } }));
    assert.equal(Number(all?.count), 5);
    const query = { filter: { vip: { _eq: true } } };
    const [some] = await connect().request(aggregate(people, { aggregate: { count: '*' }, query }));
    assert.equal(Number(some?.count), 2);
    const { text } = await call(
      'GET',
      `/items/${people}?aggregate={"count":"*","max":"age"}&groupBy=city&filter={"city":{"_nempty":true}}&sort=city`,
    );
    const groups = (JSON.parse(text) as { data: { city: string; count: string; max: { age: number } }[] })
      .data;
    assert.deepEqual(
      groups.map(({ city, count, max }) => [city, Number(count), max.age]),
      [
        ['Berlin', 2, 41],
        ['London', 1, 36],
      ],
    );
  });

  test('unsupported queries are rejected', async () => {
    for (const [query, status, code] of [
      ['filter={"nothing":{"_eq":1}}', 403, 'FORBIDDEN'],
      ['fields=nothing', 403, 'FORBIDDEN'],
      ['sort=nothing', 403, 'FORBIDDEN'],
      ['filter={"name":{"_gt":"A"}}', 400, 'INVALID_QUERY'],
      ['filter={"name":{"_regex":"A"}}', 400, 'INVALID_QUERY'],
      ['filter={"name":{"_eq":""}}', 400, 'INVALID_QUERY'],
      ['filter={"name":{"_in":[]}}', 400, 'INVALID_QUERY'],
      ['filter={"_and":{}}', 400, 'INVALID_QUERY'],
      ['filter={', 400, 'INVALID_QUERY'],
      ['limit=-2', 400, 'INVALID_QUERY'],
      ['page=-1', 400, 'INVALID_QUERY'],
      ['meta=everything', 400, 'INVALID_QUERY'],
    ] as const) {
      const answer = await call('GET', `/items/${people}?${query}`);
      assert.deepEqual([answer.status, answer.code], [status, code], query);
    }
    const unknown = connect().request(readItems('nothing_like_it'));
    await assertRefused(unknown, 403, 'FORBIDDEN', 'unknown collection');
    const missing = connect().request(readItem(people, newId()));
    await assertRefused(missing, 403, 'FORBIDDEN', 'missing item');
    assert.deepEqual((await call('PUT', `/items/${people}`, { body: {} })).code, 'ROUTE_NOT_FOUND');
    assert.equal((await call('GET', '/nothing-like-it')).status, 404);
  });

  test('long queries are accepted by SEARCH', async () => {
    const [ada] = await read({ filter: { name: { _eq: 'Ada' } } });
    const keys = [ada!.id, ...Array.from({ length: 1_199 }, () => newId())];
    const found = await connect().request(
      // Directus has a default for `fields` only in URLs.
      withSearch(readItems(people, { filter: { id: { _in: keys } }, fields: ['name'] } as never)),
    );
    assertColumn(found as unknown as Person[], 'name', ['Ada']);
  });

  test('item writes succeed completely or not at all', async () => {
    const client = connect();
    const id = newId();
    const created = await client.request(
      createItem(people, { id, name: 'New', email: 'new@x.example', nothing: 1 }),
    );
    assert.deepEqual([created['id'], created['vip'], 'nothing' in created], [id, false, false]);
    await assertRefused(
      client.request(createItem(people, { id, email: 'other@x.example' })),
      400,
      'RECORD_NOT_UNIQUE',
      'the same id',
    );
    await assertRefused(
      client.request(createItem(people, { email: 'new@x.example' })),
      400,
      'RECORD_NOT_UNIQUE',
      'the same address',
    );
    await assertRefused(client.request(createItem(people, {})), 400, 'FAILED_VALIDATION', 'missing');
    await assertRefused(
      client.request(createItem(people, { email: null })),
      400,
      'FAILED_VALIDATION',
      'null',
    );
    assert.equal((await client.request(updateItem(people, id, { city: 'Rome' } as never)))['city'], 'Rome');
    await client.request(updateItem(people, id, {} as never));

    const pair = (await client.request(
      createItems(people, [{ email: 'p1@x.example' }, { email: 'p2@x.example' }] as never),
    )) as unknown as Person[];
    const keys = pair.map((item) => item.id);
    await client.request(updateItems(people, keys, { city: 'Oslo' }));
    await client.request(
      updateItems(people, { filter: { city: { _eq: 'Oslo' } }, limit: -1 } as never, { vip: true }),
    );
    await client.request(updateItemsBatch(people, [{ id: keys[0], name: 'P1' }] as never));
    const oslo = await read({ filter: { city: { _eq: 'Oslo' } } });
    assert.deepEqual(
      [oslo.length, oslo.every(({ vip }) => vip), oslo.filter(({ name }) => name === 'P1').length],
      [2, true, 1],
    );

    const half = [{ email: 'p3@x.example' }, { email: 'p1@x.example' }];
    await assertRefused(client.request(createItems(people, half as never)), 400, 'RECORD_NOT_UNIQUE', 'half');
    assert.equal(await names({ filter: { email: { _eq: 'p3@x.example' } } }), '');
    const unknown = newId();
    await assertRefused(
      client.request(updateItem(people, unknown, { city: 'x' } as never)),
      403,
      'FORBIDDEN',
      'change',
    );
    await assertRefused(client.request(deleteItem(people, unknown)), 403, 'FORBIDDEN', 'delete');
    await assertRefused(
      client.request(deleteItems(people, [keys[0]!, unknown])),
      403,
      'FORBIDDEN',
      'one of two',
    );
    assert.equal((await read({ filter: { id: { _in: keys } } })).length, 2);
    for (const body of [{ data: {} }, { keys: ['1'] }, [{ city: 'x' }]])
      assert.deepEqual((await call('PATCH', `/items/${people}`, { body })).status, 400, JSON.stringify(body));

    await client.request(deleteItem(people, id));
    await client.request(deleteItems(people, [keys[0]!]));
    await client.request(deleteItems(people, { filter: { city: { _eq: 'Oslo' } }, limit: -1 } as never));
    assert.equal(await names({}), 'Ada Ben Cem Dot Eva');
  });

  test('values are returned in the form of their type', async () => {
    const [ada] = await read({ filter: { name: { _eq: 'Ada' } } });
    assert.deepEqual(
      [ada?.age, ada?.vip, ada?.joined, ada?.seen],
      [36, true, '2020-01-31', '2026-03-01T08:00:00.000Z'],
    );
    assert.match(ada?.id ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const wrong = connect().request(createItem(people, { email: 'd@x.example', joined: 'never' }));
    await assertRefused(wrong, 400, 'INVALID_PAYLOAD', 'a date');
  });

  test('only tokens with access can read and write', async () => {
    await assertRefused(
      connect('wrong').request(readItems(people)),
      401,
      'INVALID_CREDENTIALS',
      'wrong token',
    );
    await assertRefused(anonymous().request(readItems(people)), 403, 'FORBIDDEN', 'no token');
    for (const [method, path] of [
      ['PATCH', `/items/${people}/${newId()}`],
      ['POST', `/items/${people}`],
      ['DELETE', `/items/${people}/${newId()}`],
    ] as const)
      assert.equal((await call(method, path, { token: '', body: {} })).status, 403, `${method} by nobody`);
    const reader = connect(target.readToken);
    assert.deepEqual(await reader.request(readItems(target.readCollection)), []);
    await assertRefused(
      reader.request(createItem(target.readCollection, { text: 'x' })),
      403,
      'FORBIDDEN',
      'read-only',
    );
    const both = await call('GET', `/items/${people}?access_token=${target.token}`);
    assert.deepEqual([both.status, both.code], [400, 'INVALID_PAYLOAD']);
    assert.equal((await call('GET', '/roles')).status, 403);
    assert.equal((await call('GET', '/users')).status, 403);
  });

  test('a share gives read access to one item', async (t) => {
    if (target.shareRole === undefined) {
      t.skip('no role for shares is named');
      return;
    }
    const [ada, ben] = await read({ sort: ['name'] });
    const { id } = await connect().request(
      createShare({ name: 'Ada', collection: people, item: ada!.id, role: target.shareRole }),
    );
    const { access_token } = await anonymous().request(authenticateShare(id, undefined as never, 'json'));
    const visitor = connect(access_token!);
    assert.equal((await visitor.request(readItem(people, ada!.id)))['name'], 'Ada');
    await assertRefused(visitor.request(readItem(people, ben!.id)), 403, 'FORBIDDEN', 'another item');
    await assertRefused(
      visitor.request(updateItem(people, ada!.id, { city: 'x' } as never)),
      403,
      'FORBIDDEN',
      'write',
    );
    assert.equal((await call('GET', '/users', { token: access_token! })).status, 403);
    assert.equal((await call('POST', '/shares/auth', { token: '', body: { share: newId() } })).status, 401);
    assert.equal((await call('POST', '/shares/auth', { token: '', body: {} })).status, 400);
  });

  test('the client rejects empty collections and keys', async () => {
    const client = connect();
    for (const [message, ask] of [
      ['Collection cannot be empty', () => client.request(readItems(''))],
      ['Key cannot be empty', () => client.request(readItem(people, ''))],
      ['keysOrQuery cannot be empty', () => client.request(deleteItems(people, []))],
      ['Cannot use readItems for core collections', () => client.request(readItems('directus_users'))],
    ] as const)
      await assert.rejects(async () => await ask(), { message });
  });
});
