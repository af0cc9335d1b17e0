import {
  aggregate,
  createDirectus,
  createItem,
  deleteItem,
  readFieldsByCollection,
  readItem,
  readItems,
  rest,
  staticToken,
  updateItem,
} from '@directus/sdk';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Preset } from '@reachout/contract/content-presets.ts';
import type { Subscription, SubscriptionSummary } from '@reachout/contract/consent.ts';
import type { ContactNote } from '@reachout/contract/contacts.ts';
import type { Collection, Item } from '@reachout/contract/content.ts';
import { newId } from '../../platform/ids.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { makeKeyOf, signInGuest } from '../../testing/actors.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';

interface Contact {
  id: string;
  email: string;
  city: string | null;
  vip: boolean | null;
}

/** The Directus is the REST interface of an organization of another app, with a database of its own. */
suite('content of an organization with a Directus', () => {
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

    app = await createTestApp({ privateHosts: ['127.0.0.1'] });
    address = await app.app.listen({ host: '127.0.0.1', port: 0 });
    owner = await app.signIn();
    organizationId = await createOrganization(app, owner);
    const mine = await makeKeyOf(app, organizationId, owner.userId);
    apiKey = mine.headers['authorization']!.slice('Bearer '.length);
    const here = await ask('POST', '/items/contacts', { email: 'here@x.example' });
    assert.equal(here.status, 200);
    const connected = await app.request('PUT', `/api/organizations/${organizationId}/content_backend`, {
      as: owner,
      body: {
        endpoint: `${remoteAddress}/content/${theirs}`,
        access_token: key.headers['authorization']!.slice('Bearer '.length),
      },
    });
    assert.equal(connected.status, 200, JSON.stringify(connected.body));
  });
  after(async () => {
    await app.close();
    await remote.close();
  });

  const createOrganization = async (at: TestApp, as: Person) =>
    (await at.request<{ id: string }>('POST', '/api/organizations', { as, body: { name: 'Agency' } })).body
      .id;
  const ask = <T = Problem>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    { as = owner, headers = {} }: { as?: Person; headers?: Record<string, string> } = {},
  ) =>
    app.request<T>(method, `/api/content/${organizationId}${path}`, {
      as,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const sdk = () =>
    createDirectus<{ contacts: Contact[] }>(`${address}/api/content/${organizationId}`)
      .with(staticToken(apiKey))
      .with(rest());
  const countThere = async () => {
    const { count } = await remote.owner
      .selectFrom('content_items')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('organization_id', '=', theirs)
      .where('collection', '=', 'contacts')
      .executeTakeFirstOrThrow();
    return count;
  };

  test('lists the collections and fields that are there', async () => {
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

  test('answers the SDK of Directus: filters, sorts, pages and counts', async () => {
    const emails = async (query: object) =>
      ((await sdk().request(readItems('contacts', query as never))) as unknown as Contact[])
        .map(({ email }) => email.slice(5, 6))
        .join('');
    assert.equal(await emails({ sort: ['-email'] }), '54321');
    assert.equal(await emails({ filter: { city: { _eq: 'Köln' } }, sort: ['email'] }), '24');
    assert.equal(await emails({ search: 'there3' }), '3');
    assert.equal(await emails({ sort: ['email'], limit: 2, page: 2 }), '34');
    assert.equal(await emails({ sort: ['email'], limit: -1, offset: 3 }), '45');
    const [only] = await sdk().request(readItems('contacts', { fields: ['email'], limit: 1 }));
    assert.deepEqual(Object.keys(only!).toSorted(), ['email', 'id']);
    const [row] = await sdk().request(
      aggregate('contacts', { aggregate: { count: '*' }, query: { filter: { city: { _nnull: true } } } }),
    );
    assert.equal(Number(row?.count), 2);
    const groups = await sdk().request(
      aggregate('contacts', { aggregate: { count: '*' }, groupBy: ['city'] }),
    );
    assert.deepEqual(
      new Set(groups.map(({ city, count }) => `${city} ${Number(count)}`)),
      new Set(['null 3', 'Köln 2']),
    );
  });

  test('creates, changes and deletes items there, each with an audit entry here', async () => {
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
    assert.deepEqual(
      log.map(({ action }) => action),
      ['content.createItem', 'content.updateItem', 'content.deleteItem'],
    );
  });

  test('has consent, messages and notes of each contact here', async () => {
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
    assert.deepEqual(
      noted.body.items.map(({ text }) => text),
      ['Likes trees'],
    );
    const timeline = await ask<{ items: unknown[] }>('GET', `/timeline/contacts/${first}`);
    assert.deepEqual([timeline.status, timeline.body.items], [200, []]);
    for (const path of [consent, '/notes/contacts', '/timeline/contacts']) {
      assertProblem(await ask('GET', `${path}/${newId()}`), 404, 'not_found', path);
    }
  });

  test('does a repeated request once (IDM-1)', async () => {
    const headers = { 'idempotency-key': newId() };
    const post = () =>
      ask<{ data: Item }>('POST', '/items/contacts', { email: 'once@x.example' }, { headers });
    const had = await countThere();
    const [first, second] = [await post(), await post()];
    assert.deepEqual([first.status, second.body], [200, first.body]);
    assert.equal(await countThere(), had + 1);
    const remove = () =>
      ask('DELETE', `/items/contacts/${first.body.data['id'] as string}`, undefined, { headers });
    assert.deepEqual([(await remove()).status, (await remove()).status], [200, 200]);
  });

  test('says what is wrong in the words of every content backend', async () => {
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

  test('has a name and an owner for each collection, which others do not see', async () => {
    const client = await app.request<{ id: string }>('POST', '/api/clients', {
      as: owner,
      body: { organization_id: organizationId, name: 'North' },
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
    await app.request('DELETE', `/api/clients/${client.body.id}`, { as: owner });
    assertProblem(await ask('GET', '/items/contacts'), 404, 'not_found', 'of a deleted client');
    await app.request('POST', `/api/clients/${client.body.id}/restore`, { as: owner });
    assert.equal((await ask('PATCH', '/collections/contacts', { client_id: null })).status, 200);
  });

  test('has the shared bookmarks as views, and exports items', async () => {
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

  test('leaves to the built-in backend what a Directus cannot do, and says so', async () => {
    const failureOf = ({ body }: { body: Problem }) => (body.data as { failure: string }).failure;
    const created = await ask('POST', '/collections', { name: 'More' });
    assertProblem(created, 424, 'backend_failed');
    assert.equal(failureOf(created), 'built_in_only');
  });

  test('says when the Directus takes the token no longer, and has its own items again without it', async () => {
    await remote.owner
      .updateTable('api_keys')
      .set({ revoked_at: new Date().toISOString() })
      .where('id', '=', keyId)
      .execute();
    for (const path of ['/collections', '/items/contacts', '/fields/contacts']) {
      const response = await ask('GET', path);
      assertProblem(response, 424, 'backend_failed', path);
      assert.equal((response.body.data as { failure: string }).failure, 'credentials');
    }
    const entries = await app.owner.selectFrom('audit_log').select('id').execute();
    assertProblem(await ask('POST', '/items/contacts', { email: 'lost@x.example' }), 424, 'backend_failed');
    assert.equal((await app.owner.selectFrom('audit_log').select('id').execute()).length, entries.length);
    const path = `/api/organizations/${organizationId}/content_backend`;
    assert.equal((await app.request('DELETE', path, { as: owner })).status, 200);
    const { body } = await ask<{ data: Item[] }>('GET', '/items/contacts');
    assert.deepEqual(
      body.data.map(({ email }) => email),
      ['here@x.example'],
    );
  });
});
