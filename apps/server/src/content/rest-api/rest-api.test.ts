import {
  aggregate,
  createDirectus,
  createItem,
  createItems,
  deleteItem,
  deleteItems,
  readCollections,
  readFieldsByCollection,
  readItem,
  readItems,
  readMe,
  rest,
  serverInfo,
  staticToken,
} from '@directus/sdk';
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { makeKeyOf } from '../../testing/actors.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { createOrganization, signInOwner } from '../../testing/create-organization.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { buildClient } from '../../sample/records.ts';
import { assertRefused } from '../../testing/assert-refused.ts';
import { deleteRows } from '../../testing/rows.ts';

interface Contact {
  id: string;
  email: string;
  first_name: string | null;
  city: string | null;
  vip: boolean | null;
  birthday: string | null;
}
interface Schema {
  contacts: Contact[];
}

// conformance.test.ts asserts the grammar of queries and writes; these are the rules of this implementation alone.

suite('content in the Directus REST interface', () => {
  const app = useTestApp();
  let owner: Person;
  let organizationId: string;
  let otherId: string;
  let address: string;
  let token: string;

  const connect = (key = token, organization = organizationId) =>
    createDirectus<Schema>(`${address}/content/${organization}`).with(staticToken(key)).with(rest());
  const makeToken = async (organization = organizationId, scopes?: readonly string[]) => {
    return (await makeKeyOf(app, organization, owner.userId, scopes)).token;
  };
  const call = async (
    method: string,
    path: string,
    { body, as = token }: { body?: unknown; as?: string } = {},
  ) => {
    const response = await fetch(`${address}/content/${organizationId}${path}`, {
      method,
      headers: {
        ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
    return { status: response.status, code, text, headers: response.headers };
  };

  before(async () => {
    address = await app.app.listen({ host: '127.0.0.1', port: 0 });
    ({ owner, organizationId } = await signInOwner(app));
    otherId = await createOrganization(app, owner);
    token = await makeToken();
    const people = [
      { first_name: 'Ada', city: 'London', vip: true, birthday: '1815-12-10' },
      { first_name: 'Ben', city: 'Berlin', vip: false, birthday: '1990-01-01' },
      { first_name: 'Cem', city: 'Berlin', vip: true, birthday: '1991-02-02' },
      { first_name: 'Dot', city: null, vip: false, birthday: null },
      { first_name: 'Eva', city: '', vip: false, birthday: '2000-05-05' },
    ];
    await connect().request(
      createItems(
        'contacts',
        people.map((person) => ({ ...person, email: `${person.first_name}@x.example` })),
      ),
    );
  });

  test('server endpoints report health, limits and the user', async () => {
    assert.equal((await call('GET', '/server/health', { as: '' })).text, '{"status":"ok"}');
    assert.deepEqual((await connect().request(serverInfo())).queryLimit, { default: 100, max: 10_000 });
    assert.equal((await connect('').request(serverInfo())).queryLimit, undefined);
    assert.match((await connect().request(readMe())).id, /^[0-9a-f-]{36}$/);
    const nobody = await call('GET', '/users/me', { as: '' });
    assert.deepEqual([nobody.status, nobody.code], [401, 'INVALID_CREDENTIALS']);
    assert.match(nobody.text, /"message":"Invalid user"/);
    assert.equal((await call('GET', '/users')).status, 403);
  });

  test('calls on items that lack a collection or keys are told so, at both doors', async () => {
    for (const [method, path, body, message] of [
      ['DELETE', '/items/contacts', [], 'Keys cannot be empty'],
      ['DELETE', '/items/contacts', { keys: [] }, 'Keys cannot be empty'],
      ['PATCH', '/items/contacts', { keys: [], data: {} }, 'Keys cannot be empty'],
      ['DELETE', '/items/contacts', {}, 'keysOrQuery cannot be empty'],
      ['DELETE', '/items/contacts', undefined, 'keysOrQuery cannot be empty'],
      ['DELETE', '/items/contacts', { query: {} }, 'keysOrQuery cannot be empty'],
      ['PATCH', '/items/contacts', { data: {} }, 'keysOrQuery cannot be empty'],
      ['PATCH', '/items/contacts', { query: {}, data: {} }, 'keysOrQuery cannot be empty'],
    ] as const) {
      const { status, code, text } = await call(method, path, body === undefined ? {} : { body });
      assert.deepEqual([status, code], [400, 'INVALID_PAYLOAD'], `${method} ${JSON.stringify(body)}`);
      assert.equal((JSON.parse(text) as { errors: { message: string }[] }).errors[0]?.message, message);
      const atGateway = await app.request<Problem & { errors: { message: string }[] }>(
        method,
        `/api/content/${organizationId}${path}`,
        { as: owner, ...(body === undefined ? {} : { body }) },
      );
      assert.deepEqual([atGateway.status, atGateway.body.errors[0]?.message], [422, message]);
    }
    for (const [method, path, message] of [
      ['GET', '/items/', 'Collection cannot be empty'],
      ['GET', '/items/contacts/', 'Key cannot be empty'],
      ['DELETE', '/items/contacts/', 'Key cannot be empty'],
      ['PATCH', '/items/contacts/', 'Key cannot be empty'],
      ['PATCH', '/items//', 'Key cannot be empty'],
    ] as const) {
      const { status, text } = await call(method, path, method === 'PATCH' ? { body: {} } : {});
      assert.deepEqual([status, text.includes(`"message":"${message}"`)], [400, true], `${method} ${path}`);
      assert.equal(
        (await call(method, path, { as: '', ...(method === 'PATCH' ? { body: {} } : {}) })).status,
        403,
      );
    }
  });

  test('collections and fields have the form of Directus', async () => {
    const collections = await connect().request(readCollections());
    assert.deepEqual(
      collections.map(({ collection }) => collection),
      [
        'contacts',
        'newsletters',
        'reachout_brands',
        'reachout_campaigns',
        'reachout_clients',
        'reachout_templates',
        'reachout_touchpoints',
      ],
    );
    const shown = collections.filter(({ meta }) => !meta?.hidden).map(({ collection }) => collection);
    assert.deepEqual(shown, ['contacts', 'newsletters']);
    const fields = await connect().request(readFieldsByCollection('contacts'));
    const email = fields.find(({ field }) => field === 'email');
    assert.deepEqual(
      [email?.type, email?.schema?.is_unique, email?.schema?.is_nullable],
      ['string', true, false],
    );
    assert.equal(fields.find(({ field }) => field === 'id')?.schema?.is_primary_key, true);
  });

  test('a query in a URL returns items with meta', async () => {
    const url = '/items/contacts?filter[_and][0][vip][_eq]=true&fields[]=first_name&sort=first_name&meta=*';
    assert.equal(
      (await call('GET', url)).text,
      '{"data":[{"first_name":"Ada"},{"first_name":"Cem"}],"meta":{"total_count":5,"filter_count":2}}',
    );
  });

  test('SEARCH accepts keys in its body', async () => {
    const [ada] = await connect().request(readItems('contacts', { filter: { first_name: { _eq: 'Ada' } } }));
    const byKeys = await call('SEARCH', '/items/contacts?limit=0', { body: { keys: [ada!.id, newId()] } });
    assert.match(byKeys.text, /Ada/);
    assert.equal((await call('SEARCH', '/items/contacts', { body: [] })).code, 'INVALID_PAYLOAD');
  });

  test('items can be counted, aggregated and grouped', async () => {
    const all = await connect().request(aggregate('contacts', { aggregate: { count: '*' } }));
    assert.deepEqual(all, [{ count: '5' }]);
    const byCity = await call(
      'GET',
      '/items/contacts?aggregate={"count":"*","countDistinct":"vip","max":"birthday"}&groupBy=city&sort=-city',
    );
    assert.deepEqual(JSON.parse(byCity.text), {
      data: [
        { city: null, count: '1', countDistinct: { vip: '1' }, max: { birthday: null } },
        { city: 'London', count: '1', countDistinct: { vip: '1' }, max: { birthday: '1815-12-10' } },
        { city: 'Berlin', count: '2', countDistinct: { vip: '2' }, max: { birthday: '1991-02-02' } },
        { city: '', count: '1', countDistinct: { vip: '1' }, max: { birthday: '2000-05-05' } },
      ],
    });
    const groups = JSON.parse((await call('GET', '/items/contacts?aggregate[count]=id&groupBy[]=vip')).text);
    assert.deepEqual(groups, {
      data: [
        { vip: false, count: { id: '3' } },
        { vip: true, count: { id: '2' } },
      ],
    });
  });

  test('responses to writes contain the requested fields', async () => {
    const fields = ['id', 'email'] as const;
    const [made, ...others] = await connect().request(
      createItems('contacts', [{ email: 'p1@x.example' }, { email: 'p2@x.example' }], {
        fields: [...fields],
      }),
    );
    assert.deepEqual(Object.keys(made!), fields);
    const city = await connect().request(readItem('contacts', made!.id, { fields: ['city'] }));
    assert.deepEqual(city, { city: null });
    await connect().request(
      deleteItems(
        'contacts',
        [made!, ...others].map(({ id }) => id),
      ),
    );
  });

  test('errors have the codes of Directus', async () => {
    for (const [query, status, code] of [
      ['filter[constructor][_eq]=1', 403, 'FORBIDDEN'],
      ['fields=client.name', 403, 'FORBIDDEN'],
      ['limit=1.5', 400, 'INVALID_QUERY'],
      ['limit=10001', 400, 'INVALID_QUERY'],
      ['aggregate={"sum":"city"}', 400, 'INVALID_QUERY'],
      ['aggregate={"constructor":"city"}', 400, 'INVALID_QUERY'],
      [`filter${'[a]'.repeat(20)}=1`, 400, 'INVALID_QUERY'],
    ] as const) {
      const refused = await call('GET', `/items/contacts?${query}`);
      assert.deepEqual([refused.status, refused.code], [status, code], query);
      assert.match(refused.headers.get('content-type') ?? '', /^application\/json/, query);
    }
    for (const [method, path, status, code] of [
      ['GET', '/items/nothing', 403, 'FORBIDDEN'],
      ['GET', '/items/reachout_nothing', 403, 'FORBIDDEN'],
      ['GET', '/items/directus_users', 403, 'FORBIDDEN'],
      ['GET', '/items/Not%20a%20name', 403, 'FORBIDDEN'],
      ['GET', '/fields/contacts/nothing', 403, 'FORBIDDEN'],
      ['GET', '/graphql', 404, 'ROUTE_NOT_FOUND'],
    ] as const) {
      const refused = await call(method, path);
      assert.deepEqual([refused.status, refused.code], [status, code], `${method} ${path}`);
    }
    for (const body of ['{', '{"keys":["1"]}', '{"data":{}}', '[{"email":"x@x.example"}]']) {
      const refused = await call('PATCH', '/items/contacts', { body });
      assert.deepEqual([refused.status, refused.code], [400, 'INVALID_PAYLOAD'], body);
    }
    assert.equal((await call('DELETE', '/items/contacts', { body: {} })).code, 'INVALID_PAYLOAD');
    const many = Array.from({ length: 501 }, (_, n) => ({ email: `m${n}@x.example` }));
    assert.equal((await call('POST', '/items/contacts', { body: many })).code, 'INVALID_PAYLOAD');
  });

  test('a key is limited to its organization and scopes (TEN-2)', async () => {
    const ofOther = await makeToken(otherId);
    const read = (key: string, organization?: string) =>
      connect(key, organization).request(readItems('contacts'));
    await assertRefused(read('wrong'), 401, 'INVALID_CREDENTIALS');
    await assertRefused(read(ofOther), 401, 'INVALID_CREDENTIALS', 'key of another organization');
    await assertRefused(read(token, otherId), 401, 'INVALID_CREDENTIALS', 'address of another organization');
    await assertRefused(read(token, 'nothing'), 401, 'INVALID_CREDENTIALS');
    await assertRefused(read(''), 403, 'FORBIDDEN');
    const session = await fetch(`${address}/content/${organizationId}/items/contacts`, {
      headers: owner.headers,
    });
    assert.equal(session.status, 403, 'a session does not count');
    const both = await call('GET', `/items/contacts?access_token=${token}`);
    assert.deepEqual([both.status, both.code], [400, 'INVALID_PAYLOAD']);
    assert.equal((await call('GET', `/items/contacts?access_token=${token}`, { as: '' })).status, 200);

    const reader = await makeToken(organizationId, ['content:read']);
    await assertRefused(
      connect(reader).request(createItem('contacts', { email: 'r@x.example' })),
      403,
      'FORBIDDEN',
    );
    const writer = await makeToken(organizationId, ['content:write']);
    await assertRefused(read(writer), 403, 'FORBIDDEN');
    const silent = await call('POST', '/items/contacts', { as: writer, body: { email: 'w@x.example' } });
    assert.deepEqual([silent.status, silent.text], [204, '']);
    // The response to a query, even if it is empty, discloses the values of items.
    const query = { filter: { email: { _starts_with: 'w@' } } };
    const [{ id } = { id: '' }] = await connect().request(
      readItems('contacts', { ...query, fields: ['id'] }),
    );
    for (const [method, path, body] of [
      ['PATCH', '/items/contacts', { query, data: { city: 'Rome' } }],
      ['DELETE', '/items/contacts', { query }],
      ['POST', '/shares', { collection: 'contacts', item: id, role: 'analyst' }],
      ['GET', '/shares', undefined],
    ] as const)
      assert.equal((await call(method, path, { as: writer, body })).code, 'FORBIDDEN', `${method} ${path}`);
    assert.equal((await call('PATCH', `/items/contacts/${id}`, { as: writer, body: {} })).status, 204);
    const ours = await fetch(`${address}/api/content/${organizationId}/items/contacts/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(ours.status, 403, 'the other interface shows no item either');
    await connect().request(deleteItems('contacts', { filter: { email: { _eq: 'w@x.example' } } }));
  });

  test('a key never exceeds the permissions of its creator', async () => {
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const rules = [
      { action: 'read', subject: 'Content', conditions: { client_id: client.id } },
      { action: 'update', subject: 'Content' },
    ];
    const created = await owner.request<{ role: string }>(
      'POST',
      `/api/organizations/${organizationId}/roles`,
      { name: 'Reads less', rules },
    );
    const { role } = created.body;
    const member = await app.signInMember(organizationId, role);
    const { token: as } = await makeKeyOf(app, organizationId, member.userId);
    const [ada] = await connect().request(readItems('contacts', { filter: { first_name: { _eq: 'Ada' } } }));
    const path = `/items/contacts/${ada!.id}`;
    assert.equal((await call('GET', path, { as })).code, 'FORBIDDEN');
    assert.equal((await call('PATCH', path, { as, body: {} })).code, 'FORBIDDEN');
  });

  test('the audit log stores the number of written items', async () => {
    await deleteRows(app.owner, 'audit_log', { organization_id: organizationId });
    const [one, ...more] = await connect().request(
      createItems('contacts', [
        { email: 'a1@x.example' },
        { email: 'a2@x.example' },
        { email: 'a3@x.example' },
      ]),
    );
    await connect().request(deleteItem('contacts', one!.id));
    await connect().request(
      deleteItems(
        'contacts',
        more.map(({ id }) => id),
      ),
    );
    const keys = [one!, ...more].map(({ id }) => id);
    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_id', 'details'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute();
    assert.deepEqual(entries, [
      { action: 'content.createItem', record_id: null, details: { collection: 'contacts', count: 3, keys } },
      { action: 'content.deleteItem', record_id: one!.id, details: { collection: 'contacts' } },
      {
        action: 'content.deleteItem',
        record_id: null,
        details: { collection: 'contacts', count: 2, keys: keys.slice(1) },
      },
    ]);
  });
});
