import {
  createCollection,
  createDirectus,
  customEndpoint,
  deleteCollection,
  readCollections,
  readItems,
  rest,
  staticToken,
} from '@directus/sdk';
import type { ContentBackend, ContentCopies } from '@reachout/contract/content-backend.ts';
import type { ContentImport } from '@reachout/contract/content-imports.ts';
import { mirroredCollections } from '@reachout/contract/rules/mirrored-collections.ts';
import type { Template } from '@reachout/contract/templates.ts';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { handleDirectusImports } from '../../apps/server/src/contacts/imports/directus-import-jobs.ts';
import { handleMirror } from '../../apps/server/src/content/mirror/mirror-changes.ts';
import { createTestApp, type Person, type TestApp } from '../../apps/server/src/testing/app.ts';
import { runJobs } from '../../apps/server/src/testing/job-worker.ts';
import { readSetting } from './settings.ts';

type Row = Record<string, unknown>;

const endpoint = readSetting('DIRECTUS_URL');
const adminToken = readSetting('DIRECTUS_ADMIN_TOKEN');
/** Of people, in this Directus. */
const people = 'mirror_people';

suite('an organization with a real Directus', () => {
  let app: TestApp;
  let owner: Person;
  let organizationId: string;
  let settings: string;

  const admin = createDirectus(endpoint).with(staticToken(adminToken)).with(rest());
  const send = async <T = Row>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const response = await app.request<T>(method, path, {
      as: owner,
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(response.status < 300, `${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const create = async (kind: string, body: object): Promise<string> =>
    (await send<{ id: string }>('POST', `/api/${kind}`, { organization_id: organizationId, ...body })).id;
  const setUp = () =>
    send<{ created: { kind: string; name: string }[]; content_backend: ContentBackend }>(
      'POST',
      `${settings}/set_up`,
      { endpoint, admin_token: adminToken, collections: [people] },
    );
  const mirror = () => {
    const { db, outbound, secrets } = app.services;
    const counts = { written: 0, rejected: 0, failed: 0 };
    return runJobs(app, app.owner, [handleMirror({ db, outbound, secrets, counts })]);
  };
  const copies = () => send<ContentCopies>('GET', `${settings}/copies`);
  /** What the Directus has of a record, without its stamps. */
  const copyOf = async (collection: string, id: string): Promise<Row | undefined> => {
    const [item] = (await admin.request(
      readItems(collection as never, { filter: { id: { _eq: id } } } as never),
    )) as Row[];
    if (item === undefined) return undefined;
    const { date_created: _created, date_updated: _updated, ...rest_ } = item;
    return rest_;
  };

  before(async () => {
    await admin.request(
      createCollection({
        collection: people,
        schema: {},
        meta: {},
        fields: [
          { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
          { field: 'email', type: 'string', schema: { is_nullable: false, is_unique: true }, meta: {} },
          { field: 'city', type: 'string', schema: {}, meta: {} },
        ],
      }),
    );
    app = await createTestApp({ privateHosts: ['127.0.0.1'] });
    owner = await app.signIn();
    organizationId = (
      await app.request<{ id: string }>('POST', '/api/organizations', { as: owner, body: { name: 'Agency' } })
    ).body.id;
    settings = `/api/organizations/${organizationId}/content_backend`;
  });
  after(async () => {
    await admin.request(deleteCollection(people));
    await app.close();
  });

  test('sets it up once, and makes nothing the second time', async () => {
    const { content_backend } = await setUp();
    const there = (await admin.request(readCollections())).map(({ collection }) => collection);
    assert.deepEqual(
      mirroredCollections.filter((name) => !there.includes(name)),
      [],
    );
    const { kind, directus } = content_backend;
    assert.deepEqual([kind, directus?.state, directus?.missing_collections], ['directus', 'connected', []]);
    assert.match(directus?.server_version ?? '', /^12\./);
    assert.deepEqual((await setUp()).created, []);
  });

  test('reads and changes its items through the gateway', async () => {
    const items = `/api/content/${organizationId}/items/${people}`;
    const { id } = (
      await send<{ data: { id: string } }>('POST', items, { email: 'ada@x.example', city: 'Rome' })
    ).data;
    await send('POST', items, { email: 'ben@x.example' });
    const filter = encodeURIComponent(JSON.stringify({ city: { _eq: 'Rome' } }));
    const { data } = await send<{ data: Row[] }>('GET', `${items}?filter=${filter}`);
    assert.deepEqual(data, [{ id, email: 'ada@x.example', city: 'Rome' }]);
    const cities = Array.from({ length: 400 }, (_, index) => `City ${index}`);
    const long = encodeURIComponent(JSON.stringify({ city: { _in: ['Rome', ...cities] } }));
    const { data: found } = await send<{ data: Row[] }>('GET', `${items}?filter=${long}`);
    assert.deepEqual(found, data, 'too long for a URL');
    await send('PATCH', `${items}/${id}`, { city: 'Oslo' });
    assert.equal((await copyOf(people, id))?.['city'], 'Oslo');
    const twice = await app.request('POST', items, { as: owner, body: { email: 'ada@x.example' } });
    assert.equal(twice.status, 409);
    await send('DELETE', `${items}/${id}`);
    assert.equal(await copyOf(people, id), undefined);
    const missing = await app.request('GET', `${items}/${id}`, { as: owner });
    assert.equal(missing.status, 404);
  });

  test('imports a file into it, with what it rejects as rejected rows', async () => {
    const items = `/api/content/${organizationId}/items/${people}`;
    await send('POST', items, { email: 'old@x.example', city: 'Rome' });
    const rows = Array.from({ length: 240 }, (_, n) => `n${n}@x.example,City ${n}`);
    const form = new FormData();
    form.set('collection', people);
    form.set('mapping', JSON.stringify({ Email: 'email', City: 'city' }));
    const lines = ['Email,City', ...rows, `long@x.example,${'x'.repeat(300)}`, 'old@x.example,Oslo', ''];
    form.set('file', new Blob([lines.join('\n')]), 'people.csv');
    const encoded = new Response(form);
    const uploaded = await app.app.inject({
      method: 'POST',
      url: `/api/content/${organizationId}/imports`,
      headers: { ...owner.headers, 'content-type': encoded.headers.get('content-type')! },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    assert.equal(uploaded.statusCode, 202, uploaded.body);
    const { db, log, outbound, secrets } = app.services;
    await runJobs(app, app.owner, [handleDirectusImports({ db, log, outbound, secrets })]);
    const { id } = uploaded.json<{ id: string }>();
    const ended = await send<ContentImport>('GET', `/api/content/${organizationId}/imports/${id}`);
    assert.deepEqual(
      [ended.status, ended.created_count, ended.updated_count, ended.rejected_count],
      ['completed', 240, 1, 1],
      ended.error_content ?? '',
    );
    assert.deepEqual(
      ended.rejected.map(({ line, error }) => [line, error.code]),
      [[242, 'rejected_elsewhere']],
    );
    const count = async (filter: object) =>
      (await admin.request(readItems(people as never, { filter, limit: -1 } as never))).length;
    assert.deepEqual(
      [await count({ email: { _starts_with: 'n' } }), await count({ city: { _eq: 'Oslo' } })],
      [240, 1],
    );
  });

  test('has copies of its records there, through changes, deletion and restoring', async () => {
    const client = await create('clients', { name: 'Acme' });
    const brand = await create('brands', {
      client_id: client,
      name: 'Acme Shoes',
      tracking_policy: 'everyone',
    });
    const campaign = await create('campaigns', { brand_id: brand, name: 'Spring' });
    const touchpoint = await create('touchpoints', { campaign_id: campaign, name: 'Hello', type: 'email' });
    const { id: template, preview } = await send<Pick<Template, 'id' | 'preview'>>(
      'POST',
      `/api/content/${organizationId}/templates`,
      { title: 'Welcome mail', template_type: 'email' },
    );
    await mirror();
    assert.deepEqual((await copies()).items, []);
    assert.deepEqual(await copyOf('reachout_clients', client), { id: client, name: 'Acme' });
    assert.deepEqual(await copyOf('reachout_brands', brand), { id: brand, name: 'Acme Shoes', client });
    const unscheduled = { scheduled_date: null, scheduled_date_tz: null };
    assert.deepEqual(await copyOf('reachout_campaigns', campaign), {
      id: campaign,
      name: 'Spring',
      status: 'draft',
      brand,
      ...unscheduled,
    });
    assert.deepEqual(await copyOf('reachout_touchpoints', touchpoint), {
      id: touchpoint,
      name: 'Hello',
      type: 'email',
      status: 'draft',
      collection: null,
      campaign,
      ...unscheduled,
    });
    assert.deepEqual(await copyOf('reachout_templates', template), {
      id: template,
      title: 'Welcome mail',
      name: 'welcome-mail',
      preview,
      template_type: 'email',
    });

    await send('PATCH', `/api/campaigns/${campaign}`, { name: 'Summer', status: 'archived' });
    await mirror();
    const { name, status } = (await copyOf('reachout_campaigns', campaign))!;
    assert.deepEqual([name, status], ['Summer', 'archived']);
    await send('DELETE', `/api/clients/${client}`);
    await send('DELETE', `/api/content/${organizationId}/templates/${template}`);
    await mirror();
    for (const [collection, id] of [
      ['reachout_clients', client],
      ['reachout_brands', brand],
      ['reachout_campaigns', campaign],
      ['reachout_touchpoints', touchpoint],
      ['reachout_templates', template],
    ] as const)
      assert.equal(await copyOf(collection, id), undefined, collection);
    await send('POST', `/api/clients/${client}/restore`);
    await mirror();
    assert.equal((await copyOf('reachout_touchpoints', touchpoint))?.['campaign'], campaign);
    assert.deepEqual((await copies()).items, []);
  });

  test('keeps a record that it does not take, and tells why', async () => {
    const { id } = await admin.request(
      customEndpoint<{ id: string }>({
        path: '/items/reachout_templates',
        method: 'POST',
        body: JSON.stringify({ title: 'Of somebody else', name: 'taken' }),
      }),
    );
    await send('POST', `/api/content/${organizationId}/templates`, {
      title: 'Taken',
      template_type: 'email',
    });
    await mirror();
    const [rejected] = (await copies()).items;
    assert.deepEqual([rejected?.name, rejected?.state], ['Taken', 'waiting']);
    assert.notEqual(rejected?.error_content, '');
    await admin.request(customEndpoint({ path: `/items/reachout_templates/${id}`, method: 'DELETE' }));
    await mirror();
    assert.equal((await copies()).waiting_count, 0);
  });

  test('keeps what changes while its token is refused, and writes it with the next one', async () => {
    const [user] = await admin.request(
      customEndpoint<{ id: string }[]>({
        path: `/users?filter=${encodeURIComponent(JSON.stringify({ email: { _eq: `reachout-${organizationId.slice(-12)}@example.com` } }))}`,
        method: 'GET',
      }),
    );
    const change = { path: `/users/${user!.id}`, method: 'PATCH' as const };
    await admin.request(
      customEndpoint({ ...change, body: JSON.stringify({ token: 'another-token-1234567890' }) }),
    );
    const client = await create('clients', { name: 'Later' });
    await mirror();
    const waiting = await copies();
    assert.deepEqual([waiting.waiting_count, waiting.items[0]?.name], [1, 'Later']);
    assert.ok((waiting.next_attempt_at ?? '') !== '');
    await setUp();
    await mirror();
    assert.deepEqual(await copyOf('reachout_clients', client), { id: client, name: 'Later' });
    assert.equal((await copies()).waiting_count, 0);
  });
});
