import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pino } from 'pino';
import { nextAccountEmail } from '../../../testing/account-mail.ts';
import { useTestApp } from '../../../testing/app.ts';
import { getRow, updateRows } from '../../../testing/rows.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import {
  createAuthClient,
  newEmail,
  newIpAddress,
  signUp,
  type AuthClient,
} from '../../../testing/auth-client.ts';

suite('sign-in codes', () => {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
  const app = useTestApp({ trustedProxies: ['127.0.0.1'] }, { log });

  const ask = async (email: string, client = createAuthClient(app)) => {
    const response = await client.post('sign-in/code', { email });
    assert.deepEqual([response.status, response.body], [200, { status: 'check_inbox', expires_in: 600 }]);
    return client;
  };
  const verify = (client: AuthClient, code: string) => client.post('sign-in/code/verify', { code });
  const newUser = async () => (await signUp(app, createAuthClient(app))).email;
  const wrongFor = (code: string, index = 1) => String((Number(code) + index) % 1_000_000).padStart(6, '0');
  const sessionsOf = async (email: string) =>
    await app.owner
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.id')
      .where('users.email', '=', email)
      .execute();

  test('a code works once in the browser that asked (AUTH-3)', async () => {
    const email = await newUser();
    const client = await ask(email);
    const { kind, code } = await nextAccountEmail(app, email);
    assert.equal(kind, 'sign_in_code');
    assert.match(code, /^\d{6}$/);
    assertProblem(await verify(createAuthClient(app), code), 410, 'code_expired');
    assertProblem(await verify(await ask(newEmail()), code), 401, 'wrong_code');
    const response = await verify(client, code);
    assert.deepEqual([response.status, response.body], [200, { status: 'signed_in' }]);
    assert.equal(await client.whoIs(), email);
    assertProblem(await verify(client, code), 410, 'code_expired');
  });

  test('codes appear in no response, log or table (AUTH-3)', async () => {
    const email = await newUser();
    logged.length = 0;
    const client = createAuthClient(app);
    const asked = await client.post('sign-in/code', { email });
    const { code } = await nextAccountEmail(app, email);
    const response = await verify(client, code);
    assert.equal(response.status, 200);
    const shown = JSON.stringify([asked.body, asked.headers, response.body]);
    // Only as a separate number: an id can contain the same six digits.
    const alone = new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`);
    assert.doesNotMatch(shown, alone);
    assert.doesNotMatch(logged.join(''), alone);
    for (const table of ['one_time_tokens', 'account_email_outbox', 'verifications'] as const) {
      const rows = await app.owner.selectFrom(table).selectAll().execute();
      assert.doesNotMatch(JSON.stringify(rows), alone, table);
    }
  });

  test('concurrent guesses of one code are checked five times (AUTH-3)', async () => {
    const email = await newUser();
    const asker = await ask(email);
    const { code } = await nextAccountEmail(app, email);
    const networks = Array.from({ length: 100 }, newIpAddress);
    const guessers = networks.map((ipPrefix) => {
      const client = createAuthClient(app, { network: ipPrefix });
      for (const [name, value] of asker.cookies) client.cookies.set(name, value);
      return client;
    });
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => verify(guessers[index % 100]!, wrongFor(code, index + 1))),
    );
    assert.equal(responses.filter(({ status }) => status === 401).length, 5);
    // With so many concurrent requests, the server is too busy for some.
    assert.ok(responses.every(({ status }) => [401, 410, 503].includes(status)));
    const { failed_attempts } = await getRow(app.owner, 'one_time_tokens', ['failed_attempts'], {
      email,
      purpose: 'sign_in_code',
    });
    assert.equal(failed_attempts, 5);
    // The code is now revoked: the right one is rejected, too.
    assertProblem(await verify(asker, code), 410, 'code_expired');
  });

  test('concurrent uses of one code give one session (AUTH-3)', async () => {
    const email = await newUser();
    const earlier = (await sessionsOf(email)).length;
    const client = await ask(email);
    const { code } = await nextAccountEmail(app, email);
    const twins = await Promise.all(Array.from({ length: 10 }, () => verify(client, code)));
    assert.equal(twins.filter(({ status }) => status === 200).length, 1);
    assert.equal(twins.filter(({ status }) => status === 410).length, 9);
    assert.equal((await sessionsOf(email)).length, earlier + 1);
  });

  test('a new code invalidates the browser’s previous one (AUTH-3)', async () => {
    const email = await newUser();
    const client = await ask(email);
    const old = await nextAccountEmail(app, email);
    const earlier = createAuthClient(app);
    for (const [name, value] of client.cookies) earlier.cookies.set(name, value);
    await ask(email, client);
    assertProblem(await verify(earlier, old.code), 410, 'code_expired');
    const { code } = await nextAccountEmail(app, email);
    assert.equal((await verify(client, code)).status, 200);
    // A code that was revoked before its email was rendered is not sent.
    await ask(email, client);
    await ask(email, client);
    assert.equal((await nextAccountEmail(app, email)).content, undefined);
    const last = await nextAccountEmail(app, email);
    assert.equal((await verify(client, last.code)).status, 200);
  });

  test('the latest three codes of an address are valid (AUTH-3)', async () => {
    const email = await newUser();
    const clients = [];
    const codes: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      clients.push(await ask(email));
      codes.push((await nextAccountEmail(app, email)).code);
    }
    assertProblem(await verify(clients[0]!, codes[0]!), 410, 'code_expired');
    assert.equal((await verify(clients[1]!, codes[1]!)).status, 200);
    for (const index of [2, 3])
      assertProblem(await verify(clients[index]!, codes[index]!), 410, 'code_expired');
  });

  test('concurrent guesses for one address are checked five times (AUTH-3)', async () => {
    const email = await newUser();
    const clients = [await ask(email), await ask(email), await ask(email)];
    const codes: string[] = [];
    for (const _ of clients) codes.push((await nextAccountEmail(app, email)).code);
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        verify(clients[index % 3]!, wrongFor(codes[index % 3]!, index + 1)),
      ),
    );
    assert.equal(responses.filter(({ status }) => status === 401).length, 5);
    assert.ok(responses.every(({ status }) => [401, 410, 503, 429].includes(status)));
    for (const [index, client] of clients.entries())
      assertProblem(await verify(client, codes[index]!), 410, 'code_expired');
  });

  test('a code expires after ten minutes (AUTH-3)', async () => {
    const email = await newUser();
    const client = await ask(email);
    const { code } = await nextAccountEmail(app, email);
    const row = await getRow(app.owner, 'one_time_tokens', ['id', 'expires_at', 'created_at'], {
      email,
      purpose: 'sign_in_code',
    });
    assert.equal(Date.parse(row.expires_at) - Date.parse(row.created_at), 600_000);
    await updateRows(
      app.owner,
      'one_time_tokens',
      { id: row.id },
      { expires_at: new Date(Date.now() - 1).toISOString() },
    );
    assertProblem(await verify(client, code), 410, 'code_expired');
  });

  test('unknown and suspended users get no code, but equal responses (AUTH-2)', async () => {
    const suspended = await newUser();
    await updateRows(app.owner, 'users', { email: suspended }, { status: 'suspended' });
    for (const email of [newEmail(), suspended]) {
      const client = await ask(email);
      assert.equal((await nextAccountEmail(app, email)).content, undefined);
      for (let guess = 0; guess < 5; guess += 1)
        assertProblem(await verify(client, `00000${guess}`), 401, 'wrong_code');
      assertProblem(await verify(client, '000009'), 410, 'code_expired');
    }
  });

  test('codes do not work for other purposes (TOK-1)', async () => {
    const email = await newUser();
    const client = await ask(email);
    const { code } = await nextAccountEmail(app, email);
    await client.post('reset-password', { email });
    const reset = (await nextAccountEmail(app, email)).token;
    const other = newEmail();
    await client.post('sign-up', { name: 'Ada', email: other, password: 'correct horse battery' });
    const signUpLink = (await nextAccountEmail(app, other)).token;
    const password = 'another good one';
    for (const [path, body] of [
      ['sign-up/confirm', { token: reset, password }],
      ['sign-up/confirm', { token: code, password }],
      ['reset-password/new', { token: signUpLink, password }],
      ['reset-password/new', { token: code, password }],
      ['change-email/confirm', { token: reset }],
      ['change-email/confirm', { token: signUpLink }],
    ] as const)
      assertProblem(await client.post(path, body), 410, 'link_expired', path);
    for (const token of [code, reset, signUpLink]) {
      const link = await client.request('GET', `/api/auth/magic-link/verify?token=${token}&callbackURL=/`);
      assert.match(String(link.headers['location']), /error=INVALID_TOKEN/);
      const response = await app.request('GET', '/api/organizations', {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(response.status, 401);
    }
    assert.equal((await verify(client, code)).status, 200);
  });

  test('wrong guesses limit a network (AUTH-7)', async () => {
    const ipPrefix = newIpAddress();
    const email = await newUser();
    for (let round = 0; round < 13; round += 1) {
      const client = createAuthClient(app, { network: ipPrefix });
      // Uses the pending attempt of another browser, since requesting a code from this one would be counted, too.
      for (const [name, value] of (await ask(newEmail())).cookies) client.cookies.set(name, value);
      for (let guess = 0; guess < 4; guess += 1) await verify(client, '000000');
    }
    const client = await ask(email);
    const { code } = await nextAccountEmail(app, email);
    const there = createAuthClient(app, { network: ipPrefix });
    for (const [name, value] of client.cookies) there.cookies.set(name, value);
    const refused = await verify(there, code);
    assertProblem(refused, 429, 'too_many_attempts');
    assert.equal(
      refused.headers['retry-after'],
      String((refused.body.data as { retry_after: number }).retry_after),
    );
    assert.equal((await verify(client, code)).status, 200);
  });
});
