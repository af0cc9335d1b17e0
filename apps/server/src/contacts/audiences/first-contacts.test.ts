import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Collection } from '@reachout/contract/content.ts';
import type { Filter } from '@reachout/contract/filters.ts';
import type { Setup } from '@reachout/contract/organizations.ts';
import { createTestApp, type Person } from '../../testing/app.ts';
import { buildBrand, buildClient } from '../../sample/records.ts';
import { assertInvalid } from '../../testing/assert-problem.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { openRemoteContacts } from '../../testing/remote-contacts.ts';
import { updateRows } from '../../testing/rows.ts';
import { useOpened } from '../../testing/use-made.ts';

interface Preview {
  html: string;
  problems: { code: string; message: string }[];
}

suite('contacts of any collection and backend', () => {
  let owner: Person;

  const app = useOpened(() => createTestApp({ privateHosts: ['127.0.0.1'] }));
  const remote = useOpened(() => openRemoteContacts());
  before(async () => {
    owner = await app.signIn();
  });

  const preview = async (organizationId: string, body: object) => {
    const mjml = fixtureMjml.replace('</mj-text>', 'Shoes {{ contact.shoes }}</mj-text>');
    const response = await owner.ok<Preview>('POST', `/api/content/${organizationId}/templates/preview`, {
      mjml,
      ...body,
    });
    const { html, problems } = response;
    return { html, unknown: problems.some(({ code }) => code === 'variable_unknown') };
  };
  const createAudience = (organizationId: string, name: string) =>
    owner.request<Filter>('POST', '/api/filters', { organization_id: organizationId, name });
  const shoes = { field: 'shoes', type: 'string' };

  test('a template is shown with the first contacts that its brand can use', async () => {
    const organizationId = await createOrganization(app, owner);
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const brand = await buildBrand(app.owner, { client_id: client.id });
    const content = `/api/content/${organizationId}`;
    const list = await owner.ok<Collection>('POST', `${content}/collections`, {
      name: 'Runners',
      client_id: client.id,
    });
    await owner.request('POST', `${content}/fields/${list.collection}`, shoes);
    const item = await owner.ok<{ data: { id: string } }>('POST', `${content}/items/${list.collection}`, {
      email: 'ada@run.example',
      shoes: 'size 41',
    });
    assert.equal((await preview(organizationId, {})).unknown, true, 'shared contacts have no such field');
    assert.equal((await preview(organizationId, { collection: list.collection })).unknown, false);
    const shown = await preview(organizationId, { brand_id: brand.id, contact_id: item.data.id });
    assert.equal(shown.unknown, false);
    assert.match(shown.html, /Shoes size 41/);
  });

  test('a Directus without `contacts` serves set-up, audiences and templates', async () => {
    const organizationId = await createOrganization(app, owner);
    const [there] = [await remote.app.signInMember(remote.organizationId, 'owner')];
    const elsewhere = `/api/content/${remote.organizationId}`;
    const { body: list } = await remote.app.request<Collection>('POST', `${elsewhere}/collections`, {
      as: there,
      body: { name: 'Members' },
    });
    await remote.app.request('POST', `${elsewhere}/fields/${list.collection}`, { as: there, body: shoes });
    await updateRows(
      remote.owner,
      'content_collections',
      { organization_id: remote.organizationId, collection: 'contacts' },
      { hidden: true },
    );
    await remote.connect(app, organizationId, owner);
    const look = () => owner.request('GET', `/api/content/${organizationId}/collections`);
    const hasContacts = async () =>
      (await owner.ok<Setup>('GET', `/api/organizations/${organizationId}/setup`)).tasks.find(
        ({ task }) => task === 'contacts',
      )?.done;
    await look();
    assert.equal(await hasContacts(), false);
    const { body: item } = await remote.app.request<{ data: { id: string } }>(
      'POST',
      `${elsewhere}/items/${list.collection}`,
      { as: there, body: { email: 'ada@run.example', shoes: 'size 42' } },
    );
    await look();
    assert.equal(await hasContacts(), true);

    assert.equal((await createAudience(organizationId, 'All')).body.collection, list.collection);
    const shown = await preview(organizationId, { contact_id: item.data.id });
    assert.equal(shown.unknown, false);
    assert.match(shown.html, /Shoes size 42/);
  });

  test('an audience names its collection where no contacts are shared', async () => {
    const organizationId = await createOrganization(app, owner);
    await updateRows(
      app.owner,
      'content_collections',
      { organization_id: organizationId, collection: 'contacts' },
      { hidden: true },
    );
    assertInvalid(await createAudience(organizationId, 'Nobody'), 'collection');
  });
});
