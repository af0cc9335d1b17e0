import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { nextAccountEmail } from '../../../testing/account-mail.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import {
  createAuthClient,
  goodPassword as password,
  newEmail,
  type AuthClient,
} from '../../../testing/auth-client.ts';
import { buildMember, buildOrganization, buildUser } from '../../../sample/records.ts';
import { insertRows } from '../../../sample/rows.ts';
import { testSecrets } from '../../../testing/test-secrets.ts';
import { invitationHash, linkHash } from '../../invitations/invitation.ts';
import { inviteToSignUp } from './sign-up-invitation.ts';

suite('sign-up rules', () => {
  let open: TestApp;
  let invited: TestApp;
  let closed: TestApp;
  before(async () => {
    open = await createTestApp({ trustedProxies: ['127.0.0.1'] });
    const besides = { beside: open };
    invited = await createTestApp({ trustedProxies: ['127.0.0.1'], signUp: 'invited' }, besides);
    closed = await createTestApp({ trustedProxies: ['127.0.0.1'], signUp: 'closed' }, besides);
  });
  after(async () => {
    await invited.close();
    await closed.close();
    await open.close();
  });

  const later = new Date(Date.now() + 86_400_000).toISOString();
  const past = new Date(Date.now() - 1_000).toISOString();
  const signUp = (client: AuthClient, email: string, link_token?: string) =>
    client.post('sign-up', { name: 'Ada', email, password, ...(link_token !== undefined && { link_token }) });
  const invite = async (
    email: string,
    given: { status?: 'pending' | 'cancelled'; expires_at?: string } = {},
  ) => {
    const { id: organization_id } = await buildOrganization(open.owner);
    const token_hash = testSecrets.hash(invitationHash, randomUUID());
    const row = { id: randomUUID(), organization_id, email, token_hash, expires_at: later, ...given };
    await insertRows(open.owner, 'organization_invitations', { role: 'guest', language: 'en', ...row });
    return row.id;
  };
  const makeLink = async (given: { uses?: number; max_uses?: number; expires_at?: string } = {}) => {
    const { id: organization_id } = await buildOrganization(open.owner);
    const token = randomUUID();
    const token_hash = testSecrets.hash(linkHash, token);
    const row = { organization_id, token_hash, token_sealed: '', max_uses: 1, expires_at: later, ...given };
    await insertRows(open.owner, 'organization_invitation_links', row);
    return token;
  };
  const addUser = async () => (await buildUser(open.owner)).email;

  /** Requests an account and reads the email. */
  const tryToSignUp = async (email: string, linkToken?: string) => {
    const client = createAuthClient(invited);
    const { status, body } = await signUp(client, email, linkToken);
    assert.deepEqual([status, body], [200, { status: 'check_inbox' }]);
    return { client, mail: await nextAccountEmail(invited, email) };
  };

  test('the page can read the sign-up rule (OPS-1)', async () => {
    for (const [app, expected] of [
      [open, 'open'],
      [invited, 'invited'],
      [closed, 'closed'],
    ] as const) {
      const body = await app.ok<{ sign_up: string }>('GET', '/api/auth/options');
      assert.equal(body.sign_up, expected);
    }
  });

  test('closed sign-up gives every address the same response (OPS-1, AUTH-2)', async () => {
    const email = newEmail();
    await invite(email);
    const responses = [];
    for (const address of [newEmail(), await addUser(), email]) {
      const { status, body } = await signUp(createAuthClient(closed), address);
      responses.push([status, body.code]);
    }
    assert.deepEqual(
      responses,
      Array.from({ length: 3 }, () => [403, 'sign_up_closed']),
    );
    // A link that was sent while sign-up was open does not work either.
    const client = createAuthClient(open);
    await signUp(client, email);
    const { token } = await nextAccountEmail(open, email);
    const elsewhere = createAuthClient(closed);
    for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
    assertProblem(await elsewhere.post('sign-up/confirm', { token }), 403, 'sign_up_closed');
  });

  const ways: [what: string, hold: (email: string) => Promise<string | undefined>, isInvited: boolean][] = [
    ['a stranger', () => Promise.resolve(undefined), false],
    ['the holder of an invented link', () => Promise.resolve(randomUUID()), false],
    ['the holder of a link that is used up', () => makeLink({ uses: 1 }), false],
    ['the holder of a link that has expired', () => makeLink({ expires_at: past }), false],
    [
      'the holder of a cancelled invitation',
      (email) => invite(email, { status: 'cancelled' }).then(() => undefined),
      false,
    ],
    [
      'the holder of an expired invitation',
      (email) => invite(email, { expires_at: past }).then(() => undefined),
      false,
    ],
    ['the holder of another person’s token', (email) => invite(`x${email}`), false],
    ['the holder of an invitation link', () => makeLink(), true],
    ['a person invited by an organization', (email) => invite(email).then(() => undefined), true],
    [
      'a person invited by the operator',
      (email) => inviteToSignUp(open.services.authDb, testSecrets, email).then(() => undefined),
      true,
    ],
  ];
  for (const [what, hold, isInvited] of ways) {
    test(`${what} ${isInvited ? 'can' : 'cannot'} sign up (OPS-1)`, async () => {
      const email = newEmail();
      const { client, mail } = await tryToSignUp(email, await hold(email));
      assert.equal(mail.content !== undefined, isInvited);
      if (!isInvited) return;
      assert.equal((await client.post('sign-up/confirm', { token: mail.token })).status, 200);
      assert.equal(await client.whoIs(), email);
    });
  }

  test('an invitation link limits accounts to its places (OPS-1, TOK-3)', async () => {
    const token = await makeLink({ max_uses: 2 });
    const link = open.owner
      .updateTable('organization_invitation_links')
      .where('token_hash', '=', testSecrets.hash(linkHash, token));
    const inviter = await buildUser(open.owner);
    const { organization_id } = await link
      .set({ created_by: inviter.id })
      .returning('organization_id')
      .executeTakeFirstOrThrow();
    await buildMember(open.owner, { organization_id, user_id: inviter.id, role: 'owner' });
    const tries = await Promise.all([1, 2, 3].map(() => tryToSignUp(newEmail(), token)));
    const confirmed = await Promise.all(
      tries.map(({ client, mail }) => client.post('sign-up/confirm', { token: mail.token })),
    );
    assert.deepEqual(confirmed.map(({ status }) => String(status)).sort(), ['200', '200', '403']);
    assert.equal((await tryToSignUp(newEmail(), token)).mail.content, undefined);
    // Their places are reserved.
    const path = `/api/organizations/invitations/link/${token}`;
    const { id: userId, email } = await buildUser(open.owner);
    const known = await invited.signIn({ userId, email });
    assertProblem(await invited.request('PUT', path, { body: {}, as: known }), 409, 'not_pending');
    for (const [index, { client }] of tries.entries()) {
      if (confirmed[index]?.status !== 200) continue;
      const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, origin: 'http://localhost:3000' };
      await invited.ok('PUT', path, { body: {}, headers });
    }
  });

  test('a withdrawn invitation cannot be confirmed (OPS-1)', async () => {
    const email = newEmail();
    const id = await invite(email);
    const { client, mail } = await tryToSignUp(email);
    const row = open.owner.updateTable('organization_invitations').where('id', '=', id);
    await row.set({ status: 'cancelled' }).execute();
    assertProblem(await client.post('sign-up/confirm', { token: mail.token }), 403, 'not_invited');
    await row.set({ status: 'pending' }).execute();
    assert.equal((await client.post('sign-up/confirm', { token: mail.token })).status, 200);
  });

  test('existing accounts get a mail, and can accept invitations (OPS-1)', async () => {
    const email = newEmail();
    const userId = await open.services.auth.createUser({ email, password, name: 'Ada' });
    const { mail } = await tryToSignUp(email);
    assert.match(mail.content?.button?.url ?? '', /\/sign-in$/);
    for (const app of [invited, closed]) {
      const client = createAuthClient(app);
      assert.equal((await client.post('sign-in/email', { email, password })).status, 200);
    }
    assert.equal(await inviteToSignUp(open.services.authDb, testSecrets, email), false);
    // Only the token of the email is valid.
    const token = randomUUID();
    const { id: organization_id } = await buildOrganization(open.owner);
    const inviter = await buildUser(open.owner);
    await buildMember(open.owner, { organization_id, user_id: inviter.id, role: 'owner' });
    const row = {
      id: randomUUID(),
      organization_id,
      email,
      role: 'guest',
      language: 'en' as const,
      expires_at: later,
    };
    const token_hash = testSecrets.hash(invitationHash, token);
    await insertRows(open.owner, 'organization_invitations', { ...row, token_hash, invited_by: inviter.id });
    const person = await closed.signIn({ userId, email });
    await closed.ok('PUT', `/api/organizations/invitations/${token}`, { body: {}, as: person });
  });
});
