import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TrashItem } from '@reachout/contract/organizations.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import {
  buildBrand,
  buildCampaign,
  buildClient,
  buildFilter,
  buildOrganization,
  buildTouchpoint,
} from '../../sample/records.ts';
import { buildTenant } from '../../testing/tenant.ts';

type List = { items: TrashItem[]; count: number };
const tables = ['clients', 'brands', 'campaigns', 'touchpoints'] as const;
const dayMs = 86_400_000;

suite('trash', () => {
  const app = useSharedApp();

  /** Builds one client with one brand, campaign and touchpoint. @returns them by the names of their tables */
  async function buildLine(organization_id: string, word: string) {
    const client = await buildClient(app.owner, { organization_id, name: `${word} client` });
    const brand = await buildBrand(app.owner, { client_id: client.id, name: `${word} brand` });
    const campaign = await buildCampaign(app.owner, { brand_id: brand.id, name: `${word} campaign` });
    const touchpoint = await buildTouchpoint(app.owner, {
      campaign_id: campaign.id,
      name: `${word} touchpoint`,
    });
    return { clients: client.id, brands: brand.id, campaigns: campaign.id, touchpoints: touchpoint.id };
  }

  async function fresh() {
    const { id } = await buildOrganization(app.owner);
    return { id, editor: await app.signInMember(id, 'editor'), line: await buildLine(id, 'One') };
  }

  const list = async (id: string, as: Person, query = '') =>
    await as.ok<List>('GET', `/api/organizations/${id}/trash${query}`);
  const remove = async (table: string, id: string, as: Person) =>
    assert.equal((await as.request('DELETE', `/api/${table}/${id}`)).status, 200);
  const restore = (table: string, id: string, as: Person) =>
    as.request('POST', `/api/${table}/${id}/restore`);

  test('reading the trash requires permission to delete', async () => {
    const { id } = await fresh();
    const path = `/api/organizations/${id}/trash`;
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await app.request('GET', path, { as: await app.signIn() }), 404, 'not_found');
    const analyst = await app.signInMember(id, 'analyst');
    assertProblem(await analyst.request('GET', path), 403, 'forbidden');
    const editor = await app.signInMember(id, 'editor');
    assertInvalid(await editor.request('GET', `${path}?page_size=501`), 'page_size');
    assertInvalid(await editor.request('GET', `${path}?order=name.asc`), 'order');
    assert.deepEqual(await list(id, editor), { items: [], count: 0 });
  });

  test('the trash lists deleted records, not what they contained', async () => {
    const { id, editor, line } = await fresh();
    const shown = async () =>
      (await list(id, editor)).items.map(({ kind, name, place }) => [kind, name, ...place]);
    const client = ['client', 'One client'];
    const brand = ['brand', 'One brand', 'One client'];
    const campaign = ['campaign', 'One campaign', 'One client', 'One brand'];
    const touchpoint = ['touchpoint', 'One touchpoint', 'One client', 'One brand', 'One campaign'];

    await remove('touchpoints', line.touchpoints, editor);
    assert.deepEqual(await shown(), [touchpoint]);
    await remove('campaigns', line.campaigns, editor);
    assert.deepEqual(await shown(), [campaign]);
    await remove('brands', line.brands, editor);
    assert.deepEqual(await shown(), [brand]);
    await remove('clients', line.clients, editor);
    assert.deepEqual(await shown(), [client]);

    const [item] = (await list(id, editor)).items;
    assert.equal(item?.id, line.clients);
    assert.equal(Date.parse(item.restorable_until) - Date.parse(item.deleted_at), 30 * dayMs);

    // After a restore, the trash shows the records below it that had been deleted before.
    for (const [table, left] of [
      ['clients', [brand]],
      ['brands', [campaign]],
      ['campaigns', [touchpoint]],
      ['touchpoints', []],
    ] as const) {
      assert.equal((await restore(table, line[table], editor)).status, 200, table);
      assert.deepEqual(await shown(), left);
    }
  });

  test('the trash has order, pages, search and exact count', async () => {
    const { id, editor } = await fresh();
    for (const [days, name] of ['new 50%', 'middle', 'old_x'].entries()) {
      const deleted_at = new Date(Date.now() - days * dayMs).toISOString();
      await buildClient(app.owner, { organization_id: id, name, deleted: true, deleted_at });
    }
    // A deleted client of another tenant.
    const other = await buildTenant(app.owner);
    await updateRows(
      app.owner,
      'clients',
      { id: other.clientId },
      { deleted: true, deleted_at: new Date().toISOString() },
    );
    const names = async (query: string) => {
      const { items, count } = await list(id, editor, query);
      return [items.map(({ name }) => name).join(), count];
    };
    assert.deepEqual(await names(''), ['new 50%,middle,old_x', 3]);
    assert.deepEqual(await names('?page_size=1&page=1'), ['middle', 3]);
    assert.deepEqual(await names('?page=1'), ['', 3]);
    assert.deepEqual(await names('?search=MID'), ['middle', 1]);
    assert.deepEqual(await names(`?search=${encodeURIComponent('%')}`), ['new 50%', 1]);
    assert.deepEqual(await names('?search=_'), ['old_x', 1]);
  });

  test('records stay in the trash for 30 days', async () => {
    for (const table of tables) {
      const { id, editor, line } = await fresh();
      await remove(table, line[table], editor);
      const setAge = (ms: number) =>
        app.owner
          .updateTable(table)
          .set({ deleted_at: new Date(Date.now() - ms).toISOString() })
          .where('id', '=', line[table])
          .execute();
      await setAge(30 * dayMs + 1_000);
      assert.deepEqual(await list(id, editor), { items: [], count: 0 });
      assertProblem(await restore(table, line[table], editor), 404, 'not_found', table);
      const row = await app.owner
        .selectFrom<'clients'>(table as 'clients')
        .select('deleted')
        .where('id', '=', line[table])
        .executeTakeFirstOrThrow();
      assert.equal(row.deleted, true);
      await setAge(30 * dayMs - 60_000);
      assert.equal((await list(id, editor)).count, 1);
      assert.equal((await restore(table, line[table], editor)).status, 200, table);
    }
  });

  test('limited members see only deleted records of their clients (TEN-9)', async () => {
    const { id, editor, line } = await fresh();
    const other = await buildLine(id, 'Two');
    await insertRows(app.owner, 'organization_roles', {
      organization_id: id,
      role: 'partner',
      name: 'Partner',
    });
    const allow = (...subjects: string[]) =>
      insertRows(
        app.owner,
        'role_permissions',
        subjects.map((subject, position) => ({
          organization_id: id,
          role: 'partner',
          position: position + subjects.length,
          action: 'manage',
          subject,
          conditions: JSON.stringify({ client_id: { $in: '${client_ids}' } }),
        })),
      );
    const partner = await app.signInMember(id, 'partner');
    await insertRows(app.owner, 'organization_user_clients', {
      organization_id: id,
      user_id: partner.userId,
      client_id: line.clients,
    });
    await remove('brands', line.brands, editor);
    await remove('brands', other.brands, editor);
    assert.equal((await list(id, editor)).count, 2);
    // A member who can restore only some records sees none.
    await allow('Client');
    assertProblem(await partner.request('GET', `/api/organizations/${id}/trash`), 403, 'forbidden');
    await allow('Brand', 'Campaign', 'Touchpoint');
    const seen = await list(id, partner);
    assert.deepEqual([seen.items.map(({ name }) => name), seen.count], [['One brand'], 1]);
  });

  test('restoring works although the name was reused', async () => {
    const { id, editor, line } = await fresh();
    await remove('clients', line.clients, editor);
    await buildClient(app.owner, { organization_id: id, name: 'One client' });
    assert.equal((await restore('clients', line.clients, editor)).status, 200);
  });

  test('the audit log names deleted records (AUD-1)', async () => {
    const tenant = await buildTenant(app.owner);
    const owner = await app.signInMember(tenant.organizationId, 'owner');
    const { organizationId: organization_id, templateId } = tenant;
    const filter = await buildFilter(app.owner, { organization_id, name: 'Everybody' });
    const named = { organization_id, name: 'Named' };
    const touchpoint = await buildTouchpoint(app.owner, named);
    const campaign = await buildCampaign(app.owner, named);
    const brand = await buildBrand(app.owner, named);
    const client = await buildClient(app.owner, named);
    const organization = await getRow(app.owner, 'organizations', ['name'], { id: organization_id });
    const template = await app.owner
      .selectFrom('content_items')
      .select((eb) =>
        eb
          .ref('data', '->>')
          .key('title' as never)
          .as('title'),
      )
      .where('id', '=', templateId)
      .executeTakeFirstOrThrow();
    for (const [action, id, path, record_name] of [
      ['templates.delete', templateId, `content/${organization_id}/templates/${templateId}`, template.title],
      ['filters.delete', filter.id, `filters/${filter.id}`, 'Everybody'],
      ['touchpoints.delete', touchpoint.id, `touchpoints/${touchpoint.id}`, 'Named'],
      ['campaigns.delete', campaign.id, `campaigns/${campaign.id}`, 'Named'],
      ['brands.delete', brand.id, `brands/${brand.id}`, 'Named'],
      ['clients.delete', client.id, `clients/${client.id}`, 'Named'],
      ['organizations.delete', organization_id, `organizations/${organization_id}`, organization.name],
    ] as const) {
      await owner.ok('DELETE', `/api/${path}`);
      const entry = await getRow(
        app.owner,
        'audit_log',
        ['action', 'record_type', 'record_id', 'record_name', 'user_id'],
        { record_id: id, action },
      );
      assert.deepEqual(entry, {
        action,
        record_type: action.split('.')[0],
        record_id: id,
        record_name,
        user_id: owner.userId,
      });
    }
  });
});
