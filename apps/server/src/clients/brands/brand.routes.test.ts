import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Brand, Client, ClientWithBrands } from '@reachout/contract/clients.ts';
import { brandColors } from '@reachout/contract/rules/brand-colors.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { useWorld } from '../../testing/world.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import {
  buildBrand,
  buildClient,
  buildOrganization,
  buildSend,
  buildTouchpoint,
} from '../../sample/records.ts';
import { colorOfName } from './brand.ts';

type List<T> = { items: T[]; count: number };

suite('brands', () => {
  const app = useSharedApp();
  const { organizationId: organization_id, editor, analyst } = useWorld(app);

  test('a brand is created under a client', async () => {
    const client = await buildClient(app.owner, { organization_id });
    const body = { organization_id, client_id: client.id, name: 'Nordwind', tracking_policy: 'nobody' };
    const { tracking_policy: _policy, ...without } = body;
    assertInvalid(await editor.request('POST', '/api/brands', without), 'tracking_policy');
    for (const name of ['', '   ', 'x'.repeat(121)])
      assertInvalid(await editor.request('POST', '/api/brands', { ...body, name }), 'name');
    const foreign = await buildClient(app.owner);
    const deleted = await buildClient(app.owner, { organization_id, deleted: true });
    const unknown = '01900000-0000-7000-8000-000000000000';
    const responses = [];
    for (const client_id of [foreign.id, deleted.id, unknown]) {
      const response = await editor.request('POST', '/api/brands', { ...body, client_id });
      assertInvalid(response, 'client_id');
      responses.push(response.body);
    }
    assert.deepEqual(responses[0], responses[2]);
    assert.deepEqual(responses[1], responses[2]);

    const created = await editor.ok<Brand>('POST', '/api/brands', body);
    assert.deepEqual(created.client, { id: client.id, name: client.name });
    assert.equal(created.organization_id, organization_id);
    assert.equal(created.tracking_policy, 'nobody');
    assert.deepEqual((await analyst.request('GET', `/api/brands/${created.id}`)).body, created);
  });

  test("a brand's color depends on its name", async () => {
    const client = await buildClient(app.owner, { organization_id });
    const create = async (name: string) => {
      const body = { organization_id, client_id: client.id, name, tracking_policy: 'everyone' };
      return (await editor.ok<Brand>('POST', '/api/brands', body)).color;
    };
    assert.deepEqual(
      [await create('Nordwind'), await create('nordwind'), await create('Südwind')],
      ['blue', 'blue', 'amber'],
    );
    const given = new Set(Array.from({ length: 200 }, (_, index) => colorOfName(`Brand ${index}`)));
    assert.equal(given.size, brandColors.length, 'every color is given');
  });

  test('a brand can be renamed', async () => {
    const brand = await buildBrand(app.owner, { organization_id, updated_at: '2026-01-01T00:00:00Z' });
    const path = `/api/brands/${brand.id}`;
    const body = { name: 'Südwind' };
    assertInvalid(await editor.request('PATCH', path, { name: 'a\u0000b' }), 'name');
    const renamed = await editor.request<Brand>('PATCH', path, body);
    assert.equal(renamed.body.name, 'Südwind');
    assert.ok(renamed.body.updated_at > '2026-01-02');
  });

  test("editors can change a brand's kit without blank lines", async () => {
    const brand = await buildBrand(app.owner, { organization_id });
    const path = `/api/brands/${brand.id}`;
    const body = {
      color: 'teal',
      postal_address: ' Nordwind GmbH \r\n\r\n 20457 Hamburg\n',
      imprint_url: ' ',
    };
    const changed = await editor.request<Brand>('PATCH', path, body);
    const { color, postal_address, imprint_url, name } = changed.body;
    assert.deepEqual(
      { color, postal_address, imprint_url, name },
      { color: 'teal', postal_address: 'Nordwind GmbH\n20457 Hamburg', imprint_url: null, name: brand.name },
    );
    assertInvalid(await editor.request('PATCH', path, { color: 'beige' }), 'color');
  });

  test('a brand is deleted and restored with its client', async () => {
    const brand = await buildBrand(app.owner, { organization_id });
    const path = `/api/brands/${brand.id}`;
    const client = `/api/clients/${brand.client_id}`;

    await editor.ok('DELETE', client);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { name: 'No' } : undefined;
      assertProblem(await editor.request(method, path, body), 404, 'not_found');
    }
    assertProblem(await editor.request('POST', `${path}/restore`), 404, 'not_found');
    await editor.ok('POST', `${client}/restore`);
    assert.equal((await editor.ok<Brand>('GET', path)).name, brand.name);

    await editor.ok('DELETE', path);
    assertProblem(await editor.request('DELETE', path), 404, 'not_found');
    await editor.ok('POST', `${path}/restore`);
    await editor.ok('GET', path);
  });

  test('a brand in use by a send cannot be deleted', async () => {
    const touchpoint = await buildTouchpoint(app.owner, { organization_id });
    const { brand_id } = await buildSend(app.owner, { touchpoint_id: touchpoint.id });
    const path = `/api/brands/${brand_id}`;
    assertProblem(await editor.request('DELETE', path), 409, 'send_in_progress');
    await editor.ok('GET', path);
  });

  test('brands are filtered, paged, sorted and searched', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const [one, other] = [
      await buildClient(app.owner, { organization_id: id }),
      await buildClient(app.owner, { organization_id: id }),
    ];
    await buildBrand(app.owner, { client_id: one.id, name: 'b' });
    await buildBrand(app.owner, { client_id: one.id, name: 'A' });
    await buildBrand(app.owner, { client_id: one.id, name: 'gone', deleted: true });
    await buildBrand(app.owner, { client_id: other.id, name: 'C' });
    await buildBrand(app.owner, {
      client_id: (await buildClient(app.owner, { organization_id: id, deleted: true })).id,
    });
    const path = `/api/brands?organization_id=${id}`;
    assertInvalid(await reader.request('GET', `${path}&client_id=x`), 'client_id');
    const list = async (query: string) => {
      const body = await reader.ok<List<Brand>>('GET', `${path}${query}`);
      return [body.items.map(({ name }) => name).join(), body.count];
    };
    assert.deepEqual(await list(''), ['A,b,C', 3]);
    assert.deepEqual(await list(`&client_id=${one.id}`), ['A,b', 2]);
    assert.deepEqual(await list('&search=c'), ['C', 1]);
    assert.deepEqual(await list('&page_size=1&page=1'), ['b', 3]);
  });

  test('clients are paged together with their brands', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const clients = [];
    for (const name of ['beta', 'Alpha', 'Gamma']) {
      const client = await buildClient(app.owner, { organization_id: id, name });
      clients.push(client);
      if (name === 'Gamma') continue;
      for (const number of [2, 1]) {
        await buildBrand(app.owner, { client_id: client.id, name: `Brand ${number} of ${name}` });
      }
    }
    await buildBrand(app.owner, { client_id: clients[2]?.id ?? '', name: 'Brand gone', deleted: true });
    const path = `/api/clients_brands?organization_id=${id}`;
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    assertInvalid(await reader.request('GET', `${path}&page_size=0`), 'page_size');

    const list = async (query: string) => {
      const body = await reader.ok<List<ClientWithBrands>>('GET', `${path}${query}`);
      return {
        clients: body.items.map((item) => [
          item.client_name,
          ...item.brands.map(({ brand_name }) => brand_name),
        ]),
        count: body.count,
      };
    };
    const alpha = ['Alpha', 'Brand 1 of Alpha', 'Brand 2 of Alpha'];
    const beta = ['beta', 'Brand 1 of beta', 'Brand 2 of beta'];
    assert.deepEqual(await list(''), { clients: [alpha, beta, ['Gamma']], count: 3 });
    assert.deepEqual(await list('&page_size=1&page=1'), { clients: [beta], count: 3 });
    // If only a brand matches, its client is listed with all its brands.
    assert.deepEqual(await list('&search=1 OF ALPHA'), { clients: [alpha], count: 1 });
    assert.deepEqual(await list('&search=gamma'), { clients: [['Gamma']], count: 1 });
    assert.deepEqual(await list('&search=gone'), { clients: [], count: 0 });
    assert.deepEqual(await list('&search=brand'), { clients: [alpha, beta], count: 2 });
  });

  test('brands are listed with logos of brand and client', async () => {
    const { id } = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    const logo = (word: string) => `/api/storage/logos/${id}/${word}.webp`;
    const [clientLogo, brandLogo] = [logo('client'), logo('brand')];
    const client = await buildClient(app.owner, {
      organization_id: id,
      name: 'Client',
      logo_url: clientLogo,
    });
    const brand = await buildBrand(app.owner, {
      client_id: client.id,
      name: 'Brand',
      logo_url: brandLogo,
      color: 'olive',
    });
    const plain = await buildClient(app.owner, { organization_id: id, name: 'Plain' });
    const body = await reader.ok<List<ClientWithBrands>>('GET', `/api/clients_brands?organization_id=${id}`);
    const [first, second] = body.items;
    const figures = second?.figures;
    assert.equal(figures?.recipients, 0);
    assert.deepEqual(
      [first, second],
      [
        {
          client_id: client.id,
          client_name: 'Client',
          client_logo_url: clientLogo,
          figures,
          brands: [
            {
              brand_id: brand.id,
              brand_name: 'Brand',
              brand_logo_url: brandLogo,
              brand_dark_logo_url: null,
              brand_color: 'olive',
              figures,
            },
          ],
        },
        { client_id: plain.id, client_name: 'Plain', client_logo_url: null, figures, brands: [] },
      ],
    );
    const logoOf = async (path: string) =>
      (await reader.ok<{ logo_url: string | null }>('GET', `/api/${path}`)).logo_url;
    assert.equal(await logoOf(`clients/${client.id}`), clientLogo);
    assert.equal(await logoOf(`clients/${plain.id}`), null);
    assert.equal(await logoOf(`brands/${brand.id}`), brandLogo);
    const clients = await reader.request<List<Client>>('GET', `/api/clients?organization_id=${id}`);
    assertColumn(clients.body.items, 'logo_url', [clientLogo, null]);
  });
});
