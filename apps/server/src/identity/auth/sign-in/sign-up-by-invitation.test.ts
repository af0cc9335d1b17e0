import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { Invitation } from '@reachout/contract/invitations.ts';
import { nextAccountEmail } from '../../../testing/account-mail.ts';
import { createTestApp, useTestApp } from '../../../testing/app.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import { createAuthClient, goodPassword as password, newEmail } from '../../../testing/auth-client.ts';
import { getRow, listRows, updateRows } from '../../../testing/rows.ts';
import { useWorld } from '../../../testing/world.ts';
import { assertColumn } from '../../../testing/assert-column.ts';
import type { AccountEmailJob } from '../../account-email/account-email.ts';
import { composeInvitation } from '../../invitations/invitation-email.ts';

interface Link {
  token: string;
  proof: string;
}

suite('sign-up by invitation email', () => {
  const app = useTestApp({ trustedProxies: ['127.0.0.1'], signUp: 'invited' });
  const { organizationId: id, owner } = useWorld(app);
  let email: string;

  beforeEach(() => {
    email = newEmail();
  });

  const invite = async (role = 'editor') => {
    const body = await app.ok<{ items: Invitation[] }>('POST', '/api/organizations/invitations/create', {
      body: { organization_id: id, emails: [email], role, language: 'en' },
      as: owner,
    });
    return body.items[0]!;
  };
  /** Reads the link of the latest invitation email, rendered as a worker does when it sends. */
  const readLink = async (): Promise<Link> => {
    const job = await app.owner
      .updateTable('account_email_outbox')
      .set({ ended_at: new Date().toISOString() })
      .where('recipient', '=', email)
      .where('kind', '=', 'invitation')
      .where('ended_at', 'is', null)
      .returning(['id', 'kind', 'recipient', 'language', 'payload'])
      .$castTo<AccountEmailJob>()
      .executeTakeFirstOrThrow();
    const { authDb: db, secrets, config } = app.services;
    const content = await composeInvitation({ db, secrets, publicUrl: config.publicUrl }, job);
    const url = new URL(content!.button!.url);
    return { token: url.pathname.split('/').at(-1)!, proof: url.searchParams.get('proof')! };
  };
  const describe = (link: Link) =>
    createAuthClient(app).post<{ email: string; has_account: boolean }>('sign-up/invitation', link);
  const signUp = (link: Link, given = {}, client = createAuthClient(app)) =>
    client.post<{ status: string; organization_id: string }>('sign-up/invited', {
      ...link,
      name: 'Grace Hopper',
      password,
      ...given,
    });
  const accounts = () => listRows(app.owner, 'users', ['id', 'full_name', 'email_verified'], { email });
  const change = (values: Record<string, unknown>, invitation: string) =>
    updateRows(app.owner, 'organization_invitations', { id: invitation }, values);

  test('name and password create a member who is signed in (TOK-2)', async () => {
    await invite('analyst');
    const link = await readLink();
    const { status, body } = await describe(link);
    assert.deepEqual([status, body], [200, { email, has_account: false }]);
    const client = createAuthClient(app, { language: 'de' });
    const done = await signUp(link, {}, client);
    assert.deepEqual([done.status, done.body], [200, { status: 'signed_in', organization_id: id }]);
    assert.equal(await client.whoIs(), email);
    const [account] = await accounts();
    assert.deepEqual([account?.full_name, account?.email_verified], ['Grace Hopper', true]);
    const { role } = await getRow(app.owner, 'organization_users', ['role'], {
      organization_id: id,
      user_id: account!.id,
    });
    assert.equal(role, 'analyst');
    assert.equal((await createAuthClient(app).post('sign-in/email', { email, password })).status, 200);
    const { user_id } = await getRow(app.owner, 'audit_log', ['user_id'], {
      organization_id: id,
      action: 'invitations.accept',
      record_name: email,
    });
    assert.equal(user_id, account?.id);
    assertProblem(await describe(link), 410, 'link_expired');
    assertProblem(await signUp(link), 410, 'link_expired');
  });

  test('only the emailed token proves the address (TOK-2)', async () => {
    const { url } = await invite();
    const link = await readLink();
    const token = url!.split('/').at(-1)!;
    assert.equal(token, link.token);
    for (const proof of ['x', token, `${link.proof}x`, link.proof.toLowerCase()]) {
      assertProblem(await describe({ token, proof }), 410, 'link_expired');
      assertProblem(await signUp({ token, proof }), 410, 'link_expired');
    }
    // The proof of one invitation is not valid for another.
    const first = email;
    email = newEmail();
    await invite();
    const other = await readLink();
    assertProblem(await signUp({ token: other.token, proof: link.proof }), 410, 'link_expired');
    assert.deepEqual(await accounts(), []);
    email = first;
    assert.deepEqual(await accounts(), []);
  });

  test('concurrent uses of one invitation create one account (TOK-2)', async () => {
    await invite();
    const link = await readLink();
    const responses = await Promise.all(Array.from({ length: 5 }, () => signUp(link)));
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    for (const { status } of responses) assert.ok([200, 409, 410].includes(status), String(status));
    assert.equal((await accounts()).length, 1);
  });

  test('an invitation cancels the sign-up of a stranger', async () => {
    await invite();
    const link = await readLink();
    const stranger = createAuthClient(app);
    await stranger.post('sign-up', { name: 'Eve', email, password: 'a password of Eve' });
    const { token } = await nextAccountEmail(app, email);
    assert.equal((await signUp(link)).status, 200);
    assertProblem(await stranger.post('sign-up/confirm', { token }), 410, 'link_expired');
    assertColumn(await accounts(), 'full_name', ['Grace Hopper']);
  });

  test('existing accounts must sign in instead', async () => {
    await app.services.auth.createUser({ email, password, name: 'Grace' });
    await invite();
    const link = await readLink();
    assert.deepEqual((await describe(link)).body, { email, has_account: true });
    assertProblem(await signUp(link, { password: 'a password of Eve' }), 409, 'account_exists');
    assert.equal((await createAuthClient(app).post('sign-in/email', { email, password })).status, 200);
  });

  test('an invalid invitation creates neither account nor member', async () => {
    const invitation = await invite();
    const link = await readLink();
    assertProblem(await signUp(link, { password: 'short' }), 422, 'invalid_input');
    assertProblem(await signUp(link, { password: 'password1234' }), 422, 'invalid_input');
    await change({ expires_at: new Date().toISOString() }, invitation.id);
    assertProblem(await signUp(link), 410, 'link_expired');
    await change(
      { expires_at: new Date(Date.now() + 60_000).toISOString(), status: 'declined' },
      invitation.id,
    );
    assertProblem(await signUp(link), 410, 'link_expired');
    await change({ status: 'pending', invited_by: null }, invitation.id);
    // Its inviter no longer exists.
    assertProblem(await signUp(link), 409, 'not_pending');
    assert.deepEqual(await accounts(), []);
    // A new email has a new link.
    await change({ invited_by: owner.userId }, invitation.id);
    await owner.request('POST', `/api/organizations/${id}/invitations/${invitation.id}/resend`, {});
    assertProblem(await signUp(link), 410, 'link_expired');
    assert.equal((await signUp(await readLink())).status, 200);
  });

  test('a closed installation rejects invited accounts (OPS-1)', async () => {
    const closed = await createTestApp({ trustedProxies: ['127.0.0.1'], signUp: 'closed' }, { beside: app });
    await invite();
    const link = await readLink();
    const response = await createAuthClient(closed).post('sign-up/invited', {
      ...link,
      name: 'Ada',
      password,
    });
    assertProblem(response, 403, 'sign_up_closed');
    assert.deepEqual(await accounts(), []);
    await closed.close();
  });
});
