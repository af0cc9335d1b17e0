import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, suite, test } from 'node:test';
import type { ContentCopies } from '@reachout/contract/content-backend.ts';
import { noteChanges } from '../../clients/outbox/note-changes.ts';
import { handleMirrorChecks } from '../../clients/outbox/mirror-jobs.ts';
import { execute, inOrganization, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { createOrganization, signInOwner } from '../../testing/create-organization.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { listen } from '../../testing/listen.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { handleMirror } from './mirror-changes.ts';

type Row = Record<string, unknown>;

/**
 * The Directus is the REST interface of another organization, behind a proxy that records requests and fails where a test
 * needs it.
 */
suite('copies in the content backend', () => {
  let app: TestApp;
  let owner: Person;
  let organizationId: string;
  let theirs: string;
  let token: string;
  let endpoint: string;
  let asked: string[] = [];
  /** Responds in place of the Directus. @returns whether it did */
  let interfere: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> = () =>
    Promise.resolve(false);

  const gate = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      asked.push(`${request.method} ${request.url?.replace(/\?.*/, '').replace(/[\da-f-]{36}/, ':id')}`);
      if (await interfere(request, response)) return;
      const answer = await app.app.inject({
        method: request.method as 'GET',
        url: `/content/${theirs}${request.url}`,
        headers: {
          authorization: request.headers.authorization,
          'content-type': request.headers['content-type'],
        },
        ...(body === '' ? {} : { payload: body }),
      });
      const type = answer.headers['content-type'];
      response
        .writeHead(answer.statusCode, type === undefined ? {} : { 'content-type': type })
        .end(answer.rawPayload);
    })();
  });

  const send = async <T = Row>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => await owner.ok<T>(method, path, body);
  const create = async (kind: string, body: object): Promise<string> =>
    (await send<{ id: string }>('POST', `/api/${kind}`, { organization_id: organizationId, ...body })).id;
  const counts = { written: 0, rejected: 0, failed: 0 };
  const mirror = () => {
    const { db, outbound, secrets } = app.services;
    return runJobs(app, app.owner, [handleMirror({ db, outbound, secrets, counts })]);
  };
  const copies = () =>
    send<ContentCopies>('GET', `/api/organizations/${organizationId}/content_backend/copies`);
  const retry = () =>
    send<ContentCopies>('POST', `/api/organizations/${organizationId}/content_backend/copies/retry`);
  /** @returns the items of a collection in the built-in backend of an organization, by id */
  const itemsOf = async (organization: string, collection: string): Promise<Record<string, Row>> => {
    const rows = await listRows(app.owner, 'content_items', ['id', 'data'], {
      organization_id: organization,
      collection,
    });
    return Object.fromEntries(rows.map(({ id, data }) => [id, data as Row]));
  };
  const errorOf = async (path: string) => (await send(`GET`, path))['error_content'];
  const fail = (status: number, message?: string) => {
    interfere = (_request, response) => {
      const errors =
        message === undefined ? [] : [{ message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ errors }));
      return Promise.resolve(true);
    };
  };
  const recover = () => (interfere = () => Promise.resolve(false));

  let clientId: string;
  let brandId: string;
  let campaignId: string;
  let touchpointId: string;

  before(async () => {
    app = await createTestApp({ privateHosts: ['127.0.0.1'] });
    ({ owner, organizationId } = await signInOwner(app));
    theirs = await createOrganization(app, owner, 'Their CMS');
    ({ token } = await makeKeyOf(app, theirs, owner.userId));
    endpoint = `http://127.0.0.1:${await listen(gate)}`;
    clientId = await create('clients', { name: 'Acme' });
    brandId = await create('brands', {
      client_id: clientId,
      name: 'Acme Shoes',
      tracking_policy: 'everyone',
    });
    campaignId = await create('campaigns', { brand_id: brandId, name: 'Spring' });
    touchpointId = await create('touchpoints', { campaign_id: campaignId, name: 'Hello', type: 'email' });
  });
  after(async () => {
    gate.closeAllConnections();
    gate.close();
    await app.close();
  });

  test('records are copied to the built-in backend', async () => {
    await mirror();
    assert.deepEqual(await itemsOf(organizationId, 'reachout_clients'), { [clientId]: { name: 'Acme' } });
    assert.deepEqual(await itemsOf(organizationId, 'reachout_brands'), {
      [brandId]: { name: 'Acme Shoes', client: clientId },
    });
    const unscheduled = { scheduled_date: null, scheduled_date_tz: null };
    const campaign = { name: 'Spring', status: 'draft', brand: brandId, ...unscheduled };
    assert.deepEqual(await itemsOf(organizationId, 'reachout_campaigns'), { [campaignId]: campaign });
    assert.deepEqual(await itemsOf(organizationId, 'reachout_touchpoints'), {
      [touchpointId]: {
        name: 'Hello',
        type: 'email',
        status: 'draft',
        collection: null,
        campaign: campaignId,
        ...unscheduled,
      },
    });
    await send('PATCH', `/api/campaigns/${campaignId}`, { name: 'Summer' });
    await send('DELETE', `/api/brands/${brandId}`);
    await mirror();
    assert.deepEqual(Object.keys(await itemsOf(organizationId, 'reachout_clients')), [clientId]);
    for (const collection of ['reachout_brands', 'reachout_campaigns', 'reachout_touchpoints'])
      assert.deepEqual(await itemsOf(organizationId, collection), {}, `${collection} went with the brand`);
    await send('POST', `/api/brands/${brandId}/restore`);
    await mirror();
    const { [campaignId]: restored } = await itemsOf(organizationId, 'reachout_campaigns');
    assert.equal(restored?.['name'], 'Summer');
    assert.deepEqual(await copies(), { waiting_count: 0, failed_count: 0, next_attempt_at: null, items: [] });
  });

  test('records are copied to a newly connected Directus', async () => {
    const at = '2030-01-05T09:00:00.000Z';
    const ofTouchpoint = { organization_id: organizationId, touchpoint_id: touchpointId, brand_id: brandId };
    const schedule = { ...ofTouchpoint, id: newId(), start_date: at, time_zone: 'Europe/Berlin' };
    await insertRows(app.owner, 'touchpoint_schedules', schedule);
    const planned = { schedule_id: schedule.id, occurrence_at: at, send_date: at, next_due_at: at };
    await insertRows(app.owner, 'touchpoint_sends', { ...ofTouchpoint, ...planned, id: newId() });
    await send('PATCH', `/api/campaigns/${campaignId}`, { name: 'Autumn' });
    await send('PATCH', `/api/touchpoints/${touchpointId}`, { name: 'Hello again' });
    await mirror();
    await send('POST', `/api/content/${organizationId}/templates`, {
      title: 'Welcome mail',
      template_type: 'email',
    });
    await send('PUT', `/api/organizations/${organizationId}/content_backend`, {
      endpoint,
      access_token: token,
    });
    await mirror();
    for (const collection of ['clients', 'brands', 'campaigns', 'touchpoints'])
      assert.deepEqual(
        await itemsOf(theirs, `reachout_${collection}`),
        await itemsOf(organizationId, `reachout_${collection}`),
      );
    for (const [collection, id] of [
      ['reachout_campaigns', campaignId],
      ['reachout_touchpoints', touchpointId],
    ] as const)
      assert.partialDeepStrictEqual((await itemsOf(theirs, collection))[id], {
        scheduled_date: at,
        scheduled_date_tz: 'Europe/Berlin',
      });
    await execute(app.owner)`delete from touchpoint_sends where touchpoint_id = ${touchpointId}`;
    const [template] = Object.values(await itemsOf(theirs, 'reachout_templates'));
    assert.deepEqual([template?.['title'], template?.['name']], ['Welcome mail', 'welcome-mail']);

    asked = [];
    await send('PATCH', `/api/touchpoints/${touchpointId}`, { status: 'archived' });
    await mirror();
    assert.deepEqual(asked, ['POST /items/reachout_touchpoints', 'PATCH /items/reachout_touchpoints/:id']);
    assert.equal((await itemsOf(theirs, 'reachout_touchpoints'))[touchpointId]?.['status'], 'archived');

    const second = await create('campaigns', { brand_id: brandId, name: 'Second' });
    await mirror();
    assert.equal((await itemsOf(theirs, 'reachout_campaigns'))[second]?.['name'], 'Second');
    await send('DELETE', `/api/campaigns/${second}`);
    await mirror();
    assert.equal((await itemsOf(theirs, 'reachout_campaigns'))[second], undefined);
    await insertRows(app.owner, 'content_outbox', {
      organization_id: organizationId,
      collection: 'reachout_campaigns',
      id: second,
    });
    await retry();
    await mirror();
    assert.equal((await copies()).waiting_count, 0, 'what is gone there already needs no deleting');
  });

  test('failed copies wait and can be retried', async () => {
    fail(503, 'The database is being moved.');
    const id = await create('campaigns', { brand_id: brandId, name: 'Autumn' });
    assert.equal(await errorOf(`/api/campaigns/${id}`), null, 'saved, and not tried yet');
    await mirror();
    assert.equal(await errorOf(`/api/campaigns/${id}`), 'The database is being moved.');
    const waiting = await copies();
    assert.deepEqual([waiting.waiting_count, waiting.failed_count], [1, 0]);
    assert.ok(Date.parse(waiting.next_attempt_at ?? '') > Date.now(), 'the next attempt comes later');
    assert.deepEqual(
      waiting.items.map(({ collection, name, state }) => [collection, name, state]),
      [['reachout_campaigns', 'Autumn', 'waiting']],
    );
    fail(500);
    await mirror();
    assert.equal(await errorOf(`/api/campaigns/${id}`), 'Directus request error');

    recover();
    assert.equal((await retry()).next_attempt_at, null);
    await mirror();
    assert.equal(await errorOf(`/api/campaigns/${id}`), null);
    assert.equal((await itemsOf(theirs, 'reachout_campaigns'))[id]?.['name'], 'Autumn');
  });

  test('failed copies are abandoned without being marked as written', async () => {
    fail(502);
    await send('PATCH', `/api/brands/${brandId}`, { name: 'Acme Boots' });
    await mirror();
    await updateRows(
      app.owner,
      'jobs',
      { organization_id: organizationId, kind: 'mirror', state: 'open' },
      { attempts: 29 },
    );
    await mirror();
    assert.deepEqual([(await copies()).failed_count, (await copies()).next_attempt_at], [1, null]);
    assert.equal(await errorOf(`/api/brands/${brandId}`), 'Directus request error');
    recover();
    await retry();
    await mirror();
    assert.equal((await itemsOf(theirs, 'reachout_brands'))[brandId]?.['name'], 'Acme Boots');
    assert.deepEqual((await copies()).items, []);
  });

  test('a rejected copy does not delay others', async () => {
    interfere = (request, response) => {
      if (request.url?.startsWith('/items/reachout_clients') !== true) return Promise.resolve(false);
      const errors = [
        { message: 'No new clients.', extensions: { code: 'FAILED_VALIDATION', field: 'name' } },
      ];
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ errors }));
      return Promise.resolve(true);
    };
    await send('PATCH', `/api/clients/${clientId}`, { name: 'Acme Ltd' });
    await send('PATCH', `/api/campaigns/${campaignId}`, { name: 'Winter' });
    await mirror();
    assert.equal((await itemsOf(theirs, 'reachout_campaigns'))[campaignId]?.['name'], 'Winter');
    const [client] = (await copies()).items;
    assert.deepEqual(
      [client?.name, client?.state, client?.attempts, client?.error_content],
      ['Acme Ltd', 'waiting', 1, 'No new clients.'],
    );
    for (let attempt = 2; attempt <= 5; attempt += 1) await mirror();
    assert.deepEqual([(await copies()).waiting_count, (await copies()).failed_count], [0, 1]);
    asked = [];
    await mirror();
    assert.deepEqual(asked, [], 'not tried again by itself');
    recover();
    await send('PATCH', `/api/clients/${clientId}`, { name: 'Acme Inc' });
    await mirror();
    assert.equal((await itemsOf(theirs, 'reachout_clients'))[clientId]?.['name'], 'Acme Inc');
  });

  test('a record that changes during its copy is copied again', async () => {
    let isChanged = false;
    interfere = async (request) => {
      if (isChanged || request.method !== 'PATCH') return false;
      isChanged = true;
      await send('PATCH', `/api/campaigns/${campaignId}`, { name: 'Changed meanwhile' });
      return false;
    };
    await send('PATCH', `/api/campaigns/${campaignId}`, { name: 'Changed first' });
    await mirror();
    recover();
    assert.ok(isChanged);
    assert.equal((await itemsOf(theirs, 'reachout_campaigns'))[campaignId]?.['name'], 'Changed meanwhile');
  });

  test('records are copied without a queued job', async () => {
    await insertRows(app.owner, 'content_outbox', {
      organization_id: organizationId,
      collection: 'reachout_brands',
      id: brandId,
      changed_at: new Date(Date.now() - 60_000).toISOString(),
    });
    await mirror();
    assert.equal((await copies()).waiting_count, 1);
    const { db } = app.services;
    await handleMirrorChecks({ db }).run(
      {
        id: brandId,
        organization_id: null,
        key: 'scheduled',
        payload: {},
        attempts: 1,
        lease_token: brandId,
      } as never,
      new AbortController().signal,
    );
    await mirror();
    assert.equal((await copies()).waiting_count, 0);
  });

  test('noting a copy never waits for locks', async () => {
    await mirror();
    const { db } = app.services;
    const note = (trx: Transaction) => noteChanges(trx, 'reachout_brands', [newId()]);
    await inOrganization(db, organizationId, async (one) => {
      await note(one);
      await inOrganization(db, organizationId, async (other) => {
        await execute(other)`set local lock_timeout = '2s'`;
        await note(other);
      });
    });
    await mirror();
  });
});
