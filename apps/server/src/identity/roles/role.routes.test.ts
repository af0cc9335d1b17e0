import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { roles } from '@reachout/contract/abilities.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand, buildClient, buildMember, buildOrganization } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows } from '../../testing/rows.ts';
import { countWaiting } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { useWorld } from '../../testing/world.ts';

type List = { items: RoleDetails[]; count: number };
type Rule = { action: string; subject: string; conditions?: unknown; inverted?: boolean };

suite('roles', () => {
  const app = useSharedApp();
  const { organizationId: id, owner, admin } = useWorld(app);
  const path = `/api/organizations/${id}/roles`;

  const readTemplates: Rule[] = [{ action: 'read', subject: 'Template' }];
  const create = (name: string, rules: Rule[] = readTemplates, as = owner) =>
    as.request<RoleDetails>('POST', path, { name, rules });

  test('built-in roles come first, and grantable ones are marked (TEN-9)', async () => {
    const editor = await app.signInMember(id, 'editor');
    const guest = await app.signInMember(id, 'guest');
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await guest.request('GET', path), 403, 'forbidden');
    const list = async (as: Person) => (await as.ok<List>('GET', path)).items;
    assert.deepEqual(
      (await list(owner)).map(({ role, built_in }) => [role, built_in]),
      roles.map((role) => [role, true]),
    );
    const grantable = async (as: Person) =>
      (await list(as)).filter((entry) => entry.grantable).map(({ role }) => role);
    assert.deepEqual(await grantable(owner), ['owner', 'admin', 'editor', 'analyst', 'guest']);
    assert.deepEqual(await grantable(admin), ['admin', 'editor', 'analyst', 'guest']);
    assert.deepEqual(await grantable(editor), ['editor', 'analyst', 'guest']);
    const guestRole = (await list(owner)).find(({ role }) => role === 'guest');
    assert.equal(guestRole?.member_count, 1);
    assert.ok(
      guestRole.rules.some(
        ({ action, subject, conditions }) =>
          action === 'read' &&
          subject === 'Campaign' &&
          JSON.stringify(conditions) === '{"client_id":{"$in":"${client_ids}"}}',
      ),
    );
  });

  test('custom roles require rules that the server understands', async () => {
    const client = await buildClient(app.owner, { organization_id: id });
    const brand = await buildBrand(app.owner, { client_id: client.id });
    const foreign = await buildBrand(app.owner);
    const gone = await buildClient(app.owner, { organization_id: id, deleted: true });
    const editor = await app.signInMember(id, 'editor');
    assertProblem(
      await app.request('POST', path, { body: { name: 'X', rules: readTemplates } }),
      401,
      'not_signed_in',
    );
    assertProblem(await create('X', readTemplates, editor), 403, 'forbidden');
    assertInvalid(await create(''), 'name');
    assertInvalid(await create('X', []), 'rules');
    assertInvalid(await create('X', [{ action: 'fly', subject: 'Template' }]), 'rules.0.action');
    assertInvalid(await create('X', [{ action: 'read', subject: 'Moon' }]), 'rules.0.subject');
    assertInvalid(
      await create('X', [{ action: 'read', subject: 'Client', fields: ['name'] } as Rule]),
      'rules.0.fields',
    );
    const refused: [string, unknown, boolean?][] = [
      ['Client', {}, true],
      ['Client', { client_id: { $ne: client.id } }],
      ['Client', { client_id: { $nin: [client.id] } }],
      ['Client', { client_id: { $in: [client.id], $exists: true } }],
      ['Client', { client_id: { $in: [] } }],
      ['Client', { client_id: [client.id] }],
      ['Client', { client_id: 'x' }],
      ['Client', { client_id: "' or true --" }],
      ['Client', { client_id: client.id, brand_id: brand.id }],
      ['Client', { name: 'Nordwind' }],
      ['Client', { $or: [{ client_id: client.id }] }],
      ['Client', { client_id: foreign.client_id }],
      ['Client', { client_id: { $in: [client.id, foreign.client_id] } }],
      ['Client', { client_id: gone.id }],
      ['Client', { client_id: '01900000-0000-7000-8000-000000000000' }],
      ['Client', { brand_id: foreign.id }],
      ['Client', { brand_id: { $in: '${client_ids}' } }],
      ['Client', { client_id: '${organization_id}' }],
      ['Client', { client_id: '${user_id}' }],
      ['Client', { organization_id: foreign.organization_id }],
      ['AuditLog', { client_id: client.id }],
      ['Member', { client_id: { $in: '${client_ids}' } }],
      ['all', { client_id: client.id }],
      ['Client', { client_id: client.id }, true],
    ];
    for (const [subject, conditions, inverted = false] of refused) {
      const rules = [...readTemplates, { action: 'read', subject, conditions, inverted }];
      assertInvalid(await create('X', rules), 'rules.1.conditions', JSON.stringify(conditions));
    }

    const accepted: [string, unknown][] = [
      ['Client', { client_id: client.id }],
      ['Brand', { client_id: { $eq: client.id } }],
      ['Campaign', { brand_id: { $in: [brand.id] } }],
      ['Filter', { client_id: { $in: '${client_ids}' } }],
      ['Template', { client_id: client.id }],
      ['Template', { organization_id: '${organization_id}' }],
      ['Statistics', { organization_id: '${organization_id}', client_id: client.id }],
      ['Content', null],
    ];
    const rules = accepted.map(([subject, conditions]) => ({
      action: 'read',
      subject,
      conditions,
      inverted: false,
    }));
    const created = await create(' Köchin & Maß ', rules);
    assert.equal(created.status, 200, JSON.stringify(created.body));
    assert.deepEqual(
      { ...created.body, rules: undefined },
      {
        role: 'kochin_mass',
        name: 'Köchin & Maß',
        built_in: false,
        grantable: true,
        rules: undefined,
        member_count: 0,
      },
    );
    assert.deepEqual(created.body.rules, rules);
  });

  test('roles have unique keys and names', async () => {
    assert.equal((await create('Über uns')).body.role, 'uber_uns');
    assert.equal((await create('uber-uns!')).body.role, 'uber_uns_2');
    assert.equal((await create('Редактор')).body.role, 'role');
    assert.equal((await create('9 to 5')).body.role, 'role_9_to_5');
    assert.equal((await create('Owner?')).body.role, 'owner_2');
    const long = await create('x'.repeat(120));
    assert.equal(long.body.role, 'x'.repeat(40));
    assert.equal((await create(`${'x'.repeat(119)}y`)).body.role, `${'x'.repeat(38)}_2`);
    for (const name of ['ÜBER UNS', 'owner', 'Admin']) assertProblem(await create(name), 409, 'name_taken');
    const twice = await Promise.all([create('Twin'), create('twin')]);
    assert.deepEqual(
      twice.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
  });

  test('a changed role applies to the next request', async () => {
    const { role } = (await create('Changing')).body;
    const member = await app.signInMember(id, role);
    const at = `${path}/${role}`;
    const body = { rules: [{ action: 'read', subject: 'Member' }] };
    assertProblem(await app.request('PATCH', at, { body }), 401, 'not_signed_in');
    assertProblem(await member.request('PATCH', at, body), 403, 'forbidden');
    const change = (given: unknown, as = owner) => as.request<RoleDetails>('PATCH', at, given);
    assertInvalid(await change({ rules: [] }), 'rules');
    assertInvalid(
      await change({ rules: [{ action: 'read', subject: 'Client', conditions: { name: 'x' } }] }),
      'rules.0.conditions',
    );
    for (const builtIn of ['editor', 'no_such_role'])
      assertProblem(await owner.request('PATCH', `${path}/${builtIn}`, body), 404, 'not_found', builtIn);
    await create('Taken');
    assertProblem(await change({ name: 'TAKEN' }), 409, 'name_taken');
    assertProblem(await change({ name: 'Guest' }), 409, 'name_taken');

    assertProblem(await member.request('GET', path), 403, 'forbidden');
    const changed = await change({ ...body, name: 'Changed' });
    assert.equal(changed.status, 200);
    assert.deepEqual([changed.body.role, changed.body.name], [role, 'Changed']);
    await member.ok('GET', path);
  });

  test('members cannot change roles beyond their rights (TEN-9)', async () => {
    const beyond = [
      [{ action: 'delete', subject: 'Organization' }],
      [{ action: 'manage', subject: 'Organization' }],
      [{ action: 'manage', subject: 'all' }],
    ];
    for (const rules of beyond)
      assertProblem(await create('Coup', rules, admin), 403, 'beyond_own_rights', JSON.stringify(rules));
    const { role: strong } = (await create('Strong', beyond[0])).body;
    const { role: weak } = (await create('Weak', readTemplates, admin)).body;
    for (const rules of beyond)
      assertProblem(await admin.request('PATCH', `${path}/${weak}`, { rules }), 403, 'beyond_own_rights');
    // Revoking permissions exceeds the own rights as well.
    assertProblem(
      await admin.request('PATCH', `${path}/${strong}`, { rules: readTemplates }),
      403,
      'beyond_own_rights',
    );
    // A permission for the clients of each member exceeds the rights of a member with a single client.
    const client = await buildClient(app.owner, { organization_id: id });
    const limitedRole = (
      await create('Lead', [
        { action: 'manage', subject: 'Member' },
        { action: 'read', subject: 'Client', conditions: { client_id: client.id } },
      ])
    ).body.role;
    const limited = await app.signInMember(id, limitedRole);
    const reading = (conditions: unknown) => [{ action: 'read', subject: 'Client', conditions }];
    assert.equal((await create('One client', reading({ client_id: client.id }), limited)).status, 200);
    for (const conditions of [null, { client_id: { $in: '${client_ids}' } }])
      assertProblem(await create('All', reading(conditions), limited), 403, 'beyond_own_rights');
  });

  test('a custom role is deleted only when unused', async () => {
    const { role } = (await create('Going')).body;
    const at = `${path}/${role}`;
    const remove = () => owner.request('DELETE', at);
    assertProblem(await app.request('DELETE', at), 401, 'not_signed_in');
    assertProblem(
      await app.request('DELETE', at, { as: await app.signInMember(id, 'editor') }),
      403,
      'forbidden',
    );
    assertProblem(await owner.request('DELETE', `${path}/guest`), 404, 'not_found');
    const member = await buildMember(app.owner, { organization_id: id, role });
    assertProblem(await remove(), 409, 'role_in_use');
    await deleteRows(app.owner, 'organization_users', { user_id: member.user_id });
    const invited = await app.request<{ items: { id: string }[] }>(
      'POST',
      '/api/organizations/invitations/create',
      { body: { organization_id: id, emails: ['going@new.example'], role }, as: owner },
    );
    assertProblem(await remove(), 409, 'role_in_use');
    await owner.request('DELETE', `/api/organizations/${id}/invitations/${invited.body.items[0]?.id}`);
    assert.deepEqual((await remove()).body, { role });
    assertProblem(await remove(), 404, 'not_found');
  });

  test('an organization has a hundred roles with bounded clients', async () => {
    const organization = await buildOrganization(app.owner);
    const as = await app.signInMember(organization.id, 'owner');
    const at = `/api/organizations/${organization.id}/roles`;
    const post = (name: string, rules: Rule[] = readTemplates) =>
      as.request<RoleDetails>('POST', at, { name, rules });
    await insertRows(
      app.owner,
      'organization_roles',
      Array.from({ length: 99 }, (_, index) => ({
        organization_id: organization.id,
        role: `role_${index}`,
        name: `Role ${index}`,
      })),
    );
    const responses = await Promise.all([post('One'), post('Other')]);
    const [made, refused] = responses.toSorted((a, b) => a.status - b.status);
    assert.equal(made?.status, 200);
    assertProblem(refused!, 409, 'too_many_records');
    await as.request('DELETE', `${at}/${made?.body.role}`);
    assert.equal((await post('Another')).status, 200);

    const { id: client } = await buildClient(app.owner, { organization_id: id });
    const naming = (count: number): Rule[] => [
      {
        action: 'read',
        subject: 'Client',
        conditions: { client_id: { $in: Array<string>(count).fill(client) } },
      },
    ];
    assertInvalid(await create('Naming many', naming(501)), 'rules');
    assert.equal((await create('Naming many', naming(500))).status, 200);
  });

  test('rules have at most 64 kB, and valid ids', async () => {
    const organization = await buildOrganization(app.owner);
    const person = await app.signInMember(organization.id, 'owner');
    const at = `/api/organizations/${organization.id}/roles`;
    const withConditions = (conditions: unknown, count = 1): Rule[] =>
      Array.from({ length: count }, () => ({ action: 'read', subject: 'Client', conditions }));
    const post = (rules: Rule[]) => person.request<RoleDetails>('POST', at, { name: 'Large', rules });
    const named = (count: number) => ({ organization_id: { $in: Array(count).fill(organization.id) } });
    assertInvalid(await post(withConditions(named(17), 100)), 'rules');
    for (const strange of ['a\u0000b', 'x'.repeat(1_000), 1, null])
      assertInvalid(
        await post(withConditions({ organization_id: { $in: [organization.id, strange] } })),
        'rules.0.conditions',
      );
    const { status, body } = await post(withConditions(named(13), 100));
    assert.equal(status, 200);
    const changed = { body: { rules: withConditions(named(17), 100) }, as: person };
    assertInvalid(await app.request('PATCH', `${at}/${body.role}`, changed), 'rules');
  });

  test('a role assigned concurrently cannot be deleted', async () => {
    const { role } = (await create('Contested')).body;
    const body = { organization_id: id, emails: ['contested@new.example'], role };
    for (const as of [owner, admin]) await as.request('GET', path);
    // Blocks the invitation between reading the role and being stored.
    const responses = await app.owner.transaction().execute(async (trx) => {
      await trx
        .insertInto('rate_limits')
        .values({ key: `invitations ${id}`, expire: 0 })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ expire: 0 }))
        .execute();
      const inviting = admin.request('POST', '/api/organizations/invitations/create', body);
      await waitUntil('the invitation waits', async () => (await countWaiting(app.owner)) === 1);
      const removing = owner.request('DELETE', `${path}/${role}`);
      await waitUntil('the removal waits', async () => (await countWaiting(app.owner)) === 2);
      return [inviting, removing];
    });
    const [invited, removed] = await Promise.all(responses);
    assert.equal(invited?.status, 200);
    assertProblem(removed!, 409, 'role_in_use');
  });
});
