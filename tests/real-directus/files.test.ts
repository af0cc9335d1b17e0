import { createDirectus, customEndpoint, rest, staticToken } from '@directus/sdk';
import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createTestApp, type Person, type TestApp } from '../../apps/server/src/testing/app.ts';
import { newId } from '../../apps/server/src/platform/ids.ts';
import { readSetting } from './settings.ts';

const endpoint = readSetting('DIRECTUS_URL');
const adminToken = readSetting('DIRECTUS_ADMIN_TOKEN');
const people = 'files_people';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

suite('files of a real Directus, with the permissions that its setup gives', () => {
  let app: TestApp;
  let owner: Person;
  let organizationId: string;

  const admin = createDirectus(endpoint).with(staticToken(adminToken)).with(rest());
  const tell = <T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    admin.request(
      customEndpoint<T>({ path, method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    );
  const ask = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    app.request<T>(method, `/api/content/${organizationId}${path}`, {
      as: owner,
      ...(body === undefined ? {} : { body }),
    });
  const upload = (bytes: Buffer, name: string) => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes)]), name);
    return ask<ContentFile>('POST', '/files', body);
  };
  const setUp = async (settings: object) => {
    const path = `/api/organizations/${organizationId}/content_backend/set_up`;
    const body = { endpoint, admin_token: adminToken, collections: [people], ...settings };
    const done = await app.request<{ created: { name: string }[]; content_backend: ContentBackend }>(
      'POST',
      path,
      { as: owner, body },
    );
    assert.equal(done.status, 200, JSON.stringify(done.body));
    return done.body.created.map(({ name }) => name);
  };
  const failureOf = ({ body }: { body: unknown }) => (body as { data?: { failure?: string } }).data?.failure;

  before(async () => {
    await tell('POST', '/collections', {
      collection: people,
      schema: {},
      meta: {},
      fields: [
        { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
        { field: 'email', type: 'string', schema: {}, meta: {} },
        { field: 'photo', type: 'uuid', schema: {}, meta: { interface: 'file-image', special: ['file'] } },
      ],
    });
    await tell('POST', '/relations', {
      collection: people,
      field: 'photo',
      related_collection: 'directus_files',
      schema: { on_delete: 'SET NULL' },
    });
    app = await createTestApp({ privateHosts: ['127.0.0.1'] });
    owner = await app.signIn();
    const body = { name: 'Agency' };
    organizationId = (await app.request<{ id: string }>('POST', '/api/organizations', { as: owner, body }))
      .body.id;
  });
  after(async () => {
    await tell('DELETE', `/collections/${people}`);
    await app.close();
  });

  test('can be read only until another setup allows more', async () => {
    await setUp({ can_write: false });
    assert.equal((await ask('GET', '/files')).status, 200);
    assert.equal(failureOf(await upload(png, 'x.png')), 'files_not_allowed');
    const added = await setUp({});
    for (const action of ['create', 'update', 'delete'])
      assert.ok(added.includes(`directus_files ${action}`), added.join(', '));
  });

  test('are uploaded, found, opened, renamed and deleted', async () => {
    const { status, body: file } = await upload(png, 'Grüße.png');
    assert.equal(status, 201, JSON.stringify(file));
    assert.deepEqual(
      [file.filename_download, file.type, file.filesize],
      ['Grüße.png', 'image/png', png.length],
    );
    const { body: note } = await upload(Buffer.from('Hello'), 'a note.txt');
    const names = async (query: string) => {
      const { body } = await ask<{ items: ContentFile[]; count: number }>('GET', `/files?${query}`);
      return [body.count, ...body.items.map((each) => each.filename_download)];
    };
    assert.deepEqual(await names('order=filesize.desc&page_size=1'), [2, 'Grüße.png']);
    assert.deepEqual(await names('page_size=1&page=1'), [2, 'Grüße.png']);
    assert.deepEqual(await names('search=A+NOTE'), [1, 'a note.txt']);
    assert.deepEqual(await names('kind=image'), [1, 'Grüße.png']);

    const url = `/api/content/${organizationId}/assets/${file.id}`;
    const shown = await app.app.inject({ url, headers: owner.headers });
    assert.deepEqual(shown.rawPayload, png);
    assert.equal(shown.headers['content-type'], 'image/png');
    const renamed = await ask<ContentFile>('PATCH', `/files/${file.id}`, { filename_download: 'Point.png' });
    assert.equal(renamed.body.filename_download, 'Point.png', JSON.stringify(renamed.body));

    const fields = await ask<{ data: Field[] }>('GET', `/fields/${people}`);
    assert.equal(fields.body.data.find(({ field }) => field === 'photo')?.interface, 'image');
    const person = { email: 'ada@x.example', photo: file.id };
    const item = await ask<{ data: Item }>('POST', `/items/${people}`, person);
    assert.equal(item.body.data['photo'], file.id, JSON.stringify(item.body));
    assert.equal((await ask('POST', `/items/${people}`, { ...person, photo: newId() })).status, 422);

    for (const { id } of [file, note]) assert.equal((await ask('DELETE', `/files/${id}`)).status, 200);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      assert.equal((await ask(method, `/files/${file.id}`, method === 'PATCH' ? {} : undefined)).status, 404);
    assert.equal((await app.app.inject({ url, headers: owner.headers })).statusCode, 404);
    assert.deepEqual(await names(''), [0]);
  });
});
