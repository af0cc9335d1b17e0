import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { clientSubjects, roles } from '@reachout/contract/abilities.ts';
import { useSharedApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildMember } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { findRow } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';

/**
 * Which roles can grant and revoke which roles (TEN-9). In addition to the built-in ones: `personnel` manages members and
 * reads everything, which is less than an editor; `lead` manages members and reads the data of one client.
 */
const grantors = ['owner', 'admin', 'editor', 'analyst', 'guest', 'personnel', 'lead', 'unknown'] as const;
const given = [...roles, 'personnel', 'lead'] as const;
type Outcome = 'yes' | 'beyond_own_rights' | 'forbidden';

const forbidden = (code: Outcome) => Object.fromEntries(given.map((role) => [role, code]));
const all = forbidden('yes');
const table: Record<(typeof grantors)[number], Record<string, Outcome>> = {
  owner: all,
  admin: { ...all, owner: 'beyond_own_rights' },
  editor: forbidden('forbidden'),
  analyst: forbidden('forbidden'),
  guest: forbidden('forbidden'),
  personnel: { ...all, owner: 'beyond_own_rights', admin: 'beyond_own_rights', editor: 'beyond_own_rights' },
  // Only a guest of the same client.
  lead: { ...forbidden('beyond_own_rights'), guest: 'yes', lead: 'yes' },
  unknown: forbidden('forbidden'),
};

suite('role escalation (TEN-9)', () => {
  const app = useSharedApp();
  const { organizationId: id, clientId, branch } = useWorld(app);
  const { clientId: otherClientId } = branch('Südwind');
  const people = new Map<string, Person>();

  before(async () => {
    const people_rules = ['Member', 'Invitation', 'ApiKey'].map((subject) => ({ action: 'manage', subject }));
    await buildRole(app, id, 'personnel', [...people_rules, { action: 'read', subject: 'all' }]);
    await buildRole(app, id, 'lead', [
      ...people_rules,
      { action: 'read', subject: 'Organization' },
      ...clientSubjects.map((subject) => ({
        action: 'read',
        subject,
        conditions: { client_id: { $in: [clientId] } },
      })),
    ]);
    for (const role of grantors) people.set(role, await app.signInMember(id, role));
  });

  const hold = async (userId: string) =>
    await findRow(app.owner, 'organization_users', ['role'], { user_id: userId });
  const limitTo = (user_id: string, client_id: string) =>
    insertRows(app.owner, 'organization_user_clients', { organization_id: id, user_id, client_id });

  for (const grantor of grantors) {
    for (const role of given) {
      const expected = table[grantor][role]!;
      test(`${grantor} ${expected === 'yes' ? 'can' : 'cannot'} manage the role ${role}`, async () => {
        const as = people.get(grantor)!;
        const check = (response: { status: number; body: unknown }, what: string) => {
          if (expected === 'yes')
            assert.equal(response.status, 200, `${what}: ${JSON.stringify(response.body)}`);
          else assertProblem(response as never, 403, expected, what);
        };
        const client_ids = [clientId];

        const plain = await buildMember(app.owner, { organization_id: id, role: 'guest' });
        await limitTo(plain.user_id, clientId);
        const at = (userId: string) => `/api/organizations/${id}/members/${userId}`;
        check(await as.request('PUT', at(plain.user_id), { role, client_ids }), 'given to a guest');
        assert.equal((await hold(plain.user_id))?.role, expected === 'yes' ? role : 'guest');

        const holder = await buildMember(app.owner, { organization_id: id, role });
        await limitTo(holder.user_id, clientId);
        check(await as.request('PUT', at(holder.user_id), { role: 'guest', client_ids }), 'taken away');
        const second = await buildMember(app.owner, { organization_id: id, role });
        await limitTo(second.user_id, clientId);
        check(await as.request('DELETE', at(second.user_id)), 'removed');
        assert.equal((await hold(second.user_id))?.role, expected === 'yes' ? undefined : role);

        const emails = [`${grantor}-${role}@new.example`];
        check(
          await app.request('POST', '/api/organizations/invitations/create', {
            body: { organization_id: id, emails, role, client_ids },
            as,
          }),
          'invited',
        );
      });
    }
  }

  test('a limited member cannot manage guests of other clients', async () => {
    const as = people.get('lead')!;
    const guest = await buildMember(app.owner, { organization_id: id, role: 'guest' });
    await limitTo(guest.user_id, otherClientId);
    const at = `/api/organizations/${id}/members/${guest.user_id}`;
    assertProblem(await as.request('DELETE', at), 403, 'beyond_own_rights');
    assertProblem(
      await as.request('PUT', `/api/organizations/${id}/invitation_link`, { client_ids: [otherClientId] }),
      422,
      'invalid_input',
    );
  });

  test('members cannot make themselves owners', async () => {
    for (const role of ['admin', 'personnel', 'lead']) {
      const as = people.get(role)!;
      const at = `/api/organizations/${id}/members/${as.userId}`;
      assertProblem(await as.request('PUT', at, { role: 'owner' }), 403, 'beyond_own_rights');
    }
  });
});

async function buildRole(
  app: TestApp,
  organization_id: string,
  role: string,
  rules: { action: string; subject: string; conditions?: unknown }[],
): Promise<void> {
  await insertRows(app.owner, 'organization_roles', { organization_id, role, name: role });
  await insertRows(
    app.owner,
    'role_permissions',
    rules.map(({ conditions, ...rule }, position) => ({
      organization_id,
      role,
      position,
      ...rule,
      conditions: conditions === undefined ? null : JSON.stringify(conditions),
    })),
  );
}
