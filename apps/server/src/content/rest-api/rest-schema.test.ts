import {
  createCollection,
  createDirectus,
  createField,
  createItem,
  createPreset,
  deleteCollection,
  deleteField,
  deleteItem,
  deletePreset,
  readCollection,
  readField,
  readItems,
  readPresets,
  rest,
  staticToken,
  updateCollection,
  updateField,
  updateItem,
  updatePreset,
} from '@directus/sdk';
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { makeKeyOf } from '../../testing/actors.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { signInOwner } from '../../testing/create-organization.ts';
import { assertRefused } from '../../testing/assert-refused.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { newId } from '../../platform/ids.ts';

suite('schema of the Directus REST interface', () => {
  const app = useTestApp();
  let owner: Person;
  let organizationId: string;
  let address: string;
  let token: string;

  const connect = (key = token) =>
    createDirectus(`${address}/content/${organizationId}`).with(staticToken(key)).with(rest());
  const makeToken = async (scopes?: readonly string[], as = owner) => {
    return (await makeKeyOf(app, organizationId, as.userId, scopes)).token;
  };

  before(async () => {
    address = await app.app.listen({ host: '127.0.0.1', port: 0 });
    ({ owner, organizationId } = await signInOwner(app));
    token = await makeToken();
  });

  const articles = {
    collection: 'articles',
    schema: {},
    meta: { note: 'Articles', hidden: false },
    fields: [
      { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
      { field: 'date_created', type: 'timestamp', meta: { special: ['date-created'] } },
      { field: 'title', type: 'string', schema: { is_nullable: false } },
      {
        field: 'section',
        type: 'string',
        meta: { interface: 'select-dropdown', options: { choices: [{ text: 'News', value: 'news' }] } },
      },
      { field: 'body', type: 'text', meta: { interface: 'input-rich-text-html' } },
    ],
  };

  test('collections and their fields can be created and changed', async () => {
    const client = connect();
    const created = await client.request(createCollection(articles as never));
    assert.deepEqual([created.collection, created.meta.note], ['articles', 'Articles']);
    await client.request(createItem('articles', { title: 'One', section: 'news' }));
    await assertRefused(
      client.request(createItem('articles', { title: 'Two', section: 'x' })),
      400,
      'INVALID_PAYLOAD',
    );
    await assertRefused(client.request(createItem('articles', {})), 400, 'FAILED_VALIDATION');

    const body = await client.request(readField('articles', 'body'));
    assert.equal(body.meta.interface, 'input-rich-text-html');
    const size = { field: 'size', type: 'string', meta: { note: 'Size', sort: 3 } };
    assert.equal((await client.request(createField('articles', size as never))).type, 'string');
    await client.request(updateField('articles', 'size', { type: 'integer', schema: { is_unique: true } }));
    const field = await client.request(readField('articles', 'size'));
    assert.deepEqual(
      [field.type, field.schema?.is_unique, field.meta.note, field.meta.sort],
      ['integer', true, 'Size', 3],
    );
    await client.request(deleteField('articles', 'size'));
    await assertRefused(client.request(readField('articles', 'size')), 403, 'FORBIDDEN');

    await client.request(updateCollection('articles', { meta: { hidden: true } }));
    assert.equal((await client.request(readCollection('articles'))).meta.hidden, true);
    await client.request(createCollection({ ...articles, collection: 'drafts' }));
    await client.request(deleteCollection('drafts'));
    await assertRefused(client.request(readCollection('drafts')), 403, 'FORBIDDEN');
    await assertRefused(client.request(deleteCollection('contacts')), 400, 'INVALID_PAYLOAD', 'starting');
    await assertRefused(client.request(deleteCollection('reachout_brands')), 403, 'FORBIDDEN');
    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_name'])
      .where('organization_id', '=', organizationId)
      .where('action', 'like', 'content.%ield')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      entries.map(({ action, record_name }) => `${action} ${record_name}`),
      ['content.createField size', 'content.updateField size', 'content.deleteField size'],
    );
  });

  test('invalid schema changes and missing permissions are rejected', async () => {
    const client = connect();
    const make = (changes: object) =>
      client.request(createCollection({ ...articles, collection: 'others', ...changes }));
    await assertRefused(make({ collection: 'contacts' }), 400, 'INVALID_PAYLOAD', 'taken');
    await assertRefused(make({ collection: 'reachout_x' }), 400, 'INVALID_PAYLOAD', 'of the platform');
    await assertRefused(make({ schema: null }), 400, 'INVALID_PAYLOAD', 'folder');
    for (const field of [
      { field: 'id', type: 'integer', schema: { is_primary_key: true } },
      { field: 'Not a name', type: 'string' },
      { field: 'other', type: 'alias' },
      { field: 'made', type: 'timestamp', meta: { special: ['date-created'] } },
    ])
      await assertRefused(make({ fields: [field] }), 400, 'INVALID_PAYLOAD', field.field);
    const add = (collection: string, key?: string) =>
      connect(key).request(createField(collection, { field: 'extra', type: 'string' }));
    await assertRefused(add('nothing'), 403, 'FORBIDDEN');
    await assertRefused(add('reachout_clients'), 403, 'FORBIDDEN');
    await assertRefused(add('contacts', await makeToken(['content:read'])), 403, 'FORBIDDEN');
    await client.request(createItem('contacts', { email: 'ada@x.example' }));
    const required = client.request(updateField('contacts', 'city', { schema: { is_nullable: false } }));
    await assertRefused(required, 400, 'INVALID_PAYLOAD', 'a contact has no city');
    await assertRefused(
      client.request(deleteField('contacts', 'email')),
      400,
      'INVALID_PAYLOAD',
      'protected',
    );
  });

  test('presets are stored as saved views', async () => {
    const client = connect();
    const filter = { city: { _eq: 'Berlin' } };
    const layout_query = { tabular: { fields: ['email'], sort: ['email'] } };
    const shared = await client.request(
      createPreset({ collection: 'contacts', bookmark: 'Berlin', filter, layout_query }),
    );
    assert.deepEqual([shared.user, shared.filter, shared.layout_query], [null, filter, layout_query]);
    const own = await client.request(
      createPreset({ collection: 'contacts', bookmark: 'Mine', user: owner.userId }),
    );
    const read = async (key?: string) =>
      (
        await connect(key).request(
          readPresets({
            filter: { collection: { _eq: 'contacts' }, bookmark: { _nnull: true } },
            sort: ['-bookmark'],
            fields: ['bookmark'],
            limit: -1,
          } as never),
        )
      ).map(({ bookmark }) => bookmark);
    assert.deepEqual(await read(), ['Mine', 'Berlin']);
    const colleague = await app.signInMember(organizationId, 'admin');
    const theirs = await makeToken(undefined, colleague);
    assert.deepEqual(await read(theirs), ['Berlin']);
    await assertRefused(connect(theirs).request(updatePreset(own.id, { bookmark: 'x' })), 403, 'FORBIDDEN');
    assert.equal((await client.request(updatePreset(own.id, { bookmark: 'Own' }))).bookmark, 'Own');
    await client.request(deletePreset(own.id));
    assert.deepEqual(await read(), ['Berlin']);
    await assertRefused(
      client.request(createPreset({ collection: 'nothing', bookmark: 'x' })),
      403,
      'FORBIDDEN',
    );
  });

  test('platform collections are listed for permitted readers only', async () => {
    const client = connect();
    const id = newId();
    await client.request(createItem('reachout_clients', { id, name: 'Nordwind' }));
    await client.request(updateItem('reachout_clients', id, { name: 'Nordwind GmbH' }));
    const [found] = await client.request(readItems('reachout_clients', { filter: { id: { _eq: id } } }));
    assert.equal(found?.['name'], 'Nordwind GmbH');
    await client.request(deleteItem('reachout_clients', id));

    const template = await client.request(
      createItem('reachout_templates', { title: ' Über  uns_2026! ', name: 'given' }),
    );
    assert.deepEqual([template['template_type'], template['name']], ['email', 'über-uns-2026']);
    const change = (data: object) => client.request(updateItem('reachout_templates', template['id'], data));
    for (const data of [{ title: 'T' }, { name: 'other' }, { title: 'T', name: 'other' }])
      assert.equal((await change(data))['name'], 't');
    await assertRefused(change({ title: '…' }), 400, 'INVALID_PAYLOAD', 'a title without a name');
    await assertRefused(
      client.request(createItem('reachout_templates', { name: 'given' })),
      400,
      'FAILED_VALIDATION',
    );
    await assertRefused(change({ template_type: 'banana' }), 400, 'INVALID_PAYLOAD');
    await assertRefused(change({ brand: newId() }), 400, 'INVALID_PAYLOAD', 'no such brand');
    const listed = await owner.request<{ count: number }>('GET', `/api/content/${organizationId}/templates`);
    assert.deepEqual([listed.status, listed.body.count], [200, 1]);
    await client.request(deleteItem('reachout_templates', template['id']));

    const content = connect(await makeToken(['content:read', 'content:write']));
    for (const collection of ['reachout_clients', 'reachout_templates'])
      await assertRefused(content.request(readItems(collection)), 403, 'FORBIDDEN', collection);
  });

  test('keys without read access receive no response body', async () => {
    const call = async (key: string, method: string, path: string, body?: unknown) => {
      const response = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return [response.status, await response.text()] as const;
    };
    const here = `/content/${organizationId}`;
    const silent = async (key: string, method: string, path: string, body?: unknown) =>
      assert.deepEqual(await call(key, method, `${here}${path}`, body), [204, ''], `${method} ${path}`);
    const refused = async (key: string, method: string, path: string, body?: unknown) => {
      const [status, text] = await call(key, method, `${here}${path}`, body);
      assert.equal(status, 403, `${method} ${path} ${text}`);
    };

    const writer = await makeToken(['content:read', 'content:write', 'clients:write']);
    const [a, b] = [newId(), newId()];
    const clients = '/items/reachout_clients';
    await silent(writer, 'POST', clients, { id: a, name: 'Südwind' });
    await silent(writer, 'POST', clients, [{ id: b, name: 'Westwind' }]);
    await silent(writer, 'PATCH', `${clients}/${a}?fields=nothing`, { name: 'Südwind GmbH' });
    await silent(writer, 'PATCH', clients, [{ id: b, name: 'Westwind AG' }]);
    const query = { filter: { name: { _starts_with: 'S' } } };
    for (const [method, path, body] of [
      ['GET', clients],
      ['GET', `${clients}/${a}`],
      ['PATCH', clients, { query, data: {} }],
      ['DELETE', clients, { query }],
      ['GET', '/collections/reachout_clients'],
      ['PATCH', '/items/reachout_campaigns', { keys: [a], data: {} }],
    ] as const)
      await refused(writer, method, path, body);
    const ids = { filter: { id: { _in: [a, b] } }, sort: ['name'] };
    const stored = await connect().request(readItems('reachout_clients', ids));
    assertColumn(stored, 'name', ['Südwind GmbH', 'Westwind AG']);
    await silent(writer, 'DELETE', `${clients}/${a}`);
    await silent(writer, 'DELETE', clients, [b]);
    const allowed = (await call(writer, 'GET', `${here}/permissions/me`))[1];
    const rights = (JSON.parse(allowed) as { data: Record<string, Record<string, { access: string }>> }).data;
    assert.deepEqual(
      ['read', 'update'].map((action) => rights['reachout_clients']?.[action]?.access),
      ['none', 'full'],
    );

    const blind = await makeToken(['content:write']);
    const shared = await connect().request(createPreset({ collection: 'contacts', bookmark: 'Secret' }));
    const meta = { note: 'Letters' };
    await silent(blind, 'PATCH', `/presets/${shared.id}`, { bookmark: 'Told' });
    await silent(blind, 'PATCH', '/collections/newsletters', { meta });
    await silent(blind, 'POST', '/fields/newsletters', { field: 'mood', type: 'string' });
    await silent(blind, 'PATCH', '/fields/newsletters/mood', { meta: { note: 'Mood' } });
    await silent(blind, 'DELETE', '/fields/newsletters/mood');
    await connect().request(deletePreset(shared.id));

    // The gateway returns the key, without which the client could not use the created item.
    const path = `/api${here}/items/contacts`;
    const [status, text] = await call(blind, 'POST', `${path}?fields=city`, { email: 'blind@x.example' });
    const { data } = JSON.parse(text) as { data: { id: string } };
    assert.deepEqual([status, Object.keys(data)], [200, ['id']], text);
    const several = await call(blind, 'POST', path, [{ email: 'blind2@x.example' }]);
    assert.match(several[1], /^\{"data":\[\{"id":"[0-9a-f-]{36}"\}\]\}$/);
    assert.equal((await call(blind, 'PATCH', `${path}/${data.id}`, { city: 'Rom' }))[0], 403);
    assert.equal((await call(blind, 'DELETE', `${path}/${data.id}`))[0], 200);
    const schema = `/api${here}`;
    assert.equal((await call(blind, 'PATCH', `${schema}/collections/newsletters`, { name: 'N' }))[0], 403);
    assert.equal((await call(blind, 'PATCH', `${schema}/fields/newsletters/title`, { label: 'T' }))[0], 403);
  });

  test('permissions describe what a token can do', async () => {
    const ask = async (path: string, key?: string) => {
      const response = await fetch(`${address}/content/${organizationId}${path}`, {
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      });
      return (await response.json()) as { data: Record<string, Record<string, { access: string }>> };
    };
    const mine = (await ask('/permissions/me', token)).data;
    assert.equal(mine['contacts']?.['delete']?.access, 'full');
    assert.equal(mine['reachout_campaigns']?.['read']?.access, 'full');
    const reader = (await ask('/permissions/me', await makeToken(['content:read']))).data;
    assert.deepEqual(
      [reader['contacts']?.['read']?.access, reader['contacts']?.['create']?.access],
      ['full', 'none'],
    );
    assert.equal(reader['reachout_campaigns'], undefined);
    assert.deepEqual(await ask('/permissions/me'), { data: {} });
    assert.deepEqual(await ask('/policies/me/globals', token), {
      data: { app_access: false, admin_access: false, enforce_tfa: false },
    });
  });
});
