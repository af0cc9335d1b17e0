import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecondFactor } from '@reachout/contract/me.ts';
import { sql } from 'kysely';
import { nextAccountEmail } from '../../../testing/account-mail.ts';
import { createTestApp, useSharedApp, type TestApp } from '../../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../../testing/assert-problem.ts';
import { createAuthClient, signUp, type AuthClient } from '../../../testing/auth-client.ts';
import { buildMember, buildOrganization } from '../../../sample/records.ts';
import { deleteRows, getRow, listRows, updateRows } from '../../../testing/rows.ts';
import { totpCode } from '../../../testing/totp.ts';
import { assertColumn } from '../../../testing/assert-column.ts';
import { codeAttempts } from './verify-code.ts';

const at = '/api/me/second_factor';

suite('second factor', () => {
  const app = useSharedApp();

  /** Signs up a user with an authenticator app, and a session opened before it was set up. */
  async function enroll() {
    const client = createAuthClient(app);
    const person = await signUp(app, client);
    const other = createAuthClient(app);
    assert.equal((await other.post('sign-in/email', person)).status, 200);
    const started = await client.request<{ key: string; url: string }>('POST', `${at}/totp`);
    const { key } = started.body;
    const confirmed = await client.request<{ recovery_codes: string[] }>('POST', `${at}/totp/confirm`, {
      code: totpCode(key),
    });
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
    await rewind(await findUserId(person.email));
    return { client, other, person, key, codes: confirmed.body.recovery_codes };
  }
  const startSignIn = async (person: { email: string; password: string }) => {
    const client = createAuthClient(app);
    const first = await client.post('sign-in/email', person);
    assert.deepEqual([first.status, first.body], [200, { status: 'second_factor_needed' }]);
    return client;
  };
  const enter = (client: AuthClient, code: string) => client.post('sign-in/second-factor', { code });
  const factorOf = async (client: AuthClient) => (await client.request<SecondFactor>('GET', at)).body;
  const findUserId = async (email: string) => (await getRow(app.owner, 'users', ['id'], { email })).id;
  /** Resets the last used time step, so that the current code is accepted again. */
  const rewind = (userId: string) =>
    updateRows(app.owner, 'totp_secrets', { user_id: userId }, { last_step: 0 });

  test('setting up requires a code, ends other sessions, and sends mail (AUTH-9, AUD-1)', async () => {
    const client = createAuthClient(app);
    const person = await signUp(app, client);
    const { id: organizationId } = await buildOrganization(app.owner);
    const userId = await findUserId(person.email);
    await buildMember(app.owner, { organization_id: organizationId, user_id: userId });
    const other = createAuthClient(app);
    await other.post('sign-in/email', person);

    assertProblem(await client.request('POST', `${at}/totp/confirm`, { code: '123456' }), 404, 'not_found');
    const { body } = await client.request<{ key: string; url: string }>('POST', `${at}/totp`);
    assert.match(body.key, /^[A-Z2-7]{39}$/);
    const url = new URL(body.url);
    assert.deepEqual(
      [url.protocol, url.host, url.searchParams.get('secret')],
      ['otpauth:', 'totp', body.key],
    );
    const stored = await listRows(app.owner, 'totp_secrets', '*');
    assert.ok(!JSON.stringify(stored).includes(body.key));
    // It is not a second factor before it is confirmed.
    assert.deepEqual(await factorOf(client), { totp: null, passkeys: [], recovery_codes_left: 0 });
    assert.deepEqual((await createAuthClient(app).post('sign-in/email', person)).body, {
      status: 'signed_in',
    });

    const wrong = totpCode(body.key, 7);
    assertInvalid(await client.request('POST', `${at}/totp/confirm`, { code: wrong }), 'code');
    const confirmed = await client.request<{ recovery_codes: string[] }>('POST', `${at}/totp/confirm`, {
      code: totpCode(body.key),
    });
    const { recovery_codes: codes } = confirmed.body;
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    const hashes = await listRows(app.owner, 'recovery_codes', '*');
    assert.ok(!hashes.some((row) => codes.some((code) => JSON.stringify(row).includes(code.slice(0, 9)))));
    assert.equal((await factorOf(client)).recovery_codes_left, 10);
    assert.notEqual((await factorOf(client)).totp, null);
    assert.equal(await other.whoIs(), undefined);
    assert.equal(await client.whoIs(), person.email);
    assert.match(
      (await nextAccountEmail(app, person.email)).content?.paragraphs[0] ?? '',
      /authenticator app was added/,
    );
    assertProblem(await client.request('POST', `${at}/totp`), 409, 'authenticator_exists');

    const remove = (code: string) => client.request('POST', `${at}/totp/remove`, { code });
    assertInvalid(await remove(wrong), 'code');
    assert.equal((await remove(codes[0] ?? '')).status, 200);
    assert.deepEqual(await factorOf(client), { totp: null, passkeys: [], recovery_codes_left: 0 });
    const entries = await app.owner
      .selectFrom('audit_log')
      .select('details')
      .where('organization_id', '=', organizationId)
      .where('action', '=', 'second_factor')
      .orderBy('id')
      .execute();
    assertColumn(entries, 'details', [{ change: 'totp_added' }, { change: 'totp_removed' }]);
  });

  test('password and emailed code both require the second factor (AUTH-9)', async () => {
    const { person, key } = await enroll();
    const client = await startSignIn(person);
    assert.equal(await client.whoIs(), undefined);
    assert.equal(
      [...client.cookies.keys()].some((name) => /session|trusted/.test(name)),
      false,
    );
    assert.deepEqual((await client.request('GET', '/api/auth/sign-in/second-factor')).body, {
      totp: true,
      passkey: false,
      recovery_code: true,
    });
    assertProblem(await enter(client, totpCode(key, 7)), 401, 'wrong_code');
    assert.deepEqual((await enter(client, totpCode(key))).body, { status: 'signed_in' });
    assert.equal(await client.whoIs(), person.email);

    const byCode = createAuthClient(app);
    await byCode.post('sign-in/code', { email: person.email });
    let mail = await nextAccountEmail(app, person.email);
    while (mail.kind !== 'sign_in_code') mail = await nextAccountEmail(app, person.email);
    const first = await byCode.post('sign-in/code/verify', { code: mail.content?.code });
    assert.deepEqual(first.body, { status: 'second_factor_needed' });
    assert.equal(await byCode.whoIs(), undefined);
    assert.deepEqual((await enter(byCode, totpCode(key, 1))).body, { status: 'signed_in' });
    assert.equal(await byCode.whoIs(), person.email);
  });

  test('a code works once within ten minutes in its browser (AUTH-9)', async () => {
    const { person, key, codes, client: signedIn } = await enroll();
    assertProblem(await enter(createAuthClient(app), totpCode(key)), 410, 'code_expired');
    const client = await startSignIn(person);
    const twin = await startSignIn(person);
    const responses = await Promise.all([client, twin, client].map((each) => enter(each, totpCode(key))));
    assert.deepEqual(
      responses.map(({ status }) => status === 200).filter(Boolean).length,
      1,
      'a code works once',
    );

    const third = await startSignIn(person);
    await updateRows(
      app.owner,
      'one_time_tokens',
      { purpose: 'second_factor' },
      { expires_at: new Date(Date.now() - 1_000).toISOString() },
    );
    assertProblem(await enter(third, codes[0] ?? ''), 410, 'code_expired');

    const fourth = await startSignIn(person);
    const changed = await signedIn.request('POST', '/api/rpc/update_user_password', {
      current_plain_password: person.password,
      new_plain_password: 'another good one',
    });
    assert.equal(changed.status, 200);
    assertProblem(await enter(fourth, codes[0] ?? ''), 410, 'code_expired');
  });

  test('a recovery code works once, until codes are renewed (AUTH-9)', async () => {
    const { client: signedIn, person, codes, key } = await enroll();
    const [first = '', second = ''] = codes;
    // As users may type it.
    assert.equal(
      (await enter(await startSignIn(person), first.toUpperCase().replaceAll('-', ' '))).status,
      200,
    );
    assertProblem(await enter(await startSignIn(person), first), 401, 'wrong_code');
    assert.equal((await factorOf(signedIn)).recovery_codes_left, 9);
    const renew = (code?: string) =>
      signedIn.request<{ recovery_codes: string[] }>(
        'POST',
        `${at}/recovery_codes`,
        code === undefined ? {} : { code },
      );
    assertInvalid(await renew(), 'code');
    const { body } = await renew(totpCode(key));
    assertProblem(await enter(await startSignIn(person), second), 401, 'wrong_code');
    assert.equal((await enter(await startSignIn(person), body.recovery_codes[0] ?? '')).status, 200);
  });

  test('a refused sign-in keeps the recovery code (AUTH-9)', async () => {
    const { client: signedIn, person, codes } = await enroll();
    const userId = await findUserId(person.email);
    const browser = await startSignIn(person);
    const { limits } = app.services;
    for (let signIns = 0; signIns < 30; signIns += 1)
      await limits.count(['sign_ins_of_account', userId]).catch(() => {});
    assertProblem(await enter(browser, codes[0] ?? ''), 429, 'too_many_attempts');
    assert.equal((await factorOf(signedIn)).recovery_codes_left, 10);
    await deleteRows(app.owner, 'rate_limits');
    assert.equal((await enter(browser, codes[0] ?? '')).status, 200);
    assert.equal((await factorOf(signedIn)).recovery_codes_left, 9);
  });

  test('pending sign-ins require a newly added factor (AUTH-9)', async () => {
    const client = createAuthClient(app);
    const person = await signUp(app, client);
    const { key } = (await client.request<{ key: string }>('POST', `${at}/totp`)).body;
    await sql`
      create function wait_for_test() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(1); return new; end'
    `.execute(app.owner);
    await sql`create trigger wait_for_test before insert on sessions for each row execute function wait_for_test()`.execute(
      app.owner,
    );
    const late = createAuthClient(app);
    try {
      const signIn = await app.owner.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(1)`.execute(trx);
        const response = late.post('sign-in/email', person);
        for (let waiting = 0; waiting === 0; await sleep(10))
          waiting = (
            await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(app.owner)
          ).rows.length;
        const code = totpCode(key);
        assert.equal((await client.request('POST', `${at}/totp/confirm`, { code })).status, 200);
        return { response };
      });
      assert.deepEqual((await signIn.response).body, { status: 'second_factor_needed' });
    } finally {
      await sql`drop function wait_for_test cascade`.execute(app.owner);
    }
    assert.equal(await late.whoIs(), undefined);
    await rewind(await findUserId(person.email));
    assert.equal((await enter(late, totpCode(key))).status, 200);
    assert.equal(await late.whoIs(), person.email);
  });

  test('an account has ten guesses per quarter hour (AUTH-9)', async () => {
    const { person, key, other } = await enroll();
    for (const _ of [1, 2]) {
      const client = await startSignIn(person);
      for (let attempt = 0; attempt < 5; attempt += 1)
        assertProblem(await enter(client, totpCode(key, 7)), 401, 'wrong_code');
    }
    assertProblem(await enter(await startSignIn(person), totpCode(key)), 429, 'too_many_attempts');
    // A trusted device has a separate limit of attempts.
    assert.deepEqual((await other.post('sign-in/email', person)).body, { status: 'second_factor_needed' });
    await rewind(await findUserId(person.email));
    assert.equal((await enter(other, totpCode(key))).status, 200);
  });

  test('known browsers have sixty guesses a day together (AUTH-9)', async () => {
    const { person, key, other } = await enroll();
    const userId = await findUserId(person.email);
    const { limits } = app.services;
    for (let guess = 0; guess < 60; guess += 1)
      await limits.count(...codeAttempts(userId, { userId, id: `browser ${guess}` }));
    await other.post('sign-in/email', person);
    assertProblem(await enter(other, totpCode(key)), 429, 'too_many_attempts');
    // Attempts from other devices are counted separately.
    assert.equal((await enter(await startSignIn(person), totpCode(key))).status, 200);
  });

  test('authenticator keys survive a change of SECRET_KEY (SEC-1)', async () => {
    const { person, key } = await enroll();
    const secretKey = 'another secret key of this installation, long enough';
    const { secretKey: previous } = app.services.config;
    const renewed = await createTestApp(
      { secretKey, previousSecretKeys: [previous], trustedProxies: ['127.0.0.1'] },
      { beside: app },
    );
    const lost = await createTestApp({ secretKey, trustedProxies: ['127.0.0.1'] }, { beside: app });
    try {
      const attempt = async (on: TestApp, code: string) => {
        const client = createAuthClient(on);
        assert.deepEqual((await client.post('sign-in/email', person)).body, {
          status: 'second_factor_needed',
        });
        return await enter(client, code);
      };
      assertProblem(await attempt(lost, totpCode(key)), 409, 'authenticator_unreadable');
      assert.equal((await attempt(renewed, totpCode(key))).status, 200);
      // Its use has encrypted it with the new key.
      assert.equal((await attempt(lost, totpCode(key, 1))).status, 200);
    } finally {
      await renewed.close();
      await lost.close();
    }
  });
});
