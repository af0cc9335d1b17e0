import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Client } from '@reachout/contract/clients.ts';
import { useSharedApp } from '../../testing/app.ts';
import {
  buildBrand,
  buildCampaign,
  buildClient,
  buildOrganization,
  buildSend,
  buildTouchpoint,
} from '../../sample/records.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';

type List = { items: Client[]; count: number };

suite('clients', () => {
  const app = useSharedApp();
  const { organizationId, editor, analyst } = useWorld(app);

  test('permitted members can create clients', async () => {
    const body = { organization_id: organizationId, name: ' Nordwind ' };
    assertInvalid(await editor.request('POST', '/api/clients', { ...body, name: '' }), 'name');
    assertInvalid(await editor.request('POST', '/api/clients', { ...body, name: 'x'.repeat(121) }), 'name');

    const created = await editor.ok<Client>('POST', '/api/clients', body);
    assert.deepEqual(Object.keys(created).sort(), [
      'client_socials',
      'created_at',
      'id',
      'logo_url',
      'name',
      'organization_id',
      'updated_at',
    ]);
    assert.equal(created.name, 'Nordwind');
    assert.equal(created.organization_id, organizationId);
    const read = await analyst.request('GET', `/api/clients/${created.id}`);
    assert.deepEqual(read.body, created);
  });

  test('clients are read with their links, oldest first', async () => {
    const { id } = await buildOrganization(app.owner);
    const [reader, writer] = [await app.signInMember(id, 'analyst'), await app.signInMember(id, 'editor')];
    const linked = await buildClient(app.owner, { organization_id: id, name: 'Linked' });
    const bare = await buildClient(app.owner, { organization_id: id, name: 'Bare' });
    const links = [
      { network: 'website', url: 'https://nordwind.example/' },
      { network: 'mastodon', url: 'https://social.example/@nordwind' },
    ];
    const socials: object[] = [];
    for (const body of links) {
      const path = `/api/clients/${linked.id}/socials`;
      const added = await writer.request<{ id: string }>('POST', path, body);
      socials.push({ id: added.body.id, ...body });
    }
    const list = await reader.request<List>('GET', `/api/clients?organization_id=${id}`);
    assert.deepEqual(
      list.body.items.map((client) => [client.id, client.client_socials]),
      [
        [bare.id, []],
        [linked.id, socials],
      ],
    );
    const one = await reader.request<Client>('GET', `/api/clients/${linked.id}`);
    assert.deepEqual(one.body.client_socials, socials);
  });

  test('renaming a client updates its change date', async () => {
    const client = await buildClient(app.owner, {
      organization_id: organizationId,
      updated_at: '2026-01-01T00:00:00Z',
    });
    const path = `/api/clients/${client.id}`;
    assertInvalid(await editor.request('PATCH', path, { name: ' ' }), 'name');

    const same = await editor.request<Client>('PATCH', path, {});
    assert.equal(same.body.updated_at, '2026-01-01T00:00:00.000Z');
    const renamed = await editor.request<Client>('PATCH', path, { name: 'Südwind' });
    assert.equal(renamed.body.name, 'Südwind');
    assert.ok(renamed.body.updated_at > same.body.updated_at);
  });

  test('a deleted client is hidden until it is restored', async () => {
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const path = `/api/clients/${client.id}`;

    assert.deepEqual((await editor.request('DELETE', path)).body, { id: client.id });
    const row = await getRow(app.owner, 'clients', ['deleted', 'deleted_at'], { id: client.id });
    assert.equal(row.deleted, true);
    assert.notEqual(row.deleted_at, null);
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    assertProblem(await editor.request('PATCH', path, { name: 'No' }), 404, 'not_found');
    assertProblem(await editor.request('DELETE', path), 404, 'not_found');

    const restored = await editor.request<Client>('POST', `${path}/restore`);
    assert.equal(restored.body.name, client.name);
    await editor.ok('POST', `${path}/restore`);
    await editor.ok('GET', path);
  });

  test('a client in use by a send cannot be deleted', async () => {
    for (const status of ['queued', 'preparing', 'sending', 'paused'] as const) {
      const client = await buildClient(app.owner, { organization_id: organizationId });
      const brand = await buildBrand(app.owner, { client_id: client.id });
      const campaign = await buildCampaign(app.owner, { brand_id: brand.id });
      const touchpoint = await buildTouchpoint(app.owner, { campaign_id: campaign.id });
      const send = await buildSend(app.owner, { touchpoint_id: touchpoint.id, status });
      const path = `/api/clients/${client.id}`;
      assertProblem(await editor.request('DELETE', path), 409, 'send_in_progress');
      await editor.ok('GET', path);
      await updateRows(app.owner, 'touchpoint_sends', { id: send.id }, { status: 'completed' });
      await editor.ok('DELETE', path);
    }
  });

  test('clients are paged, sorted and searched', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const names = ['Übersee', 'alpha', 'Beta 50%', 'beta_x', 'back\\slash', 'Gamma'];
    for (const name of names) await buildClient(app.owner, { organization_id: id, name });
    await buildClient(app.owner, { organization_id: id, name: 'beta gone', deleted: true });

    const path = `/api/clients?organization_id=${id}`;
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    assertInvalid(await reader.request('GET', `${path}&order=deleted.asc`), 'order');
    assertInvalid(await reader.request('GET', `${path}&page_size=501`), 'page_size');
    assertInvalid(await reader.request('GET', `${path}&page=-1`), 'page');

    const list = async (query: string) => {
      const body = await reader.ok<List>('GET', `${path}${query}`);
      return { names: body.items.map((client) => client.name), count: body.count };
    };
    const sorted = ['alpha', 'back\\slash', 'Beta 50%', 'beta_x', 'Gamma', 'Übersee'];
    assert.deepEqual(await list(''), { names: sorted, count: 6 });
    assert.deepEqual(await list('&order=name.desc'), { names: sorted.toReversed(), count: 6 });
    assert.deepEqual(await list('&page_size=2&page=1'), { names: sorted.slice(2, 4), count: 6 });
    assert.deepEqual(await list('&page_size=2&page=9'), { names: [], count: 6 });
    assert.deepEqual(await list('&search=BETA'), { names: ['Beta 50%', 'beta_x'], count: 2 });
    assert.deepEqual(await list('&search=über'), { names: ['Übersee'], count: 1 });
    assert.deepEqual(await list(`&search=${encodeURIComponent('%')}`), { names: ['Beta 50%'], count: 1 });
    assert.deepEqual(await list('&search=_'), { names: ['beta_x'], count: 1 });
    assert.deepEqual(await list(`&search=${encodeURIComponent('\\')}`), { names: ['back\\slash'], count: 1 });
    assert.deepEqual(await list(`&search=${encodeURIComponent("' or true --")}`), { names: [], count: 0 });
    assert.deepEqual((await list('&order=created_at.asc')).names, names);
  });
});
