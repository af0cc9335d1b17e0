import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Transports } from '@reachout/contract/transports.ts';
import { buildBranch } from '../../testing/tenant-branch.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { signInOwner } from '../../testing/create-organization.ts';
import { startJobWorker } from '../../testing/job-worker.ts';
import { startAmazonSes, startElasticEmail } from '../../testing/provider-servers.ts';
import { findRow, listRows, updateRows } from '../../testing/rows.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { connect } from '../../platform/database/database.ts';
import { insertRows } from '../../sample/rows.ts';
import { handleProviderSuppressions } from './suppression-jobs.ts';

const canary = 'canary-4f81-secret';

suite('transports of an organization', () => {
  let app: TestApp;
  let owner: Person;
  let organizationId: string;
  let elastic: Awaited<ReturnType<typeof startElasticEmail>>;
  let ses: Awaited<ReturnType<typeof startAmazonSes>>;
  let sink: SmtpSink;
  let path: string;

  before(async () => {
    elastic = await startElasticEmail();
    ses = await startAmazonSes();
    sink = await startSmtpSink();
    app = await createTestApp(
      { privateHosts: [elastic.host, ses.host, new URL(sink.url).host] },
      { limits: { endpoints: { ...elastic.endpoints, ...ses.endpoints } } },
    );
    ({ owner, organizationId } = await signInOwner(app));
    path = `/api/organizations/${organizationId}`;
  });
  after(async () => {
    await app.close();
    await sink.close();
    elastic.close();
    ses.close();
  });

  const list = () => owner.ok<Transports>('GET', `${path}/transports`);
  const create = (settings: object, more: object = {}) =>
    owner.request<Transports>('POST', `${path}/transports`, { name: 'Relay', settings, ...more });
  const ofSink = () => {
    const { hostname: host, port } = new URL(sink.url);
    return { kind: 'smtp', host, port: Number(port) };
  };
  const ofSes = (more: object = {}) => ({
    kind: 'ses',
    region: 'eu-central-1',
    access_key_id: 'AKIAEXAMPLE000000',
    ...more,
  });
  const connection = () =>
    findRow(app.owner, 'organization_directus', '*', { organization_id: organizationId });
  const setKey = (api_key: string) =>
    owner.request<Transports>('PUT', `${path}/elastic_email_key`, { api_key });
  const deleteKey = () => owner.request<Transports>('DELETE', `${path}/elastic_email_key`);

  test('a key and a Directus are set and removed without each other', async () => {
    assert.equal((await setKey(canary)).body.elastic_email_key?.last_four, 'cret');
    assert.equal((await connection())?.state, 'none');
    assert.equal((await owner.ok<{ kind: string }>('GET', `${path}/content_backend`)).kind, 'built_in');
    assert.equal((await deleteKey()).body.elastic_email_key, null);
    const directus = { endpoint: 'https://cms.example', state: 'connected', access_token: 'sealed' } as const;
    for (const hasKey of [false, true]) {
      if (hasKey) await setKey(canary);
      await updateRows(app.owner, 'organization_directus', { organization_id: organizationId }, directus);
      if (hasKey) assert.equal((await setKey(`${canary}s`)).body.elastic_email_key?.last_four, 'rets');
      else assert.equal((await deleteKey()).status, 200);
      const both = await connection();
      assert.deepEqual(
        [both?.endpoint, both?.access_token, both?.state, both?.ee_api_key === null],
        ['https://cms.example', 'sealed', 'connected', !hasKey],
      );
      assert.equal((await owner.request('DELETE', `${path}/content_backend`)).status, 200);
      assert.equal((await connection())?.ee_api_key === null, !hasKey);
    }
  });

  test('what a server or provider says is repeated, and nothing is stored', async () => {
    elastic.script.length = 0;
    const revoked = await owner.request('PUT', `${path}/elastic_email_key`, { api_key: 'short' });
    assertProblem(revoked, 422, 'invalid_input');
    ses.account.SendingEnabled = false;
    const { status, body } = await create(ofSes(), { secret: canary });
    assert.deepEqual([status, body['code' as never]], [424, 'transport_failed'], JSON.stringify(body));
    ses.account.SendingEnabled = true;
    assertProblem(await create(ofSes()), 422, 'invalid_input');
    assertProblem(await create({ kind: 'smtp', host: '127.0.0.1', port: 1 }), 424, 'transport_failed');
    assertProblem(await create({ kind: 'smtp', host: 'localhost', port: 25 }), 424, 'transport_failed');
    assert.deepEqual((await list()).items, []);
  });

  test('limits of a provider are read when its settings are saved', async () => {
    const { body } = await create(ofSes({ topic_arn: 'arn:aws:sns:eu-west-1:1:t' }), { secret: canary });
    const [transport] = body.items;
    assert.deepEqual(transport?.limits, {
      per_second: 14,
      per_day: 50_000,
      open_requests: null,
      left_today: 49_880,
    });
    assert.equal(transport.last_four, 'cret');
    assert.match(transport.events_url ?? '', /\/hooks\/transports\/[\w.-]+$/);
  });

  test('a secret is used for its own server and account only', async () => {
    const [{ id, settings }] = (await list()).items as [Transports['items'][number]];
    const change = (changed: object) =>
      owner.request('PATCH', `${path}/transports/${id}`, { settings: { ...settings, ...changed } });
    assertProblem(await change({ access_key_id: 'AKIAOTHER0000000000' }), 422, 'invalid_input');
    assertProblem(await change({ region: 'us-east-1' }), 422, 'invalid_input');
    assert.equal((await change({ configuration_set: 'news' })).status, 200);
    const row = await findRow(app.owner, 'transports', '*', { id });
    assert.equal(row?.version, 2, 'workers open it again');
  });

  test('a transport is tested, chosen, and kept while it is used', async () => {
    const { body } = await create(ofSink());
    const { id } = body.items.find(({ settings }) => settings.kind === 'smtp')!;
    await owner.ok('POST', `${path}/transports/${id}/test`, { from: 'news@sender.example' });
    assert.deepEqual([sink.taken[0]?.recipient, sink.taken[0]?.sender], [owner.email, 'news@sender.example']);
    const branch = await buildBranch(app.owner, { organization_id: organizationId });
    const choose = (choice: object) => owner.ok<Transports>('PUT', `${path}/transports/choice`, choice);
    await choose({ brand_id: null, transport_id: id });
    await choose({ brand_id: branch.brandId, transport_id: null });
    const chosen = await list();
    assert.deepEqual(
      chosen.items.map(({ is_default }) => is_default),
      chosen.items.map((item) => item.id === id),
    );
    assert.deepEqual(
      chosen.brands_of_installation.map((brand) => brand.id),
      [branch.brandId],
    );
    assertProblem(await owner.request('DELETE', `${path}/transports/${id}`), 409, 'transport_in_use');
    await choose({ brand_id: branch.brandId, transport_id: null, is_inherited: true });
    await choose({ brand_id: null, transport_id: null });
    assert.equal((await owner.request('DELETE', `${path}/transports/${id}`)).status, 200);
  });

  test('no secret is in a response, an audit entry or a row (SEC-1)', async () => {
    await setKey(canary);
    await create({ kind: 'elastic_email' }, { webhook_secret: `whsec_${canary}` });
    const shown = [
      await list(),
      await owner.ok('GET', `${path}/audit_log`),
      await owner.ok('GET', `${path}/content_backend`),
      await listRows(app.owner, 'transports', '*', { organization_id: organizationId }),
      await connection(),
    ];
    assert.doesNotMatch(JSON.stringify(shown), /canary-4f81/);
  });

  test('what a provider suppresses is suppressed here, and opt-outs are told to it', async () => {
    const DateUpdated = new Date().toISOString();
    elastic.suppressed['bounces']!.push({ Email: 'gone@sink.example', DateUpdated });
    elastic.suppressed['complaints']!.push({ Email: 'angry@sink.example', DateUpdated });
    const choice = { organization_id: organizationId, kind: 'suppression' } as const;
    await insertRows(app.owner, 'choices', {
      ...choice,
      address_key: 'left@sink.example',
      value: 'unsubscribe',
    });
    // Amazon SES does not answer, which holds up nobody.
    ses.close();
    const { services } = app;
    const db = connect(app.appUrl, { name: 'test', connections: 2, onError: () => undefined });
    const worker = startJobWorker(app, [handleProviderSuppressions({ ...services, db })]);
    await waitUntil('the provider is told', () => elastic.suppressed['unsubscribes']!.length > 0);
    await worker.stop();
    await db.destroy();
    const rows = await listRows(app.owner, 'choices', ['address_key', 'value'], choice);
    assert.deepEqual(
      rows
        .filter(({ address_key }) => address_key.endsWith('@sink.example'))
        .map(({ address_key, value }) => `${address_key} ${value}`)
        .toSorted(),
      ['angry@sink.example complaint', 'gone@sink.example bounce', 'left@sink.example unsubscribe'],
    );
    assert.deepEqual(
      elastic.suppressed['unsubscribes']!.map(({ Email }) => Email),
      ['left@sink.example'],
    );
  });

  test('only owners and admins see or change transports, after a recent sign-in', async () => {
    const editor = await app.signInMember(organizationId, 'editor');
    assertProblem(await editor.request('GET', `${path}/transports`), 403, 'forbidden');
    const admin = await app.signInMember(organizationId, 'admin');
    assert.equal((await admin.request('GET', `${path}/transports`)).status, 200);
    await updateRows(
      app.owner,
      'sessions',
      { user_id: admin.userId },
      { created_at: new Date(Date.now() - 7_200_000).toISOString() },
    );
    assertProblem(await admin.request('DELETE', `${path}/elastic_email_key`), 401, 'sign_in_again');
  });
});
