import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import Fastify from 'fastify';
import { createTestApp, type TestAnswer, type TestApp } from '../testing/app.ts';
import { assertProblem } from '../testing/assert-problem.ts';
import { authRoutes } from './auth.ts';
import { registerAuthRoutes } from './auth.routes.ts';

const password = 'correct horse battery';

suite('signing up, in and out', () => {
  let app: TestApp;
  let secure: TestApp;

  before(async () => {
    app = await createTestApp();
    secure = await createTestApp({ publicUrl: 'https://reachout.example' });
  });
  after(async () => {
    await app.close();
    await secure.close();
  });

  const newEmail = () => `${randomUUID()}@people.example`;
  const post = <T>(path: string, body: unknown, headers: Record<string, string> = {}, of = app) =>
    of.request<T>('POST', `/api/auth/${path}`, { body, headers });
  const signUp = (email: string, of = app) => post('sign-up/email', { email, password, name: 'Ada' }, {}, of);
  const cookiesOf = ({ headers }: TestAnswer<unknown>): string[] =>
    [headers['set-cookie'] ?? []].flat().map(String);
  const sessionOf = (answer: TestAnswer<unknown>): string => {
    const cookie = cookiesOf(answer).find((text) => /reachout_session=[^;]/.test(text));
    assert.ok(cookie !== undefined, JSON.stringify(answer.headers));
    return cookie.split(';')[0] ?? '';
  };
  const statusWith = async (headers: Record<string, string>) =>
    (await app.request('GET', '/api/me', { headers })).status;
  const origin = 'http://localhost:3000';

  test('an installation begins without anybody (AUTH-8)', async () => {
    const fresh = await createTestApp();
    for (const table of ['users', 'accounts', 'sessions', 'organizations', 'verifications'] as const) {
      const rows = await fresh.owner.selectFrom(table).selectAll().execute();
      assert.deepEqual(rows, [], table);
    }
    await fresh.close();
  });

  test('a suspended person is out at the next request, whatever sessions there are (SES-4)', async () => {
    const email = newEmail();
    const headers = { cookie: sessionOf(await signUp(email)) };
    assert.equal(await statusWith(headers), 200);
    const setStatus = (status: string) =>
      app.owner.updateTable('users').set({ status }).where('email', '=', email).execute();
    await setStatus('suspended');
    assert.equal(await statusWith(headers), 401);
    await setStatus('active');
    assert.equal(await statusWith(headers), 200);
    const forged = await post('sign-up/email', {
      email: newEmail(),
      password,
      name: 'Ada',
      status: 'active',
    });
    assert.equal(forged.status, 400);
  });

  test('nothing is kept of the addresses that anybody can write into a header (INP-5, TRK-5)', async () => {
    const headers = {
      forwarded: 'for=203.0.113.7',
      'x-forwarded-for': '203.0.113.7',
      'x-real-ip': '203.0.113.7',
    };
    const email = newEmail();
    await post('sign-up/email', { email, password, name: 'Ada' }, headers);
    const session = await app.owner
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.ip_address')
      .where('users.email', '=', email)
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(session.ip_address ?? '', /203/);
  });

  test('answers at the listed routes, and at no other of the library (AUTH-6)', async () => {
    const mounted: string[] = [];
    const alone = Fastify();
    alone.addHook('onRoute', ({ method, url }) => {
      mounted.push(`${String(method)} ${url}`);
    });
    registerAuthRoutes(alone, app.services);
    assert.deepEqual(
      mounted.filter((route) => !route.startsWith('HEAD ')),
      [...authRoutes],
    );
    for (const path of [
      'ok',
      'error',
      'reset-password/x',
      'verify-email?token=x',
      'callback/google',
      'list-sessions',
      'list-accounts',
      'delete-user/callback?token=x',
      'account-info',
      'jwks',
      'token',
      'reference',
      'sign-up/email',
      'sign-in/email',
      'sign-out',
      'get-session/x',
      'api-key/list',
      'admin/list-users',
    ])
      assertProblem(await app.request('GET', `/api/auth/${path}`), 404, 'not_found', path);
    for (const path of [
      'sign-in/social',
      'sign-in/magic-link',
      'sign-in/username',
      'sign-in/anonymous',
      'forget-password',
      'request-password-reset',
      'reset-password',
      'change-password',
      'set-password',
      'verify-password',
      'change-email',
      'send-verification-email',
      'update-user',
      'delete-user',
      'link-social',
      'unlink-account',
      'revoke-session',
      'revoke-sessions',
      'revoke-other-sessions',
      'refresh-token',
      'get-access-token',
      'update-session',
      'get-session',
      'magic-link/verify',
      'api-key/create',
      'sign-up/email/x',
    ]) {
      const answer = await post(path, {
        userId: randomUUID(),
        email: newEmail(),
        password,
        callbackURL: '/',
      });
      assertProblem(answer, 404, 'not_found', path);
    }
    for (const route of authRoutes) {
      const [method = '', path = ''] = route.split(' ');
      const { status } = await app.request(
        method as 'GET' | 'POST',
        path,
        method === 'POST' ? { body: {} } : {},
      );
      assert.notEqual(status, 404, route);
    }
  });

  test('keeps the session in a cookie that only this site’s pages send, and no script reads (SES-2)', async () => {
    const email = newEmail();
    for (const answer of [await signUp(email), await post('sign-in/email', { email, password })]) {
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.headers['cache-control'], 'no-store');
      const cookies = cookiesOf(answer);
      assert.equal(cookies.length, 1);
      assert.match(
        cookies[0] ?? '',
        /^reachout_session=[\w%.+/=-]{40,}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
      );
    }
    for (const answer of [
      await signUp(email, secure),
      await post('sign-in/email', { email, password }, {}, secure),
    ]) {
      const cookies = cookiesOf(answer);
      assert.equal(cookies.length, 1);
      assert.match(
        cookies[0] ?? '',
        /^__Host-reachout_session=[\w%.+/=-]{40,}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      );
    }
  });

  test('ends a session at once when its person signs out, and only that one', async () => {
    const email = newEmail();
    const first = sessionOf(await signUp(email));
    const second = sessionOf(await post('sign-in/email', { email, password }));
    assert.notEqual(first, second);
    assert.equal(await statusWith({ cookie: first }), 200);
    const signedOut = await app.request('POST', '/api/auth/sign-out', { headers: { cookie: first, origin } });
    assert.equal(signedOut.status, 200);
    for (const cookie of cookiesOf(signedOut)) assert.match(cookie, /; Max-Age=0; Path=\/; HttpOnly;/);
    assert.equal(await statusWith({ cookie: first }), 401);
    assert.equal(await statusWith({ cookie: second }), 200);
  });

  test('does not sign in who knows what is stored (SES-1)', async () => {
    const email = newEmail();
    const cookie = sessionOf(await signUp(email));
    const stored = await app.owner
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('sessions')
      .where('users.email', '=', email)
      .executeTakeFirstOrThrow();
    assert.equal(await statusWith({ cookie }), 200);
    const name = 'reachout_session';
    for (const value of [stored.token, stored.id, `${stored.token}.`, `${stored.token}.${stored.token}`]) {
      for (const headers of [
        { cookie: `${name}=${value}` },
        { cookie: `${name}=${encodeURIComponent(value)}` },
        { cookie: `better-auth.session_token=${value}` },
        { authorization: `Bearer ${value}` },
      ] as Record<string, string>[])
        assert.equal(await statusWith(headers), 401, JSON.stringify(headers));
    }
    // Nor does a cookie that was changed, or the right one as another kind of credential.
    assert.equal(await statusWith({ authorization: `Bearer ${cookie.split('=')[1] ?? ''}` }), 401);
    assert.equal(await statusWith({ cookie: cookie.replace(/=./, '=_') }), 401);
    assert.equal(await statusWith({ cookie: cookie.slice(0, -3) }), 401);

    await app.owner
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
      .where('id', '=', stored.id)
      .execute();
    assert.equal(await statusWith({ cookie }), 401);
  });

  test('takes passwords of 8 to 128 characters, and keeps only a slow hash of them', async () => {
    const tries: [string, string | undefined][] = [
      ['', 'password'],
      ['1234567', 'password'],
      ['x'.repeat(129), 'password'],
      ['x'.repeat(1_000_000), 'password'],
      ['12345678', undefined],
      ['x'.repeat(128), undefined],
      ['grüße 🙂 🙂', undefined],
    ];
    for (const [given, refused] of tries) {
      const email = newEmail();
      const started = performance.now();
      const answer = await post('sign-up/email', { email, password: given, name: 'Ada' });
      const what = `${given.length} characters`;
      if (refused === undefined) {
        assert.equal(answer.status, 200, what);
        assert.equal((await post('sign-in/email', { email, password: given })).status, 200, what);
        assert.equal(
          (await post('sign-in/email', { email, password: `${given.slice(0, -1)}_` })).status,
          401,
          what,
        );
        const { password: stored } = await app.owner
          .selectFrom('accounts')
          .innerJoin('users', 'users.id', 'accounts.user_id')
          .select('accounts.password')
          .where('users.email', '=', email)
          .executeTakeFirstOrThrow();
        // scrypt: salt and key.
        assert.match(stored ?? '', /^[0-9a-f]{32}:[0-9a-f]{128}$/);
      } else {
        assert.ok(answer.status >= 400 && answer.status < 500, what);
        assert.equal((answer.body as { errors?: { path: string }[] }).errors?.[0]?.path, refused, what);
        assert.ok(performance.now() - started < 1_000, what);
      }
    }
  });

  test('names the field that is wrong, and gives the same answer for unknown people', async () => {
    const email = newEmail();
    assert.equal((await signUp(email)).status, 200);
    const wrong: [string, unknown, string][] = [
      ['sign-up/email', { email: 'nonsense', password, name: 'Ada' }, 'email'],
      ['sign-up/email', { email, password, name: 'Ada' }, 'email'],
      ['sign-up/email', { email: email.toUpperCase(), password, name: 'Ada' }, 'email'],
      ['sign-up/email', { password, name: 'Ada' }, 'email'],
      ['sign-up/email', { email: newEmail(), name: 'Ada' }, 'password'],
      ['sign-up/email', { email: newEmail(), password }, 'name'],
      ['sign-up/email', { email: newEmail(), password: 12_345_678, name: 'Ada' }, 'password'],
      ['sign-in/email', { email: 'nonsense', password }, 'email'],
      ['sign-in/email', { password }, 'email'],
      ['sign-in/email', { email }, 'password'],
    ];
    for (const [path, body, field] of wrong) {
      const answer = await post<{ errors?: { path: string; message: string }[]; detail: string }>(path, body);
      const what = `${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`;
      assert.ok(answer.status >= 400 && answer.status < 500, what);
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
      assert.equal(answer.body.errors?.[0]?.path, field, what);
      assert.doesNotMatch(answer.body.detail, /^\[body/, what);
      assert.deepEqual(cookiesOf(answer), []);
    }
    const known = await post('sign-in/email', { email, password: 'not the password' });
    const unknown = await post('sign-in/email', { email: newEmail(), password: 'not the password' });
    assertProblem(known, 401, 'invalid_email_or_password');
    assert.deepEqual(known.body, unknown.body);
  });

  test('lets nobody write fields that are the server’s', async () => {
    const email = newEmail();
    const answer = await post('sign-up/email', {
      email,
      password,
      name: 'Ada',
      emailVerified: true,
      email_verified: true,
      role: 'owner',
      id: randomUUID(),
      image: 'javascript:alert(1)',
      callbackURL: 'https://evil.example/',
    });
    const user = await app.owner
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst();
    assert.equal(answer.headers['location'], undefined);
    assert.equal(user?.email_verified ?? false, false);
  });

  test('signs in by a link once, within ten minutes, and leads to no other site (LNK-2)', async () => {
    const email = newEmail();
    await signUp(email);
    const linkTo = async () => {
      const { pathname, searchParams } = new URL(await app.services.auth.makeSignInLink(email));
      return { pathname, searchParams };
    };
    const follow = ({ pathname, searchParams }: { pathname: string; searchParams: URLSearchParams }) =>
      app.app.inject({ url: `${pathname}?${searchParams.toString()}` });

    const link = await linkTo();
    const stored = await app.owner.selectFrom('verifications').selectAll().execute();
    assert.ok(!JSON.stringify(stored).includes(link.searchParams.get('token') ?? 'none'));
    const first = await follow(link);
    assert.equal(first.statusCode, 302);
    assert.equal(first.headers.location, 'http://localhost:3000/');
    assert.match(String(first.headers['set-cookie']), /^reachout_session=[^;]{40,};/);
    const second = await follow(link);
    assert.equal(second.headers['set-cookie'], undefined);

    const twins = await linkTo();
    const answers = await Promise.all(Array.from({ length: 10 }, () => follow(twins)));
    assert.equal(answers.filter(({ headers }) => headers['set-cookie'] !== undefined).length, 1);

    for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      for (const target of [
        'https://evil.example/',
        '//evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
      ]) {
        const turned = await linkTo();
        turned.searchParams.set(name, target);
        const answer = await follow(turned);
        const location = answer.headers.location ?? '/';
        assert.equal(
          new URL(location, 'http://localhost:3000').origin,
          'http://localhost:3000',
          `${name}=${target}`,
        );
      }
    }

    const late = await linkTo();
    await app.owner
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
      .execute();
    assert.equal((await follow(late)).headers['set-cookie'], undefined);
    await linkTo();
    const { expires_at } = await app.owner
      .selectFrom('verifications')
      .select('expires_at')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.ok(Date.parse(expires_at) - Date.now() <= 600_000);
  });
});
