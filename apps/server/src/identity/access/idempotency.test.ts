import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import type { Client } from '@reachout/contract/clients.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember } from '../../sample/records.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { deleteRows, listRows, updateRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';

/** IDM-1: a repeat with the same key gets the first response, and has no further effect. */
suite('requests with an Idempotency-Key', () => {
  const app = useSharedApp();
  const { organizationId: organization_id, editor } = useWorld(app);

  const create = (key: string, name: string, as = editor) =>
    app.request<Client>('POST', '/api/clients', {
      body: { organization_id, name },
      as,
      headers: { 'idempotency-key': key },
    });
  const countOf = async (name: string) => (await listRows(app.owner, 'clients', ['id'], { name })).length;

  test('a repeated request gets the first response', async () => {
    const first = await create('one', 'First');
    assert.equal(first.status, 200);
    assert.deepEqual((await create('one', 'First')).body, first.body);
    assert.equal(await countOf('First'), 1);
    assert.notEqual((await create('two', 'First')).body.id, first.body.id);
  });

  test('twenty concurrent repeats run once', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => create('twins', 'Twins')));
    assert.equal(await countOf('Twins'), 1);
    const done = responses.filter(({ status }) => status === 200);
    assert.equal(done.length, 20);
    assert.equal(new Set(done.map(({ body }) => body.id)).size, 1);
  });

  test('a key cannot be reused with another body', async () => {
    await create('other', 'Body');
    assertProblem(await create('other', 'Changed'), 422, 'idempotency_key_reused');
    assert.equal(await countOf('Changed'), 0);
  });

  test('a failed request can be repeated with the same key', async () => {
    const client_id = '01900000-0000-7000-8000-000000000000';
    const brand = (body: object) =>
      app.request('POST', '/api/brands', {
        body: { organization_id, name: 'Brand', tracking_policy: 'everyone', ...body },
        as: editor,
        headers: { 'idempotency-key': 'again' },
      });
    assertInvalid(await brand({ client_id }), 'client_id');
    const client = await buildClient(app.owner, { organization_id });
    assert.equal((await brand({ client_id: client.id })).status, 200);
  });

  test('a key is separate for each route', async () => {
    const client = await buildClient(app.owner, { organization_id });
    const headers = { 'idempotency-key': 'routes' };
    const path = `/api/clients/${client.id}`;
    await app.ok('DELETE', path, { as: editor, headers });
    await app.ok('POST', `${path}/restore`, { as: editor, headers });
    await editor.ok('GET', path);
    // The deletion has a stored response, so it is not executed again.
    assert.deepEqual((await app.request('DELETE', path, { as: editor, headers })).body, { id: client.id });
    await editor.ok('GET', path);
  });

  test('stored responses are hidden from others and removed members (TEN-7)', async () => {
    const first = await create('shared', 'Secret');
    const colleague = await app.signInMember(organization_id, 'editor');
    assert.notEqual((await create('shared', 'Secret', colleague)).body.id, first.body.id);
    const stranger = await app.signIn();
    assertProblem(await create('shared', 'Secret', stranger), 404, 'not_found');

    await deleteRows(app.owner, 'organization_users', { user_id: editor.userId, organization_id });
    assertProblem(await create('shared', 'Secret'), 404, 'not_found');
    await buildMember(app.owner, { organization_id, user_id: editor.userId, role: 'analyst' });
    assertProblem(await create('shared', 'Secret'), 403, 'forbidden');
    await updateRows(app.owner, 'organization_users', { user_id: editor.userId }, { role: 'editor' });
  });

  test('secrets are neither replayed nor stored (TOK-1, SEC-2)', async () => {
    const admin = await app.signInMember(organization_id, 'admin');
    const makeKey = () =>
      app.request<{ id: string; secret: string | null }>(
        'POST',
        `/api/organizations/${organization_id}/api_keys`,
        {
          body: { name: 'Reports', scopes: ['clients:read'] },
          as: admin,
          headers: { 'idempotency-key': 'secret' },
        },
      );
    const first = (await makeKey()).body;
    assert.match(first.secret ?? '', /^reachout_[\w-]{32}$/);
    assert.deepEqual((await makeKey()).body, { ...first, secret: null });
    const { rows } = await sql<{ text: string }>`
      select coalesce(response::text, '') as text from idempotency_keys
      union all select t::text from api_keys t
      union all select t::text from audit_log t
    `.execute(app.owner);
    assert.ok(rows.length > 2);
    for (const { text } of rows) assert.ok(!text.includes(first.secret ?? ''), text);
  });

  test('an API key and its owner share no responses', async () => {
    const key = await makeKeyOf(app, organization_id, editor.userId);
    const other = await makeKeyOf(app, organization_id, editor.userId);
    const responses = await Promise.all([editor, key, other].map((as) => create('mine', 'Mine', as)));
    assert.equal(new Set(responses.map(({ body }) => body.id)).size, 3);
    assert.deepEqual((await create('mine', 'Mine', key)).body, responses[1]?.body);
  });

  test('a key has 1 to 255 characters', async () => {
    assertInvalid(await create('x'.repeat(256), 'Long'), 'Idempotency-Key');
    assert.equal(await countOf('Long'), 0);
    assert.equal((await create('x'.repeat(255), 'Long')).status, 200);
  });
});
