import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maxGoals } from '@reachout/contract/rules/conversions.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { listRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useMade } from '../../testing/use-made.ts';

suite('goals of websites', () => {
  const app = useSharedApp();
  const email = useMade(() => buildReadyEmail(app));
  const editor = useMade(() => app.signInMember(email.organizationId, 'editor'));

  const createWebsite = async () => {
    const { organizationId: organization_id, campaignId: campaign_id } = email;
    const body = { organization_id, campaign_id, name: 'Shop', type: 'website' };
    return (await editor.ok<Touchpoint>('POST', '/api/touchpoints', body)).id;
  };
  const path = (website: string, goal = '') =>
    `/api/touchpoints/${website}/website/goals${goal && `/${goal}`}`;
  const list = async (website: string, as = editor) => await as.ok<ConversionGoal[]>('GET', path(website));
  const create = (website: string, body: object, as = editor) =>
    as.request<ConversionGoal>('POST', path(website), body);
  const change = (website: string, goal: string, body: object, as = editor) =>
    as.request<ConversionGoal>('PATCH', path(website, goal), body);
  const remove = (website: string, goal: string, as = editor) =>
    as.request<{ id: string }>('DELETE', path(website, goal));

  test('a goal has no value and a window of seven days unless they are given', async () => {
    const website = await createWebsite();
    const { status, body: order } = await create(website, { event: 'Order' });
    assert.equal(status, 200);
    const { id, created_at, updated_at, ...settings } = order;
    assert.deepEqual(settings, { touchpoint_id: website, event: 'Order', value: null, window_days: 7 });
    assert.equal(created_at, updated_at);
    const { body: lead } = await create(website, { event: 'Lead', value: 12.34, window_days: 90 });
    assert.deepEqual([lead.value, lead.window_days], [12.34, 90]);
    assert.deepEqual(await list(website), [lead, order]);
    assert.notEqual(id, lead.id);
  });

  test('value and window of a goal change one by one', async () => {
    const website = await createWebsite();
    const { body: goal } = await create(website, { event: 'Order', value: 5 });
    const changed = async (body: object) => {
      const { value, window_days } = (await change(website, goal.id, body)).body;
      return [value, window_days];
    };
    assert.deepEqual(await changed({ window_days: 30 }), [5, 30]);
    assert.deepEqual(await changed({ value: 9.99 }), [9.99, 30]);
    assert.deepEqual(await changed({ value: null }), [null, 30]);
    assert.deepEqual(await changed({ value: 0, window_days: 1 }), [0, 1]);
    assertInvalid(await change(website, goal.id, { event: 'Other' }), 'event');
  });

  test('values and windows out of range are refused', async () => {
    const website = await createWebsite();
    const { body: goal } = await create(website, { event: 'Order' });
    for (const [field, values] of [
      ['event', ['', ' ', 'x'.repeat(256), 'two\nlines', 5, null]],
      ['value', [-0.01, 1_000_000_001, 0.001, '5']],
      ['window_days', [0, 91, 1.5, '7', null]],
    ] as const)
      for (const value of values) {
        assertInvalid(await create(website, { event: 'New', [field]: value }), field);
        if (field !== 'event') assertInvalid(await change(website, goal.id, { [field]: value }), field);
      }
    assert.deepEqual(await list(website), [goal]);
    assert.equal((await create(website, { event: 'Most', value: 1_000_000_000 })).status, 200);
  });

  test('an event is a goal of its website once', async () => {
    const [website, other] = [await createWebsite(), await createWebsite()];
    await create(website, { event: 'Order' });
    assertProblem(await create(website, { event: 'Order' }), 409, 'goal_exists');
    for (const [id, event] of [
      [website, 'order'],
      [other, 'Order'],
    ] as const)
      assert.equal((await create(id, { event })).status, 200);
    const both = await Promise.all([create(other, { event: 'Lead' }), create(other, { event: 'Lead' })]);
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 409]));
  });

  test('a website has at most 20 goals', async () => {
    const website = await createWebsite();
    const created = await Promise.all(
      Array.from({ length: maxGoals + 2 }, (_, index) => create(website, { event: `Goal ${index}` })),
    );
    const refused = created.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 2);
    for (const response of refused) assertProblem(response, 409, 'too_many_goals');
    const [first] = await list(website);
    assert.equal((await remove(website, first!.id)).status, 200);
    assert.equal((await create(website, { event: 'Another' })).status, 200);
  });

  test('a removed goal is gone, and its event can be one again', async () => {
    const website = await createWebsite();
    const { body: goal } = await create(website, { event: 'Order' });
    assert.deepEqual((await remove(website, goal.id)).body, { id: goal.id });
    assertProblem(await remove(website, goal.id), 404, 'not_found');
    assertProblem(await change(website, goal.id, { value: 1 }), 404, 'not_found');
    const { body: again } = await create(website, { event: 'Order' });
    assert.notEqual(again.id, goal.id);
  });

  test('only websites have goals, each its own', async () => {
    const [website, other] = [await createWebsite(), await createWebsite()];
    const { body: goal } = await create(website, { event: 'Order' });
    for (const id of [email.touchpointId, crypto.randomUUID()]) {
      assertProblem(await editor.request('GET', path(id)), 404, 'not_found');
      assertProblem(await create(id, { event: 'Order' }), 404, 'not_found');
    }
    for (const id of [other, email.touchpointId]) {
      assertProblem(await change(id, goal.id, { value: 1 }), 404, 'not_found');
      assertProblem(await remove(id, goal.id), 404, 'not_found');
    }
    assert.deepEqual(await list(website), [goal]);
  });

  test('goals are read and changed by those who may read and change touchpoints', async () => {
    const website = await createWebsite();
    const { body: goal } = await create(website, { event: 'Order' });
    const reader = await signInWithRules(app, email.organizationId, [
      { action: 'read', subject: 'Touchpoint' },
    ]);
    assert.deepEqual(await list(website, reader), [goal]);
    assertProblem(await create(website, { event: 'Lead' }, reader), 403, 'forbidden');
    assertProblem(await change(website, goal.id, { value: 1 }, reader), 403, 'forbidden');
    assertProblem(await remove(website, goal.id, reader), 403, 'forbidden');
    const stranger = (await buildReadyEmail(app)).person;
    assertProblem(await stranger.request('GET', path(website)), 404, 'not_found');
    assertProblem(await create(website, { event: 'Lead' }, stranger), 404, 'not_found');
  });

  test('a copy of a website has its own goals', async () => {
    const website = await createWebsite();
    await create(website, { event: 'Order', value: 5.5, window_days: 30 });
    const copy = await editor.request<Touchpoint>('POST', `/api/touchpoints/${website}/duplicate`, {
      name: 'Copy',
    });
    const [original] = await list(website);
    const [copied, ...others] = await list(copy.body.id);
    assert.equal(others.length, 0);
    const { event, value, window_days, touchpoint_id } = copied!;
    assert.deepEqual([event, value, window_days, touchpoint_id], ['Order', 5.5, 30, copy.body.id]);
    assert.notEqual(copied!.id, original!.id);
  });

  test('the audit log names who changed goals of a website', async () => {
    const website = await createWebsite();
    const { body: goal } = await create(website, { event: 'Order' });
    await change(website, goal.id, { value: 1 });
    await remove(website, goal.id);
    const entries = await listRows(app.owner, 'audit_log', ['action', 'record_name', 'details'], {
      organization_id: email.organizationId,
      record_id: website,
    });
    for (const action of ['createGoal', 'updateGoal', 'deleteGoal'])
      assert.ok(
        entries.some(
          (entry) =>
            entry.action === `websites.${action}` &&
            entry.record_name === 'Shop' &&
            JSON.stringify(entry.details).includes('Order'),
        ),
        action,
      );
  });
});
