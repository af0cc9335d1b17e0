import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Schedule } from '@reachout/contract/schedules.ts';
import type { Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand } from '../../sample/records.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { setQuota } from '../../identity/organizations/quotas.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { newId } from '../../platform/ids.ts';

interface Data {
  data: { touchpoint_id?: string; checks?: { check: string }[]; subject?: string };
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

suite('touchpoints created in one call', () => {
  const app = useSharedApp();
  let ready: ReadyEmail;
  let email: { filter_id: string; template_id: string; subject: string; from_email: string };

  before(async () => {
    ready = await buildReadyEmail(app);
    const { filterId: filter_id, templateId: template_id } = ready;
    email = { filter_id, template_id, subject: 'Hello', from_email: 'news@nordwind.example' };
  });

  const create = (body: object, key?: string, as: Person = ready.person, path = '/api/touchpoints') =>
    app.request<Touchpoint & Data>('POST', path, {
      body: {
        organization_id: ready.organizationId,
        campaign_id: ready.campaignId,
        name: 'Offer',
        type: 'email',
        ...body,
      },
      as,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
  const get = async <T>(path: string) => await ready.person.ok<T>('GET', `/api/touchpoints/${path}`);
  const countOf = async (name: string) => (await listRows(app.owner, 'touchpoints', ['id'], { name })).length;
  const actionsOn = async (record_id: string) =>
    (await listRows(app.owner, 'audit_log', ['action', 'at', 'record_type'], { record_id }))
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ action, record_type }) => `${record_type} ${action}`);
  const inBerlin = (days: number) => ({ start_date: day(days), time_zone: 'Europe/Berlin' });

  for (const [path, action] of [
    ['/api/touchpoints', 'touchpoints.create'],
    ['/api/rpc/create_touchpoint', 'rpc.createTouchpoint'],
  ] as const)
    test(`POST ${path} creates an email with its content, and schedules it`, async () => {
      const { status, body } = await create({ email }, undefined, ready.person, path);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.status, body.schedules], ['draft', []]);
      const stored = await get<TouchpointEmail>(`${body.id}/email`);
      assert.deepEqual({ ...stored, ...email }, stored);
      assert.ok(stored.mjml.length > 0);

      const schedule = { ...inBerlin(3), expected_recipients: 3, expected_filter_id: ready.filterId };
      const { body: planned } = await create({ email, schedule }, undefined, ready.person, path);
      assert.equal(planned.status, 'scheduled', JSON.stringify(planned));
      const [created] = await get<Schedule[]>(`${planned.id}/schedules`);
      assert.deepEqual(planned.schedules, [
        { id: created?.id, start_date: schedule.start_date, is_active: true },
      ]);
      assert.equal(created?.next?.scheduled_date, schedule.start_date);
      assert.deepEqual(await actionsOn(planned.id), [
        `touchpoints ${action}`,
        'touchpoints schedules.create',
      ]);
    });

  test('what cannot be created leaves nothing behind', async () => {
    const name = 'Left nothing';
    const unknown = newId();
    assertInvalid(await create({ name, email: { ...email, filter_id: unknown } }), 'email.filter_id');
    assertInvalid(await create({ name, email: { subject: 'two\nlines' } }), 'email.subject');
    assertInvalid(await create({ name, email, schedule: inBerlin(-1) }), 'schedule.start_date');
    const never = { ...inBerlin(1), rrule: 'FREQ=SECONDLY' };
    assertInvalid(await create({ name, email, schedule: never }), 'schedule.rrule');
    assertInvalid(await create({ name, schedule: inBerlin(1) }), 'email');
    assertInvalid(await create({ name, type: 'website', email }), 'email');
    assertInvalid(await create({ name, type: 'website', schedule: inBerlin(1) }), 'schedule');
    assert.equal(await countOf(name), 0);
  });

  test('an email that is not scheduled stays a draft, which the error names', async () => {
    const blocked = await create({ email: { ...email, subject: '' }, schedule: inBerlin(1) });
    assertProblem(blocked, 409, 'send_blocked');
    assert.deepEqual(
      blocked.body.data.checks?.map(({ check }) => check),
      ['subject'],
    );
    const changed = await create({ email, schedule: { ...inBerlin(1), expected_recipients: 7 } });
    assertProblem(changed, 409, 'audience_changed');
    const other = await create({ email, schedule: { ...inBerlin(1), expected_filter_id: newId() } });
    assertProblem(other, 409, 'changed_elsewhere');
    // There is room for the email, and none for what its send would keep of it.
    const { organizationId: organization_id } = ready;
    await setQuota(app.services.db, organization_id, 'content_megabytes', 1);
    await updateRows(app.owner, 'stored_bytes', { organization_id }, { bytes: 400_000 });
    const mjml = fixtureMjml.replace('</mj-text>', `${'x'.repeat(400_000)}</mj-text>`);
    const { template_id: _template, ...own } = email;
    const full = await create({ email: { ...own, mjml }, schedule: inBerlin(1) });
    await setQuota(app.services.db, organization_id, 'content_megabytes', null);
    assertProblem(full, 409, 'quota_exceeded');
    for (const { body } of [blocked, changed, other, full]) {
      const id = body.data.touchpoint_id!;
      assert.deepEqual(
        [(await get<Touchpoint>(id)).status, (await get<Touchpoint>(id)).schedules],
        ['draft', []],
      );
      assert.equal((await get<TouchpointEmail>(`${id}/email`)).from_email, email.from_email);
      assert.deepEqual(await actionsOn(id), ['touchpoints touchpoints.create']);
    }
  });

  test('a repeat with the same key creates no second touchpoint', async () => {
    const name = 'Once';
    const request = { name, email, schedule: inBerlin(2) };
    const responses = await Promise.all([1, 2, 3].map(() => create(request, 'once')));
    assert.deepEqual(
      responses.map(({ body: { id, status } }) => [id, status]),
      responses.map(() => [responses[0]?.body.id, 'scheduled']),
    );
    assert.equal(await countOf(name), 1);
    assert.equal((await get<Schedule[]>(`${responses[0]?.body.id}/schedules`)).length, 1);
  });

  test('a repeat with the same key goes on with the draft', async () => {
    const name = 'Goes on';
    const request = { name, email: { ...email, subject: '' }, schedule: inBerlin(2) };
    const first = await create(request, 'goes on');
    assertProblem(first, 409, 'send_blocked');
    const id = first.body.data.touchpoint_id;
    assert.equal((await create(request, 'goes on')).body.data.touchpoint_id, id);
    await ready.person.request('PATCH', `/api/touchpoints/${id}/email`, { subject: 'Hello' });
    const second = await create(request, 'goes on');
    assert.deepEqual([second.body.id, second.body.status], [id, 'scheduled'], JSON.stringify(second.body));
    assert.equal(await countOf(name), 1);
  });

  test('content and schedule require the permissions of their operations', async () => {
    const { organizationId: organization_id } = ready;
    const name = 'Forbidden';
    const key = await makeKeyOf(app, organization_id, ready.person.userId, [
      'campaigns:write',
      'campaigns:read',
    ]);
    assert.equal((await create({ email }, undefined, key)).status, 200);
    const unsent = await create({ name, email, schedule: inBerlin(1) }, undefined, key);
    assertProblem(unsent, 403, 'forbidden');

    // May write for all brands, and send for another one only.
    const { id: brand_id } = await buildBrand(app.owner, { organization_id });
    const role = 'writer';
    await insertRows(app.owner, 'organization_roles', { organization_id, role, name: 'Writer' });
    const writes = ['create', 'read', 'update'].flatMap((action) =>
      ['Campaign', 'Touchpoint', 'Filter', 'Template'].map((subject) => ({
        action,
        subject,
        conditions: null,
      })),
    );
    const sends = { action: 'send', subject: 'Touchpoint', conditions: JSON.stringify({ brand_id }) };
    await insertRows(
      app.owner,
      'role_permissions',
      [...writes, sends].map((rule, position) => ({ organization_id, role, position, ...rule })),
    );
    const person = await app.signInMember(organization_id, role);
    assert.equal((await create({ email }, undefined, person)).status, 200);
    const elsewhere = await create({ name, email, schedule: inBerlin(1) }, undefined, person);
    assertInvalid(elsewhere, 'campaign_id');
    assert.equal(await countOf(name), 0);
  });
});
