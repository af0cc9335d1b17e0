import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { clientSubjects } from '@reachout/contract/abilities.ts';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import type { Member } from '@reachout/contract/members.ts';
import { useSharedApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember, buildOrganization, buildUser } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, findRow, getRow, listRows, updateRows } from '../../testing/rows.ts';
import { countWaiting } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { useWorld } from '../../testing/world.ts';

interface Permissions {
  client_wanted_from: string[] | null;
}
type List = { items: Member[]; count: number };

suite('members', () => {
  const app = useSharedApp();
  const { organizationId: id, owner } = useWorld(app);
  const path = `/api/organizations/${id}/members`;

  const roleOf = async (userId: string) =>
    (await findRow(app.owner, 'organization_users', ['role'], { organization_id: id, user_id: userId }))
      ?.role;

  test('members are listed by page, order, role and text', async () => {
    const organization = await buildOrganization(app.owner);
    const reader = await app.signInMember(organization.id, 'analyst');
    await updateRows(app.owner, 'users', { id: reader.userId }, { full_name: 'Ada Lovelace' });
    const people = [
      { full_name: 'Émilie 100%', email: 'emilie@chatelet.example' },
      { full_name: 'grace Hopper', email: 'Grace_1@navy.example' },
      { full_name: 'Zuse', email: 'konrad@zuse.example' },
    ];
    for (const person of people) {
      const { id: user_id } = await buildUser(app.owner, person);
      await buildMember(app.owner, { organization_id: organization.id, user_id, role: 'editor' });
    }
    const at = `/api/organizations/${organization.id}/members`;
    assertProblem(await app.request('GET', at), 401, 'not_signed_in');
    assertProblem(await owner.request('GET', at), 404, 'not_found');
    const guest = await app.signInMember(organization.id, 'guest');
    assertProblem(await guest.request('GET', at), 403, 'forbidden');
    await deleteRows(app.owner, 'organization_users', { user_id: guest.userId });
    for (const [query, field] of [
      ['order=email.asc', 'order'],
      ['page_size=501', 'page_size'],
      ['role=Owner', 'role'],
    ] as const)
      assertInvalid(await reader.request('GET', `${at}?${query}`), field);

    const list = async (query: string) => {
      const body = await reader.ok<List>('GET', `${at}?${query}`);
      return { names: body.items.map(({ user }) => user.full_name), count: body.count };
    };
    const sorted = ['Ada Lovelace', 'grace Hopper', 'Zuse', 'Émilie 100%'];
    assert.deepEqual(await list(''), { names: sorted, count: 4 });
    assert.deepEqual(await list('order=full_name.desc'), { names: sorted.toReversed(), count: 4 });
    assert.deepEqual(await list('page=1&page_size=3'), { names: ['Émilie 100%'], count: 4 });
    assert.deepEqual(await list('search=LOVE'), { names: ['Ada Lovelace'], count: 1 });
    assert.deepEqual(await list('search=navy.ex'), { names: ['grace Hopper'], count: 1 });
    assert.deepEqual(await list(`search=${encodeURIComponent('%')}`), { names: ['Émilie 100%'], count: 1 });
    assert.deepEqual(await list('search=_1'), { names: ['grace Hopper'], count: 1 });
    assert.deepEqual(await list('role=analyst'), { names: ['Ada Lovelace'], count: 1 });
    assert.equal((await list('order=last_seen_at.desc')).names[0], 'Ada Lovelace');
    assert.equal((await list('order=last_seen_at.asc')).names[0], 'Ada Lovelace');
    assert.deepEqual((await list('order=joined_at.asc')).names[0], 'Ada Lovelace');
  });

  test('roles and clients are changed by members with permission', async () => {
    const client = await buildClient(app.owner, { organization_id: id, name: 'Nordwind' });
    const foreign = await buildClient(app.owner);
    const gone = await buildClient(app.owner, { organization_id: id, deleted: true });
    const member = await app.signInMember(id, 'editor');
    const at = `${path}/${member.userId}`;
    const body = { role: 'guest', client_ids: [client.id] };
    assertProblem(await app.request('PUT', at, { body }), 401, 'not_signed_in');
    assertProblem(await member.request('PUT', at, body), 403, 'forbidden');
    const change = (given: unknown, userId = member.userId) =>
      owner.request<Member>('PUT', `${path}/${userId}`, given);
    assertInvalid(await change({ role: 'no_such_role' }), 'role');
    assertInvalid(await change({ role: 'constructor' }), 'role');
    assertInvalid(await change({ client_ids: [client.id] }), 'role');
    const guest = (...client_ids: string[]) => ({ role: 'guest', client_ids });
    assertInvalid(await change(guest(foreign.id)), 'client_ids');
    assertInvalid(await change(guest(client.id, gone.id)), 'client_ids');
    assertInvalid(await change(guest('x')), 'client_ids.0');
    assert.equal(await roleOf(member.userId), 'editor');

    const changed = await change(body);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal(changed.body.role, 'guest');
    assert.deepEqual(changed.body.clients, [{ id: client.id, name: 'Nordwind' }]);
    assert.deepEqual((await change(body)).body, changed.body, 'the same again changes nothing');
    assert.deepEqual((await change(body, member.userId.toUpperCase())).body, changed.body, 'in capitals');
    assert.deepEqual((await change({ role: 'guest' })).body, changed.body, 'without clients, they stay');
    assertProblem(await member.request('GET', `/api/organizations/${id}/roles`), 403, 'forbidden');
    const seen = await member.request<{ count: number }>('GET', `/api/clients?organization_id=${id}`);
    assert.equal(seen.body.count, 1);
    const wantedFrom = async () =>
      (await member.ok<Permissions>('GET', `/api/organizations/${id}/permissions`)).client_wanted_from;
    assert.equal(await wantedFrom(), null);
    assert.deepEqual((await change(guest())).body.clients, []);
    const { full_name } = await getRow(app.owner, 'users', ['full_name'], { id: owner.userId });
    assert.ok((await wantedFrom())?.includes(full_name), 'who sees nothing knows whom to ask');
    assert.equal((await change({ role: 'analyst' })).body.role, 'analyst');
    assert.equal(await wantedFrom(), null);
    assertInvalid(await change({ role: 'guest' }), 'client_ids');
  });

  test('only an accepted invitation makes a member', async () => {
    const person = await app.signIn();
    const set = () => owner.request<Member>('PUT', `${path}/${person.userId}`, { role: 'analyst' });
    assertProblem(await set(), 409, 'not_a_member');
    const invited = await app.request<{ items: { token: string }[] }>(
      'POST',
      '/api/organizations/invitations/create',
      { body: { organization_id: id, emails: [person.email], role: 'editor' }, as: owner },
    );
    assertProblem(await set(), 409, 'not_a_member');
    const token = invited.body.items[0]!.token;
    await person.ok('PUT', `/api/organizations/invitations/${token}`);
    const { body } = await set();
    assert.deepEqual([body.organization_id, body.role], [id, 'analyst']);
    assert.deepEqual(body.user, {
      id: person.userId,
      full_name: (await getRow(app.owner, 'users', ['full_name'], { id: person.userId })).full_name,
      email: person.email,
      avatar_url: null,
    });
  });

  test('readers see and assign only their own clients (TEN-9)', async () => {
    const [mine, other] = [
      await buildClient(app.owner, { organization_id: id }),
      await buildClient(app.owner, { organization_id: id }),
    ];
    const manager = await buildManager(app, id, mine.id);
    const guest = await buildMember(app.owner, { organization_id: id, role: 'guest' });
    const limits = [mine, other].map((client) => ({
      organization_id: id,
      user_id: guest.user_id,
      client_id: client.id,
    }));
    await insertRows(app.owner, 'organization_user_clients', limits);
    const listed = await manager.request<List>('GET', `${path}?role=guest&page_size=100`);
    const shown = listed.body.items.find(({ user_id }) => user_id === guest.user_id);
    assert.deepEqual(
      shown?.clients.map((client) => client.id),
      [mine.id],
    );
    const change = (userId: string, body: unknown) => manager.request('PUT', `${path}/${userId}`, body);
    // A member of another client is out of scope, also for revoking permissions.
    const onMine = { role: 'guest', client_ids: [mine.id] };
    assertProblem(await change(guest.user_id, onMine), 403, 'beyond_own_rights');
    const own = await buildMember(app.owner, { organization_id: id, role: 'guest' });
    assertInvalid(await change(own.user_id, { role: 'guest', client_ids: [other.id] }), 'client_ids');
    assert.equal((await change(own.user_id, onMine)).status, 200);
    assertProblem(await change(own.user_id, { role: 'analyst' }), 403, 'beyond_own_rights');
  });

  test('removal ends all access of the member (SES-4, TOK-2)', async () => {
    for (const [how, leaves] of [
      ['removed', false],
      ['left', true],
    ] as const) {
      const admin = await app.signInMember(id, 'admin');
      const key = await admin.request<ApiKey & { secret: string }>(
        'POST',
        `/api/organizations/${id}/api_keys`,
        { name: 'Reports', scopes: ['clients:read'] },
      );
      const bearer = { authorization: `Bearer ${key.body.secret}` };
      const readByKey = () => app.request('GET', `/api/clients?organization_id=${id}`, { headers: bearer });
      assert.equal((await readByKey()).status, 200);
      await app.ok('POST', '/api/organizations/invitations/create', {
        body: { organization_id: id, emails: [`${how}@new.example`], role: 'analyst' },
        as: admin,
      });

      if (leaves) {
        const at = `/api/organizations/${id}/leave`;
        assertProblem(await app.request('POST', at), 401, 'not_signed_in');
        assertProblem(await app.request('POST', at, { headers: bearer }), 403, 'forbidden');
        assert.deepEqual((await admin.request('POST', at)).body, { id });
      } else {
        const at = `${path}/${admin.userId}`;
        assertProblem(await app.request('DELETE', at), 401, 'not_signed_in');
        const editor = await app.signInMember(id, 'editor');
        assertProblem(await editor.request('DELETE', at), 403, 'forbidden');
        assertProblem(await owner.request('DELETE', `${path}/x`), 422, 'invalid_input');
        assert.deepEqual((await owner.request('DELETE', at)).body, { user_id: admin.userId });
        assertProblem(await owner.request('DELETE', at), 404, 'not_found');
      }
      assertProblem(await admin.request('GET', path), 404, 'not_found');
      assertProblem(await readByKey(), 401, 'not_signed_in');
      const invitation = await getRow(app.owner, 'organization_invitations', ['status', 'token_sealed'], {
        email: `${how}@new.example`,
      });
      assert.deepEqual(invitation, { status: 'cancelled', token_sealed: null });

      // A member who returns does not get their old key back.
      await buildMember(app.owner, { organization_id: id, user_id: admin.userId, role: 'admin' });
      assertProblem(await readByKey(), 401, 'not_signed_in');
    }
  });

  test('the last owner cannot be removed or demoted (TEN-9)', async () => {
    const organization = await buildOrganization(app.owner);
    const last = await app.signInMember(organization.id, 'owner');
    const at = `/api/organizations/${organization.id}`;
    const refused = async (as: Person) => {
      const mine = `${at}/members/${last.userId}`;
      assertProblem(await as.request('PUT', mine, { role: 'admin' }), 409, 'last_owner');
      assertProblem(await as.request('DELETE', mine), 409, 'last_owner');
    };
    await refused(last);
    assertProblem(await last.request('POST', `${at}/leave`), 409, 'last_owner');

    // An owner who cannot sign in does not count.
    const second = await app.signInMember(organization.id, 'owner');
    await updateRows(app.owner, 'users', { id: second.userId }, { status: 'suspended' });
    await refused(last);
    await updateRows(app.owner, 'users', { id: second.userId }, { status: 'active' });
    await last.ok('PUT', `${at}/members/${last.userId}`, { role: 'editor' });
    assertProblem(await second.request('POST', `${at}/leave`), 409, 'last_owner');
  });

  test('two owners cannot demote each other concurrently (TEN-9)', async () => {
    for (const [role, how, refusal] of [
      ['owner', 'demote', 403],
      ['owner', 'remove', 404],
      ['owner', 'leave', 409],
      ['admin', 'demote', 403],
      ['admin', 'remove', 404],
    ] as const) {
      const organization = await buildOrganization(app.owner);
      const two = [
        await app.signInMember(organization.id, role),
        await app.signInMember(organization.id, role),
      ] as const;
      const at = `/api/organizations/${organization.id}`;
      const act = (one: Person, other: Person) => {
        if (how === 'leave') return one.request('POST', `${at}/leave`);
        const member = `${at}/members/${other.userId}`;
        return how === 'remove'
          ? one.request('DELETE', member)
          : one.request('PUT', member, { role: 'editor' });
      };
      // Records their presence first, so that only the changes to each other wait below.
      for (const one of two) await one.request('GET', at);
      // Both pass the permission check with their old roles, and then wait for each other.
      const asked = await app.owner.transaction().execute(async (trx) => {
        await sql`select from organization_users where organization_id = ${organization.id} for update`.execute(
          trx,
        );
        const both = [act(two[0], two[1]), act(two[1], two[0])];
        await waitUntil('both wait', async () => (await countWaiting(app.owner)) === both.length);
        return both;
      });
      const codes = (await Promise.all(asked)).map(({ status }) => status).toSorted((a, b) => a - b);
      assert.deepEqual(codes, [200, refusal], `${role} ${how}`);
      const left = await listRows(app.owner, 'organization_users', ['user_id'], {
        organization_id: organization.id,
        role,
      });
      assert.equal(left.length, 1, `${role} ${how}`);
    }
  });
});

/** Signs in a member who manages members and is limited to one client. */
async function buildManager(app: TestApp, organization_id: string, client_id: string): Promise<Person> {
  const role = `manager_${client_id.slice(-8)}`;
  await insertRows(app.owner, 'organization_roles', { organization_id, role, name: role });
  const conditions = JSON.stringify({ client_id: { $in: [client_id] } });
  const rules = [
    { action: 'manage', subject: 'Member', conditions: null },
    { action: 'read', subject: 'Organization', conditions: null },
    ...clientSubjects.map((subject) => ({ action: 'read', subject, conditions })),
  ];
  await insertRows(
    app.owner,
    'role_permissions',
    rules.map((rule, position) => ({ organization_id, role, position, ...rule })),
  );
  return await app.signInMember(organization_id, role);
}
