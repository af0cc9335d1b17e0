import {
  authenticateShare,
  createDirectus,
  createItem,
  createItems,
  createShare,
  deleteFile,
  deleteShare,
  readFiles,
  readItem,
  readItems,
  readMe,
  readShareInfo,
  readShares,
  rest,
  staticToken,
  updateField,
  updateFile,
  updateItem,
  uploadFiles,
} from '@directus/sdk';
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { createOrganization, signInOwner } from '../../testing/create-organization.ts';
import { assertRefused } from '../../testing/assert-refused.ts';
import { newId } from '../../platform/ids.ts';
import { updateRows } from '../../testing/rows.ts';

suite('shares and files of the Directus REST interface', () => {
  const app = useTestApp();
  let owner: Person;
  let organizationId: string;
  let address: string;
  let token: string;
  let adaId: string;
  let benId: string;

  const connect = (key = token) =>
    createDirectus(`${address}/content/${organizationId}`).with(staticToken(key)).with(rest());
  const open = async (share: string, password?: string) => {
    const { access_token } = await connect('').request(authenticateShare(share, password as string, 'json'));
    return access_token!;
  };
  const share = async (more: object = {}) =>
    (
      await connect().request(
        createShare({ name: 'For Ada', collection: 'contacts', item: adaId, role: 'analyst', ...more }),
      )
    ).id as string;

  before(async () => {
    address = await app.app.listen({ host: '127.0.0.1', port: 0 });
    ({ owner, organizationId } = await signInOwner(app));
    ({ token } = await makeKeyOf(app, organizationId, owner.userId));
    const [ada, ben] = await connect().request(
      createItems('contacts', [
        { id: '01900000-0000-7000-8000-00000000000a', email: 'ada@x.example' },
        { id: '01900000-0000-7000-8000-00000000000b', email: 'ben@x.example' },
      ]),
    );
    adaId = ada!['id'];
    benId = ben!['id'];
  });

  test('a share reads one item and nothing else', async () => {
    const id = await share();
    const visitor = connect(await open(id));
    assert.deepEqual(await visitor.request(readMe()), { share: id });
    assert.equal((await visitor.request(readItem('contacts', adaId)))['email'], 'ada@x.example');
    for (const [what, work] of Object.entries({
      'another item': () => visitor.request(readItem('contacts', benId)),
      'another collection': () => visitor.request(readItem('newsletters', adaId)),
      'a list': () => visitor.request(readItems('contacts')),
      'a change': () => visitor.request(updateItem('contacts', adaId, { city: 'Rome' })),
      'a new item': () => visitor.request(createItem('contacts', { email: 'new@x.example' })),
      'a share': () => visitor.request(createShare({ collection: 'contacts', item: benId })),
      files: () => visitor.request(readFiles()),
    }))
      await assertRefused(work(), 403, 'FORBIDDEN', what);
    for (const path of ['/users', '/roles']) {
      const response = await fetch(`${address}/content/${organizationId}${path}`, {
        headers: { authorization: `Bearer ${await open(id)}` },
      });
      assert.equal(response.status, 403, path);
    }
    await connect().request(deleteShare(id));
    await assertRefused(visitor.request(readItem('contacts', adaId)), 401, 'INVALID_CREDENTIALS', 'ended');
  });

  test('a share shows no hidden fields and none that the server sets', async () => {
    await connect().request(updateItem('contacts', adaId, { company: 'Secret Ltd' }));
    await connect().request(updateField('contacts', 'company', { meta: { hidden: true } }));
    const visitor = connect(await open(await share()));
    const item = await visitor.request(readItem('contacts', adaId));
    assert.equal(item['email'], 'ada@x.example');
    for (const field of ['company', 'user_created']) {
      assert.ok(!(field in item), field);
      const named = visitor.request(readItem('contacts', adaId, { fields: [field] }));
      await assertRefused(named, 403, 'FORBIDDEN', field);
    }
  });

  test('a share never uses the role of an administrator', async () => {
    for (const role of ['owner', 'admin', 'nothing'])
      await assertRefused(share({ role }), 400, 'INVALID_PAYLOAD', role);
    for (const role of [null, 'guest']) {
      const id = await share({ role });
      await assertRefused(open(id), 401, 'INVALID_CREDENTIALS', `${role}`);
      await assertRefused(connect('').request(readShareInfo(id)), 403, 'FORBIDDEN', `${role}`);
    }
    const id = await share();
    const visitor = connect(await open(id));
    await updateRows(app.owner, 'content_shares', { id }, { role: 'guest' });
    await assertRefused(visitor.request(readItem('contacts', adaId)), 403, 'FORBIDDEN', 'a changed role');
    await assertRefused(share({ item: newId() }), 403, 'FORBIDDEN');
    await assertRefused(share({ collection: 'reachout_templates' }), 403, 'FORBIDDEN');
  });

  test('a share enforces its password, period and use limit', async () => {
    const secret = await share({ password: 'horse battery' });
    await assertRefused(open(secret), 401, 'INVALID_CREDENTIALS', 'no password');
    await assertRefused(open(secret, 'wrong'), 401, 'INVALID_CREDENTIALS', 'wrong password');
    await open(secret, 'horse battery');
    const info = await connect('').request(readShareInfo(secret));
    assert.equal((info as unknown as { password: string }).password, '**********');
    const listed = JSON.stringify(await connect().request(readShares()));
    assert.ok(listed.includes(secret) && !listed.includes('scrypt'), 'no hash is shown');

    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const ago = new Date(Date.now() - 3_600_000).toISOString();
    await assertRefused(open(await share({ date_start: soon })), 401, 'INVALID_CREDENTIALS', 'too early');
    const ended = await share({ date_end: ago });
    await assertRefused(open(ended), 401, 'INVALID_CREDENTIALS', 'too late');
    await assertRefused(connect('').request(readShareInfo(ended)), 403, 'FORBIDDEN', 'info of an ended one');

    const twice = await share({ max_uses: 2 });
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => open(twice)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);

    await assertRefused(open(newId()), 401, 'INVALID_CREDENTIALS', 'unknown');
    const empty = await fetch(`${address}/content/${organizationId}/shares/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(empty.status, 400);
  });

  test('shares of an inactive organization are unknown', async () => {
    const id = await share();
    const visitor = connect(await open(id));
    const setStatus = (status: OrganizationStatus) =>
      updateRows(app.owner, 'organizations', { id: organizationId }, { status });
    await setStatus('inactive');
    await assertRefused(open(id), 401, 'INVALID_CREDENTIALS', 'to open');
    await assertRefused(visitor.request(readItem('contacts', adaId)), 401, 'INVALID_CREDENTIALS', 'to read');
    await setStatus('suspended');
    assert.equal((await visitor.request(readItem('contacts', adaId)))['email'], 'ada@x.example');
    await setStatus('active');
  });

  test('share tokens are bound to one organization', async () => {
    const good = await open(await share());
    const [, name] = /^(.*)_[\w-]{20,}$/.exec(good)!;
    await assertRefused(
      connect(`${name}_${'A'.repeat(43)}`).request(readItem('contacts', adaId)),
      401,
      'INVALID_CREDENTIALS',
    );
    const response = await fetch(
      `${address}/content/${await createOrganization(app, owner, 'Other')}/items/contacts/${adaId}`,
      {
        headers: { authorization: `Bearer ${good}` },
      },
    );
    assert.equal(response.status, 401);
  });

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  const uploadAs = async (bytes: Buffer | string, name: string, type: string, key = token) => {
    const form = new FormData();
    form.append('title', 'A title');
    form.append('file', new Blob([new Uint8Array(Buffer.from(bytes))], { type }), name);
    return (await connect(key).request(uploadFiles(form))) as unknown as {
      id: string;
      type: string;
      title: string;
      filesize: number;
    };
  };
  const asset = (path: string, key = token) =>
    fetch(`${address}/content/${organizationId}/assets/${path}`, {
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    });

  test('a file is served with the type of its bytes', async () => {
    const stored = await uploadAs(png, 'dot.png', 'text/html');
    assert.deepEqual([stored.type, stored.title, stored.filesize], ['image/png', 'A title', png.length]);
    const shown = await asset(`${stored.id}/any-name.png`);
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), png);
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'content-security-policy'].map((name) =>
        shown.headers.get(name),
      ),
      ['image/png', 'nosniff', "sandbox; default-src 'none'"],
    );
    assert.match(shown.headers.get('content-disposition')!, /^inline/);
    assert.match((await asset(`${stored.id}?download`)).headers.get('content-disposition')!, /^attachment/);

    const svg = await uploadAs('<?xml version="1.0"?><svg onload="alert(1)"/>', 'a.svg', 'image/png');
    const html = await uploadAs('<html><script>alert(1)</script>', 'a.html', 'image/png');
    assert.deepEqual([svg.type, html.type], ['image/svg+xml', 'application/octet-stream']);
    for (const { id } of [svg, html])
      assert.match((await asset(id)).headers.get('content-disposition')!, /^attachment/);

    const client = connect();
    await client.request(updateFile(stored.id, { title: 'Dot', filename_download: '../x.png' }));
    const [file] = await client.request(
      readFiles({ filter: { title: { _eq: 'Dot' } }, fields: ['id', 'filename_download'] } as never),
    );
    assert.deepEqual(file, { id: stored.id, filename_download: '..x.png' });
    await client.request(deleteFile(stored.id));
    assert.equal((await asset(stored.id)).status, 403);
    assert.equal((await app.services.files.list(`content/${organizationId}`)).length, 2);
  });

  test('file requests need permission and respect the size limit', async () => {
    const { id } = await uploadAs(png, 'dot.png', 'image/png');
    for (const key of ['not-an-id', newId(), `${newId()}/x`])
      assert.equal((await asset(key)).status, 403, key);
    assert.equal((await asset(id, '')).status, 403, 'anonymous');
    assert.equal((await asset(id, 'wrong')).status, 401);
    assert.equal((await asset(id, await open(await share()))).status, 403, 'share');
    await assertRefused(uploadAs(Buffer.alloc(10_000_001), 'a', ''), 413, 'CONTENT_TOO_LARGE');
    await assertRefused(uploadAs('', 'a', ''), 400, 'INVALID_PAYLOAD', 'empty');
    const { token: reader } = await makeKeyOf(app, organizationId, owner.userId, ['content:read']);
    await assertRefused(uploadAs(png, 'a.png', 'image/png', reader), 403, 'FORBIDDEN');
    const text = await fetch(`${address}/content/${organizationId}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
      body: 'x',
    });
    assert.equal(text.status, 415);
  });

  test('an image field accepts existing files only', async () => {
    const client = connect();
    await client.request(
      updateField('newsletters', 'image_url', { type: 'uuid', meta: { interface: 'file-image' } }),
    );
    const { id } = await uploadAs(png, 'dot.png', 'image/png');
    const item = await client.request(createItem('newsletters', { title: 'One', image_url: id }));
    assert.equal(item['image_url'], id);
    await assertRefused(
      client.request(createItem('newsletters', { title: 'Two', image_url: newId() })),
      400,
      'INVALID_PAYLOAD',
    );
  });
});
