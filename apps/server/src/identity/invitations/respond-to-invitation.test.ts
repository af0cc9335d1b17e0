import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { Invitation, InvitationPreview } from '@reachout/contract/invitations.ts';
import type { MyInvitation } from '@reachout/contract/me.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember, buildOrganization } from '../../sample/records.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { newToken } from '../../platform/secrets.ts';

suite('responses to invitations', () => {
  const app = useSharedApp();
  let id: string;
  let owner: Person;
  let admin: Person;
  let invited: Person;

  beforeEach(async () => {
    ({ id } = await buildOrganization(app.owner, { name: 'Agentur Nordwind' }));
    owner = await app.signInMember(id, 'owner');
    admin = await app.signInMember(id, 'admin');
    invited = await app.signIn();
  });

  const invite = async (given: Record<string, unknown> = {}, as = admin) => {
    const body = await app.ok<{ items: Invitation[] }>('POST', '/api/organizations/invitations/create', {
      body: { organization_id: id, emails: [invited.email], role: 'editor', ...given },
      as,
    });
    const invitation = body.items[0]!;
    return { id: invitation.id, token: invitation.token ?? '' };
  };
  const at = (token: string) => `/api/organizations/invitations/${token}`;
  const preview = (token: string) => app.request<InvitationPreview>('GET', at(token));
  const accept = (token: string, as: Person | undefined = invited) => app.request('PUT', at(token), { as });
  const decline = (token: string) =>
    app.request('DELETE', at(token), { headers: { origin: invited.headers['origin'] ?? '' } });
  const membership = (userId = invited.userId) =>
    listRows(app.owner, 'organization_users', ['role'], { organization_id: id, user_id: userId });
  const change = (table: 'organization_invitations', row: string, values: Record<string, unknown>) =>
    app.owner.updateTable(table).set(values).where('id', '=', row).execute();

  test('the preview hides most of the address', async () => {
    const { token } = await invite();
    const { status, body } = await preview(token);
    assert.equal(status, 200);
    const { expires_at, invited_by_name, ...rest } = body;
    assert.deepEqual(rest, {
      kind: 'email',
      status: 'pending',
      organization_id: id,
      organization: { name: 'Agentur Nordwind', logo_url: null },
      role: 'editor',
      role_name: null,
      masked_email: `${invited.email[0]}•••@people.example`,
    });
    assert.ok(Date.parse(expires_at) > Date.now() && invited_by_name?.startsWith('Person'));
    for (const unknown of ['x', newToken(), `${token}x`, token.toUpperCase()]) {
      assertProblem(await preview(unknown), 404, 'not_found', unknown);
      assertProblem(await decline(unknown), 404, 'not_found', unknown);
      assertProblem(await accept(unknown), 404, 'not_found', unknown);
    }
  });

  test('only the invited address accepts, and once (TOK-2)', async () => {
    const client = await buildClient(app.owner, { organization_id: id });
    const { token } = await invite({ role: 'guest', client_ids: [client.id] });
    assertProblem(await app.request('PUT', at(token)), 401, 'not_signed_in');
    const other = await app.signIn();
    assertProblem(await accept(token, other), 403, 'other_recipient');
    await updateRows(app.owner, 'users', { id: invited.userId }, { email_verified: false });
    assertProblem(await accept(token), 403, 'other_recipient');
    await updateRows(app.owner, 'users', { id: invited.userId }, { email_verified: true });

    const accepted = await accept(token);
    assert.deepEqual([accepted.status, accepted.body], [200, { organization_id: id }]);
    assert.deepEqual(await membership(), [{ role: 'guest' }]);
    const seen = await invited.request<{ items: { id: string }[] }>(
      'GET',
      `/api/clients?organization_id=${id}`,
    );
    assert.deepEqual(
      seen.body.items.map((entry) => entry.id),
      [client.id],
    );
    assertProblem(await accept(token), 409, 'already_member');
    assert.equal((await preview(token)).body.status, 'accepted');
    const entry = await getRow(app.owner, 'audit_log', ['user_id', 'record_name', 'details', 'ip_address'], {
      organization_id: id,
      action: 'invitations.accept',
    });
    assert.deepEqual(entry, {
      user_id: invited.userId,
      record_name: invited.email,
      details: { role: 'guest' },
      ip_address: '127.0.0.1',
    });
  });

  test('fifty concurrent acceptances give one membership (TOK-2)', async () => {
    const { token } = await invite();
    const responses = await Promise.all(Array.from({ length: 50 }, () => accept(token)));
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      // On a slow machine, the last requests time out while they wait.
      if (response.status === 503) assertProblem(response, 503, 'unavailable');
      else assert.equal(response.status, 409);
    }
    assert.deepEqual(await membership(), [{ role: 'editor' }]);
    const entries = await listRows(app.owner, 'audit_log', ['id'], {
      organization_id: id,
      action: 'invitations.accept',
    });
    assert.equal(entries.length, 1);
  });

  test('declined, cancelled and expired invitations are useless', async () => {
    const declined = await invite();
    assert.deepEqual((await decline(declined.token)).body, { token: declined.token });
    assertProblem(await decline(declined.token), 409, 'not_pending');
    assertProblem(await accept(declined.token), 409, 'not_pending');
    assert.equal((await preview(declined.token)).body.status, 'declined');
    const entry = await getRow(app.owner, 'audit_log', ['user_id', 'record_id'], {
      organization_id: id,
      action: 'invitations.decline',
    });
    assert.deepEqual(entry, { user_id: null, record_id: declined.id });

    const cancelled = await invite();
    await owner.request('DELETE', `/api/organizations/${id}/invitations/${cancelled.id}`);
    assertProblem(await accept(cancelled.token), 409, 'not_pending');
    assertProblem(await decline(cancelled.token), 409, 'not_pending');

    const expired = await invite();
    await change('organization_invitations', expired.id, { expires_at: new Date().toISOString() });
    assert.equal((await preview(expired.token)).body.status, 'expired');
    assertProblem(await accept(expired.token), 409, 'not_pending');
    assertProblem(await decline(expired.token), 409, 'not_pending');
    assert.deepEqual(await membership(), []);
  });

  test('a member who may cancel invitations cancels by the token', async () => {
    const endBy = (token: string, as: Person, headers: Record<string, string> = {}) =>
      app.request('DELETE', at(token), { as, headers });
    const statusOf = async (token: string) => (await preview(token)).body.status;
    const entries = (action: string) =>
      listRows(app.owner, 'audit_log', ['user_id', 'record_id', 'record_name'], {
        organization_id: id,
        action,
      });

    const cancelled = await invite();
    assert.deepEqual((await endBy(cancelled.token, owner)).body, { token: cancelled.token });
    assert.equal(await statusOf(cancelled.token), 'cancelled');
    assert.deepEqual(await entries('invitations.cancel'), [
      { user_id: owner.userId, record_id: cancelled.id, record_name: invited.email },
    ]);
    assertProblem(await endBy(cancelled.token, owner), 409, 'not_pending');
    const above = await invite({ role: 'owner' }, owner);
    assertProblem(await endBy(above.token, admin), 403, 'beyond_own_rights');
    assert.equal(await statusOf(above.token), 'pending');
    await endBy(above.token, owner);

    const editor = await app.signInMember(id, 'editor');
    const others = await invite();
    assertProblem(await endBy(others.token, editor), 403, 'forbidden');
    assert.equal(await statusOf(others.token), 'pending');
    // Everyone else with the token declines, members too who are invited at an address they got later.
    const stranger = await app.signIn();
    const late = editor.email.replace('@', '+2@');
    const address = owner.email.replace('@', '+2@');
    await updateRows(app.owner, 'users', { id: owner.userId }, { email: address });
    for (const [email, as] of [
      [invited.email, invited],
      ['a@new.example', stranger],
      [late, editor],
      [address, owner],
    ] as const) {
      await updateRows(
        app.owner,
        'users',
        { id: owner.userId },
        { email: as === owner ? owner.email : address },
      );
      const { token } = await invite({ emails: [email] });
      await updateRows(app.owner, 'users', { id: owner.userId }, { email: address });
      if (as === editor) await updateRows(app.owner, 'users', { id: editor.userId }, { email });
      assert.equal((await endBy(token, as)).status, 200);
      assert.equal(await statusOf(token), 'declined');
    }
    assert.equal((await entries('invitations.cancel')).length, 2);

    const link = await owner.request<{ invitation_token: string }>(
      'PUT',
      `/api/organizations/${id}/invitation_link`,
      { client_ids: [(await buildClient(app.owner, { organization_id: id })).id] },
    );
    const token = link.body.invitation_token;
    for (const as of [editor, stranger]) assertProblem(await endBy(token, as), 404, 'not_found');
    assertProblem(await decline(token), 404, 'not_found');
    assertProblem(await endBy(token, owner, { origin: 'https://evil.example' }), 403, 'foreign_origin');
    assert.equal(await statusOf(token), 'pending');
    assert.deepEqual((await endBy(token, admin)).body, { token });
    assertProblem(await preview(token), 404, 'not_found');
    assert.deepEqual(await entries('invitations.removeLink'), [
      { user_id: admin.userId, record_id: id, record_name: null },
    ]);

    const kept = await invite();
    await updateRows(app.owner, 'organizations', { id }, { status: 'suspended' });
    assertProblem(await endBy(kept.token, admin), 403, 'organization_suspended');
    assert.equal((await endBy(kept.token, invited)).status, 200);
  });

  test('accepting requires the current rights of the inviter (TOK-2, TEN-9)', async () => {
    const asMember = app.owner.updateTable('organization_users').where('user_id', '=', admin.userId);
    const { token } = await invite({ role: 'admin' });
    for (const role of ['editor', 'guest']) {
      await asMember.set({ role }).execute();
      assertProblem(await accept(token), 409, 'not_pending', role);
    }
    // Within the rights of an editor, but editors cannot invite.
    const { id: row } = await getRow(app.owner, 'organization_invitations', ['id'], { email: invited.email });
    await asMember.set({ role: 'editor' }).execute();
    await change('organization_invitations', row, { role: 'analyst' });
    assertProblem(await accept(token), 409, 'not_pending', 'of somebody who may not invite');
    // An admin can invite, but cannot grant the owner role.
    await asMember.set({ role: 'admin' }).execute();
    await change('organization_invitations', row, { role: 'owner' });
    assertProblem(await accept(token), 409, 'not_pending', 'beyond the rights of who sent it');
    await change('organization_invitations', row, { role: 'admin' });
    await updateRows(app.owner, 'users', { id: admin.userId }, { status: 'suspended' });
    assertProblem(await accept(token), 409, 'not_pending', 'suspended');
    await updateRows(app.owner, 'users', { id: admin.userId }, { status: 'active' });
    assert.equal((await accept(token)).status, 200);
    assert.deepEqual(await membership(), [{ role: 'admin' }]);
  });

  test('removing the inviter invalidates the invitation forever (TOK-2)', async () => {
    const { token } = await invite();
    await owner.request('DELETE', `/api/organizations/${id}/members/${admin.userId}`);
    assertProblem(await accept(token), 409, 'not_pending');
    await buildMember(app.owner, { organization_id: id, user_id: admin.userId, role: 'admin' });
    assertProblem(await accept(token), 409, 'not_pending');
  });

  test('an old invitation cannot restore a removed member (TOK-2)', async () => {
    const { token } = await invite();
    assert.equal((await accept(token)).status, 200);
    const remove = () => owner.request('DELETE', `/api/organizations/${id}/members/${invited.userId}`);
    await remove();
    assertProblem(await accept(token), 409, 'not_pending');

    // Another invitation that was pending while the user joined by link.
    const waiting = await invite();
    const link = await owner.request<{ invitation_token: string }>(
      'PUT',
      `/api/organizations/${id}/invitation_link`,
      { client_ids: [(await buildClient(app.owner, { organization_id: id })).id] },
    );
    const join = () =>
      invited.request('PUT', `/api/organizations/invitations/link/${link.body.invitation_token}`);
    assert.equal((await join()).status, 200);
    assert.equal((await preview(waiting.token)).body.status, 'cancelled');
    await remove();
    assertProblem(await accept(waiting.token), 409, 'not_pending');
    assertProblem(await join(), 409, 'not_pending');
    assert.deepEqual(await membership(), []);
    // A new invitation lets the user return.
    assert.equal((await accept((await invite()).token)).status, 200);
  });

  test('suspended organizations refuse invitations, deleted ones hide them', async () => {
    const { token } = await invite();
    const organization = app.owner.updateTable('organizations').where('id', '=', id);
    await organization.set({ status: 'suspended' }).execute();
    assertProblem(await accept(token), 403, 'organization_suspended');
    assert.equal((await preview(token)).status, 200);
    for (const given of [
      { status: 'inactive', deleted: false },
      { status: 'active', deleted: true },
    ] as const) {
      await organization.set(given).execute();
      assertProblem(await preview(token), 404, 'not_found');
      assertProblem(await accept(token), 404, 'not_found');
      assertProblem(await decline(token), 404, 'not_found');
    }
    assert.deepEqual(await membership(), []);
  });

  test('an invited user can list the invitation with token', async () => {
    const list = async (as: Person) =>
      await as.ok<{ items: MyInvitation[]; count: number }>('GET', '/api/me/invitations');
    assertProblem(await app.request('GET', '/api/me/invitations'), 401, 'not_signed_in');
    assert.deepEqual(await list(invited), { items: [], count: 0 });
    const { id: invitationId, token } = await invite();
    const { items, count } = await list(invited);
    assert.equal(count, 1);
    assert.deepEqual(
      [items[0]?.id, items[0]?.token, items[0]?.organization_id, items[0]?.organization.name, items[0]?.role],
      [invitationId, token, id, 'Agentur Nordwind', 'editor'],
    );
    assert.deepEqual((await list(owner)).count, 0);
    await decline(token);
    assert.equal((await list(invited)).count, 0);
  });
});
