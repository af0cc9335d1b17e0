import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { InvitationLink, InvitationPreview } from '@reachout/contract/invitations.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildOrganization } from '../../sample/records.ts';
import { listRows, updateRows } from '../../testing/rows.ts';

suite('invitation links of organizations (TOK-3)', () => {
  const app = useSharedApp();
  let id: string;
  let owner: Person;
  let path: string;
  let clientId: string;

  beforeEach(async () => {
    ({ id } = await buildOrganization(app.owner));
    owner = await app.signInMember(id, 'owner');
    path = `/api/organizations/${id}/invitation_link`;
    clientId = (await buildClient(app.owner, { organization_id: id, name: 'Südwind' })).id;
  });

  const renew = (body: Record<string, unknown> = {}, as = owner) =>
    as.request<InvitationLink>('PUT', path, { client_ids: [clientId], ...body });
  const join = (token: string, as: Person) =>
    as.request<{ organization_id: string; invitation_token: string }>(
      'PUT',
      `/api/organizations/invitations/link/${token}`,
    );
  const preview = (token: string) =>
    app.request<InvitationPreview>('GET', `/api/organizations/invitations/${token}`);
  const members = async () =>
    (
      await listRows(app.owner, 'organization_users', ['user_id'], { organization_id: id, role: 'guest' })
    ).map(({ user_id }) => user_id);

  test('a link is off by default, and visible to inviters', async () => {
    assert.equal((await owner.request('GET', path)).body, null);
    const link = await renew();
    assert.equal(link.status, 200);
    assert.match(link.body.invitation_token, /^[\w-]{32}$/);
    assert.ok(link.body.url.endsWith(`/join/${link.body.invitation_token}`));
    assert.deepEqual(
      [link.body.max_uses, link.body.uses, link.body.clients],
      [20, 0, [{ id: clientId, name: 'Südwind' }]],
    );
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    const sees = { owner: 200, admin: 200, editor: 403, analyst: 403, guest: 403, unknown: 403 };
    const people: [Person, number, string][] = [];
    for (const [role, status] of Object.entries(sees))
      people.push([await app.signInMember(id, role), status, role]);
    for (const [as, status, role] of people) {
      const response = await as.request<InvitationLink>('GET', path);
      assert.equal(response.status, status, role);
      if (status === 200) assert.deepEqual(response.body, link.body);
    }
    for (const [as, status, role] of people) assert.equal((await renew({}, as)).status, status, role);
  });

  test('a link requires valid limits', async () => {
    const foreign = await buildClient(app.owner);
    assertProblem(await app.request('PUT', path, { body: {} }), 401, 'not_signed_in');
    assertInvalid(await renew({ max_uses: 0 }), 'max_uses');
    assertInvalid(await renew({ max_uses: 1_001 }), 'max_uses');
    assertInvalid(await renew({ days: 31 }), 'days');
    assertInvalid(await renew({ client_ids: [foreign.id] }), 'client_ids');
    assertInvalid(await renew({ role: 'owner' }), 'role');
    // Guests who join by it would see nothing.
    assertInvalid(await renew({ client_ids: [] }), 'client_ids');
  });

  test('a link creates a limited number of guests, also concurrently', async () => {
    const client = await buildClient(app.owner, { organization_id: id, name: 'Nordwind' });
    await buildClient(app.owner, { organization_id: id });
    const { invitation_token: token, clients } = (
      await renew({ max_uses: 3, client_ids: [client.id], days: 1 })
    ).body;
    assert.deepEqual(clients, [{ id: client.id, name: 'Nordwind' }]);
    assert.deepEqual((await preview(token)).body.status, 'pending');
    const people = await Promise.all(Array.from({ length: 8 }, () => app.signIn()));
    assertProblem(
      await app.request('PUT', `/api/organizations/invitations/link/${token}`),
      401,
      'not_signed_in',
    );
    const responses = await Promise.all(people.map((person) => join(token, person)));
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 200, 200, 409, 409, 409, 409, 409],
    );
    const guests = await members();
    assert.equal(guests.length, 3);
    const guest = people.find(({ userId }) => guests.includes(userId))!;
    const seen = await guest.request<{ count: number }>('GET', `/api/clients?organization_id=${id}`);
    assert.equal(seen.body.count, 1);
    assertProblem(await join(token, guest), 409, 'already_member');
    const { status, role, kind, masked_email } = (await preview(token)).body;
    assert.deepEqual([status, role, kind, masked_email], ['used_up', 'guest', 'link', null]);
    assert.equal((await owner.ok<InvitationLink>('GET', path)).uses, 3);
    const entries = await listRows(app.owner, 'audit_log', ['user_id', 'record_id'], {
      organization_id: id,
      action: 'invitations.join',
    });
    assert.deepEqual(new Set(entries.map(({ user_id }) => user_id)), new Set(guests));
  });

  test('renewed, removed, expired and unknown links are rejected', async () => {
    const person = await app.signIn();
    const first = (await renew()).body.invitation_token;
    const second = (await renew()).body.invitation_token;
    const unknown = await join('x'.repeat(32), person);
    assertProblem(unknown, 404, 'not_found');
    assert.deepEqual((await join(first, person)).body, unknown.body);
    assert.deepEqual((await preview(first)).body, (await preview('x'.repeat(32))).body);

    await updateRows(
      app.owner,
      'organization_invitation_links',
      { organization_id: id },
      { expires_at: new Date().toISOString() },
    );
    assert.equal((await preview(second)).body.status, 'expired');
    assertProblem(await join(second, person), 409, 'not_pending');

    const third = (await renew()).body.invitation_token;
    assertProblem(await app.request('DELETE', path), 401, 'not_signed_in');
    const editor = await app.signInMember(id, 'editor');
    assertProblem(await editor.request('DELETE', path), 403, 'forbidden');
    assert.deepEqual((await owner.request('DELETE', path)).body, { id });
    assert.equal((await owner.request('GET', path)).body, null);
    assertProblem(await join(third, person), 404, 'not_found');
    assert.deepEqual(await members(), []);
  });

  test('a link depends on its creator and an active organization', async () => {
    const admin = await app.signInMember(id, 'admin');
    const person = await app.signIn();
    const { invitation_token: token } = (await renew({}, admin)).body;
    const organization = app.owner.updateTable('organizations').where('id', '=', id);
    await organization.set({ status: 'suspended' }).execute();
    assertProblem(await join(token, person), 403, 'organization_suspended');
    await organization.set({ status: 'active', deleted: true }).execute();
    assertProblem(await join(token, person), 404, 'not_found');
    await organization.set({ deleted: false }).execute();

    const demote = (role: string) =>
      updateRows(app.owner, 'organization_users', { user_id: admin.userId }, { role });
    await demote('analyst');
    assertProblem(await join(token, person), 409, 'not_pending');
    await demote('admin');
    await owner.request('DELETE', `/api/organizations/${id}/members/${admin.userId}`);
    assertProblem(await join(token, person), 404, 'not_found');
    assert.deepEqual(await members(), []);
  });
});
