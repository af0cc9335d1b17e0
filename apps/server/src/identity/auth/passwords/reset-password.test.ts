import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { MyApiKey } from '@reachout/contract/me.ts';
import { nextAccountEmail } from '../../../testing/account-mail.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { makeKeyOf } from '../../../testing/actors.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import { buildMember, buildOrganization } from '../../../sample/records.ts';
import {
  createAuthClient,
  goodPassword as password,
  newEmail,
  signUp,
  type AuthClient,
} from '../../../testing/auth-client.ts';
import { deleteRows, getRow, listRows, updateRows } from '../../../testing/rows.ts';
import { waitUntilSomebodyWaits } from '../../../testing/wait-for-lock.ts';

const next = 'another good one';

suite('new passwords', () => {
  const app = useSharedApp();

  const askReset = async (email: string): Promise<string> => {
    const response = await createAuthClient(app).post('reset-password', { email });
    assert.deepEqual([response.status, response.body], [200, { status: 'check_inbox' }]);
    return (await nextAccountEmail(app, email)).token;
  };
  const reset = (token: string, given = next) =>
    createAuthClient(app).post('reset-password/new', { token, password: given });
  const signIn = async (email: string, given: string) => {
    const client = createAuthClient(app);
    return { client, answer: await client.post('sign-in/email', { email, password: given }) };
  };
  const changePassword = (client: AuthClient, current: string, given = next) =>
    client.request<{ ended: number; errors?: { path: string }[] }>('POST', '/api/rpc/update_user_password', {
      current_plain_password: current,
      new_plain_password: given,
    });

  test('a reset link works once and ends every session (AUTH-4)', async () => {
    const first = createAuthClient(app);
    const { email } = await signUp(app, first);
    const { client: second } = await signIn(email, password);
    const token = await askReset(email);
    assert.equal(await first.whoIs(), email);
    const response = await reset(token);
    assert.deepEqual([response.status, response.body], [200, { status: 'changed', api_keys: 0 }]);
    for (const client of [first, second]) {
      assert.equal(await client.whoIs(), undefined);
      assert.equal((await client.request('GET', '/api/organizations')).status, 401);
    }
    assert.equal((await signIn(email, password)).answer.status, 401);
    assert.equal((await signIn(email, next)).answer.status, 200);
    assertProblem(await reset(token, 'yet another good one'), 410, 'link_expired');
    const notice = await nextAccountEmail(app, email);
    assert.equal(notice.kind, 'password_changed');
    assert.equal(notice.content?.subject, 'Your password was changed');
    assert.doesNotMatch(notice.content.paragraphs.join(' '), /API key/);
    assert.equal(notice.content?.button?.url, 'http://localhost:3000/reset-password');
  });

  test('a reset keeps API keys, and its notice lists them (AUTH-4)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const { id: userId } = await getRow(app.owner, 'users', ['id'], { email });
    const first = await buildOrganization(app.owner, { name: 'Nordwind www.evil.example' });
    const second = await buildOrganization(app.owner, { name: 'Rotkehlchen' });
    for (const { id } of [first, second])
      await buildMember(app.owner, { organization_id: id, user_id: userId, role: 'analyst' });
    const colleague = await app.signInMember(first.id);
    const makeKey = async (organizationId: string, maker: string) => ({
      organizationId,
      ...(await makeKeyOf(app, organizationId, maker)),
    });
    const keys = [
      await makeKey(first.id, userId),
      await makeKey(second.id, userId),
      await makeKey(second.id, userId),
    ];
    const other = await makeKey(first.id, colleague.userId);
    const works = () =>
      Promise.all(
        [...keys, other].map(async (key) => {
          const path = `/api/clients?organization_id=${key.organizationId}`;
          return (await key.request('GET', path)).status;
        }),
      );
    const response = await reset(await askReset(email));
    assert.deepEqual([response.status, response.body], [200, { status: 'changed', api_keys: 3 }]);
    const notice = (await nextAccountEmail(app, email)).content?.paragraphs.join('\n') ?? '';
    assert.match(notice, /These API keys remain valid\. .*“API keys”\./);
    assert.equal(
      notice.match(/^• .* \(reachout_[\w-]{6}…\), (?:Nordwind www\. evil\. example|Rotkehlchen)$/gm)?.length,
      3,
    );
    assert.deepEqual(await works(), [200, 200, 200, 200]);

    const { client } = await signIn(email, next);
    const list = async () =>
      (await client.request<{ items: MyApiKey[] }>('GET', '/api/me/api_keys')).body.items;
    assert.deepEqual((await list()).map(({ id }) => id).sort(), keys.map(({ keyId }) => keyId).sort());
    assertProblem(await client.request('DELETE', `/api/me/api_keys/${other.keyId}`), 404, 'not_found');
    const one = keys[2]?.keyId ?? '';
    assert.equal((await client.request('DELETE', `/api/me/api_keys/${one}`)).status, 200);
    assertProblem(await client.request('DELETE', `/api/me/api_keys/${one}`), 404, 'not_found');
    assert.deepEqual(await works(), [200, 200, 401, 200]);
    const all = await client.request('DELETE', '/api/me/api_keys');
    assert.deepEqual(all.body, { revoked: 2 });
    assert.deepEqual(await works(), [401, 401, 401, 200]);
    assert.deepEqual(await list(), []);
    const entries = await listRows(app.owner, 'audit_log', ['record_id', 'organization_id'], {
      user_id: userId,
      action: 'apiKeys.revoke',
    });
    assert.deepEqual(
      entries.map((entry) => `${entry.record_id} ${entry.organization_id}`).sort(),
      keys.map((key) => `${key.keyId} ${key.organizationId}`).sort(),
    );
  });

  test('concurrent uses of one link set one password (AUTH-4)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const token = await askReset(email);
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, index) => reset(token, `another good one ${index}`)),
    );
    assert.deepEqual(responses.map(({ status }) => String(status)).sort(), [
      '200',
      '410',
      '410',
      '410',
      '410',
    ]);
  });

  test('concurrent uses of several links set one password (AUTH-4)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const tokens = [await askReset(email), await askReset(email), await askReset(email)];
    const responses = await Promise.all(tokens.map((token, index) => reset(token, `${next} ${index}`)));
    assert.deepEqual(responses.map(({ status }) => String(status)).sort(), ['200', '410', '410']);
  });

  test('a reset link expires after thirty minutes (AUTH-4)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const token = await askReset(email);
    const row = await getRow(app.owner, 'one_time_tokens', ['id', 'expires_at', 'created_at'], {
      email,
      purpose: 'reset_password',
    });
    assert.equal(Date.parse(row.expires_at) - Date.parse(row.created_at), 30 * 60_000);
    await updateRows(
      app.owner,
      'one_time_tokens',
      { id: row.id },
      { expires_at: new Date(Date.now() - 1).toISOString() },
    );
    assertProblem(await reset(token), 410, 'link_expired');
  });

  test('a reset invalidates earlier links and codes (AUTH-4)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const one = await askReset(email);
    const other = await askReset(email);
    const client = createAuthClient(app);
    await client.post('sign-in/code', { email });
    const { code } = await nextAccountEmail(app, email);
    assert.equal((await reset(one)).status, 200);
    assertProblem(await reset(other, 'yet another good one'), 410, 'link_expired');
    assertProblem(await client.post('sign-in/code/verify', { code }), 410, 'code_expired');
  });

  test('a rejected password leaves the link valid (AUTH-1)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const token = await askReset(email);
    for (const weak of ['short', 'password', email, 'Ada Lovelace', 'x'.repeat(129)]) {
      const response = await reset(token, weak);
      assertProblem(response, 422, 'invalid_input', weak);
      assert.equal(response.body.errors?.[0]?.path, 'password');
    }
    assert.equal((await reset(token)).status, 200);
  });

  test('users without a password can set one', async () => {
    const email = newEmail();
    const id = await app.services.auth.createUser({ email, password, name: 'Ada' });
    await deleteRows(app.owner, 'accounts', { user_id: id });
    const { client } = await codeSignIn(email);
    assert.equal(await client.whoIs(), email);
    const refused = await changePassword(client, password);
    assert.equal(refused.status, 422);
    assert.equal(refused.body.errors?.[0]?.path, 'current_plain_password');
    assert.equal((await reset(await askReset(email))).status, 200);
    assert.equal((await signIn(email, next)).answer.status, 200);
  });
  const codeSignIn = async (email: string) => {
    const client = createAuthClient(app);
    await client.post('sign-in/code', { email });
    const { code } = await nextAccountEmail(app, email);
    return { client, answer: await client.post('sign-in/code/verify', { code }) };
  };

  test('unknown and suspended users get no valid link', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const token = await askReset(email);
    await updateRows(app.owner, 'users', { email }, { status: 'suspended' });
    assertProblem(await reset(token), 410, 'link_expired');
    for (const address of [email, newEmail()]) {
      await createAuthClient(app).post('reset-password', { email: address });
      assert.equal((await nextAccountEmail(app, address)).content, undefined);
    }
  });

  test('changing a password ends all other sessions (AUTH-4)', async () => {
    const first = createAuthClient(app);
    const { email } = await signUp(app, first);
    const { client: second } = await signIn(email, password);
    const link = await askReset(email);
    const response = await changePassword(first, password);
    assert.deepEqual([response.status, response.body], [200, { ended: 1 }]);
    assert.equal((await second.request('GET', '/api/organizations')).status, 401);
    assert.equal((await first.request('GET', '/api/organizations')).status, 200);
    assert.equal((await signIn(email, password)).answer.status, 401);
    assert.equal((await signIn(email, next)).answer.status, 200);
    assertProblem(await reset(link, 'yet another good one'), 410, 'link_expired');
    assert.equal((await nextAccountEmail(app, email)).kind, 'password_changed');
  });

  test('changing requires the current and a strong password (AUTH-4, AUTH-1)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    for (const [current, given, path] of [
      ['not the password', next, 'current_plain_password'],
      ['', next, 'current_plain_password'],
      [password, 'password', 'new_plain_password'],
      [password, email, 'new_plain_password'],
      [password, 'short', 'new_plain_password'],
    ] as const) {
      const response = await changePassword(client, current, given);
      assert.equal(response.status, 422, given);
      assert.equal(response.body.errors?.[0]?.path, path, given);
    }
    assert.equal(
      (await createAuthClient(app).request('POST', '/api/rpc/update_user_password', {})).status,
      401,
    );
    assert.equal((await signIn(email, password)).answer.status, 200);
  });

  test('a password cannot be stored for a deleted account', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const [response] = await app.owner.transaction().execute(async (trx) => {
      await deleteRows(trx, 'users', { email });
      const changing = changePassword(client, password);
      await waitUntilSomebodyWaits(app.owner);
      return [changing] as const;
    });
    assertProblem(await response, 401, 'not_signed_in');
  });

  test('guesses of the current password are limited (AUTH-7)', async () => {
    const client = createAuthClient(app);
    await signUp(app, client);
    for (let guess = 0; guess < 10; guess += 1)
      assert.equal((await changePassword(client, `wrong ${guess}`)).status, 422);
    const refused = await client.request('POST', '/api/rpc/update_user_password', {
      current_plain_password: password,
      new_plain_password: next,
    });
    assertProblem(refused, 429, 'too_many_attempts');
    assert.equal(
      refused.headers['retry-after'],
      String((refused.body.data as { retry_after: number }).retry_after),
    );
    assert.equal((await client.request('GET', '/api/organizations')).status, 200);
  });
});
