import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createApp } from '../../../app.ts';
import { closeServices, createServices } from '../../../services.ts';
import { noticeableCost, roomyLimits, useTestApp, type TestApp } from '../../../testing/app.ts';
import { getRow } from '../../../testing/rows.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import { countAccountEmails } from '../../../testing/account-mail.ts';
import {
  createAuthClient,
  goodPassword as password,
  newEmail,
  newIpAddress,
  signUp,
} from '../../../testing/auth-client.ts';

suite('sign-in limits', () => {
  const app = useTestApp({ trustedProxies: ['127.0.0.1'] });

  const tryPassword = (email: string, given: string, ipPrefix = newIpAddress(), of = app) =>
    createAuthClient(of, { network: ipPrefix }).post('sign-in/email', { email, password: given });
  /** Another process on the same database, or the same one after a restart. */
  const startOther = async (limits = roomyLimits): Promise<TestApp & { stop: () => Promise<void> }> => {
    const { config, log } = app.services;
    const services = createServices(config, app, log, limits);
    const fastify = await createApp(services);
    const request: TestApp['request'] = async (method, path, given = {}) => {
      const response = await fastify.inject({
        method,
        url: path,
        headers: { 'content-type': 'application/json', ...given.headers },
        payload: JSON.stringify(given.body ?? {}),
      });
      return { status: response.statusCode, body: response.json(), headers: response.headers };
    };
    const stop = async () => {
      await fastify.close();
      await closeServices(services);
    };
    return { ...app, app: fastify, services, request, stop };
  };

  /** Simulates failed sign-ins over all accounts and IP prefixes; none must be counted yet. */
  const countFailures = async (points: number) => {
    await app.services.limits.count(['failed_sign_ins', '']);
    await app.owner
      .updateTable('rate_limits')
      .set({ points })
      .where('key', 'like', 'failed_sign_ins:%')
      .execute();
  };

  test('an account has ten wrong passwords per quarter hour (AUTH-7)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const other = await startOther();
    for (let guess = 0; guess < 10; guess += 1) {
      const of = guess % 2 === 0 ? app : other;
      assertProblem(
        await tryPassword(email, `wrong ${guess}`, newIpAddress(), of),
        401,
        'invalid_email_or_password',
      );
    }
    await other.stop();
    const restarted = await startOther();
    for (const process of [app, restarted]) {
      const answer = await tryPassword(email, password, newIpAddress(), process);
      assertProblem(answer, 429, 'too_many_attempts');
      const wait = (answer.body.data as { retry_after: number }).retry_after;
      assert.ok(wait > 800 && wait <= 900);
      assert.equal(answer.headers['retry-after'], String(wait));
    }
    await restarted.stop();
    // Signed-in users are not affected, and a sign-in by code still works.
    assert.equal(await client.whoIs(), email);
    assert.equal((await client.request('GET', '/api/organizations')).status, 200);
    assert.equal((await createAuthClient(app).post('sign-in/code', { email })).status, 200);
  });

  test('concurrent guesses cannot exceed the limit (AUTH-7)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => tryPassword(email, `wrong ${index}`)),
    );
    assert.equal(responses.filter(({ status }) => status === 401).length, 10);
    assert.equal(responses.filter(({ status }) => status === 429).length, 30);
  });

  test('unknown accounts have the same limit (AUTH-2)', async () => {
    const email = newEmail();
    for (let guess = 0; guess < 10; guess += 1)
      assert.equal((await tryPassword(email, password)).status, 401);
    assertProblem(await tryPassword(email.toUpperCase(), password), 429, 'too_many_attempts');
  });

  test('correct passwords do not count', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const ipPrefix = newIpAddress();
    for (let times = 0; times < 12; times += 1)
      assert.equal((await tryPassword(email, password, ipPrefix)).status, 200);
  });

  test('guesses and load do not block known browsers (AUTH-7)', async () => {
    const owner = createAuthClient(app);
    const { email } = await signUp(app, owner);
    await owner.post('sign-out', {});
    for (let guess = 0; guess < 10; guess += 1) await tryPassword(email, `wrong ${guess}`);
    assertProblem(await tryPassword(email, password), 429, 'too_many_attempts');
    await app.owner.deleteFrom('rate_limits').where('key', 'like', 'failed_sign_ins:%').execute();
    await countFailures(1_000);
    assert.equal((await owner.post('sign-in/email', { email, password })).status, 200);
    await app.owner.deleteFrom('rate_limits').where('key', 'like', 'failed_sign_ins:%').execute();

    // Its attempts are limited as well.
    for (let guess = 0; guess < 10; guess += 1)
      assert.equal((await owner.post('sign-in/email', { email, password: `wrong ${guess}` })).status, 401);
    assertProblem(await owner.post('sign-in/email', { email, password }), 429, 'too_many_attempts');
  });

  test('a browser is known only to accounts that signed in (AUTH-7)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const attacker = createAuthClient(app);
    await signUp(app, attacker);
    for (let guess = 0; guess < 10; guess += 1) await tryPassword(email, `wrong ${guess}`);
    assertProblem(await attacker.post('sign-in/email', { email, password }), 429, 'too_many_attempts');
    const { id } = await getRow(app.owner, 'users', ['id'], { email });
    const own = attacker.cookies.get('reachout_trusted_device') ?? '';
    for (const value of [id, own.replace(/^[^.]+/, id), `${own}x`, '', 'x.y.z.w']) {
      attacker.cookies.set('reachout_trusted_device', value);
      assertProblem(
        await attacker.post('sign-in/email', { email, password }),
        429,
        'too_many_attempts',
        value,
      );
    }
  });

  test('networks take turns at password checks (AUTH-7)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const ipPrefix = newIpAddress();
    const slow = await startOther({ ...roomyLimits, passwordCost: noticeableCost });
    let unanswered = 45;
    const flood = Promise.all(
      Array.from({ length: unanswered }, (_, index) =>
        tryPassword(newEmail(), `wrong ${index}`, ipPrefix, slow).finally(() => (unanswered -= 1)),
      ),
    );
    assert.equal((await tryPassword(email, password, newIpAddress(), slow)).status, 200);
    assert.ok(unanswered > 0, 'it waited for the flood');
    const responses = await flood;
    await slow.stop();
    const refused = responses.filter(({ status }) => status === 503);
    // Two are hashed and twenty wait; some may have ended before the last one arrived.
    assert.ok(refused.length >= 10, String(refused.length));
    const wrong = responses.filter(({ status }) => status === 401).length;
    assert.equal(wrong + refused.length, 45);
    for (const answer of refused) {
      assertProblem(answer, 503, 'unavailable');
      assert.equal(answer.headers['retry-after'], '5');
    }
    // Their passwords were not checked, so they do not count as failures.
    for (let guess = 0; guess < 50 - wrong; guess += 1)
      assert.equal((await tryPassword(newEmail(), 'wrong guess', ipPrefix)).status, 401);
    assert.equal((await tryPassword(newEmail(), 'wrong guess', ipPrefix)).status, 429);
  });

  test('a network has fifty wrong passwords, without blocking others (AUTH-7)', async () => {
    const ipPrefix = newIpAddress();
    for (let guess = 0; guess < 50; guess += 1)
      assert.equal((await tryPassword(newEmail(), 'wrong guess', ipPrefix)).status, 401);
    const { email } = await signUp(app, createAuthClient(app));
    for (let guess = 0; guess < 12; guess += 1)
      assertProblem(await tryPassword(email, 'wrong guess', ipPrefix), 429, 'too_many_attempts');
    assert.equal((await tryPassword(email, password)).status, 200);
  });

  test('all networks together have a thousand attempts a minute (AUTH-7)', async () => {
    // Failures of the previous tests count, too.
    await app.owner.deleteFrom('rate_limits').where('key', 'like', 'failed_sign_ins:%').execute();
    await countFailures(1_000);
    assertProblem(await tryPassword(newEmail(), password), 429, 'too_many_attempts');
    await app.owner.deleteFrom('rate_limits').where('key', 'like', 'failed_sign_ins:%').execute();
    assert.equal((await tryPassword(newEmail(), password)).status, 401);
  });

  for (const known of [true, false]) {
    test(`${known ? 'a known' : 'an unknown'} address gets five mails of each kind an hour (RATE-2)`, async () => {
      const email = newEmail();
      if (known) await app.services.auth.createUser({ email, password, name: 'Ada' });
      const asks = [
        ['sign-in/code', { email }],
        ['reset-password', { email: email.toUpperCase() }],
        ['sign-up', { email, name: 'Ada', password }],
      ] as const;
      for (const [path, body] of asks) {
        for (let times = 0; times < 5; times += 1)
          assert.equal((await createAuthClient(app).post(path, body)).status, 200);
        const answer = await createAuthClient(app).post(path, body);
        assertProblem(answer, 429, 'too_many_attempts');
        assert.ok(Number(answer.headers['retry-after']) > 3_500);
      }
      assert.equal(await countAccountEmails(app, email), 15);
    });
  }

  test('a network causes at most twenty mails an hour (RATE-2)', async () => {
    const client = createAuthClient(app);
    for (let times = 0; times < 20; times += 1)
      assert.equal((await client.post('reset-password', { email: newEmail() })).status, 200);
    assertProblem(await client.post('reset-password', { email: newEmail() }), 429, 'too_many_attempts');
    assert.equal((await createAuthClient(app).post('reset-password', { email: newEmail() })).status, 200);
  });
});
