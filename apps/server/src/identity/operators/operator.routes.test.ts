import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import type { OperatedOrganization, OperatedUser } from '@reachout/contract/operator.ts';
import { sql } from 'kysely';
import { newId } from '../../platform/ids.ts';
import { nextAccountEmail } from '../../testing/account-mail.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildOrganization, buildSend, buildUser } from '../../sample/records.ts';
import { listRows } from '../../testing/rows.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';

suite('statuses that operators set', () => {
  const app = useTestApp({ operators: ['ada@operators.example'] });
  let operator: Person;

  before(async () => {
    const { id, email } = await buildUser(app.owner, { email: 'ada@operators.example' });
    operator = await app.signIn({ userId: id, email });
  });

  const setOrganization = (id: string, body: object, as = operator) =>
    as.request('PUT', `/api/operator/organizations/${id}/status`, body);
  const setUser = (id: string, body: object, as = operator) =>
    as.request('PUT', `/api/operator/users/${id}/status`, body);
  const auditOf = async (organization: string, as: Person) =>
    (
      await as.ok<{ items: AuditEntry[] }>('GET', `/api/organizations/${organization}/audit_log`)
    ).items.filter(({ action }) => action.startsWith('operator.'));

  test('only operators list organizations and users, or set statuses (TEN-1)', async () => {
    const stranger = await app.signIn();
    const { id } = await buildOrganization(app.owner);
    for (const path of ['/api/operator/organizations', '/api/operator/users'])
      assertProblem(await stranger.request('GET', path), 403, 'forbidden');
    const owner = await app.signInMember(id);
    for (const as of [stranger, owner]) {
      assertProblem(await setOrganization(id, { status: 'active' }, as), 403, 'forbidden');
      assertProblem(await setUser(owner.userId, { status: 'active' }, as), 403, 'forbidden');
    }
  });

  test('a suspended organization is read-only, with the reason', async () => {
    const { id } = await buildOrganization(app.owner, { name: 'Kormoran' });
    const owner = await app.signInMember(id);
    assertInvalid(await setOrganization(id, { status: 'suspended' }), 'reason');
    assertInvalid(await setOrganization(id, { status: 'suspended', reason: ' ' }), 'reason');
    assertInvalid(await setOrganization(id, { status: 'closed', reason: 'x' }), 'status');
    const reason = 'Unpaid invoices.';
    assert.equal((await setOrganization(id, { status: 'suspended', reason })).status, 200);

    const path = `/api/organizations/${id}`;
    const seen = await owner.request<{ status: string; status_reason: string }>('GET', path);
    assert.deepEqual([seen.body.status, seen.body.status_reason], ['suspended', reason]);
    assertProblem(await owner.request('PATCH', path, { name: 'No' }), 403, 'organization_suspended');
    const mail = await nextAccountEmail(app, owner.email);
    assert.match(mail.content!.subject, /Kormoran/);
    assert.deepEqual(mail.content!.paragraphs.slice(1), [`Reason: ${reason}`]);

    const found = await operator.ok<{ items: OperatedOrganization[] }>(
      'GET',
      '/api/operator/organizations?search=kormo&status=suspended',
    );
    assert.deepEqual(
      found.items.map(({ name, status, status_reason, members }) => [name, status, status_reason, members]),
      [['Kormoran', 'suspended', reason, 1]],
    );
    assert.equal((await setOrganization(id, { status: 'active' })).status, 200);
    await owner.ok('PATCH', path, { name: 'Kormoran 2' });
    assert.match((await nextAccountEmail(app, owner.email)).content!.paragraphs.join(), /without limits/);
    assert.deepEqual(
      (await auditOf(id, owner)).map(({ action, details }) => [action, details]),
      [
        ['operator.setOrganizationStatus', { from: 'suspended', to: 'active' }],
        ['operator.setOrganizationStatus', { from: 'active', to: 'suspended' }],
      ],
    );
  });

  test('an inactive organization is hidden from its members', async () => {
    const { id } = await buildOrganization(app.owner);
    const owner = await app.signInMember(id);
    assert.equal((await setOrganization(id, { status: 'inactive', reason: 'Closed.' })).status, 200);
    assertProblem(await owner.request('GET', `/api/organizations/${id}`), 404, 'not_found');
    const { items } = await owner.ok<{ items: unknown[] }>('GET', '/api/organizations');
    assert.deepEqual(items, []);
    assert.equal((await setOrganization(id, { status: 'active' })).status, 200);
    await owner.ok('GET', `/api/organizations/${id}`);
    assertProblem(await setOrganization(newId(), { status: 'active' }), 404, 'not_found');
  });

  test('a suspended user is signed out everywhere, and told why', async () => {
    const { id: organization } = await buildOrganization(app.owner);
    const owner = await app.signInMember(organization);
    const member = await app.signInMember(organization, 'editor');
    assertInvalid(await setUser(member.userId, { status: 'suspended' }), 'reason');
    assert.equal(
      (await setUser(member.userId, { status: 'suspended', reason: 'Stolen account.' })).status,
      200,
    );
    assertProblem(await member.request('GET', '/api/me'), 401, 'not_signed_in');
    const { content } = await nextAccountEmail(app, member.email);
    assert.match(content!.paragraphs.join(' '), /suspended your account.*Reason: Stolen account\./);
    const { items } = await operator.ok<{ items: OperatedUser[] }>(
      'GET',
      `/api/operator/users?search=${member.email}&status=suspended`,
    );
    assert.deepEqual(
      items.map(({ id, status_reason }) => [id, status_reason]),
      [[member.userId, 'Stolen account.']],
    );
    assert.deepEqual(
      (await auditOf(organization, owner)).map(({ record_id, details }) => [record_id, details]),
      [[member.userId, { from: 'active', to: 'suspended' }]],
    );
    // The log has a new reason, too; only another status is told by email.
    const again = { status: 'suspended', reason: 'Still stolen.' };
    for (let turn = 0; turn < 2; turn += 1) assert.equal((await setUser(member.userId, again)).status, 200);
    assert.deepEqual(
      (await auditOf(organization, owner)).map(({ details }) => details),
      [
        { from: 'suspended', to: 'suspended' },
        { from: 'active', to: 'suspended' },
      ],
    );
    assert.equal((await setUser(member.userId, { status: 'active' })).status, 200);
    assert.match((await nextAccountEmail(app, member.email)).content!.paragraphs.join(), /can be used again/);
    // Old sessions stay ended.
    assertProblem(await member.request('GET', '/api/me'), 401, 'not_signed_in');
  });

  test('sends rest unless the organization is active; opt-outs work', async () => {
    const sent = await buildSentEmail(app.owner);
    const { organizationId: organization_id, touchpointId: touchpoint_id } = sent;
    const { id } = await buildSend(app.owner, { organization_id, touchpoint_id, status: 'queued' });
    const isDue = async () => {
      const { rows } = await sql<{ send_id: string }>`
        select send_id from due_sends(1000, 1000, '{}', true, null)
      `.execute(app.services.db);
      return rows.some(({ send_id }) => send_id === id);
    };
    assert.ok(await isDue());
    for (const status of ['suspended', 'inactive']) {
      assert.equal((await setOrganization(organization_id, { status, reason: 'x' })).status, 200);
      assert.equal(await isDue(), false);
      const token = app.services.signer.sign({ sendNumber: sent.sendNumber, seq: 1 }).unsubscribe;
      await app.ok('POST', `/u/${token}`, {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      const optOuts = await listRows(app.owner, 'choices', ['value'], {
        kind: 'suppression',
        organization_id,
      });
      assert.deepEqual(optOuts, [{ value: 'unsubscribe' }]);
    }
    await setOrganization(organization_id, { status: 'active' });
    assert.ok(await isDue());
  });

  test('operators cannot suspend themselves', async () => {
    assertProblem(await setUser(operator.userId, { status: 'suspended', reason: 'x' }), 409, 'own_account');
    assertProblem(await setUser(newId(), { status: 'active' }), 404, 'not_found');
  });
});
