import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { templateStarters, type Template } from '@reachout/contract/templates.ts';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { useWorld } from '../../testing/world.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { buildCampaign, buildTouchpoint, buildBrand } from '../../sample/records.ts';
import { defaultMjml, starterMjml } from './starters.ts';

suite('templates', () => {
  const app = useSharedApp();
  const { organizationId: organization_id, base: content, owner } = useWorld(app);
  const base = `${content}/templates`;

  const create = (body: object) => owner.request<Template>('POST', base, body);
  const change = (id: string, body: object) => owner.request<Template>('PATCH', `${base}/${id}`, body);

  test('a new template starts from the default template', async () => {
    const { status, body } = await create({ title: 'Spring Sale!' });
    assert.equal(status, 200);
    assert.deepEqual([body.title, body.name, body.template_type], ['Spring Sale!', 'spring-sale', 'email']);
    assert.equal(body.mjml, defaultMjml);
    for (const part of ['links.unsubscribe', 'links.view_in_browser', 'contact.first_name | default'])
      assert.ok(body.mjml.includes(part), part);
  });

  test('templates are listed without source, searchable and sortable', async () => {
    for (const title of ['Zebra', 'alpha', 'Beta 100%']) await create({ title, mjml: '<mjml></mjml>' });
    const list = async (query: string) => {
      const body = await owner.ok<{ items: Template[]; count: number }>('GET', `${base}?${query}`);
      assert.ok(body.items.every((item) => !('mjml' in item)));
      return [body.items.map(({ name }) => name).filter((name) => name !== 'spring-sale'), body.count];
    };
    assert.deepEqual((await list('search=ZEB'))[0], ['zebra']);
    assert.deepEqual(await list('search=%25'), [['beta-100'], 1]);
    assert.deepEqual(await list('search=%20'), await list(''));
    assert.deepEqual((await list('order=date_updated.desc'))[0], ['beta-100', 'alpha', 'zebra']);
    assert.equal((await list('page_size=1&page=1'))[1], 4);
  });

  test('the server writes a template’s preview, its first words', async () => {
    const mjmlOf = (text: string) => `<mjml><mj-body><mj-text>${text}</mj-text></mj-body></mjml>`;
    const { body } = await create({ title: 'With words', mjml: mjmlOf('Hello {{ contact.first_name }}!') });
    assert.equal(body.preview, 'Hello [contact.first_name]!');
    assert.equal((await change(body.id, { title: 'Without words' })).body.preview, body.preview);
    assert.equal((await change(body.id, { mjml: mjmlOf('Goodbye') })).body.preview, 'Goodbye');
    const found = await owner.ok<{ items: Template[] }>('GET', `${base}?search=without`);
    assertColumn(found.items, 'preview', ['Goodbye']);
  });

  test('a default template is shown in the look of a brand', async () => {
    const brand = await buildBrand(app.owner, { organization_id, name: 'Lighthouse' });
    for (const starter of templateStarters) {
      const body = await owner.ok<{ html: string }>(
        'GET',
        `${base}/starters/${starter}/picture?language=de&brand_id=${brand.id}`,
      );
      assert.match(body.html, /Lighthouse/, starter);
      assert.doesNotMatch(body.html, /\{[{%]/, starter);
    }
  });

  test('template names are unique and limited', async () => {
    for (const title of ['', '   ', 'x'.repeat(121)])
      assertProblem(await create({ title }), 422, 'invalid_input');
    await create({ title: 'One name' });
    assertProblem(await create({ title: 'ONE -- NAME!' }), 409, 'name_taken');
    assertProblem(await create({ title: '!!!' }), 422, 'invalid_input');
    const { body } = await create({ title: 'Another name' });
    assertProblem(await change(body.id, { title: 'one name' }), 409, 'name_taken');
    assert.equal((await change(body.id, { title: 'Third name' })).body.name, 'third-name');
  });

  test('an outdated version cannot overwrite a template', async () => {
    const { body } = await create({ title: 'Edited by two' });
    const mine = await change(body.id, { mjml: '<mjml>1</mjml>', if_date_updated: body.date_updated });
    assert.equal(mine.status, 200);
    const stale = { mjml: '<mjml>2</mjml>', if_date_updated: body.date_updated };
    assertProblem(await change(body.id, stale), 409, 'changed_elsewhere');
    const fresh = { ...stale, if_date_updated: mine.body.date_updated };
    assert.equal((await change(body.id, fresh)).body.mjml, '<mjml>2</mjml>');
  });

  test('a template has at most 1 MB', async () => {
    assertProblem(await create({ title: 'Large', mjml: 'ü'.repeat(500_001) }), 422, 'invalid_input');
    assert.equal((await create({ title: 'Large', mjml: 'ü'.repeat(500_000) })).status, 200);
  });

  test('members cannot take templates of others to their client (TEN-9)', async () => {
    const { body } = await create({ title: 'Of all' });
    const brand = await buildBrand(app.owner, { organization_id });
    const conditions = { client_id: brand.client_id };
    const role = await owner.request<{ role: string }>(
      'POST',
      `/api/organizations/${organization_id}/roles`,
      {
        name: 'One client',
        rules: ['Client', 'Brand', 'Campaign', 'Touchpoint', 'Template'].flatMap((subject) =>
          ['read', 'update'].map((action) => ({ action, subject, conditions })),
        ),
      },
    );
    const member = await app.signInMember(organization_id, role.body.role);
    const ask = (method: 'GET' | 'PATCH', given?: object) =>
      app.request<Template>(method, `${base}/${body.id}`, { as: member, ...(given && { body: given }) });
    assertProblem(await ask('GET'), 404, 'not_found');
    assertProblem(await ask('PATCH', { title: 'Mine' }), 404, 'not_found');
    assertProblem(await ask('PATCH', { client_id: brand.client_id, mjml: 'x' }), 404, 'not_found');
    const own = await create({ title: 'Of one', brand_id: brand.id });
    await member.ok('PATCH', `${base}/${own.body.id}`, { title: 'Mine' });
  });

  test('an email keeps its body when its template is deleted', async () => {
    const { body } = await create({ title: 'In use', mjml: '<mjml>first</mjml>' });
    const path = `${base}/${body.id}`;
    const brand = await buildBrand(app.owner, { organization_id });
    const campaign = await buildCampaign(app.owner, { brand_id: brand.id });
    const { id } = await buildTouchpoint(app.owner, { campaign_id: campaign.id });
    const email = `/api/touchpoints/${id}/email`;
    const write = (given: object) => owner.request<TouchpointEmail>('PATCH', email, given);
    assert.equal((await write({ template_id: body.id })).body.mjml, '<mjml>first</mjml>');
    await change(body.id, { mjml: '<mjml>second</mjml>' });
    const list = `/api/touchpoints?organization_id=${organization_id}&template_id=${body.id}`;
    const begun = await owner.ok<{ items: { id: string }[] }>('GET', list);
    assert.deepEqual(
      begun.items.map((item) => item.id),
      [id],
    );
    await owner.ok('DELETE', path);
    assertProblem(await owner.request('GET', path), 404, 'not_found');
    const kept = await owner.request<TouchpointEmail>('GET', email);
    assert.equal(kept.body.mjml, '<mjml>first</mjml>');
    // Starting over.
    assertProblem(await write({ template_id: body.id }), 422, 'invalid_input');
    const again = await write({ starter: 'offer', language: 'de' });
    assert.equal(again.body.mjml, starterMjml('offer', 'de'));
    assert.equal(again.body.template_id, null);
    assertProblem(await write({ starter: 'offer', mjml: 'x' }), 422, 'invalid_input');
  });
});
