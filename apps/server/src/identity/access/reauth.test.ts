import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { useSharedApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { contractOperations, toRequest } from '../../testing/contract-calls.ts';
import { personalInputs } from '../../testing/personal-inputs.ts';
import { deleteRows, updateRows } from '../../testing/rows.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, digestTenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

/** SES-3, with the start of the session moved into the past. */
suite('recent sign-ins', () => {
  const app = useSharedApp();
  const tenant = useMade(() => buildTenant(app.owner));
  const owner = useMade(() => app.signInMember(tenant.organizationId));
  const analyst = useMade(() => app.signInMember(tenant.organizationId, 'analyst'));

  async function signedIn(ago: string, person = owner): Promise<void> {
    await sql`
      update sessions set created_at = now() - ${ago}::interval, updated_at = now(), expires_at = now() + interval '7 days'
      where user_id = ${person.userId}
    `.execute(app.owner);
  }

  const sensitive = contractOperations.filter(({ requiresReauth }) => requiresReauth === true);

  for (const operation of sensitive) {
    test(`${operation.name} requires a sign-in of the last hour`, async () => {
      const input =
        sampleInputs[operation.name]?.(tenant) ??
        (await personalInputs[operation.name]?.({ app, tenant, person: owner })) ??
        {};
      const { method, path, ...rest } = toRequest(operation, input);
      const digestBefore = await digestTenant(app.owner, tenant.organizationId);
      for (const ago of ['60 minutes', '20 days']) {
        await signedIn(ago);
        assertProblem(await app.request(method, path, { ...rest, as: owner }), 401, 'sign_in_again', ago);
      }
      const key = await makeKeyOf(app, tenant.organizationId, tenant.ownerUserId);
      assertProblem(await app.request(method, path, { ...rest, as: key }), 403, 'forbidden');
      // A user without the permission is not asked to sign in again.
      if (operation.access.who === 'member' && operation.access.permission[0] !== 'read') {
        await signedIn('2 hours', analyst);
        assertProblem(await app.request(method, path, { ...rest, as: analyst }), 403, 'forbidden');
      }
      await deleteRows(app.owner, 'api_keys', { id: key.keyId });
      assert.deepEqual(await digestTenant(app.owner, tenant.organizationId), digestBefore);
    });
  }

  test('invitations above guest require a recent sign-in (SES-3)', async () => {
    const { organizationId } = tenant;
    const invite = (email: string, role: string) =>
      app.request<{ items: { id: string }[] }>('POST', '/api/organizations/invitations/create', {
        body: { organization_id: organizationId, emails: [email], role, client_ids: [tenant.clientId] },
        as: owner,
      });
    const resend = (id: string) =>
      owner.request('POST', `/api/organizations/${organizationId}/invitations/${id}/resend`);
    await signedIn('59 minutes');
    const admin = await invite('admin@above.example', 'admin');
    const guest = await invite('guest@above.example', 'guest');
    assert.deepEqual([admin.status, guest.status], [200, 200]);
    await signedIn('2 hours');
    assertProblem(await invite('owner@above.example', 'owner'), 401, 'sign_in_again');
    // Raises the role of an existing invitation.
    assertProblem(await invite('guest@above.example', 'editor'), 401, 'sign_in_again');
    assertProblem(await resend(admin.body.items[0]!.id), 401, 'sign_in_again');
    assert.equal((await invite('other@above.example', 'guest')).status, 200);
    assert.equal((await resend(guest.body.items[0]!.id)).status, 200);
  });

  test('other operations accept an old sign-in', async () => {
    await signedIn('20 days');
    await owner.ok('GET', '/api/me');
    await owner.ok('PATCH', `/api/clients/${tenant.clientId}`, { name: 'Renamed' });
  });

  test('a sign-in 59 minutes ago is recent', async () => {
    await signedIn('59 minutes');
    await owner.ok('POST', `/api/organizations/${tenant.organizationId}/api_keys`, {
      name: 'New',
      scopes: ['clients:read'],
    });
  });

  test('a session ends after thirty days, or seven days unused', async () => {
    const path = '/api/me';
    await signedIn('29 days 23 hours');
    await owner.ok('GET', path);
    await signedIn('30 days 1 minute');
    assertProblem(await owner.request('GET', path), 401, 'not_signed_in');
    await signedIn('8 days');
    await owner.ok('GET', path);
    // Unused for a week: the sliding expiry has passed.
    await updateRows(
      app.owner,
      'sessions',
      { user_id: owner.userId },
      { expires_at: sql`now() - interval '1 second'` },
    );
    assertProblem(await owner.request('GET', path), 401, 'not_signed_in');
  });
});
