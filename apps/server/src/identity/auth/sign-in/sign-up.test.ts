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
} from '../../../testing/auth-client.ts';
import { getRow, listRows, updateRows } from '../../../testing/rows.ts';

suite('sign-up', () => {
  const app = useSharedApp();

  const usersWith = (email: string) => listRows(app.owner, 'users', '*', { email });
  const ask = async (email: string, client = createAuthClient(app)) => {
    const response = await client.post('sign-up', { name: 'Ada Lovelace', email, password });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    assert.deepEqual(response.body, { status: 'check_inbox' });
    return client;
  };

  test('confirming the address creates a verified user', async () => {
    const email = newEmail();
    const client = await ask(email.toUpperCase());
    assert.deepEqual(await usersWith(email), []);
    const { kind, content, token } = await nextAccountEmail(app, email);
    assert.equal(kind, 'confirm_sign_up');
    assert.equal(content?.button?.url, `http://localhost:3000/sign-up/confirm?token=${token}`);
    const response = await client.post('sign-up/confirm', { token });
    assert.deepEqual([response.status, response.body], [200, { status: 'signed_in' }]);
    assert.equal(await client.whoIs(), email);
    const { payload } = await getRow(app.owner, 'one_time_tokens', ['payload'], { email });
    // The name and the password hash are stored in one place only from now on.
    assert.deepEqual(payload, {});
    const [user] = await usersWith(email);
    assert.equal(user?.email_verified, true);
    assert.equal(user?.full_name, 'Ada Lovelace');
    assert.deepEqual(user?.preferences, { language: 'en' });
    assert.equal((await createAuthClient(app).post('sign-in/email', { email, password })).status, 200);
  });

  test('neither link nor password is stored in clear (TOK-1, AUTH-1)', async () => {
    const email = newEmail();
    await ask(email);
    const { token } = await nextAccountEmail(app, email);
    for (const table of ['one_time_tokens', 'account_email_outbox', 'accounts', 'users'] as const) {
      const rows = JSON.stringify(await app.owner.selectFrom(table).selectAll().execute());
      assert.ok(!rows.includes(token) && !rows.includes(password), table);
    }
  });

  test('another browser must enter the password', async () => {
    const email = newEmail();
    await ask(email);
    const { token } = await nextAccountEmail(app, email);
    const other = createAuthClient(app);
    assertProblem(await other.post('sign-up/confirm', { token }), 409, 'password_needed');
    assertProblem(
      await other.post('sign-up/confirm', { token, password: 'not the one' }),
      401,
      'wrong_password',
    );
    assert.deepEqual(await usersWith(email), []);
    assert.equal((await other.post('sign-up/confirm', { token, password })).status, 200);
    assert.equal(await other.whoIs(), email);
  });

  test('the password allows five guesses, also concurrently (AUTH-3)', async () => {
    const email = newEmail();
    const asker = await ask(email);
    const { token } = await nextAccountEmail(app, email);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        createAuthClient(app).post('sign-up/confirm', { token, password: `wrong guess ${index}` }),
      ),
    );
    assert.equal(responses.filter(({ status }) => status === 401).length, 5);
    assert.equal(responses.filter(({ status }) => status === 410).length, 15);
    assertProblem(
      await createAuthClient(app).post('sign-up/confirm', { token, password }),
      410,
      'link_expired',
    );
    assertProblem(await asker.post('sign-up/confirm', { token }), 410, 'link_expired');
  });

  test('a stranger’s sign-up gives neither side access', async () => {
    const email = newEmail();
    await ask(email);
    const { token } = await nextAccountEmail(app, email);
    // The recipient of the email has another browser and does not know the stranger's password.
    assertProblem(await createAuthClient(app).post('sign-up/confirm', { token }), 409, 'password_needed');
    const reader = createAuthClient(app);
    await reader.post('sign-up', { name: 'Bob', email, password: 'another good one' });
    const own = await nextAccountEmail(app, email);
    assert.equal((await reader.post('sign-up/confirm', { token: own.token })).status, 200);
    assertProblem(
      await createAuthClient(app).post('sign-up/confirm', { token, password }),
      410,
      'link_expired',
    );
    assertProblem(
      await createAuthClient(app).post('sign-in/email', { email, password }),
      401,
      'invalid_email_or_password',
    );
  });

  test('a link works once within a day', async () => {
    const email = newEmail();
    const client = await ask(email);
    const { token } = await nextAccountEmail(app, email);
    const twins = await Promise.all(
      Array.from({ length: 5 }, () => client.post('sign-up/confirm', { token })),
    );
    assert.deepEqual(twins.map(({ status }) => String(status)).sort(), ['200', '410', '410', '410', '410']);
    assert.equal((await usersWith(email)).length, 1);

    const asked = newEmail();
    const others = [await ask(asked), await ask(asked), await ask(asked)];
    const tokens: string[] = [];
    for (const _ of others) tokens.push((await nextAccountEmail(app, asked)).token);
    const responses = await Promise.all(
      others.map((other, index) => other.post('sign-up/confirm', { token: tokens[index] })),
    );
    assert.deepEqual(responses.map(({ status }) => String(status)).sort(), ['200', '410', '410']);

    const late = newEmail();
    const asker = await ask(late);
    const link = await nextAccountEmail(app, late);
    await updateRows(
      app.owner,
      'one_time_tokens',
      { email: late },
      { expires_at: new Date(Date.now() - 1).toISOString() },
    );
    assertProblem(await asker.post('sign-up/confirm', { token: link.token }), 410, 'link_expired');
  });

  test('existing accounts get a notice, suspended ones no mail', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const client = await ask(email);
    const { content, token } = await nextAccountEmail(app, email);
    assert.equal(content?.subject, 'You already have an account');
    assert.equal(content?.button?.url, 'http://localhost:3000/sign-in');
    assert.equal(token, '');
    assert.equal(await client.whoIs(), undefined);
    await updateRows(app.owner, 'users', { email }, { status: 'suspended' });
    await ask(email);
    assert.equal((await nextAccountEmail(app, email)).content, undefined);
    assert.equal(await countAccountEmails(app, email), 0);
  });

  test('mails use the language of browser or user', async () => {
    const email = newEmail();
    const client = createAuthClient(app, { language: 'de-AT,de;q=0.9,en;q=0.8' });
    await ask(email, client);
    const { content, token } = await nextAccountEmail(app, email);
    assert.equal(content?.subject, 'Bestätigen Sie Ihre E-Mail-Adresse');
    await client.post('sign-up/confirm', { token });
    const [user] = await usersWith(email);
    assert.deepEqual(user?.preferences, { language: 'de' });
    await createAuthClient(app, { language: 'en' }).post('reset-password', { email });
    assert.equal((await nextAccountEmail(app, email)).content?.subject, 'Neues Passwort festlegen');
  });
});
