import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Campaign, CampaignTouchpoints } from '@reachout/contract/campaigns.ts';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import {
  buildBrand,
  buildCampaign,
  buildClient,
  buildOrganization,
  buildSend,
  buildTouchpoint,
} from '../../sample/records.ts';
import { updateRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';

type List<T> = { items: T[]; count: number };

const longAgo = '2026-01-01T00:00:00.000Z';

suite('campaigns', () => {
  const app = useSharedApp();
  const { organizationId: organization_id, brandId: brand_id, editor, analyst } = useWorld(app);

  test('a campaign is created under a brand', async () => {
    const body = { organization_id, brand_id, name: 'Frühling' };
    const hidden = [
      await buildBrand(app.owner),
      await buildBrand(app.owner, { organization_id, deleted: true }),
      await buildBrand(app.owner, {
        client_id: (await buildClient(app.owner, { organization_id, deleted: true })).id,
      }),
      { id: '01900000-0000-7000-8000-000000000000' },
    ];
    const responses = [];
    for (const { id } of hidden) {
      const response = await editor.request('POST', '/api/campaigns', { ...body, brand_id: id });
      assertInvalid(response, 'brand_id');
      responses.push(JSON.stringify(response.body));
    }
    assert.equal(new Set(responses).size, 1);

    const created = await editor.ok<Campaign>('POST', '/api/campaigns', body);
    assert.equal(created.status, 'draft');
    assert.equal(created.touchpoint_count, 0);
    assert.equal(created.brand.id, brand_id);
    assert.deepEqual((await analyst.request('GET', `/api/campaigns/${created.id}`)).body, created);
  });

  test('only name and archive status of campaigns can change', async () => {
    const campaign = await buildCampaign(app.owner, { brand_id, updated_at: longAgo });
    const path = `/api/campaigns/${campaign.id}`;
    const patch = (body: unknown, as?: Person) => app.request<Campaign>('PATCH', path, { body, as });
    assertInvalid(await patch({ name: 'x'.repeat(121) }, editor), 'name');
    assertInvalid(await patch({ status: 'running' }, editor), 'status');

    assert.equal((await patch({ status: 'draft' }, editor)).body.updated_at, longAgo);
    const renamed = await patch({ name: 'Herbst' }, editor);
    assert.equal(renamed.body.name, 'Herbst');
    assert.ok(renamed.body.updated_at > longAgo);
    assert.equal((await patch({ status: 'archived' }, editor)).body.status, 'archived');
    assert.equal((await patch({ status: 'draft', name: 'Winter' }, editor)).body.status, 'draft');

    for (const status of campaignStatuses) {
      await updateRows(app.owner, 'campaigns', { id: campaign.id }, { status });
      if (!['draft', 'archived'].includes(status)) {
        const draft = await patch({ status: 'draft' }, editor);
        assertProblem(draft, 409, 'invalid_transition');
        assert.deepEqual((draft.body as unknown as { data: unknown }).data, { from: status, to: 'draft' });
      }
      const archived = await patch({ status: 'archived' }, editor);
      if (['scheduled', 'running', 'paused'].includes(status))
        assertProblem(archived, 409, 'invalid_transition');
      else assert.equal(archived.body.status, 'archived', `from ${status}`);
    }
  });

  test('a campaign completes with its last open touchpoint', async () => {
    for (const [method, body] of [
      ['PATCH', { status: 'archived' }],
      ['DELETE', undefined],
    ] as const) {
      const campaign = await buildCampaign(app.owner, { brand_id, status: 'running' });
      await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'sent' });
      await buildTouchpoint(app.owner, { campaign_id: campaign.id, type: 'website' });
      const ids = [];
      for (let index = 0; index < 2; index += 1)
        ids.push((await buildTouchpoint(app.owner, { campaign_id: campaign.id })).id);
      const statuses = [];
      for (const id of ids) {
        await editor.ok(method, `/api/touchpoints/${id}`, body);
        const now = await editor.ok<Campaign>('GET', `/api/campaigns/${campaign.id}`);
        statuses.push(now.status);
      }
      assert.deepEqual(statuses, ['running', 'completed'], method);
    }
  });

  test('unarchiving restores the former campaign status', async () => {
    for (const [touchpoints, expected] of [
      [[], 'draft'],
      [['sent', 'draft'], 'draft'],
      [['sent', 'archived'], 'completed'],
    ] as const) {
      const campaign = await buildCampaign(app.owner, { brand_id, status: 'archived' });
      for (const status of touchpoints)
        await buildTouchpoint(app.owner, { campaign_id: campaign.id, status });
      const unarchive = (as?: Person) =>
        app.request<Campaign>('POST', `/api/campaigns/${campaign.id}/unarchive`, { as });
      // A repeat changes nothing.
      for (let time = 0; time < 2; time += 1)
        assert.equal((await unarchive(editor)).body.status, expected, touchpoints.join());
    }
  });

  test('an archived campaign accepts no touchpoints', async () => {
    const campaign = await buildCampaign(app.owner, { brand_id, status: 'archived' });
    const body = { organization_id: campaign.organization_id, campaign_id: campaign.id, name: 'Late' };
    for (const type of ['email', 'website']) {
      const created = await editor.request('POST', '/api/touchpoints', { ...body, type });
      assertProblem(created, 409, 'campaign_archived');
    }
    assert.equal((await editor.ok<Campaign>('GET', `/api/campaigns/${campaign.id}`)).touchpoint_count, 0);
  });

  test('a campaign cannot change while a touchpoint is sent', async () => {
    const campaign = await buildCampaign(app.owner, { brand_id, status: 'scheduled' });
    const path = `/api/campaigns/${campaign.id}`;
    const touchpoint = await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'scheduled' });
    await buildSend(app.owner, { touchpoint_id: touchpoint.id });
    assertProblem(await editor.request('DELETE', path), 409, 'send_in_progress');
    const archived = await editor.request('PATCH', path, { status: 'archived' });
    assertProblem(archived, 409, 'send_in_progress');
    const body = await editor.ok<Campaign>('GET', path);
    assert.equal(body.status, 'scheduled');
  });

  test('a deleted campaign is hidden with all its records', async () => {
    const campaign = await buildCampaign(app.owner, { brand_id });
    const touchpoint = await buildTouchpoint(app.owner, { campaign_id: campaign.id });
    const path = `/api/campaigns/${campaign.id}`;

    assert.deepEqual((await editor.request('DELETE', path)).body, { id: campaign.id });
    for (const url of [path, `/api/touchpoints/${touchpoint.id}`, `/api/touchpoints/${touchpoint.id}/email`])
      assertProblem(await editor.request('GET', url), 404, 'not_found');
    assertProblem(await editor.request('DELETE', path), 404, 'not_found');
    const restored = await editor.request<Campaign>('POST', `${path}/restore`);
    assert.equal(restored.body.touchpoint_count, 1);
    await editor.ok('GET', `/api/touchpoints/${touchpoint.id}`);
  });

  test('campaigns are filtered, paged, sorted and searched', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const [one, other] = [
      await buildBrand(app.owner, { organization_id: id }),
      await buildBrand(app.owner, { organization_id: id }),
    ];
    const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
    await buildCampaign(app.owner, { brand_id: one.id, name: 'b', updated_at: at(1) });
    await buildCampaign(app.owner, { brand_id: one.id, name: 'A', updated_at: at(3), status: 'completed' });
    await buildCampaign(app.owner, { brand_id: other.id, name: 'C', updated_at: at(2) });
    await buildCampaign(app.owner, { brand_id: other.id, name: 'gone', deleted: true });
    const path = `/api/campaigns?organization_id=${id}`;
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    assertInvalid(await reader.request('GET', `${path}&status=gone`), 'status');
    const list = async (query: string) => {
      const body = await reader.ok<List<Campaign>>('GET', `${path}${query}`);
      return [body.items.map(({ name }) => name).join(), body.count];
    };
    assert.deepEqual(await list(''), ['A,C,b', 3]);
    assert.deepEqual(await list('&order=name.asc'), ['A,b,C', 3]);
    assert.deepEqual(await list('&order=name.asc&page_size=1&page=1'), ['b', 3]);
    assert.deepEqual(await list('&order=status.asc&page_size=1'), ['A', 3]);
    assert.deepEqual(await list(`&brand_id=${one.id}`), ['A,b', 2]);
    assert.deepEqual(await list('&status=completed'), ['A', 1]);
    assert.deepEqual(await list('&search=c'), ['C', 1]);

    for (let number = 10; number < 22; number++)
      await buildCampaign(app.owner, { brand_id: one.id, name: `Number ${number}` });
    const sizeOf = async (query: string) =>
      (await reader.ok<List<Campaign>>('GET', `${path}${query}`)).items.length;
    assert.equal(await sizeOf(''), 10);
    // The default page size with a search is 100.
    assert.equal(await sizeOf('&search=number'), 12);
    assert.equal(await sizeOf('&search=number&page_size=5'), 5);
  });

  test('the five most recently changed campaigns are recent', async () => {
    const { id } = await buildOrganization(app.owner);
    const writer = await app.signInMember(id, 'editor');
    const brand = await buildBrand(app.owner, { organization_id: id });
    const campaigns = [];
    for (const day of [1, 2, 3, 4, 5, 6]) {
      const updated_at = `2026-01-0${day}T00:00:00Z`;
      campaigns.push(
        await buildCampaign(app.owner, { brand_id: brand.id, name: `Campaign ${day}`, updated_at }),
      );
    }
    const path = `/api/campaigns/recent?organization_id=${id}`;
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    const recent = async () =>
      (await writer.ok<Campaign[]>('GET', path)).map(({ name }) => name.slice(-1)).join('');
    assert.equal(await recent(), '65432');

    const body = { organization_id: id, campaign_id: campaigns[0]?.id, name: 'Mail', type: 'email' };
    await writer.ok<{ id: string }>('POST', '/api/touchpoints', body);
    assert.equal(await recent(), '16543');
  });

  test('a campaign is shown with its touchpoints', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const brand = await buildBrand(app.owner, { organization_id: id });
    const [alpha, beta] = [
      await buildCampaign(app.owner, { brand_id: brand.id, name: 'Beta', status: 'running' }),
      await buildCampaign(app.owner, { brand_id: brand.id, name: 'alpha' }),
    ].toReversed();
    await buildCampaign(app.owner, { brand_id: brand.id, name: 'Empty' });
    for (const [campaign, name, status, type] of [
      [alpha, 'two', 'draft', 'email'],
      [alpha, 'One', 'sent', 'email'],
      [beta, 'three', 'draft', 'website'],
    ] as const) {
      await buildTouchpoint(app.owner, { campaign_id: campaign?.id ?? '', name, status, type });
    }
    await buildTouchpoint(app.owner, { campaign_id: beta?.id ?? '', name: 'gone', deleted: true });
    const path = `/api/campaigns_touchpoints?organization_id=${id}`;
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    assertInvalid(await reader.request('GET', `${path}&touchpoint_type=fax`), 'touchpoint_type');

    const list = async (query: string) => {
      const body = await reader.ok<List<CampaignTouchpoints>>('GET', `${path}${query}`);
      const groups = body.items.map(({ campaign_name, touchpoints }) =>
        [campaign_name, ...touchpoints.map(({ touchpoint_name }) => touchpoint_name)].join('/'),
      );
      return [groups.join(), body.count];
    };
    assert.deepEqual(await list(''), ['alpha/One/two,Beta/three,Empty', 3]);
    // A page break never splits a campaign.
    assert.deepEqual(await list('&page_size=1'), ['alpha/One/two', 3]);
    assert.deepEqual(await list('&page_size=2&page=1'), ['Empty', 3]);
    assert.deepEqual(await list('&page=7'), ['', 3]);
    assert.deepEqual(await list('&campaign_status=running'), ['Beta/three', 1]);
    assert.deepEqual(await list('&search=ALPHA'), ['alpha/One/two', 1]);
    assert.deepEqual(await list('&search=THR'), ['Beta/three', 1]);
    assert.deepEqual(await list('&order=campaign_name.desc'), ['Empty,Beta/three,alpha/One/two', 3]);
    assert.deepEqual(await list('&order=touchpoint_name.desc'), ['alpha/two/One,Beta/three,Empty', 3]);
    // "touchpoint status or null": campaigns without touchpoints are included.
    assert.deepEqual(await list('&touchpoint_status=sent'), ['alpha/One,Empty', 2]);
    assert.deepEqual(await list('&touchpoint_type=website'), ['Beta/three,Empty', 2]);
  });
});
