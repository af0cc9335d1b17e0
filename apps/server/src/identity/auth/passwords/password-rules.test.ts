import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useTestApp } from '../../../testing/app.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import { countAccountEmails, nextAccountEmail } from '../../../testing/account-mail.ts';
import { createAuthClient, newEmail } from '../../../testing/auth-client.ts';
import { listRows } from '../../../testing/rows.ts';

const name = 'Grace Brewster Hopper';

suite('password rules', () => {
  const app = useTestApp({ trustedProxies: ['127.0.0.1'] });

  const tries: [what: string, password: (email: string) => string, accepted: boolean][] = [
    ['an empty password', () => '', false],
    ['7 characters', () => 'q7#xw2k', false],
    ['129 characters', () => 'x'.repeat(129), false],
    ['10 kB', () => 'x'.repeat(10_000), false],
    ['a common word', () => 'password', false],
    ['a common word in capitals', () => 'PASSWORD1', false],
    ['digits in a row', () => '12345678', false],
    ['a common phrase', () => 'iloveyou', false],
    ['the name', () => name, false],
    ['the name in other letters', () => name.toUpperCase(), false],
    ['the address', (email) => email, false],
    ['the address in capitals', (email) => email.toUpperCase(), false],
    ['the local part of the address', (email) => email.split('@')[0] ?? '', false],
    ['8 characters', () => 'q7xw2kzp', true],
    ['128 characters', () => 'x'.repeat(128), true],
    ['only small letters', () => 'correcthorsebattery', true],
    ['words and blanks', () => 'correct horse battery', true],
    ['umlauts and emoji', () => 'grüße 🙂 🙂', true],
  ];
  for (const [what, passwordOf, accepted] of tries) {
    test(`a new account ${accepted ? 'takes' : 'refuses'} ${what} (AUTH-1)`, async () => {
      const email = newEmail();
      const password = passwordOf(email);
      const client = createAuthClient(app);
      const response = await client.post('sign-up', { name, email, password });
      if (!accepted) {
        assertProblem(response, 422, 'invalid_input');
        assert.equal(response.body.errors?.[0]?.path, 'password');
        assert.equal(await countAccountEmails(app, email), 0);
        return;
      }
      assert.equal(response.status, 200);
      const { token } = await nextAccountEmail(app, email);
      assert.equal((await client.post('sign-up/confirm', { token })).status, 200);
      const signIn = (given: string) =>
        createAuthClient(app).post('sign-in/email', { email, password: given });
      assert.equal((await signIn(password)).status, 200);
      assert.equal((await signIn(`${password.slice(0, -1)}_`)).status, 401);
    });
  }

  test('passwords are stored as memory-hard hashes (AUTH-1)', async () => {
    const rows = await listRows(app.owner, 'accounts', ['password'], {});
    assert.ok(rows.length >= 5);
    for (const { password } of rows)
      assert.match(password ?? '', /^\$scrypt\$ln=10,r=8,p=1\$[\w+/]{22}\$[\w+/]{86}$/);
    assert.equal(new Set(rows.map(({ password }) => password)).size, rows.length);
  });

  test('oversized passwords are rejected before they are read (AUTH-1)', async () => {
    const email = newEmail();
    const long = 'x'.repeat(1_000_000);
    const client = createAuthClient(app);
    for (const [path, body] of [
      ['sign-in/email', { email, password: long }],
      ['sign-up/confirm', { token: 'x', password: long }],
      ['reset-password/new', { token: 'x', password: long }],
    ] as const) {
      const response = await client.post(path, body);
      assertProblem(response, 413, 'body_too_large', path);
    }
  });
});
