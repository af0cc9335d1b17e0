import {
  createCollection,
  createDirectus,
  createItem,
  createRole,
  deleteItems,
  readCollections,
  rest,
  staticToken,
} from '@directus/sdk';
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { makeKeyOf } from '../../apps/server/src/testing/actors.ts';
import { createTestApp, type TestApp } from '../../apps/server/src/testing/app.ts';
import { buildOrganization, buildTouchpoint } from '../../apps/server/src/sample/records.ts';
import { buildSentEmail, type SentEmail } from '../../apps/server/src/testing/sent-email.ts';
import { buildVisit, storeVisits } from '../../apps/server/src/sample/events.ts';
import { testSecrets } from '../../apps/server/src/testing/test-secrets.ts';
import { readSetting } from './settings.ts';

const directusUrl = readSetting('DIRECTUS_URL');

suite('the extension in a real Directus', () => {
  let app: TestApp;
  let sent: SentEmail;
  /** A website with two page views of one session. */
  let websiteId: string;
  let keyId: string;
  /** A touchpoint of another organization, which this Directus has all the same. */
  let foreignId: string;
  let reader: string;
  let stranger: string;

  const admin = createDirectus(directusUrl)
    .with(staticToken(readSetting('DIRECTUS_ADMIN_TOKEN')))
    .with(rest());
  const call = async (path: string, query: Record<string, string> = {}, token = reader) => {
    const response = await fetch(`${directusUrl}/reachout${path}?${new URLSearchParams(query).toString()}`, {
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    });
    const body = (await response.json()) as {
      data?: { delivered?: number; events?: { type: string; count: number }[] };
      errors?: { extensions: { code: string } }[];
    };
    return { status: response.status, code: body.errors?.[0]?.extensions.code, data: body.data };
  };
  const statsOf = (touchpoint: string, token?: string) =>
    call('/touchpoint_emails/stats', { touchpoint }, token);

  /** @returns the token of a new user who may read touchpoints, or nothing */
  async function makeUser(permissions: object[]): Promise<string> {
    const token = randomBytes(32).toString('hex');
    const name = `Test ${token.slice(0, 8)}`;
    const policy = { name, admin_access: false, app_access: false, permissions: { create: permissions } };
    await admin.request(
      createRole({
        name,
        policies: { create: [{ policy }] },
        users: { create: [{ email: `${token.slice(0, 8)}@example.com`, status: 'active', token }] },
      } as object),
    );
    return token;
  }

  before(async () => {
    app = await createTestApp();
    const { id: organizationId } = await buildOrganization(app.owner);
    const owner = await app.signInMember(organizationId);
    const touchpoint = await buildTouchpoint(app.owner, { organization_id: organizationId });
    sent = await buildSentEmail(app.owner, { organizationId, touchpointId: touchpoint.id });
    const website = { organization_id: organizationId, type: 'website' } as const;
    websiteId = (await buildTouchpoint(app.owner, website)).id;
    const visit = buildVisit({ organizationId, touchpointId: websiteId });
    await storeVisits(app.owner, [visit, { ...visit, id: randomUUID(), path: '/next' }]);
    foreignId = (await buildTouchpoint(app.owner)).id;
    ({ keyId } = await makeKeyOf(app, organizationId, owner.userId, ['statistics:read']));
    await app.owner
      .updateTable('api_keys')
      .set({ key_hash: testSecrets.hash('api key', readSetting('PLATFORM_TOKEN')) })
      .where('id', '=', keyId)
      .execute();
    await app.app.listen({ host: '127.0.0.1', port: Number(readSetting('PLATFORM_PORT')) });

    const id = {
      field: 'id',
      type: 'uuid',
      schema: { is_primary_key: true },
      meta: { special: ['uuid'], hidden: true, readonly: true },
    };
    const collection = 'reachout_touchpoints';
    // Other tests set this Directus up.
    const known = await admin.request(readCollections());
    if (!known.some((each) => each.collection === collection))
      await admin.request(createCollection({ collection, schema: {}, meta: { hidden: true }, fields: [id] }));
    for (const touchpointId of [sent.touchpointId, websiteId, foreignId])
      await admin.request(createItem(collection as never, { id: touchpointId }));
    reader = await makeUser([{ collection, action: 'read', fields: ['*'] }]);
    stranger = await makeUser([]);
  });
  after(async () => {
    const made = [sent.touchpointId, websiteId, foreignId];
    await admin.request(deleteItems('reachout_touchpoints' as never, made));
    await app.close();
  });

  test('gives users the statistics of the touchpoints that they may read', async () => {
    const { status, data } = await statsOf(sent.touchpointId);
    assert.deepEqual([status, data?.delivered], [200, 1]);
    assert.equal((await call('/db/metrics')).status, 200);
    for (const name of ['metrics', 'stats_chart', 'failure_stats_chart'])
      assert.equal((await call(`/touchpoint_emails/${name}`, { touchpoint: sent.touchpointId })).status, 200);
  });

  test('gives users the events and sessions of websites', async () => {
    for (const [distinct, count] of [
      ['false', 2],
      ['true', 1],
    ] as const) {
      const query = { touchpoint: websiteId, distinct };
      const { status, data } = await call('/touchpoint_websites/stats', query);
      const views = data?.events?.find(({ type }) => type === 'VIEW_PAGE');
      assert.deepEqual([status, views?.count], [200, count]);
      for (const name of ['metrics', 'event_stats_chart', 'stats_chart'])
        assert.equal((await call(`/touchpoint_websites/${name}`, query)).status, 200);
    }
  });

  test('leaves the decision to the permissions of Directus, and to the platform', async () => {
    const forbidden = { status: 403, code: 'FORBIDDEN' };
    const refused = async (work: ReturnType<typeof call>) => {
      const { status, code } = await work;
      return { status, code };
    };
    assert.deepEqual(await refused(statsOf(sent.touchpointId, stranger)), forbidden, 'may not read it');
    assert.deepEqual(await refused(statsOf(sent.touchpointId, '')), forbidden, 'nobody');
    assert.deepEqual(await refused(call('/db/metrics', {}, '')), forbidden, 'nobody');
    assert.deepEqual(await refused(call('/db/metrics', {}, stranger)), forbidden, 'may read no touchpoint');
    assert.deepEqual(await refused(statsOf('01900000-0000-7000-8000-000000000000')), forbidden, 'unknown');
    assert.deepEqual(await refused(statsOf(foreignId)), forbidden, 'of another organization');
    assert.deepEqual(
      await refused(call('/touchpoint_websites/stats', { touchpoint: sent.touchpointId })),
      forbidden,
      'of another type',
    );
    assert.deepEqual(await refused(call('/touchpoint_emails/stats')), { status: 400, code: 'INVALID_QUERY' });
    assert.deepEqual(await refused(call('/nothing')), { status: 404, code: 'ROUTE_NOT_FOUND' });
  });

  test('tells when the platform refuses its key, or is away', async () => {
    const unavailable = { status: 503, code: 'SERVICE_UNAVAILABLE', data: undefined };
    await app.owner
      .updateTable('api_keys')
      .set({ revoked_at: new Date().toISOString() })
      .where('id', '=', keyId)
      .execute();
    assert.deepEqual(await statsOf(sent.touchpointId), unavailable);
    await app.app.close();
    assert.deepEqual(await statsOf(sent.touchpointId), unavailable);
  });
});
