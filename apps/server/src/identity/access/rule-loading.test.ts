import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { roles } from '@reachout/contract/abilities.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { updateRows } from '../../testing/rows.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { createActors, makeKeyOf } from '../../testing/actors.ts';
import { isMissing, memberOperations, toRequest } from '../../testing/contract-calls.ts';
import type { CallerKind } from '../../testing/outcomes.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { digestTenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

/** TEN-10: without rules, a proven member can only read, a stranger has no access, and every write is denied. */
suite('missing role rules', () => {
  const app = useSharedApp();
  const actors = useMade(() => createActors(app));

  const unsafe = memberOperations.filter(({ access }) => access.permission[0] !== 'read');
  /** One operation for each permission. */
  const samples = [...Map.groupBy(unsafe, ({ access }) => String(access.permission)).values()].map(
    ([first]) => first!,
  );
  const requestOf = (operation: (typeof memberOperations)[number]) =>
    toRequest(operation, sampleInputs[operation.name]?.(actors.tenant) ?? {});
  const setRole = (person: Person, role: string) =>
    updateRows(
      app.owner,
      'organization_users',
      { user_id: person.userId, organization_id: actors.tenant.organizationId },
      { role },
    );

  // A role in organization_users whose custom role no longer exists, and names of object properties.
  for (const role of ['gone', 'Owner', '', 'constructor', '__proto__', 'toString', 'all']) {
    test(`a member with the role “${role}” can only read`, async () => {
      const person = actors.people.owner!;
      await setRole(person, role);
      try {
        const digestBefore = await digestTenant(app.owner, actors.tenant.organizationId);
        // No operation reads the name of a role: one unknown role proves what is true of all operations.
        for (const operation of role === 'gone' ? unsafe : samples) {
          const { method, path, ...rest } = requestOf(operation);
          const response = await app.request(method, path, { ...rest, as: person });
          if (isMissing(response)) continue;
          assertProblem(response, 403, 'forbidden', operation.name);
        }
        const path = `/api/clients/${actors.tenant.clientId}`;
        await person.ok('GET', path);
        const foreign = { as: actors.people.stranger };
        assertProblem(await app.request('GET', path, foreign), 404, 'not_found');
        assert.deepEqual(await digestTenant(app.owner, actors.tenant.organizationId), digestBefore);
      } finally {
        await setRole(person, 'owner');
      }
    });
  }

  test('an API key of an unknown role can only read', async () => {
    const person = actors.people.editor!;
    const key = await makeKeyOf(app, actors.tenant.organizationId, person.userId);
    const path = `/api/clients/${actors.tenant.clientId}`;
    const rename = () => key.request('PATCH', path, { name: 'Renamed' });
    assert.equal((await rename()).status, 200);
    await setRole(person, 'gone');
    assertProblem(await rename(), 403, 'forbidden');
    await key.ok('GET', path);
    await setRole(person, 'editor');
  });

  const breakages: [what: string, breakIt: string, repair: string][] = [
    [
      'cannot be read',
      'alter table role_permissions rename to role_permissions_away',
      'alter table role_permissions_away rename to role_permissions',
    ],
    [
      'cannot be queried',
      'revoke execute on function resolve_membership(text, uuid) from reachout_app',
      'grant execute on function resolve_membership(text, uuid) to reachout_app',
    ],
    [
      'lack the limits of members',
      'alter table organization_user_clients rename column client_id to client_id_away',
      'alter table organization_user_clients rename column client_id_away to client_id',
    ],
  ];
  for (const [what, breakIt, repair] of breakages) {
    test(`no caller has access if rules ${what}`, async () => {
      const digestBefore = await digestTenant(app.owner, actors.tenant.organizationId);
      await sql.raw(breakIt).execute(app.owner);
      try {
        for (const caller of [...roles, 'stranger', 'custom_role', 'api_key'] as CallerKind[]) {
          const as = actors.people[caller];
          for (const name of [
            'clients.get',
            'clients.list',
            'clients.update',
            'members.list',
            'organizations.get',
          ]) {
            const { method, path, ...rest } = requestOf(
              memberOperations.find((operation) => operation.name === name)!,
            );
            const response = await app.request(method, path, { ...rest, as });
            assertProblem(response, 500, 'internal', `${caller} ${name}`);
          }
        }
      } finally {
        await sql.raw(repair).execute(app.owner);
      }
      assert.deepEqual(await digestTenant(app.owner, actors.tenant.organizationId), digestBefore);
      const path = `/api/clients/${actors.tenant.clientId}`;
      await actors.people.guest!.ok('GET', path);
    });
  }
});
