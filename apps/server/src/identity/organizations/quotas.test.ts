import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import type { Quota, QuotaKind } from '@reachout/contract/organizations.ts';
import { execute, firstRowOf, rowsOf } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { contractOperations } from '../../testing/contract-calls.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { deleteRows } from '../../testing/rows.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { defaultQuotas, setQuota } from './quotas.ts';

interface Refused {
  code: string;
  detail: string;
  data: Quota;
}

suite('quotas of organizations', () => {
  const app = useTestApp({}, { log: createLog('warn', { write: (line) => void (logged += line) }) });
  let owner: Person;
  let organizationId: string;

  let logged = '';
  /** @returns the logged lines about this organization */
  const reached = () =>
    logged
      .split('\n')
      .filter((line) => line.includes('"limit reached"') && line.includes(organizationId))
      .map((line) => (JSON.parse(line) as { bound: string }).bound);

  before(async () => {
    owner = await app.signIn();
  });
  beforeEach(async () => {
    owner = await app.signIn();
    const body = await owner.ok<{ id: string }>('POST', '/api/organizations', { name: 'Agency' });
    organizationId = body.id;
  });

  const limit = (kind: QuotaKind, number: number | null) =>
    setQuota(app.services.db, organizationId, kind, number);
  const listed = async () => {
    const path = `/api/organizations/${organizationId}/quotas`;
    return (await owner.ok<{ items: Quota[] }>('GET', path)).items;
  };
  const used = async (kind: QuotaKind) => (await listed()).find(({ quota }) => quota === kind)?.used;
  const createContact = (email: string) =>
    owner.request<Refused & { data: { id: string } }>(
      'POST',
      `/api/content/${organizationId}/items/contacts`,
      { email },
    );
  const createTemplate = (title: string) =>
    owner.request<Refused>('POST', `/api/content/${organizationId}/templates`, { title });

  test('quotas are listed with their use (RATE-3)', async () => {
    const templates = (await used('templates')) ?? 0;
    assert.deepEqual(
      await listed(),
      Object.entries(defaultQuotas).map(([quota, number]) => ({
        quota,
        limit: number,
        used: quota === 'templates' ? templates : 0,
      })),
    );
    await limit('contacts', 7);
    assert.deepEqual((await listed())[0], { quota: 'contacts', limit: 7, used: 0 });
    await limit('contacts', null);
    assert.equal((await listed())[0]?.limit, defaultQuotas.contacts);
  });

  test('concurrent additions respect the contact quota, deletions free it (RATE-3)', async () => {
    await limit('contacts', 3);
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createContact(`user${index}@a.example`)),
    );
    const refused = added.filter(({ status }) => status === 409);
    assert.equal(added.filter(({ status }) => status === 200).length, 3);
    assert.equal(refused.length, 5);
    assert.equal(refused[0]?.body.code, 'quota_exceeded');
    assert.deepEqual(refused[0]?.body.data, { quota: 'contacts', limit: 3, used: 3 });
    // Logged once a minute, with the number of further cases.
    assert.deepEqual(reached(), ['contacts']);
    assert.equal(await used('contacts'), 3);
    // A list that exceeds the quota is rejected as a whole.
    await limit('contacts', 4);
    const list = [{ email: 'one@a.example' }, { email: 'two@a.example' }];
    const items = `/api/content/${organizationId}/items/contacts`;
    const batch = await owner.request('POST', items, list);
    assertProblem(batch, 409, 'quota_exceeded');
    assert.equal(await used('contacts'), 3);
    await limit('contacts', 3);

    const kept = added.find(({ status }) => status === 200)?.body.data.id;
    const path = `/api/content/${organizationId}/items/contacts/${kept}`;
    const change = { as: owner, body: { first_name: 'Anna' } };
    await app.ok('PATCH', path, change);
    await owner.ok('DELETE', path);
    assert.equal(await used('contacts'), 2);
    assert.equal((await createContact('later@a.example')).status, 200);
  });

  test('templates have a separate quota (RATE-3)', async () => {
    const existing = (await used('templates')) ?? 0;
    await limit('templates', existing + 1);
    await limit('contacts', 0);
    assert.equal((await createTemplate('First')).status, 200);
    const { status, body } = await createTemplate('Second');
    assert.equal(status, 409);
    assert.deepEqual(
      [body.code, body.data],
      ['quota_exceeded', { quota: 'templates', limit: existing + 1, used: existing + 1 }],
    );
    assert.equal(await used('templates'), existing + 1);
    assert.deepEqual(reached(), ['templates']);
  });

  test('content bytes have a quota that smaller items free (RATE-3)', async () => {
    const items = `/api/content/${organizationId}/items/newsletters`;
    const ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
      owner.request<Refused & { data: { id: string } & Quota }>(method, path, body);
    await limit('content_megabytes', 1);
    const large = { title: 'First', content: 'é'.repeat(300_000) };
    const first = await ask('POST', items, large);
    assert.equal(first.status, 200);
    const refused = await ask('POST', items, { ...large, title: 'Second' });
    assert.equal(refused.status, 409);
    assert.deepEqual(
      [refused.body.code, refused.body.data],
      ['quota_exceeded', { quota: 'content_megabytes', limit: 1, used: 1 }],
    );
    const path = `${items}/${first.body.data.id}`;
    assertProblem(await ask('PATCH', path, { content: 'é'.repeat(500_000) }), 409, 'quota_exceeded');
    assert.equal((await ask('PATCH', path, { content: 'short' })).status, 200);
    const second = await ask('POST', items, { ...large, title: 'Second' });
    assert.equal(second.status, 200);
    assert.deepEqual(reached(), ['content_megabytes']);

    const difference = async () => {
      const rows = await rowsOf<{ bytes: number }>(app.owner)`
        select (select sum(items_bytes) from content_collections where organization_id = ${organizationId})
          - (select sum(octet_length(data::text)) from content_items where organization_id = ${organizationId}) as bytes
      `;
      return Number(rows[0]?.bytes);
    };
    assert.equal(await difference(), 0);
    await limit('content_megabytes', 0);
    assert.equal((await ask('PATCH', path, { content: '' })).status, 200);
    for (const { id } of [first.body.data, second.body.data])
      assert.equal((await ask('DELETE', `${items}/${id}`)).status, 200);
    assert.equal(await difference(), 0);
  });

  test('bodies, what sends keep of them, and stored answers count as content (RATE-3)', async () => {
    const { organizationId: id, touchpointId, filterId, campaignId, person } = await buildReadyEmail(app);
    organizationId = id;
    owner = person;
    const bytes = () => firstRowOf<{ counted: number; stored: number }>(app.owner)`
        select (select bytes from stored_bytes where organization_id = ${id})::integer as counted,
          (coalesce((select sum(octet_length(mjml)) from touchpoint_emails where organization_id = ${id}), 0)
          + coalesce((select sum(octet_length(content::text) + coalesce(octet_length(audience::text), 0))
            from touchpoint_send_contents where organization_id = ${id}), 0)
          + coalesce((select sum(octet_length(rule::text)) from filters where organization_id = ${id}), 0)
          + coalesce((select sum(octet_length(response::text)) from idempotency_keys
            where counted_for = ${id} and octet_length(response::text) > 1000), 0))::integer as stored`;
    const save = (length: number, key?: string) =>
      app.request<Refused>('PATCH', `/api/touchpoints/${touchpointId}/email`, {
        as: owner,
        body: { mjml: fixtureMjml.replace('</mj-text>', `${'x'.repeat(length)}</mj-text>`) },
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      });
    const isCounted = async () => {
      const found = await bytes();
      assert.equal(found?.counted, found?.stored);
    };
    const atFirst = await bytes();
    await limit('content_megabytes', 1);
    assert.equal((await save(300_000)).status, 200);
    const grown = ((await bytes())?.counted ?? 0) - (atFirst?.counted ?? 0);
    assert.ok(grown >= 300_000, `${grown} bytes`);

    // Each send keeps the email as it was confirmed.
    const plan = (days: number) =>
      owner.request<Refused>('POST', `/api/touchpoints/${touchpointId}/schedules`, {
        start_date: new Date(Date.now() + days * 86_400_000).toISOString(),
        time_zone: 'UTC',
        rrule: 'FREQ=WEEKLY',
        expected_recipients: 3,
        expected_filter_id: filterId,
      });
    assert.equal((await plan(1)).status, 201);
    const refused = await plan(2);
    assert.equal(refused.status, 409, JSON.stringify(refused.body));
    assert.deepEqual(
      [refused.body.code, refused.body.data],
      ['quota_exceeded', { quota: 'content_megabytes', limit: 1, used: 1 }],
    );
    assert.match(refused.body.detail, /Delete items, or emails and campaigns that are over/);
    const rows = await rowsOf(app.owner)`select from touchpoint_schedules where organization_id = ${id}`;
    assert.equal(rows.length, 1);
    await limit('content_megabytes', 4);
    assert.equal((await plan(2)).status, 201);
    await limit('content_megabytes', 0);
    assertProblem(await save(300_001), 409, 'quota_exceeded');
    const short = await save(10);
    assert.equal(short.status, 200, JSON.stringify(short.body));

    // The answer is kept for a day, for programs that ask again.
    await limit('content_megabytes', null);
    assert.equal((await save(200_000, 'once')).status, 200);
    const copy = { as: owner, body: { campaign_id: campaignId }, headers: { 'idempotency-key': 'twice' } };
    await app.request('POST', `/api/touchpoints/${touchpointId}/duplicate`, copy);
    await isCounted();
    await execute(app.owner)`update idempotency_keys set created_at = now() - interval '2 days'`;
    await execute(app.services.db)`select delete_expired('idempotency_keys', 1000)`;
    await isCounted();
    await deleteRows(app.owner, 'touchpoint_emails', { organization_id: id });
    await isCounted();
  });

  test('what stores long texts documents that the quota can be reached', () => {
    const storing = contractOperations.filter(({ method, path }) =>
      [
        'PATCH /touchpoints/{id}/email',
        'POST /touchpoints/{id}/duplicate',
        'POST /touchpoints',
        'POST /rpc/create_touchpoint',
        'POST /campaigns/{id}/duplicate',
        'POST /touchpoints/{id}/schedules',
        'POST /touchpoints/{id}/collection_items',
        'POST /touchpoints/{id}/confirm',
        'PATCH /schedules/{id}',
        'POST /touchpoints/{id}/sends',
        'POST /sends/{id}/follow_ups',
        'POST /touchpoints/emails/{id}/test',
        'POST /filters',
        'PATCH /filters/{id}',
        'POST /filters/{id}/duplicate',
        'POST /sign_up_forms',
        'PATCH /sign_up_forms/{id}',
        'POST /content/{organization_id}/notes/{collection}/{key}',
        'PATCH /content/{organization_id}/templates/{id}',
      ].includes(`${method} ${path}`),
    );
    assert.equal(storing.length, 19);
    assert.deepEqual(
      storing.filter(({ errors }) => errors['quota_exceeded'] === undefined).map(({ name }) => name),
      [],
    );
  });

  test('the database refuses at the limit that is shown', async () => {
    const rows = await rowsOf<{ limit: number }>(app.owner)`select default_content_megabytes() as limit`;
    assert.equal(rows[0]?.limit, defaultQuotas.content_megabytes);
  });
});
