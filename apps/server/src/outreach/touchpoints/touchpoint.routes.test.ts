import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  touchpointStatuses,
  touchpointTransitions,
  type TouchpointStatus,
} from '@reachout/contract/states/touchpoint.ts';
import type { Touchpoint, TouchpointDetails, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import {
  buildBrand,
  buildCampaign,
  buildFilter,
  buildOrganization,
  buildSend,
  buildTouchpoint,
} from '../../sample/records.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { isUuid, newId } from '../../platform/ids.ts';

/** The statuses that an email can have. */
const emailStatuses = touchpointStatuses.filter((status) => touchpointTransitions.email[status].length > 0);

const longAgo = '2026-01-01T00:00:00.000Z';
const unknown = '01900000-0000-7000-8000-000000000000';

suite('touchpoints', () => {
  const app = useSharedApp();
  const { organizationId: organization_id, campaignId: campaign_id, editor, analyst } = useWorld(app);

  const build = (status: TouchpointStatus) => buildTouchpoint(app.owner, { campaign_id, status });
  const setStatus = (id: string, status: TouchpointStatus) =>
    updateRows(app.owner, 'touchpoints', { id }, { status });
  const campaignChangedAt = async () =>
    (await getRow(app.owner, 'campaigns', ['updated_at'], { id: campaign_id })).updated_at;

  for (const path of ['/api/touchpoints', '/api/rpc/create_touchpoint']) {
    test(`a touchpoint is created by POST ${path}`, async () => {
      const body = { organization_id, campaign_id, name: 'Einladung', type: 'email' };
      const post = (changes: object, as?: Person) =>
        app.request<Touchpoint>('POST', path, { body: { ...body, ...changes }, as });
      assertInvalid(await post({ type: 'fax' }, editor), 'type');
      assertInvalid(await post({ status: 'sent' }, editor), 'status');
      const foreign = await buildCampaign(app.owner);
      const deleted = await buildCampaign(app.owner, { organization_id, deleted: true });
      const refusals = [];
      for (const id of [unknown, foreign.id, deleted.id]) {
        const response = await post({ campaign_id: id }, editor);
        assertInvalid(response, 'campaign_id');
        refusals.push(JSON.stringify(response.body));
      }
      assert.equal(new Set(refusals).size, 1);

      const created = await post({}, editor);
      assert.equal(created.status, 200);
      assert.equal(created.body.status, 'draft');
      assert.equal(created.body.campaign.id, campaign_id);
      // The sender is named after the brand, and a sender name cannot contain @.
      for (const [brand, sender] of [
        ['Nordwind', 'Nordwind'],
        ['Nord@wind', 'Nord wind'],
        ['@home', 'home'],
      ] as const) {
        const { id: brand_id } = await buildBrand(app.owner, { organization_id, name: brand });
        const { id } = await buildCampaign(app.owner, { brand_id });
        const touchpoint = await post({ campaign_id: id }, editor);
        const email = await analyst.request<TouchpointEmail>(
          'GET',
          `/api/touchpoints/${touchpoint.body.id}/email`,
        );
        assert.equal(email.body.from_name, sender);
      }
      assert.deepEqual((await analyst.request('GET', `/api/touchpoints/${created.body.id}`)).body, {
        ...created.body,
        open_send_id: null,
        is_planned: false,
        is_changed: false,
      });
    });
  }

  test('a touchpoint shows its next schedules, and the states of its parents', async () => {
    const { id: organization } = await buildOrganization(app.owner, { status: 'suspended' });
    const { id: campaign, brand_id } = await buildCampaign(app.owner, {
      organization_id: organization,
      status: 'running',
    });
    const reader = await app.signInMember(organization, 'analyst');
    const { id } = await buildTouchpoint(app.owner, { campaign_id: campaign });
    const other = await buildTouchpoint(app.owner, { campaign_id: campaign });
    const at = (day: number) => `2031-01-${String(day).padStart(2, '0')}T10:00:00.000Z`;
    const schedule = (touchpoint_id: string, day: number, is_active: boolean) => ({
      organization_id: organization,
      id: newId(),
      touchpoint_id,
      brand_id,
      start_date: at(day),
      time_zone: 'UTC',
      is_active,
    });
    const ofFirst = [5, 9, 3, 7, 1, 8].map((day) => schedule(id, day, day !== 8 && day !== 9));
    const ofOther = Array.from({ length: 12 }, (_, day) => schedule(other.id, day + 1, true));
    await insertRows(app.owner, 'touchpoint_schedules', [...ofFirst, ...ofOther]);
    const get = async <T>(path: string) => await reader.ok<T>('GET', path);
    const one = await get<TouchpointDetails>(`/api/touchpoints/${id}`);
    assert.deepEqual(
      one.schedules.map(({ start_date, is_active }) => [start_date, is_active]),
      [...[1, 3, 5, 7].map((day) => [at(day), true]), [at(9), false], [at(8), false]],
    );
    assert.equal(one.campaign.status, 'running');
    assert.deepEqual([one.organization.id, one.organization.status], [organization, 'suspended']);
    const { items } = await get<{ items: Touchpoint[] }>(
      `/api/touchpoints?organization_id=${organization}&order=name.asc`,
    );
    const listed = Object.fromEntries(items.map((item) => [item.id, item]));
    assert.deepEqual(listed[id]?.schedules, one.schedules);
    assert.deepEqual([listed[id]?.campaign, listed[id]?.organization], [one.campaign, one.organization]);
    assertColumn(listed[other.id]?.schedules, 'start_date', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(at));
  });

  test('only name and archive status of touchpoints can change', async () => {
    const { id } = await build('draft');
    await updateRows(app.owner, 'campaigns', { id: campaign_id }, { updated_at: longAgo });
    const patch = (body: unknown, as?: Person) =>
      app.request<Touchpoint>('PATCH', `/api/touchpoints/${id}`, { body, as });
    assertInvalid(await patch({ name: '' }, editor), 'name');
    assertInvalid(await patch({ status: 'sent' }, editor), 'status');
    await patch({}, editor);
    assert.equal(await campaignChangedAt(), longAgo);

    assert.equal((await patch({ name: 'Neu' }, editor)).body.name, 'Neu');
    assert.ok((await campaignChangedAt()) > longAgo);
    for (const status of emailStatuses) {
      await setStatus(id, status);
      const archived = await patch({ status: 'archived' }, editor);
      if (['scheduled', 'sending', 'active', 'paused'].includes(status))
        assertProblem(archived, 409, 'invalid_transition');
      else assert.equal(archived.body.status, 'archived', `from ${status}`);
    }
    assert.equal((await patch({ status: 'draft' }, editor)).body.status, 'draft');
    await setStatus(id, 'sent');
    assertProblem(await patch({ status: 'draft' }, editor), 409, 'invalid_transition');
  });

  test('an unarchived touchpoint is sent or a draft', async () => {
    for (const [sends, expected] of [
      [[], 'draft'],
      [[{ kind: 'test', status: 'completed' }], 'draft'],
      [[{ status: 'cancelled' }], 'draft'],
      [[{ status: 'cancelled', recipients_total_count: 1, recipients_accepted_count: 1 }], 'sent'],
      [[{ status: 'completed' }], 'sent'],
    ] as const) {
      const { id } = await build('archived');
      for (const send of sends) await buildSend(app.owner, { touchpoint_id: id, ...send });
      const unarchive = (as?: Person) =>
        app.request<Touchpoint>('POST', `/api/touchpoints/${id}/unarchive`, { as });
      for (let time = 0; time < 2; time += 1)
        assert.equal((await unarchive(editor)).body.status, expected, JSON.stringify(sends));
    }
  });

  test('unarchiving a touchpoint restores the campaign status', async () => {
    const organization = await buildOrganization(app.owner);
    const person = await app.signInMember(organization.id, 'editor');
    const brand = await buildBrand(app.owner, { organization_id: organization.id });
    const campaign = await buildCampaign(app.owner, { brand_id: brand.id, status: 'running' });
    await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'sent' });
    const { id } = await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'draft' });
    const statusOfCampaign = async () =>
      (await person.ok<{ status: string }>('GET', `/api/campaigns/${campaign.id}`)).status;
    const path = `/api/touchpoints/${id}`;
    await person.request('PATCH', path, { status: 'archived' });
    assert.equal(await statusOfCampaign(), 'completed');
    await person.request('POST', `${path}/unarchive`);
    assert.equal(await statusOfCampaign(), 'running');
  });

  test('a touchpoint cannot change while it is sent', async () => {
    for (const status of ['scheduled', 'paused'] as const) {
      const { id } = await build(status);
      const open = await buildSend(app.owner, {
        touchpoint_id: id,
        status: status === 'paused' ? 'paused' : 'queued',
      });
      await buildSend(app.owner, { touchpoint_id: id, kind: 'test', status: 'queued' });
      const path = `/api/touchpoints/${id}`;
      const change = (to: string) => editor.request('PATCH', path, { status: to });
      assertProblem(await change('archived'), 409, 'send_in_progress');
      assertProblem(await change('draft'), 409, 'send_in_progress');
      assertProblem(await editor.request('DELETE', path), 409, 'send_in_progress');
      const body = await editor.ok<TouchpointDetails>('GET', path);
      assert.deepEqual([body.status, body.open_send_id], [status, open.id]);
    }
  });

  test('a deleted touchpoint is hidden until it is restored', async () => {
    const { id, name } = await build('draft');
    const path = `/api/touchpoints/${id}`;
    const changedBefore = await campaignChangedAt();
    assert.deepEqual((await editor.request('DELETE', path)).body, { id });
    assert.ok((await campaignChangedAt()) > changedBefore);
    for (const [method, url, body] of [
      ['GET', path, undefined],
      ['PATCH', path, { name: 'No' }],
      ['DELETE', path, undefined],
      ['GET', `${path}/email`, undefined],
      ['PATCH', `${path}/email`, { subject: 'No' }],
    ] as const) {
      assertProblem(await editor.request(method, url, body), 404, 'not_found');
    }
    const restored = await editor.request<Touchpoint>('POST', `${path}/restore`);
    assert.equal(restored.body.name, name);
    await editor.ok('GET', `${path}/email`);
  });

  test('the five newest touchpoints are recent', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const campaign = await buildCampaign(app.owner, { organization_id: id });
    for (const day of [3, 6, 1, 4, 2, 5]) {
      const created_at = `2026-01-0${day}T00:00:00Z`;
      await buildTouchpoint(app.owner, { campaign_id: campaign.id, name: `${day}`, created_at });
    }
    const path = `/api/touchpoints/recent?organization_id=${id}`;
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    const body = await reader.ok<Touchpoint[]>('GET', path);
    assert.equal(body.map(({ name }) => name).join(''), '65432');
  });

  test('touchpoints are listed by brand and campaign', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const one = await buildCampaign(app.owner, { organization_id: id });
    const sibling = await buildCampaign(app.owner, { brand_id: one.brand_id });
    const other = await buildCampaign(app.owner, { organization_id: id });
    for (const [campaign, name, status, type] of [
      [one, 'b', 'sent', 'email'],
      [one, 'old', 'archived', 'email'],
      [sibling, 'A', 'draft', 'website'],
      [other, 'c', 'draft', 'email'],
    ] as const)
      await buildTouchpoint(app.owner, { campaign_id: campaign.id, name, status, type });
    await buildTouchpoint(app.owner, { campaign_id: one.id, name: 'gone', deleted: true });
    const path = `/api/touchpoints?organization_id=${id}`;
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    assertInvalid(await reader.request('GET', `${path}&order=type.asc`), 'order');
    const list = async (query: string) => {
      const body = await reader.ok<{ items: Touchpoint[]; count: number }>('GET', `${path}${query}`);
      return [body.items.map(({ name }) => name).join(), body.count];
    };
    assert.deepEqual(await list('&order=name.asc'), ['A,b,c', 3]);
    assert.deepEqual(await list(`&brand_id=${one.brand_id}&order=name.asc`), ['A,b', 2]);
    assert.deepEqual(await list(`&brand_id=${one.brand_id}&order=name.desc&page_size=1`), ['b', 2]);
    assert.deepEqual(await list(`&campaign_id=${one.id}&order=name.asc`), ['b,old', 2]);
    assert.deepEqual(await list(`&brand_id=${unknown}`), ['', 0]);
  });

  test('touchpoints are listed by date of sending or change, newest first', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const campaign = await buildCampaign(app.owner, { organization_id: id });
    for (const [name, changed, sent] of [
      ['sent in May', '06', '05'],
      ['draft of April', '04', undefined],
      ['sent in March', '07', '03'],
      ['draft of August', '08', undefined],
    ] as const) {
      const updated_at = `2026-${changed}-01T00:00:00Z`;
      const touchpoint = await buildTouchpoint(app.owner, { campaign_id: campaign.id, name, updated_at });
      if (sent !== undefined)
        await buildSend(app.owner, {
          touchpoint_id: touchpoint.id,
          status: 'completed',
          send_date: `2026-${sent}-01T00:00:00Z`,
        });
    }
    const newestFirst = ['draft of August', 'sent in May', 'draft of April', 'sent in March'];
    for (const parent of ['', `&campaign_id=${campaign.id}`, `&brand_id=${campaign.brand_id}`]) {
      const list = async (query: string) => {
        const path = `/api/touchpoints?organization_id=${id}${parent}${query}`;
        return (await reader.ok<{ items: Touchpoint[] }>('GET', path)).items.map(({ name }) => name);
      };
      assert.deepEqual(await list(''), newestFirst);
      assert.deepEqual(await list('&order=date.asc'), newestFirst.toReversed());
      assert.deepEqual(await list('&page=1&page_size=3'), newestFirst.slice(3));
    }
  });

  test('email details can change until confirmation', async () => {
    const { touchpointId: id, organizationId, templateId, person: writer } = await buildReadyEmail(app);
    const foreign = await buildReadyEmail(app);
    const path = `/api/touchpoints/${id}/email`;
    const patch = (body: unknown, as?: Person) => app.request<TouchpointEmail>('PATCH', path, { body, as });
    for (const [field, value] of [
      ['subject', 'two\r\nlines'],
      ['from_name', 'news@brand.example'],
      ['from_email', 'news'],
      ['reply_to', 'x'],
      ['template_id', 'x'],
      ['template_id', unknown],
      ['template_id', foreign.templateId],
      ['mjml', 'ü'.repeat(500_001)],
      ['filter_id', unknown],
      ['filter_id', foreign.filterId],
      ['touchpoint_id', unknown],
      ['updated_at', longAgo],
    ] as const) {
      assertInvalid(await patch({ [field]: value }, writer), field);
    }

    for (const template_type of ['layout', 'block']) {
      const body = await writer.ok<{ id: string }>('POST', `/api/content/${organizationId}/templates`, {
        title: template_type,
        template_type,
      });
      assertInvalid(await patch({ template_id: body.id }, writer), 'template_id');
    }

    const filter = await buildFilter(app.owner, { organization_id: organizationId });
    const details = {
      filter_id: filter.id,
      template_id: templateId,
      subject: 'Grüße 🎉',
      preheader: 'Lesen Sie mehr',
      from_name: 'Nordwind',
      from_email: 'news@nordwind.example',
      reply_to: 'hallo@nordwind.example',
    };
    const changed = await patch(details, writer);
    const { updated_at, id: emailId, ...stored } = changed.body;
    assert.ok(isUuid(emailId) && emailId !== id);
    const withoutOptions = { item_id: null, items_count: 0, topic_id: null };
    assert.deepEqual(stored, {
      touchpoint_id: id,
      mjml: fixtureMjml,
      ...details,
      filter: { id: filter.id, name: filter.name },
      filters: { name: filter.name },
      event_listeners: [],
      ...withoutOptions,
    });
    assert.ok(updated_at > longAgo);
    const { body: partly } = await patch({ filter_id: null }, writer);
    assert.deepEqual(
      { ...partly, updated_at: '' },
      { ...changed.body, filter_id: null, filter: null, filters: null, updated_at: '' },
    );
    assert.deepEqual((await patch({}, writer)).body, partly);

    for (const status of emailStatuses) {
      await setStatus(id, status);
      const response = await patch({ subject: `As ${status}` }, writer);
      if (['scheduled', 'sending', 'active', 'paused', 'sent'].includes(status))
        assertProblem(response, 409, 'touchpoint_locked');
      else assert.equal(response.body.subject, `As ${status}`);
    }
  });
});
