import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { after, before, suite, test, type TestContext } from 'node:test';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { maxFileBytes } from '@reachout/contract/rules/storage.ts';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { newId } from '../../platform/ids.ts';
import { outboundLimits } from '../../platform/outbound/outbound-client.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { makeKeyOf, signInGuest } from '../../testing/actors.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { createOrganization, signInOwner } from '../../testing/create-organization.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient } from '../../sample/records.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { listen } from '../../testing/listen.ts';
import { updateRows } from '../../testing/rows.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Long timeouts, so that tests can delay the Directus. */
const patient = { ...outboundLimits, headersMs: 60_000, totalMs: 60_000 };

/** The Directus is the REST interface of an organization in another app with its own database. */
suite('files in a Directus', () => {
  let remote: TestApp;
  /** A proxy in front of it; `pass` can interfere with requests. */
  let gate: Server;
  let pass: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void = () => {};
  let app: TestApp;
  let them: Person;
  let owner: Person;
  let theirs: string;
  let endpoint: string;
  let organizationId: string;

  before(async () => {
    remote = await createTestApp();
    them = await remote.signIn();
    theirs = await createOrganization(remote, them);
    const passOn = async (request: IncomingMessage, response: ServerResponse) => {
      await pass(request, response);
      if (!request.socket.destroyed) remote.app.routing(request, response);
    };
    gate = createServer((request, response) => void passOn(request, response));
    endpoint = `http://127.0.0.1:${await listen(gate)}/content/${theirs}`;
    app = await createTestApp({ privateHosts: ['127.0.0.1'] }, { outboundLimits: patient, beside: remote });
    ({ owner, organizationId } = await signInOwner(app));
    assert.equal((await upload(png, 'here.png')).status, 201);
    await connect(organizationId, ['content:read', 'content:write']);
  });
  after(async () => {
    await app.close();
    gate.close();
    await remote.close();
  });

  const connect = async (id: string, scopes: readonly string[], as = owner) => {
    const { token: access_token, keyId } = await makeKeyOf(remote, theirs, them.userId, scopes);
    const path = `/api/organizations/${id}/content_backend`;
    await as.ok('PUT', path, { endpoint, access_token });
    return keyId;
  };
  const upload = (
    bytes: Buffer,
    name: string,
    { query = '', of = organizationId, as = owner }: { query?: string; of?: string; as?: Person } = {},
  ) => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes)]), name);
    return app.request<ContentFile & Problem>('POST', `/api/content/${of}/files${query}`, { as, body });
  };
  const ask = <T = ContentFile & Problem>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { body, as = owner, of = organizationId }: { body?: object; as?: Person; of?: string } = {},
  ) => app.request<T>(method, `/api/content/${of}${path}`, { as, body });
  const download = (id: string, query = '') =>
    app.app.inject({ url: `/api/content/${organizationId}/assets/${id}${query}`, headers: owner.headers });
  const list = async (query = '') => {
    const { body } = await ask<{ items: ContentFile[]; count: number }>('GET', `/files${query}`);
    return [body.count, ...body.items.map((file) => file.filename_download)];
  };
  /** Holds requests of this kind at the Directus until `release`, or the end of the test. */
  const hold = (t: TestContext, isHeld: (request: IncomingMessage) => boolean) => {
    let held = 0;
    const { promise: released, resolve } = Promise.withResolvers<void>();
    pass = async (request) => {
      if (!isHeld(request)) return;
      held += 1;
      await released;
    };
    t.after(() => {
      pass = () => {};
      resolve();
    });
    return { release: () => resolve(), countHeld: () => held };
  };
  const auditOf = async (id: string) => {
    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_name'])
      .where('organization_id', '=', organizationId)
      .where('record_id', '=', id)
      .orderBy('at')
      .execute();
    return entries.map(({ action, record_name }) => [action, record_name]);
  };
  const failureOf = ({ body }: { body: Problem }) => (body.data as { failure?: string }).failure;

  test('the file storage says that the files are in the Directus', async () => {
    const folder = `/api/storage/documents/${organizationId}`;
    const signed = { organization_id: organizationId, path: `${organizationId}/a.pdf`, expires_in: 60 };
    const deleted = { organization_id: organizationId, paths: [signed.path] };
    const form = new FormData();
    form.append('file', new Blob(['a']), 'a.pdf');
    const requests = [
      ['POST', `${folder}/a.pdf`, form],
      ['GET', `${folder}/a.pdf`, undefined],
      ['DELETE', `${folder}/a.pdf`, undefined],
      ['GET', `/api/storage/images?prefix=${organizationId}`, undefined],
      ['POST', '/api/storage/documents/signed_urls', signed],
      ['DELETE', '/api/storage/documents', deleted],
    ] as const;
    for (const [method, path, body] of requests) {
      const refused = await app.request(method, path, { as: owner, ...(body && { body }) });
      assertProblem(refused, 424, 'backend_failed', `${method} ${path}`);
      assert.equal((refused.body.data as { failure: string }).failure, 'built_in_only');
    }
  });

  test('files can be uploaded, found, opened, renamed and deleted', async () => {
    assert.deepEqual(await list(), [0], 'those of the built-in backend rest');
    const { status, body: file } = await upload(png, 'Grüße.png');
    assert.equal(status, 201, JSON.stringify(file));
    assert.deepEqual(
      [file.filename_download, file.type, file.filesize, file.public_url],
      ['Grüße.png', 'image/png', png.length, null],
    );
    await upload(Buffer.from('<svg onload="alert(1)"/>'), 'Drawing.svg');
    assert.deepEqual(await list('?order=filename_download.asc'), [2, 'Drawing.svg', 'Grüße.png']);
    assert.deepEqual(await list('?order=filesize.desc&page_size=1'), [2, 'Grüße.png']);
    assert.deepEqual(await list('?page_size=1&page=1'), [2, 'Grüße.png']);
    assert.deepEqual(await list('?search=DRAW'), [1, 'Drawing.svg']);
    assert.deepEqual(await list('?kind=image'), [1, 'Grüße.png']);
    assert.deepEqual((await ask('GET', `/files/${file.id}`)).body, file);

    const shown = await download(file.id);
    assert.deepEqual(shown.rawPayload, png);
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'].map(
        (name) => shown.headers[name],
      ),
      ['image/png', 'nosniff', "sandbox; default-src 'none'", 'private, max-age=300'],
    );
    const path = `/files/${file.id}`;
    const renamed = await ask('PATCH', path, { body: { filename_download: '../a/Point.png' } });
    assert.equal(renamed.body.filename_download, '..aPoint.png');
    const saved = await download(file.id, '?download');
    assert.equal(saved.headers['content-disposition'], "attachment; filename*=UTF-8''..aPoint.png");
    assert.equal((await ask('DELETE', path)).status, 200);
    for (const gone of [ask('GET', path), ask('PATCH', path, { body: {} }), ask('DELETE', path)])
      assertProblem(await gone, 404, 'not_found');
    assert.equal((await download(file.id)).statusCode, 404);
    assert.deepEqual(await list(), [1, 'Drawing.svg']);

    assert.deepEqual(await auditOf(file.id), [
      ['content.upload', 'Grüße.png'],
      ['content.updateFile', '..aPoint.png'],
      ['content.deleteFile', '..aPoint.png'],
    ]);
  });

  test('interrupted file changes are audited', async (t) => {
    t.after(() => (pass = () => {}));
    const { body: file } = await upload(png, 'before.png');
    const path = `/files/${file.id}`;
    let isChanged = false;
    pass = ({ method, socket }) => {
      if (method === 'PATCH') isChanged = true;
      else if (isChanged) socket.destroy();
    };
    const renamed = await ask('PATCH', path, { body: { filename_download: 'after.png' } });
    assert.equal(renamed.body.filename_download, 'after.png', JSON.stringify(renamed.body));
    let attempts = 0;
    pass = ({ method, socket }, response) => {
      if (method !== 'DELETE') return;
      attempts += 1;
      // The file is deleted, but the response is lost.
      if (attempts === 1) response.writeHead = () => (socket.destroy(), response);
    };
    const removed = await ask('DELETE', path);
    assert.deepEqual([removed.status, attempts], [200, 2], JSON.stringify(removed.body));
    assert.deepEqual(await auditOf(file.id), [
      ['content.upload', 'before.png'],
      ['content.updateFile', 'after.png'],
      ['content.deleteFile', 'after.png'],
    ]);
  });

  test('stalled uploads do not block other organizations (RATE-1)', async (t) => {
    const slow = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { owner: as, organizationId: of } = await signInOwner(app);
        await connect(of, ['content:read', 'content:write'], as);
        return { of, as };
      }),
    );
    const of = await createOrganization(app, owner);
    const { release, countHeld } = hold(
      t,
      ({ method, url }) => method === 'POST' && url!.includes('/files?'),
    );
    const stored = [...slow, ...slow].map((options) => upload(png, 'slow.png', options));
    await waitUntil('as many wait as may come in at once', async () => countHeld() === 8);
    assert.equal((await upload(png, 'quick.png', { of })).status, 201);
    assert.equal(countHeld(), 8);
    release();
    for (const { status, body } of await Promise.all(stored)) assert.equal(status, 201, JSON.stringify(body));
  });

  test('stalled downloads do not block item requests (RATE-1)', async (t) => {
    const { body: file } = await upload(png, 'slow.png');
    const { release, countHeld } = hold(t, ({ url }) => url!.includes('/assets/'));
    const downloads = Array.from({ length: 4 }, () => download(file.id));
    await waitUntil('downloads wait', async () => countHeld() >= 3);
    for (let n = 0; n < 10; n += 1) assert.equal((await ask('GET', '/items/contacts')).status, 200);
    assert.equal(countHeld(), 3, 'a Directus is asked for so many at once');
    release();
    for (const { statusCode } of await Promise.all(downloads)) assert.equal(statusCode, 200);
  });

  test('an item can have a file as its image', async () => {
    const field = { field: 'photo', type: 'uuid', interface: 'image' };
    const path = `/api/content/${theirs}/fields/contacts`;
    const made = await remote.request('POST', path, { as: them, body: field });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const fields = await ask<{ data: Field[] }>('GET', '/fields/contacts');
    const photo = fields.body.data.find((each) => each.field === 'photo');
    assert.deepEqual([photo?.type, photo?.interface], ['uuid', 'image']);
    assertProblem(await upload(Buffer.from('text'), 'x.png', { query: '?kind=image' }), 422, 'invalid_image');
    const { body: file } = await upload(png, 'face.png', { query: '?kind=image' });
    const body = { email: 'ada@x.example', photo: file.id };
    const created = await ask<{ data: Item }>('POST', '/items/contacts', { body });
    assert.equal(created.body.data['photo'], file.id, JSON.stringify(created.body));
    const unknown = { email: 'ben@x.example', photo: newId() };
    assertProblem(await ask('POST', '/items/contacts', { body: unknown }), 422, 'validation_failed');
  });

  test('remote files are private and have all limits', async () => {
    const { body: file } = await upload(png, 'dot.png');
    const denied = await ask('PATCH', `/files/${file.id}`, { body: { is_public: true } });
    assertProblem(denied, 424, 'backend_failed');
    assert.equal(failureOf(denied), 'built_in_only');
    assertProblem(await upload(Buffer.alloc(maxFileBytes + 1), 'x.png'), 413, 'file_too_large');
    assertInvalid(await upload(Buffer.alloc(0), 'x.png'), 'file');
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const as = await signInGuest(app, organizationId, [client.id]);
    for (const path of ['/files', `/files/${file.id}`, `/assets/${file.id}`])
      assertProblem(await ask('GET', path, { as }), 403, 'forbidden', path);
  });

  test('errors name the permission that a token lacks', async () => {
    const { body: file } = await upload(png, 'kept.png');
    const of = await createOrganization(app, owner);
    const path = `/files/${file.id}`;
    const keyId = await connect(of, ['content:read']);
    assert.equal((await ask('GET', path, { of })).status, 200);
    const changes = [
      upload(png, 'x.png', { of }),
      ask('PATCH', path, { of, body: { filename_download: 'y.png' } }),
      ask('DELETE', path, { of }),
    ];
    for (const response of await Promise.all(changes)) {
      assertProblem(response, 424, 'backend_failed');
      assert.equal(failureOf(response), 'files_not_allowed', JSON.stringify(response.body));
    }
    await updateRows(remote.owner, 'api_keys', { id: keyId }, { scopes: ['clients:read'] });
    for (const unread of [ask('GET', '/files', { of }), ask('GET', path, { of })]) {
      const response = await unread;
      assertProblem(response, 424, 'backend_failed');
      assert.equal(failureOf(response), 'files_not_allowed', JSON.stringify(response.body));
    }
  });
});
