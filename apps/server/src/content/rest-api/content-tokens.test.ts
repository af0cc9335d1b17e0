import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import { makeKeyOf, signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember, buildOrganization } from '../../sample/records.ts';
import { signInOwner } from '../../testing/create-organization.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { assertColumn } from '../../testing/assert-column.ts';

type NewToken = ApiKey & { secret: string | null };
interface RestAnswer {
  data?: unknown;
  meta?: object;
  errors?: { message: string; extensions: { code: string } }[];
}
interface Made {
  id: string;
}

/** A member's own token for the content API: reads the items which that member created, and nothing else. */
suite('content tokens of members', () => {
  const app = useSharedApp();
  let id: string;
  let owner: Person;
  let member: Person;
  let own: string;
  let foreign: string;
  let ownerless: string;
  let token: string;

  const createToken = (as: Person, given: object = {}, organization = id) =>
    as.request<NewToken>('POST', `/api/organizations/${organization}/content_tokens`, {
      name: 'My program',
      ...given,
    });
  const tokenOf = async (as: Person, organization = id) => {
    const { status, body } = await createToken(as, {}, organization);
    assert.equal(status, 200, JSON.stringify(body));
    return body.secret ?? '';
  };
  const createContact = async (as: Person, data: object, collection = 'contacts') => {
    const path = `/api/content/${id}/items/${collection}`;
    return (await as.ok<{ data: Made }>('POST', path, data)).data.id;
  };
  const call = async (
    method: string,
    path: string,
    { body, as = token }: { body?: object; as?: string } = {},
  ) => {
    const answer = await app.request<RestAnswer | undefined>(method as 'GET', `/content/${id}${path}`, {
      headers: { authorization: `Bearer ${as}` },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: answer.body, code: answer.body?.errors?.[0]?.extensions.code };
  };
  const read = async (path: string, as = token) => {
    const { status, body } = await call('GET', path, { as });
    assert.equal(status, 200, JSON.stringify(body));
    return body?.data;
  };
  const emails = async (query = '', as = token) =>
    ((await read(`/items/contacts?fields=email&sort=email&${query}`, as)) as { email: string }[])
      .map(({ email }) => email.split('@')[0])
      .join(' ');

  before(async () => {
    ({ owner, organizationId: id } = await signInOwner(app));
    member = await app.signInMember(id, 'editor');
    own = await createContact(member, { email: 'own@x.example', first_name: 'Mine', last_name: 'Zimt' });
    await createContact(member, { email: 'more@x.example', first_name: 'Also', last_name: 'Anis' });
    foreign = await createContact(owner, {
      email: 'foreign@x.example',
      first_name: 'Secret',
      last_name: 'Mohn',
    });
    ownerless = await createContact(owner, {
      email: 'ownerless@x.example',
      first_name: 'Nobody',
      last_name: 'Kümmel',
    });
    await updateRows(app.owner, 'content_items', { id: ownerless }, { user_created: null });
    token = await tokenOf(member);
  });

  test('every member can make a token with a recent sign-in, and sees its secret once', async () => {
    const path = `/api/organizations/${id}/content_tokens`;
    assertProblem(await app.request('POST', path, { body: { name: 'X' } }), 401, 'not_signed_in');
    assertProblem(await createToken(await app.signIn()), 404, 'not_found');
    const key = await makeKeyOf(app, id, owner.userId);
    assertProblem(await createToken(key), 403, 'forbidden');
    assertInvalid(await createToken(member, { days: 366 }), 'days');
    assertInvalid(await createToken(member, { scopes: ['content:write'] }), 'scopes');
    for (const role of ['analyst', 'guest'])
      assert.equal((await createToken(await app.signInMember(id, role))).status, 200, role);

    const reader = await app.signInMember(id, 'analyst');
    const headers = { 'idempotency-key': 'one-token' };
    const request = { body: { name: 'Mine', days: 30 }, as: reader, headers };
    const made = await app.request<NewToken>('POST', path, request);
    assert.deepEqual(made.body.scopes, ['content:own']);
    assert.ok(made.body.secret?.startsWith('reachout_'));
    assert.equal((await app.ok<NewToken>('POST', path, request)).secret, null);
    const mine = await reader.request<{ items: { id: string; scopes: string[] }[] }>(
      'GET',
      '/api/me/api_keys',
    );
    assert.deepEqual(
      mine.body.items.map((each) => [each.id, each.scopes]),
      [[made.body.id, ['content:own']]],
    );
    const entries = await listRows(app.owner, 'audit_log', ['record_id'], {
      organization_id: id,
      action: 'apiKeys.createContentToken',
      user_id: reader.userId,
    });
    assert.deepEqual(entries, [{ record_id: made.body.id }]);
  });

  test('a member has at most five tokens, and ordinary keys have no such scope', async () => {
    const reader = await app.signInMember(id, 'analyst');
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push((await createToken(reader)).body.id);
    assertProblem(await createToken(reader), 409, 'too_many_records');
    await reader.request('DELETE', `/api/me/api_keys/${made[0]}`);
    assert.equal((await createToken(reader)).status, 200);

    const keys = `/api/organizations/${id}/api_keys`;
    const wrong = { name: 'X', scopes: ['content:own'] };
    assertInvalid(await owner.request('POST', keys, wrong), 'scopes.0');
  });

  test('a token reads the items of its member, never those of others or of nobody', async () => {
    assert.equal(await emails(), 'more own');
    assert.equal(((await read(`/items/contacts/${own}`)) as { email: string }).email, 'own@x.example');
    for (const other of [foreign, ownerless]) {
      const { status, code } = await call('GET', `/items/contacts/${other}`);
      assert.deepEqual([status, code], [403, 'FORBIDDEN']);
    }
    assert.equal(await emails(`filter=${JSON.stringify({ id: { _in: [own, foreign, ownerless] } })}`), 'own');
  });

  test('search, filters, sorting and counts reveal nothing of other items', async () => {
    for (const [query, expected] of [
      ['search=Secret', ''],
      ['search=Nobody', ''],
      ['search=Mine', 'own'],
      ['filter={"first_name":{"_starts_with":"S"}}', ''],
      ['filter={"user_created":{"_null":true}}', ''],
      [`filter={"user_created":{"_eq":"${owner.userId}"}}`, ''],
      ['filter={"_or":[{"first_name":"Secret"},{"first_name":"Mine"}]}', 'own'],
      ['filter={"first_name":{"_neq":"Mine"}}', 'more'],
      ['offset=1', 'own'],
      ['limit=-1', 'more own'],
    ] as const)
      assert.equal(await emails(query), expected, query);
    assert.deepEqual(await read('/items/contacts?fields=last_name&sort=-last_name'), [
      { last_name: 'Zimt' },
      { last_name: 'Anis' },
    ]);
    const meta = (await call('GET', '/items/contacts?limit=0&meta=*')).body?.meta;
    assert.deepEqual(meta, { total_count: 2, filter_count: 2 });
    const aggregated = (query: string) => read(`/items/contacts?${query}`);
    assert.deepEqual(await aggregated('aggregate={"count":"*"}'), [{ count: '2' }]);
    assert.deepEqual(await aggregated('aggregate={"count":"*"}&filter={"first_name":"Secret"}'), [
      { count: '0' },
    ]);
    assert.deepEqual(await aggregated('aggregate={"count":"*","min":"email","max":"first_name"}'), [
      { count: '2', min: { email: 'more@x.example' }, max: { first_name: 'Mine' } },
    ]);
    assert.deepEqual(await aggregated('aggregate={"countDistinct":"user_created"}'), [
      { countDistinct: { user_created: '1' } },
    ]);
    assert.deepEqual(await aggregated('groupBy=first_name&aggregate={"count":"*"}'), [
      { first_name: 'Also', count: '1' },
      { first_name: 'Mine', count: '1' },
    ]);
    const searched = await call('SEARCH', '/items/contacts', {
      body: { query: { filter: { email: { _nnull: true } }, fields: ['email'], sort: ['email'] } },
    });
    assert.deepEqual(searched.body?.data, [{ email: 'more@x.example' }, { email: 'own@x.example' }]);
    const byKeys = await call('SEARCH', '/items/contacts', { body: { keys: [foreign, own] } });
    assert.deepEqual(
      (byKeys.body!.data as Made[]).map((item) => item.id),
      [own],
    );
  });

  test('$CURRENT_USER stands for the member, in requests of tokens and of sessions', async () => {
    const filter = JSON.stringify({ user_created: { _eq: '$CURRENT_USER' } });
    assert.equal(await emails(`filter=${filter}`), 'more own');
    assert.equal(await emails('filter={"user_created":{"_in":["$CURRENT_USER"]}}'), 'more own');
    assert.equal(await emails('filter={"user_created":{"_neq":"$CURRENT_USER"}}'), '');
    const body = await owner.ok<{ data: { email: string }[] }>(
      'GET',
      `/api/content/${id}/items/contacts?${new URLSearchParams({ filter }).toString()}`,
    );
    assertColumn(body.data, 'email', ['foreign@x.example']);
    const role = await call('GET', '/items/contacts?filter={"user_created":{"_eq":"$CURRENT_ROLE"}}');
    assert.deepEqual([role.status, role.code], [400, 'INVALID_QUERY']);
  });

  test('a token writes nothing, and reads nothing but items and their schema', async () => {
    const data = { email: 'new@x.example' };
    for (const [method, path, body] of [
      ['POST', '/items/contacts', data],
      ['POST', '/items/contacts', [data]],
      ['PATCH', `/items/contacts/${own}`, { first_name: 'Changed' }],
      ['PATCH', '/items/contacts', { keys: [own], data: { first_name: 'Changed' } }],
      ['DELETE', `/items/contacts/${own}`],
      ['DELETE', '/items/contacts', { keys: [own] }],
      ['POST', '/collections', { collection: 'mine' }],
      ['PATCH', '/collections/contacts', { meta: { note: 'X' } }],
      ['DELETE', '/collections/contacts'],
      ['POST', '/fields/contacts', { field: 'mine', type: 'string' }],
      ['DELETE', '/fields/contacts/city'],
      ['GET', '/items/reachout_templates'],
      ['GET', '/items/reachout_campaigns'],
      ['GET', '/fields/reachout_templates'],
      ['GET', '/collections/reachout_clients'],
      ['GET', '/files'],
      ['GET', `/files/${own}`],
      ['GET', `/assets/${own}`],
      ['GET', '/presets'],
      ['POST', '/presets', { collection: 'contacts', bookmark: 'X' }],
      ['GET', '/shares'],
      ['POST', '/shares', { collection: 'contacts', item: own, role: 'analyst' }],
      ['GET', '/users'],
      ['GET', '/reachout/db/metrics'],
    ] as const) {
      const { status, code } = await call(method, path, body === undefined ? {} : { body });
      assert.deepEqual([status, code], [403, 'FORBIDDEN'], `${method} ${path}`);
    }
    assert.equal(await emails(), 'more own');
    const collections = (await read('/collections')) as { collection: string }[];
    assert.ok(collections.some(({ collection }) => collection === 'contacts'));
    assert.ok(collections.every(({ collection }) => !collection.startsWith('reachout_')));
    const headers = { authorization: `Bearer ${token}` };
    for (const path of [`/api/content/${id}/items/contacts`, `/api/clients?organization_id=${id}`])
      assertProblem(await app.request('GET', path, { headers }), 403, 'forbidden', path);
    assertProblem(await app.request('GET', '/api/me', { headers }), 401, 'not_signed_in');
  });

  test('a token tells whose it is, and that it is read-only', async () => {
    assert.deepEqual(await read('/users/me'), { id: member.userId });
    const permissions = (await read('/permissions/me')) as Record<string, object>;
    assert.deepEqual(permissions['contacts'], {
      create: { access: 'none' },
      read: { access: 'partial', fields: ['*'] },
      update: { access: 'none' },
      delete: { access: 'none' },
    });
    assert.ok(!Object.keys(permissions).some((collection) => collection.startsWith('reachout_')));
  });

  test('a limit to clients applies to a token, too', async () => {
    const { id: client_id } = await buildClient(app.owner, { organization_id: id });
    const collection = 'of_client';
    await app.ok('POST', `/api/content/${id}/collections`, {
      body: { name: 'Of a client', collection, client_id },
      as: owner,
    });
    const guest = await signInGuest(app, id, [client_id]);
    const theirs = await createContact(owner, { email: 'theirs@x.example' }, collection);
    const shared = await createContact(owner, { email: 'shared@x.example' });
    for (const item of [theirs, shared])
      await updateRows(app.owner, 'content_items', { id: item }, { user_created: guest.userId });
    const limited = await tokenOf(guest);
    assert.equal(((await read(`/items/${collection}`, limited)) as object[]).length, 1);
    assert.equal((await call('GET', `/items/contacts/${shared}`, { as: limited })).code, 'FORBIDDEN');
    assert.equal((await call('GET', '/items/contacts', { as: limited })).code, 'FORBIDDEN');
  });

  test('a token works in its organization alone, and ends with the membership', async () => {
    const elsewhere = await buildOrganization(app.owner);
    const leaving = await app.signInMember(id, 'editor');
    await buildMember(app.owner, { organization_id: elsewhere.id, user_id: leaving.userId, role: 'owner' });
    await createContact(leaving, { email: 'leaving@x.example' });
    const [here, there] = [await tokenOf(leaving), await tokenOf(leaving, elsewhere.id)];
    assert.equal(await emails('', here), 'leaving');
    assert.equal((await call('GET', '/items/contacts', { as: there })).code, 'INVALID_CREDENTIALS');

    await updateRows(app.owner, 'users', { id: leaving.userId }, { status: 'suspended' });
    assert.equal((await call('GET', '/items/contacts', { as: here })).code, 'INVALID_CREDENTIALS');
    await updateRows(app.owner, 'users', { id: leaving.userId }, { status: 'active' });
    assert.equal(await emails('', here), 'leaving');

    await owner.ok('DELETE', `/api/organizations/${id}/members/${leaving.userId}`);
    assert.equal((await call('GET', '/items/contacts', { as: here })).code, 'INVALID_CREDENTIALS');
    const { revoked_at } = await getRow(app.owner, 'api_keys', ['revoked_at'], {
      organization_id: id,
      user_id: leaving.userId,
    });
    assert.notEqual(revoked_at, null);
  });
});
