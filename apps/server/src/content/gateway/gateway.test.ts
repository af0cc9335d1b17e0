import {
  aggregate,
  createDirectus,
  createItem,
  createItems,
  deleteItem,
  deleteItems,
  readFieldsByCollection,
  readItem,
  readItems,
  rest,
  staticToken,
  updateItem,
  updateItems,
  updateItemsBatch,
  withSearch,
} from '@directus/sdk';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Preset } from '@reachout/contract/content-presets.ts';
import type { Subscription, SubscriptionSummary } from '@reachout/contract/consent.ts';
import type { ContactNote } from '@reachout/contract/contacts.ts';
import type { Collection, Item } from '@reachout/contract/content.ts';
import { maxBatch } from '@reachout/contract/rules/lengths.ts';
import { newId } from '../../platform/ids.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { makeKeyOf, signInGuest } from '../../testing/actors.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { createOrganization, signInOwner } from '../../testing/create-organization.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { deleteRows, listRows, updateRows } from '../../testing/rows.ts';
import { assertColumn } from '../../testing/assert-column.ts';

interface Contact {
  id: string;
  email: string;
  city: string | null;
  vip: boolean | null;
}

/** The Directus is the REST interface of an organization in another app. */
suite('content of a connected Directus', () => {
  let remote: TestApp;
  let app: TestApp;
  let address: string;
  let owner: Person;
  let organizationId: string;
  let theirs: string;
  let keyId: string;
  let apiKey: string;

  before(async () => {
    remote = await createTestApp();
    const remoteAddress = await remote.app.listen({ host: '127.0.0.1', port: 0 });
    const them = await remote.signIn();
    theirs = await createOrganization(remote, them);
    for (let n = 1; n <= 5; n += 1) {
      const body = { email: `there${n}@x.example`, city: n % 2 === 0 ? 'Köln' : null };
      assert.equal(
        (await remote.request('POST', `/api/content/${theirs}/items/contacts`, { as: them, body })).status,
        200,
      );
    }
    const key = await makeKeyOf(remote, theirs, them.userId, ['content:read', 'content:write']);
    keyId = key.keyId;

    app = await createTestApp({ privateHosts: ['127.0.0.1'] }, { beside: remote });
    address = await app.app.listen({ host: '127.0.0.1', port: 0 });
    ({ owner, organizationId } = await signInOwner(app));
    const ownKey = await makeKeyOf(app, organizationId, owner.userId);
    apiKey = ownKey.token;
    const here = await ask('POST', '/items/contacts', { email: 'here@x.example' });
    assert.equal(here.status, 200);
    await owner.ok('PUT', `/api/organizations/${organizationId}/content_backend`, {
      endpoint: `${remoteAddress}/content/${theirs}`,
      access_token: key.token,
    });
  });
  after(async () => {
    await app.close();
    await remote.close();
  });

  const ask = <T = Problem>(
    method: 'GET' | 'SEARCH' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    { as = owner, headers = {} }: { as?: Person; headers?: Record<string, string> } = {},
  ) => app.request<T>(method, `/api/content/${organizationId}${path}`, { as, headers, body });
  const sdk = () =>
    createDirectus<{ contacts: Contact[] }>(`${address}/api/content/${organizationId}`)
      .with(staticToken(apiKey))
      .with(rest());
  test('an empty key or collection is not the whole list', async () => {
    const calls = [
      ['GET', undefined],
      ['PATCH', { city: 'Bonn' }],
      ['DELETE', { query: { filter: { id: { _nnull: true } } } }],
    ] as const;
    for (const [method, body] of calls) {
      const answer = await ask(method, '/items/contacts/', body);
      assertInvalid(answer, 'key');
      assert.equal(answer.body.errors?.[0]?.message, 'Key cannot be empty', method);
    }
    const without = await ask('GET', '/items//x');
    assertInvalid(without, 'collection');
    assert.equal(without.body.errors?.[0]?.message, 'Collection cannot be empty');
    for (const path of ['/items/', '/items//']) assertProblem(await ask('GET', path), 404, 'not_found');
    const list = await owner.request('GET', `/api/clients/?organization_id=${organizationId}`);
    assertInvalid(list, 'id');
  });

  test('a connected Directus lists its collections and fields', async () => {
    const { body } = await ask<{ data: Collection[] }>('GET', '/collections');
    assert.deepEqual(
      body.data.map(({ collection, item_count, has_contacts }) => [collection, item_count, has_contacts]),
      [
        ['contacts', 5, true],
        ['newsletters', 0, false],
      ],
    );
    const fields = (await sdk().request(readFieldsByCollection('contacts'))) as unknown as {
      field: string;
    }[];
    assert.ok(fields.some(({ field }) => field === 'email'));
    assert.ok(!fields.some(({ field }) => field === 'id'), 'hidden ones are not listed');
  });

  test('single writes reach the Directus and are audited', async () => {
    const created = await sdk().request(createItem('contacts', { email: 'new@x.example' }));
    assert.equal(created.email, 'new@x.example');
    const { id } = created;
    const changed = await sdk().request(updateItem('contacts', id, { vip: true }));
    assert.deepEqual([changed.vip, changed.email], [true, 'new@x.example']);
    assert.equal((await sdk().request(readItem('contacts', id))).vip, true);
    await sdk().request(deleteItem('contacts', id));
    assertProblem(await ask('GET', `/items/contacts/${id}`), 404, 'not_found');
    assertProblem(await ask('DELETE', `/items/contacts/${id}`), 404, 'not_found');
    const log = await app.owner
      .selectFrom('audit_log')
      .select(['action'])
      .where('organization_id', '=', organizationId)
      .where('api_key_id', 'is not', null)
      .orderBy('at')
      .execute();
    assertColumn(log, 'action', ['content.createItem', 'content.updateItem', 'content.deleteItem']);
  });

  test('consent, messages and notes of remote contacts are kept here', async () => {
    const { body } = await ask<{ data: Item[] }>('GET', '/items/contacts?sort=email');
    const [first, second] = body.data.map(({ id }) => id as string) as [string, string];
    const consent = '/consent/contacts';
    const listed = await ask<{ items: SubscriptionSummary[] }>('GET', `${consent}?keys=${first},${newId()}`);
    assert.deepEqual(
      listed.body.items.map(({ key, state }) => [key, state]),
      [[first, 'subscribed']],
    );
    const stop = { brand_id: null, note: 'By telephone' };
    const stopped = await ask<Subscription>('POST', `${consent}/${first}/unsubscribe`, stop);
    assert.equal(stopped.status, 200, JSON.stringify(stopped.body));
    assert.deepEqual([stopped.body.address, stopped.body.state], ['there1@x.example', 'unsubscribed']);
    assert.equal(
      (await ask<{ data: Item }>('GET', `/items/contacts/${first}`)).body.data['unsubscribed'],
      false,
      'the Directus is left as it is',
    );
    const basis = { brand_id: null, basis: 'A new form' };
    const again = await ask<Subscription>('POST', `${consent}/${first}/resubscribe`, basis);
    assert.deepEqual([again.status, again.body.state], [200, 'subscribed']);

    await ask('PATCH', `/items/contacts/${second}`, { unsubscribed: true });
    assert.equal((await ask<Subscription>('GET', `${consent}/${second}`)).body.state, 'unsubscribed');
    assertInvalid(await ask('POST', `${consent}/${second}/resubscribe`, basis), 'key');
    await ask('PATCH', `/items/contacts/${second}`, { unsubscribed: false });

    const notes = `/notes/contacts/${first}`;
    assert.equal((await ask('POST', notes, { text: 'Likes trees' })).status, 200);
    const noted = await ask<{ items: ContactNote[] }>('GET', notes);
    assertColumn(noted.body.items, 'text', ['Likes trees']);
    const timeline = await ask<{ items: unknown[] }>('GET', `/timeline/contacts/${first}`);
    assert.deepEqual([timeline.status, timeline.body.items], [200, []]);
    for (const path of [consent, '/notes/contacts', '/timeline/contacts']) {
      assertProblem(await ask('GET', `${path}/${newId()}`), 404, 'not_found', path);
    }
  });

  const emailsOf = async (query: object) =>
    ((await sdk().request(readItems('contacts', query as never))) as unknown as Contact[])
      .map(({ email }) => email.slice(0, -'@batch.example'.length))
      .join(' ');
  const batch = { filter: { email: { _contains: '@batch' } }, sort: ['email'], limit: -1 };
  const people = (...names: string[]) => names.map((name) => ({ email: `${name}@batch.example` }));
  const refuse = async (
    method: 'SEARCH' | 'POST' | 'PATCH' | 'DELETE',
    body: unknown,
    [status, code]: [number, string],
    path = '',
  ) => {
    const what = `${method} ${JSON.stringify(body).slice(0, 200)}`;
    const response = await ask(method, '/items/contacts', body);
    assertProblem(response, status, code, what);
    if (code === 'invalid_input' || code === 'validation_failed')
      assert.equal(response.body.errors?.[0]?.path, path, what);
  };

  test('several items are written in one SDK request', async () => {
    await deleteRows(app.owner, 'audit_log', { organization_id: organizationId });
    const created = await sdk().request(createItems('contacts', people('c', 'a', 'b')));
    assert.deepEqual(
      created.map(({ email }) => email.slice(0, 1)),
      ['c', 'a', 'b'],
      'in their order',
    );
    const [c, a, b] = created.map(({ id }) => id) as [string, string, string];
    const same = await sdk().request(updateItems('contacts', [a, b], { city: 'Bonn' }));
    assert.deepEqual(
      same.map(({ id, city }) => [id, city]),
      [
        [a, 'Bonn'],
        [b, 'Bonn'],
      ],
    );
    const each = await sdk().request(
      updateItemsBatch('contacts', [
        { id: c, vip: true },
        { id: a, city: 'Ulm' },
      ]),
    );
    assert.deepEqual(
      each.map(({ id, vip, city }) => [id, vip, city]),
      [
        [c, true, null],
        [a, false, 'Ulm'],
      ],
    );
    const bonn = { filter: { city: { _eq: 'Bonn' } }, limit: -1 };
    const found = await sdk().request(updateItems('contacts', bonn as never, { vip: true }));
    assert.deepEqual(
      found.map(({ id, vip }) => [id, vip]),
      [[b, true]],
    );
    assert.equal(await emailsOf({ ...batch, filter: { vip: { _eq: true } } }), 'b c');

    await sdk().request(deleteItems('contacts', bonn as never));
    await sdk().request(deleteItems('contacts', [c, a]));
    assert.equal(await emailsOf(batch), '');
    const log = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_id', 'details'])
      .where('organization_id', '=', organizationId)
      .orderBy('at')
      .execute();
    const collection = 'contacts';
    assert.deepEqual(log, [
      {
        action: 'content.createItem',
        record_id: null,
        details: { collection, count: 3, keys: [c, a, b] },
      },
      { action: 'content.updateItems', record_id: null, details: { collection, count: 2, keys: [a, b] } },
      { action: 'content.updateItems', record_id: null, details: { collection, count: 2, keys: [c, a] } },
      { action: 'content.updateItems', record_id: b, details: { collection } },
      { action: 'content.deleteItems', record_id: b, details: { collection } },
      { action: 'content.deleteItems', record_id: null, details: { collection, count: 2, keys: [c, a] } },
    ]);
  });

  test('responses contain the requested fields only', async () => {
    const at = sdk();
    const query = { fields: ['email' as const] };
    const keysOf = (items: object | readonly object[]) => [items].flat().map((item) => Object.keys(item));
    const onlyEmail = ['id', 'email'];
    const created = await at.request(createItem('contacts', people('one')[0]!, query));
    assert.deepEqual([created.email, keysOf(created)], ['one@batch.example', [onlyEmail]]);
    const two = await at.request(createItems('contacts', people('two', 'three'), query));
    assert.deepEqual(keysOf(two), [onlyEmail, onlyEmail]);
    const [a, b, c] = [created, ...two].map((item) => (item as unknown as Contact).id) as [
      string,
      string,
      string,
    ];
    const changed = await at.request(updateItem('contacts', a, { city: 'Rom' }, { fields: ['city', 'id'] }));
    assert.deepEqual(changed, { id: a, city: 'Rom' });
    // Additional query parameters that a client always sends are valid, and hide no written items.
    const more = { ...query, limit: 1, sort: ['-email' as const], filter: { city: { _null: true } } };
    assert.deepEqual(keysOf(await at.request(updateItems('contacts', [b, c], { city: 'Ulm' }, more))), [
      onlyEmail,
      onlyEmail,
    ]);
    const each = [{ id: a, vip: true }];
    assert.deepEqual(keysOf(await at.request(updateItemsBatch('contacts', each, query))), [onlyEmail]);
    assert.deepEqual(keysOf(await at.request(readItem('contacts', a, query))), [onlyEmail]);
    const all = await at.request(readItem('contacts', a, { fields: ['email', '*'] }));
    assert.equal(all.city, 'Rom');

    const unread = async (...[method, path, body]: Parameters<typeof ask>) =>
      assertProblem(
        await ask(method, `/items/contacts${path}?fields=email,nope`, body),
        400,
        'invalid_query',
        `${method} ${path}`,
      );
    await unread('POST', '', people('none')[0]);
    await unread('POST', '', people('none', 'neither'));
    await unread('PATCH', '', { keys: [a, b], data: { city: 'Bonn' } });
    await unread('PATCH', `/${a}`, { city: 'Bonn' });
    await unread('GET', `/${a}`);
    assert.equal(await emailsOf(batch), 'one three two');
    assert.equal(await emailsOf({ ...batch, filter: { city: { _eq: 'Bonn' } } }), '');
    await at.request(deleteItems('contacts', [a, b, c]));
  });

  test('a batch is written completely or not at all', async () => {
    const [d, e] = (await sdk().request(createItems('contacts', people('d', 'e')))).map(({ id }) => id);
    const missing: [number, string] = [404, 'not_found'];
    await refuse('POST', [...people('f', 'g'), ...people('D')], [409, 'not_unique']);
    await refuse(
      'POST',
      [...people('f'), { email: 'g@batch.example', vip: 'very' }],
      [422, 'validation_failed'],
      'vip',
    );
    await refuse('PATCH', { keys: [d, newId()], data: { city: 'Rom' } }, missing);
    await refuse('PATCH', [{ id: d, city: 'Rom' }, { id: newId() }], missing);
    await refuse('DELETE', [d, newId()], missing);
    await refuse('DELETE', { keys: ['../../users'] }, missing);
    assert.equal(await emailsOf(batch), 'd e');
    assert.equal(await emailsOf({ ...batch, filter: { city: { _eq: 'Rom' } } }), '');

    const once = { headers: { 'idempotency-key': newId() } };
    const post = () => ask<{ data: Item[] }>('POST', '/items/contacts', people('f', 'g'), once);
    const [first, second] = [await post(), await post()];
    assert.deepEqual([first.status, second.body], [200, first.body]);
    const remove = () => ask('DELETE', '/items/contacts', { query: batch }, once);
    const removed = await remove();
    assert.deepEqual(
      new Set((removed.body as unknown as { keys: string[] }).keys),
      new Set([d, e, ...first.body.data.map(({ id }) => id)]),
    );
    assert.deepEqual((await remove()).body, removed.body);
    assert.equal(await emailsOf(batch), '');
  });

  test('an invalid batch is rejected with its path', async () => {
    const wrong: [number, string] = [422, 'invalid_input'];
    const keys = Array.from({ length: maxBatch + 1 }, () => newId());
    const many = keys.map((id) => ({ id, city: 'Rom' }));
    await refuse('POST', many, wrong, 'data');
    await refuse('POST', 7, wrong, 'data');
    await refuse('POST', [...people('h'), 'i'], wrong, 'data.1');
    await refuse('POST', [...people('h'), { 'Not a name': 1 }], wrong, 'data.1.Not a name');
    await refuse('PATCH', many, wrong, 'changes');
    await refuse('PATCH', { keys, data: {} }, wrong, 'changes.keys');
    for (const body of [{}, { data: { vip: true } }, 7, { keys: [], query: {}, data: {} }])
      await refuse('PATCH', body, wrong, 'changes');
    await refuse('PATCH', { keys: keys.slice(0, 1) }, wrong, 'changes.data');
    await refuse('PATCH', [{ vip: true }], wrong, 'changes.0.id');
    await refuse('PATCH', [{ id: { _neq: '' }, vip: true }], wrong, 'changes.0.id');
    await refuse('DELETE', keys, wrong, 'items');
    for (const body of [{}, null, 7, { filter: {} }]) await refuse('DELETE', body, wrong, 'items');
    for (const query of [
      { filter: { nope: { _eq: 1 } } },
      { sort: 'nope' },
      { limit: -2 },
      { filter: '{' },
      // Queries that select all items, and those that a Directus would ignore.
      { limit: -1 },
      { search: 'batch' },
      { filter: {} },
      { filter: { _and: [] } },
      { filter: { _or: [{}, { city: { _eq: 'Rom' } }] } },
      { filter: { city: {} } },
      { filter: { city: { _nin: '' } } },
      { filter: { date_created: { _between: ['2026-01-01'] } } },
      { filtr: { city: { _eq: 'Rom' } } },
      { filter: { city: { _eq: 'Rom' } }, serch: 'x' },
    ]) {
      await refuse('DELETE', { query }, [400, 'invalid_query']);
      await refuse('PATCH', { query, data: { city: 'Rom' } }, [400, 'invalid_query']);
    }
    await refuse('DELETE', { query: {} }, [422, 'invalid_input'], 'items.query');
    await refuse('PATCH', { query: {}, data: { city: 'Rom' } }, [422, 'invalid_input'], 'changes.query');
    await refuse('DELETE', { query: { fields: ['user_created.password'] } }, [400, 'invalid_query']);
    for (const [path, method, body] of [
      ['reachout_templates', 'POST', [{ title: 'x', name: 'x' }]],
      ['reachout_templates', 'PATCH', { query: { search: 'x' }, data: { title: 'x' } }],
      ['reachout_clients', 'DELETE', { query: { limit: -1 } }],
      ['directus_users', 'SEARCH', { query: {} }],
      ['directus_users', 'DELETE', { keys: ['01980000-0000-7000-8000-000000000000'] }],
    ] as const)
      assertProblem(await ask(method, `/items/${path}`, body), 404, 'not_found', path);
  });

  test('long queries are accepted by SEARCH', async () => {
    const created = await sdk().request(createItems('contacts', people('x', 'y', 'z')));
    const ids = created.map(({ id }) => id);
    const some = [...ids, ...Array.from({ length: 1_200 }, () => newId())];
    const query = { filter: { id: { _in: some } }, fields: ['email' as const], sort: ['-email' as const] };
    const names = (items: { email: string }[]) => items.map(({ email }) => email.slice(0, 1)).join('');
    const found = await sdk().request(withSearch(readItems('contacts', query)));
    assert.equal(names(found), 'zyx');
    assert.deepEqual(Object.keys(found[0]!).toSorted(), ['email', 'id']);
    const page = await sdk().request(withSearch(readItems('contacts', { ...query, limit: 1, page: 2 })));
    assert.equal(names(page), 'y');
    const [row] = await sdk().request(
      withSearch(aggregate('contacts', { aggregate: { count: '*' }, query: { filter: query.filter } })),
    );
    assert.equal(Number(row?.count), 3);
    const search = <T = Problem>(body: unknown) => ask<T>('SEARCH', '/items/contacts?limit=0', body);
    const byKeys = await search<{ data: Contact[] }>({ keys: ids.slice(0, 2) });
    assert.deepEqual(new Set(names(byKeys.body.data)), new Set('xy'));

    const wrong: [number, string] = [422, 'invalid_input'];
    await refuse('SEARCH', [], wrong);
    await refuse('SEARCH', { query: [] }, wrong);
    await refuse('SEARCH', { keys: 'all' }, wrong, 'keys');
    await refuse('SEARCH', { keys: Array.from({ length: 501 }, () => newId()) }, wrong, 'keys');
    await refuse('SEARCH', { query: { collection: 'other' } }, wrong, 'collection');
    await refuse('SEARCH', { query: { limit: 501 } }, wrong, 'limit');
    await refuse('SEARCH', { query: { filter: { nope: { _eq: 1 } } } }, [400, 'invalid_query']);
    await sdk().request(deleteItems('contacts', ids));
  });

  test("errors of a Directus use the platform's codes", async () => {
    const twice = await ask('POST', '/items/contacts', { email: 'THERE1@x.example' });
    assertProblem(twice, 409, 'not_unique');
    assert.deepEqual(twice.body.data, { field: 'email' });
    const bad = await ask('POST', '/items/contacts', { email: 'x@x.example', vip: 'very' });
    assertProblem(bad, 422, 'validation_failed');
    assert.deepEqual(
      bad.body.errors?.map(({ path }) => path),
      ['vip'],
    );
    assertProblem(await ask('PATCH', `/items/contacts/${newId()}`, { vip: true }), 404, 'not_found');
    assertProblem(await ask('PATCH', '/items/contacts/..%2F..%2Fusers', { vip: true }), 404, 'not_found');
    assertProblem(await ask('GET', '/items/nothing'), 404, 'not_found');
    assertProblem(await ask('GET', '/fields/nothing'), 404, 'not_found');
    for (const query of [
      'sort=nope',
      'fields=nope',
      'filter={"nope":{"_eq":1}}',
      'filter={"email":{"_regex":"x"}}',
      'filter={"user_created":{"password":{"_starts_with":"a"}}}',
      'sort=user_created.password',
      'filter={"_and":{}}',
    ]) {
      assertProblem(await ask('GET', `/items/contacts?${query}`), 400, 'invalid_query', query);
    }
    for (const path of ['/items/reachout_templates', '/items/directus_users', '/fields/directus_users']) {
      assertProblem(await ask('GET', path), 404, 'not_found', path);
    }
  });

  test('a remote collection has a name and an owner', async () => {
    const client = await owner.request<{ id: string }>('POST', '/api/clients', {
      organization_id: organizationId,
      name: 'North',
    });
    const guest = await signInGuest(app, organizationId, [client.body.id]);
    const seen = async () =>
      (await ask<{ data: Collection[] }>('GET', '/collections', undefined, { as: guest })).body.data.map(
        ({ label }) => label,
      );
    assert.deepEqual(await seen(), []);
    assertProblem(await ask('GET', '/items/contacts', undefined, { as: guest }), 404, 'not_found');
    const changed = await ask<Collection>('PATCH', '/collections/contacts', {
      name: 'People of North',
      client_id: client.body.id,
    });
    assert.deepEqual([changed.status, changed.body.client?.name], [200, 'North']);
    assert.deepEqual(await seen(), ['People of North']);
    assert.equal((await ask('GET', '/items/contacts', undefined, { as: guest })).status, 200);
    assertProblem(await ask('GET', '/items/newsletters', undefined, { as: guest }), 404, 'not_found');
    await owner.request('DELETE', `/api/clients/${client.body.id}`);
    assertProblem(await ask('GET', '/items/contacts'), 404, 'not_found', 'of a deleted client');
    await owner.request('POST', `/api/clients/${client.body.id}/restore`);
    assert.equal((await ask('PATCH', '/collections/contacts', { client_id: null })).status, 200);
  });

  test('shared bookmarks of a Directus are listed as views', async () => {
    const them = await remote.signInMember(theirs, 'editor');
    const save = (body: object) =>
      remote.request('POST', `/api/content/${theirs}/presets`, {
        as: them,
        body: { collection: 'contacts', ...body },
      });
    const filter = { city: { _eq: 'Köln' } };
    const layout_query = { fields: ['email', 'city'], sort: ['-email'] };
    assert.equal((await save({ bookmark: 'Cologne', is_shared: true, filter, layout_query })).status, 200);
    assert.equal((await save({ bookmark: 'Of one person' })).status, 200);
    const { body } = await ask<{ data: Preset[] }>('GET', '/presets?collection=contacts');
    assert.deepEqual(
      body.data.map((view) => [view.bookmark, view.is_shared, view.filter, view.layout_query]),
      [['Cologne', true, filter, layout_query]],
    );
    assertProblem(await ask('GET', '/presets?collection=directus_users'), 404, 'not_found');

    const query = new URLSearchParams({ filter: JSON.stringify(filter), format: 'json' });
    const path = `${address}/api/content/${organizationId}/exports/contacts?${query.toString()}`;
    const file = await fetch(path, { headers: { authorization: `Bearer ${apiKey}` } });
    const items = (await file.json()) as Contact[];
    assert.deepEqual(items.map(({ email }) => email).toSorted(), ['there2@x.example', 'there4@x.example']);
    const { body: collections } = await ask<{ meta: object }>('GET', '/collections');
    assert.deepEqual(collections.meta, { backend: 'directus' });
  });

  test('operations that a Directus lacks need the built-in backend', async () => {
    const failureOf = ({ body }: { body: Problem }) => (body.data as { failure: string }).failure;
    const created = await ask('POST', '/collections', { name: 'More' });
    assertProblem(created, 424, 'backend_failed');
    assert.equal(failureOf(created), 'built_in_only');
  });

  test('a revoked token is reported until the Directus is disconnected', async () => {
    await updateRows(remote.owner, 'api_keys', { id: keyId }, { revoked_at: new Date().toISOString() });
    for (const path of ['/collections', '/items/contacts', '/fields/contacts']) {
      const response = await ask('GET', path);
      assertProblem(response, 424, 'backend_failed', path);
      assert.equal((response.body.data as { failure: string }).failure, 'credentials');
    }
    const entries = await listRows(app.owner, 'audit_log', ['id'], {});
    assertProblem(await ask('POST', '/items/contacts', { email: 'lost@x.example' }), 424, 'backend_failed');
    assert.equal((await listRows(app.owner, 'audit_log', ['id'], {})).length, entries.length);
    const path = `/api/organizations/${organizationId}/content_backend`;
    await owner.ok('DELETE', path);
    const { body } = await ask<{ data: Item[] }>('GET', '/items/contacts');
    assertColumn(body.data, 'email', ['here@x.example']);
  });
});
