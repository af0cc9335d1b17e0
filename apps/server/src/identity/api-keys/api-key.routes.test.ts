import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember, buildOrganization } from '../../sample/records.ts';
import { copyRow } from '../../testing/copy-row.ts';
import { contractOperations, toRequest } from '../../testing/contract-calls.ts';
import { findMarker } from '../../testing/find-marker.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, getRow, updateRows } from '../../testing/rows.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant } from '../../testing/tenant.ts';
import { words } from '../../testing/words.ts';
import { assertColumn } from '../../testing/assert-column.ts';

type NewKey = ApiKey & { secret: string | null };
type List = { items: ApiKey[]; count: number };

suite('API keys', () => {
  const app = useSharedApp();
  let id: string;
  let owner: Person;
  let path: string;

  beforeEach(async () => {
    ({ id } = await buildOrganization(app.owner));
    owner = await app.signInMember(id, 'owner');
    path = `/api/organizations/${id}/api_keys`;
  });

  const create = (given: Record<string, unknown> = {}, as = owner, headers = {}) =>
    app.request<NewKey>('POST', path, {
      body: { name: 'Reports', scopes: ['clients:read'], ...given },
      as,
      headers,
    });
  const bearer = (secret: string | null) => ({ authorization: `Bearer ${secret}` });
  const listClients = (secret: string | null, organization_id = id, headers = {}) =>
    app.request('GET', `/api/clients?organization_id=${organization_id}`, {
      headers: { ...headers, ...bearer(secret) },
    });
  const createClient = (secret: string | null) =>
    app.request<{ id: string }>('POST', '/api/clients', {
      body: { organization_id: id, name: 'By machine' },
      headers: bearer(secret),
    });

  test('profile, organizations and preferences are of no user for a key', async () => {
    const { secret } = (await create()).body;
    for (const personal of ['/api/me', '/api/organizations', '/api/me/preferences']) {
      const answer = await app.request('GET', personal, { headers: bearer(secret) });
      assertProblem(answer, 401, 'not_signed_in');
      assert.equal(answer.body.detail, 'Invalid user', personal);
    }
  });

  test('a key cannot exceed the rights of its creator (TEN-9)', async () => {
    const editor = await app.signInMember(id, 'editor');
    assertProblem(
      await app.request('POST', path, { body: { name: 'X', scopes: ['clients:read'] } }),
      401,
      'not_signed_in',
    );
    assertProblem(await create({}, editor), 403, 'forbidden');
    assertInvalid(await create({ name: '' }), 'name');
    assertInvalid(await create({ scopes: [] }), 'scopes');
    assertInvalid(await create({ scopes: ['members:write'] }), 'scopes.0');
    assertInvalid(await create({ days: 0 }), 'days');
    assertInvalid(await create({ days: 731 }), 'days');

    await insertRows(app.owner, 'organization_roles', { organization_id: id, role: 'keeper', name: 'K' });
    await insertRows(
      app.owner,
      'role_permissions',
      [
        { action: 'manage', subject: 'ApiKey' },
        { action: 'read', subject: 'all' },
      ].map((rule, position) => ({ organization_id: id, role: 'keeper', position, ...rule })),
    );
    const keeper = await app.signInMember(id, 'keeper');
    assert.equal((await create({}, keeper)).status, 200);
    assertProblem(
      await create({ scopes: ['clients:read', 'clients:write'] }, keeper),
      403,
      'beyond_own_rights',
    );

    const { status, body } = await create({ days: 30, scopes: ['clients:read', 'clients:read'] });
    assert.equal(status, 200);
    assert.match(body.secret ?? '', /^reachout_[\w-]{32}$/);
    assert.equal(body.prefix, body.secret?.slice(0, 15));
    assert.deepEqual(body.scopes, ['clients:read']);
    assert.deepEqual(body.created_by?.id, owner.userId);
    const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 29.99 && days <= 30, String(days));
  });

  test('keys are listed by age without secrets', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) await create({ name });
    const guest = await app.signInMember(id, 'guest');
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await guest.request('GET', path), 403, 'forbidden');
    assertInvalid(await owner.request('GET', `${path}?page_size=0`), 'page_size');
    const body = await owner.ok<List>('GET', `${path}?page_size=2`);
    assert.equal(body.count, 3);
    assertColumn(body.items, 'name', ['three', 'two']);
    assert.deepEqual(
      Object.keys(body.items[0]!).sort(),
      words(`
      created_at created_by expires_at id last_used_at name prefix revoked_at scopes
    `),
    );
  });

  test('a secret is shown once and never stored (TOK-1)', async () => {
    const headers = { 'idempotency-key': `key ${id}` };
    const first = await create({}, owner, headers);
    const secret = first.body.secret!;
    const again = await create({}, owner, headers);
    assert.deepEqual(again.body, { ...first.body, secret: null });
    assert.equal((await listClients(secret)).status, 200);
    assert.deepEqual(await findMarker(app.owner, secret), []);
    assert.deepEqual(await findMarker(app.owner, secret.slice('reachout_'.length)), []);
    assert.deepEqual(await findMarker(app.owner, first.body.prefix), [
      'api_keys.prefix',
      'idempotency_keys.response',
    ]);
    const { key_hash } = await getRow(app.owner, 'api_keys', ['key_hash'], { id: first.body.id });
    for (const stored of [key_hash, `reachout_${key_hash}`, first.body.prefix, first.body.id])
      assertProblem(await listClients(stored), 401, 'not_signed_in', stored);
  });

  test('a key works in its organization within its scopes', async () => {
    const other = await buildOrganization(app.owner);
    await buildMember(app.owner, { organization_id: other.id, user_id: owner.userId });
    const client = await buildClient(app.owner, { organization_id: other.id });
    const read = (await create()).body.secret;
    const write = (await create({ scopes: ['clients:write'] })).body.secret;
    assert.equal((await listClients(read)).status, 200);
    assertProblem(await createClient(read), 403, 'forbidden');
    assertProblem(await listClients(write), 403, 'forbidden');
    const made = await createClient(write);
    assert.equal(made.status, 200);
    assertProblem(await listClients(read, other.id), 404, 'not_found');
    assertProblem(
      await app.request('GET', `/api/clients/${client.id}`, { headers: bearer(read) }),
      404,
      'not_found',
    );

    const rows = await app.owner
      .selectFrom('audit_log as a')
      .innerJoin('api_keys as k', 'k.id', 'a.api_key_id')
      .select(['a.action', 'a.user_id', 'k.scopes'])
      .where('a.organization_id', '=', id)
      .execute();
    assert.deepEqual(rows, [{ action: 'clients.create', user_id: owner.userId, scopes: ['clients:write'] }]);
    const used = await owner.request<List>('GET', path);
    for (const { last_used_at } of used.body.items)
      assert.ok(Date.now() - Date.parse(last_used_at ?? '') < 60_000, String(last_used_at));
  });

  test('a key cannot use personal or sensitive operations', async () => {
    const tenant = await buildTenant(app.owner);
    const person = await app.signIn({ userId: tenant.ownerUserId, email: await emailOf(tenant.ownerUserId) });
    const scopes = words(`
      clients:read clients:write campaigns:read campaigns:write campaigns:send content:read
      content:write statistics:read
    `);
    const body = await person.ok<NewKey>('POST', `/api/organizations/${tenant.organizationId}/api_keys`, {
      name: 'All',
      scopes,
    });
    const personal = contractOperations.filter(({ access }) => access.who === 'signed_in');
    const sensitive = contractOperations.filter(({ access }) => {
      if (access.who !== 'member') return false;
      return ['Member', 'Invitation', 'ApiKey', 'AuditLog'].includes(access.permission[1]);
    });
    const leaving = contractOperations.filter(({ name }) => name === 'members.leave');
    assert.ok(personal.length > 20 && sensitive.length > 12 && leaving.length === 1);
    // They belong to a user, and say that there is none.
    const ofUser = ['me.get', 'me.preferences', 'organizations.list'];
    for (const operation of [...personal, ...sensitive, ...leaving]) {
      const input = sampleInputs[operation.name]?.(tenant) ?? {
        id: tenant.clientId,
        token: tenant.invitationToken,
      };
      const { method, path: at, ...rest } = toRequest(operation, input);
      const answer = await app.request(method, at, { ...rest, headers: bearer(body.secret) });
      if (ofUser.includes(operation.name)) assertProblem(answer, 401, 'not_signed_in', operation.name);
      else assertProblem(answer, 403, 'forbidden', operation.name);
    }
  });

  test('a key takes precedence over a cookie', async () => {
    const { secret } = (await create()).body;
    assertProblem(
      await app.request('POST', '/api/clients', {
        body: { organization_id: id, name: 'X' },
        headers: { ...owner.headers, ...bearer(secret) },
      }),
      403,
      'forbidden',
    );
    assertProblem(
      await app.request('GET', '/api/me', { headers: { ...owner.headers, ...bearer('reachout_x') } }),
      401,
      'not_signed_in',
    );
  });

  test('revoked and expired keys stop at once (SES-4)', async () => {
    const { id: keyId, secret } = (await create()).body;
    const at = `${path}/${keyId}`;
    const editor = await app.signInMember(id, 'editor');
    assertProblem(await app.request('DELETE', at), 401, 'not_signed_in');
    assertProblem(await editor.request('DELETE', at), 403, 'forbidden');
    assertInvalid(await owner.request('DELETE', `${path}/x`), 'key_id');
    assertProblem(
      await owner.request('DELETE', `${path}/01900000-0000-7000-8000-000000000000`),
      404,
      'not_found',
    );
    assert.equal((await listClients(secret)).status, 200);
    const revoked = await owner.request<ApiKey>('DELETE', at);
    assert.notEqual(revoked.body.revoked_at, null);
    assertProblem(await listClients(secret), 401, 'not_signed_in');
    const again = await owner.request<ApiKey>('DELETE', at);
    assert.equal(again.body.revoked_at, revoked.body.revoked_at);

    const expiring = (await create()).body;
    await updateRows(app.owner, 'api_keys', { id: expiring.id }, { expires_at: new Date().toISOString() });
    assertProblem(await listClients(expiring.secret), 401, 'not_signed_in');
  });

  test('an organization has at most a hundred valid keys', async () => {
    const { id: keyId } = (await create()).body;
    await copyRow(app.owner, 'api_keys', keyId, { count: 98, unique: ['key_hash'] });
    const responses = await Promise.all([create(), create(), create()]);
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409],
    );
    assertProblem(await create(), 409, 'too_many_records');
    await owner.request('DELETE', `${path}/${keyId}`);
    assert.equal((await create()).status, 200);
  });

  test('a key follows the current rights of its creator (SES-4)', async () => {
    const admin = await app.signInMember(id, 'admin');
    const { secret } = (await create({ scopes: ['clients:read', 'clients:write'] }, admin)).body;
    assert.equal((await createClient(secret)).status, 200);
    const membership = app.owner.updateTable('organization_users').where('user_id', '=', admin.userId);
    await membership.set({ role: 'analyst' }).execute();
    assertProblem(await createClient(secret), 403, 'forbidden');
    assert.equal((await listClients(secret)).status, 200);
    await membership.set({ role: 'guest' }).execute();
    const seen = await app.request<{ count: number }>('GET', `/api/clients?organization_id=${id}`, {
      headers: bearer(secret),
    });
    assert.deepEqual([seen.status, seen.body.count ?? 0], [403, 0], 'a guest of no client');

    await membership.set({ role: 'admin' }).execute();
    const user = app.owner.updateTable('users').where('id', '=', admin.userId);
    await user.set({ status: 'suspended' }).execute();
    assertProblem(await listClients(secret), 401, 'not_signed_in');
    await user.set({ status: 'active' }).execute();
    assert.equal((await listClients(secret)).status, 200);

    const organization = app.owner.updateTable('organizations').where('id', '=', id);
    await organization.set({ status: 'suspended' }).execute();
    assertProblem(await createClient(secret), 403, 'organization_suspended');
    await organization.set({ status: 'active', deleted: true }).execute();
    assertProblem(await listClients(secret), 404, 'not_found', 'GDP-1');
    await organization.set({ deleted: false }).execute();
    await deleteRows(app.owner, 'organization_users', { user_id: admin.userId });
    assertProblem(await listClients(secret), 404, 'not_found');
  });

  const emailOf = async (userId: string) =>
    (await getRow(app.owner, 'users', ['email'], { id: userId })).email;
});
