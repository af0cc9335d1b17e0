import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { countAccountEmails, nextAccountEmail } from '../../../testing/account-mail.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import {
  createAuthClient,
  goodPassword as password,
  newEmail,
  signUp,
  type AuthClient,
} from '../../../testing/auth-client.ts';
import { buildUser } from '../../../sample/records.ts';
import { deleteRows, getRow, updateRows } from '../../../testing/rows.ts';
import { countWaiting } from '../../../testing/wait-for-lock.ts';
import { waitUntil } from '../../../testing/wait-until.ts';

suite('changes of the email address', () => {
  const app = useSharedApp();

  const ask = (client: AuthClient, email: string, current: string | undefined = password) =>
    client.request('POST', '/api/me/email', { email, current_plain_password: current });
  const confirm = (client: AuthClient, token: string, given?: string) =>
    client.post('change-email/confirm', { token, ...(given !== undefined && { password: given }) });
  const signIn = (email: string) => createAuthClient(app).post('sign-in/email', { email, password });

  test('an address changes only after confirmation, with a notice (AUTH-8)', async () => {
    const client = createAuthClient(app);
    const { email: old } = await signUp(app, client);
    const elsewhere = createAuthClient(app);
    await elsewhere.post('sign-in/email', { email: old, password });
    const email = newEmail();
    const asked = await ask(client, email.toUpperCase());
    assert.deepEqual([asked.status, asked.body], [200, { email }]);
    assert.equal(await client.whoIs(), old);
    assert.equal((await signIn(email)).status, 401);
    const warning = await nextAccountEmail(app, old);
    assert.equal(warning.kind, 'email_change_asked');
    assert.equal(warning.content?.button?.url, 'http://localhost:3000/reset-password');

    const { kind, content, token } = await nextAccountEmail(app, email);
    assert.equal(kind, 'confirm_new_email');
    assert.equal(content?.button?.url, `http://localhost:3000/change-email?token=${token}`);
    assert.ok(content.paragraphs[0]?.includes(`the account ${old[0]}•••@…`));
    assert.match(content.notes[0] ?? '', /^If this isn’t your account, don’t confirm/);
    const confirmed = await confirm(client, token);
    assert.deepEqual([confirmed.status, confirmed.body], [200, { email }]);
    assert.equal(await client.whoIs(), email);
    assert.equal(await elsewhere.whoIs(), undefined);
    assert.equal((await signIn(old)).status, 401);
    assert.equal((await signIn(email)).status, 200);
    const notice = await nextAccountEmail(app, old);
    assert.equal(notice.kind, 'email_changed');
    assert.equal(notice.content?.subject, 'Your email address was changed');
    assertProblem(await confirm(client, token), 410, 'link_expired');
  });

  test('confirming requires the session of the account (AUTH-8)', async () => {
    const attacker = createAuthClient(app);
    const { email: old } = await signUp(app, attacker);
    const email = newEmail();
    await ask(attacker, email);
    const { token } = await nextAccountEmail(app, email);
    const reader = createAuthClient(app);
    assertProblem(await confirm(reader, token), 409, 'password_needed');
    const other = createAuthClient(app);
    await signUp(app, other, { password: 'somebody else 77' });
    assertProblem(await confirm(other, token), 409, 'password_needed');
    assertProblem(await confirm(other, token, 'somebody else 77'), 401, 'wrong_password');
    assert.equal(await attacker.whoIs(), old);
    assert.equal((await confirm(attacker, token)).status, 200);
    // The response to a used link does not disclose an account either.
    assertProblem(await confirm(reader, token), 410, 'link_expired');
  });

  test('confirming elsewhere requires the password and ends all sessions', async () => {
    const client = createAuthClient(app);
    await signUp(app, client);
    const email = newEmail();
    await ask(client, email);
    const { token } = await nextAccountEmail(app, email);
    assert.equal((await confirm(createAuthClient(app), token, password)).status, 200);
    assert.equal(await client.whoIs(), undefined);
    assert.equal((await signIn(email)).status, 200);
  });

  test('confirmation links do not allow password guessing (AUTH-7)', async () => {
    const client = createAuthClient(app);
    const { email: old } = await signUp(app, client);
    const email = newEmail();
    await ask(client, email);
    const { token } = await nextAccountEmail(app, email);
    for (let guess = 0; guess < 10; guess += 1)
      assertProblem(await confirm(createAuthClient(app), token, `wrong ${guess}`), 401, 'wrong_password');
    assertProblem(await confirm(createAuthClient(app), token, password), 429, 'too_many_attempts');
    assertProblem(await signIn(old), 429, 'too_many_attempts');
    assert.equal((await confirm(client, token)).status, 200);
  });

  test('a change requires the current password if there is one (AUTH-8)', async () => {
    const client = createAuthClient(app);
    const { email: old } = await signUp(app, client);
    const email = newEmail();
    const without = await client.request('POST', '/api/me/email', { email });
    assertProblem(without, 422, 'invalid_input');
    assert.equal(without.body.errors?.[0]?.path, 'current_plain_password');
    for (let guess = 0; guess < 10; guess += 1) {
      const wrong = await ask(client, email, `wrong ${guess}`);
      assertProblem(wrong, 422, 'invalid_input');
      assert.equal(wrong.body.errors?.[0]?.path, 'current_plain_password');
    }
    assertProblem(await ask(client, email), 429, 'too_many_attempts');
    assert.equal(await countAccountEmails(app, email), 0);
    assert.equal(await countAccountEmails(app, old), 0);

    const person = createAuthClient(app);
    const { email: passwordless } = await signUp(app, person);
    const { id: user_id } = await getRow(app.owner, 'users', ['id'], { email: passwordless });
    await deleteRows(app.owner, 'accounts', { user_id });
    assert.equal((await person.request('POST', '/api/me/email', { email })).status, 200);
    const { token } = await nextAccountEmail(app, email);
    assertProblem(await confirm(createAuthClient(app), token), 409, 'password_needed');
    assert.equal((await confirm(person, token)).status, 200);
  });

  for (const how of ['reset', 'change'] as const) {
    test(`a ${how} of the password cancels the change (AUTH-4)`, async () => {
      const client = createAuthClient(app);
      const { email: old } = await signUp(app, client);
      const email = newEmail();
      await ask(client, email);
      const { token } = await nextAccountEmail(app, email);
      await nextAccountEmail(app, old);
      const next = 'another good one';
      if (how === 'reset') {
        await client.post('reset-password', { email: old });
        const link = await nextAccountEmail(app, old);
        await client.post('reset-password/new', { token: link.token, password: next });
      } else {
        const body = { current_plain_password: password, new_plain_password: next };
        assert.equal((await client.request('POST', '/api/rpc/update_user_password', body)).status, 200);
      }
      assertProblem(await confirm(client, token, next), 410, 'link_expired');
      assert.equal(
        (await createAuthClient(app).post('sign-in/email', { email: old, password: next })).status,
        200,
      );
    });
  }

  test('a confirmation link expires after an hour', async () => {
    const client = createAuthClient(app);
    await signUp(app, client);
    const email = newEmail();
    await ask(client, email);
    const row = await getRow(app.owner, 'one_time_tokens', ['expires_at', 'created_at'], { email });
    assert.equal(Date.parse(row.expires_at) - Date.parse(row.created_at), 3_600_000);
  });

  test('a change invalidates links to the old address (AUTH-4)', async () => {
    const client = createAuthClient(app);
    const { email: old } = await signUp(app, client);
    await client.post('reset-password', { email: old });
    const reset = await nextAccountEmail(app, old);
    const email = newEmail();
    await ask(client, email);
    const { token } = await nextAccountEmail(app, email);
    await confirm(client, token);
    assertProblem(
      await client.post('reset-password/new', { token: reset.token, password: 'another good one' }),
      410,
      'link_expired',
    );
  });

  test('an address in use gets the same response without effect (AUTH-2)', async () => {
    const other = createAuthClient(app);
    const { email: taken } = await signUp(app, other);
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const asked = await ask(client, taken);
    assert.deepEqual([asked.status, asked.body], [200, { email: taken }]);
    assert.equal((await nextAccountEmail(app, taken)).content, undefined);

    // The address is taken only after the link was sent.
    const soon = newEmail();
    await ask(client, soon);
    const { token } = await nextAccountEmail(app, soon);
    await app.services.auth.createUser({ email: soon, password, name: 'Bob' });
    assertProblem(await confirm(client, token), 410, 'link_expired');
    assert.equal(await client.whoIs(), email);
  });

  test('two accounts cannot confirm the same address at once', async () => {
    const [first, second] = [createAuthClient(app), createAuthClient(app)];
    const email = newEmail();
    const tokens: string[] = [];
    for (const client of [first, second]) {
      await signUp(app, client);
      await ask(client, email);
      tokens.push((await nextAccountEmail(app, email)).token);
    }
    // A lock on the users ensures that both requests run concurrently.
    const responses = await app.owner.transaction().execute(async (trx) => {
      await trx.selectFrom('users').select('id').forUpdate().execute();
      const confirming = [confirm(first, tokens[0]!), confirm(second, tokens[1]!)];
      await waitUntil('both wait', async () => (await countWaiting(app.owner)) === 2);
      return confirming;
    });
    const [one, other] = (await Promise.all(responses)).toSorted((a, b) => a.status - b.status);
    assert.deepEqual([one?.status, one?.body], [200, { email }]);
    assertProblem(other!, 410, 'link_expired');
  });

  test('an address taken during confirmation is rejected', async () => {
    const client = createAuthClient(app);
    const { email: old } = await signUp(app, client);
    const email = newEmail();
    await ask(client, email);
    const { token } = await nextAccountEmail(app, email);
    const response = await app.owner.transaction().execute(async (trx) => {
      await buildUser(trx, { email });
      const confirming = [confirm(client, token)];
      await waitUntil('it waits', async () => (await countWaiting(app.owner)) === 1);
      return confirming;
    });
    assertProblem(await response[0]!, 410, 'link_expired');
    assert.equal(await client.whoIs(), old);
  });

  test('only the latest requested address can be confirmed', async () => {
    const client = createAuthClient(app);
    await signUp(app, client);
    const [first, second] = [newEmail(), newEmail()];
    await ask(client, first);
    const { token: old } = await nextAccountEmail(app, first);
    await ask(client, second);
    const { token } = await nextAccountEmail(app, second);
    assertProblem(await confirm(client, old), 410, 'link_expired');
    assert.equal((await confirm(client, token)).status, 200);
  });

  test('a change requires a recent sign-in and another address (SES-3)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const same = await ask(client, email);
    assertProblem(same, 422, 'invalid_input');
    assert.equal(same.body.errors?.[0]?.path, 'email');
    await updateRows(
      app.owner,
      'sessions',
      {},
      { created_at: new Date(Date.now() - 61 * 60_000).toISOString() },
    );
    const next = newEmail();
    assertProblem(await ask(client, next), 401, 'sign_in_again');
    assert.equal(await countAccountEmails(app, next), 0);
    await client.post('sign-in/email', { email, password });
    assert.equal((await ask(client, next)).status, 200);
  });

  test('an address gets at most five mails an hour (RATE-2)', async () => {
    const target = newEmail();
    for (let round = 0; round < 6; round += 1) {
      const client = createAuthClient(app);
      await signUp(app, client);
      const response = await ask(client, target);
      if (round < 5) assert.equal(response.status, 200);
      else {
        assertProblem(response, 429, 'too_many_attempts');
        assert.ok(Number(response.headers['retry-after']) > 0);
      }
    }
    assert.equal(await countAccountEmails(app, target), 5);
  });
});
