import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import Fastify from 'fastify';
import type { UserStatus } from '@reachout/contract/statuses.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { signInOperations } from '../../testing/contract-calls.ts';
import { buildMember, buildOrganization } from '../../sample/records.ts';
import {
  cookiesOf,
  createAuthClient,
  goodPassword as password,
  newEmail,
  signUp,
} from '../../testing/auth-client.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { words } from '../../testing/words.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { registerAuthRoutes } from './auth.routes.ts';

suite('sign-in and sign-out', () => {
  let app: TestApp;
  let secure: TestApp;

  before(async () => {
    const trustedProxies = ['127.0.0.1'];
    app = await createTestApp({ trustedProxies });
    secure = await createTestApp({ trustedProxies, publicUrl: 'https://reachout.example' }, { beside: app });
  });
  after(async () => {
    await secure.close();
    await app.close();
  });

  const post = (path: string, body: unknown) => createAuthClient(app).post(path, body);
  const statusWith = async (headers: Record<string, string>) =>
    (await app.request('GET', '/api/organizations', { headers })).status;
  const sessionsOf = (email: string) =>
    app.owner
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('sessions')
      .where('users.email', '=', email)
      .orderBy('sessions.created_at')
      .execute();

  test('a new installation has no accounts (AUTH-8)', async () => {
    const fresh = await createTestApp();
    for (const table of ['users', 'accounts', 'sessions', 'organizations', 'verifications'] as const) {
      const rows = await fresh.owner.selectFrom(table).selectAll().execute();
      assert.deepEqual(rows, [], table);
    }
    await fresh.close();
  });

  test('a suspended user has no access from the next request (SES-4)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const cookie = `reachout_session=${client.cookies.get('reachout_session')}`;
    const setStatus = (status: UserStatus) => updateRows(app.owner, 'users', { email }, { status });
    assert.equal(await statusWith({ cookie }), 200);
    await setStatus('suspended');
    assert.equal(await statusWith({ cookie }), 401);
    assert.equal(await client.whoIs(), undefined);
    assertProblem(await post('sign-in/email', { email, password }), 401, 'invalid_email_or_password');
    const link = new URL(await app.services.auth.makeSignInLink(email));
    assert.equal(cookiesOf(await client.request('GET', `${link.pathname}${link.search}`)).length, 0);
    assert.equal((await sessionsOf(email)).length, 1);
    await setStatus('active');
    assert.equal(await statusWith({ cookie }), 200);
  });

  test('session addresses ignore forwarding headers of clients (INP-5)', async () => {
    const direct = await createTestApp();
    const { headers } = await direct.signIn();
    const email = newEmail();
    await direct.services.auth.createUser({ email, password, name: 'Ada' });
    await direct.request('POST', '/api/auth/sign-in/email', {
      body: { email, password },
      headers: {
        forwarded: 'for=203.0.113.7',
        'x-forwarded-for': '203.0.113.7',
        'x-real-ip': '203.0.113.7',
        'x-reachout-network': '203.0.113.7',
      },
    });
    assert.notEqual(headers['cookie'], undefined);
    const rows = await listRows(direct.owner, 'sessions', ['ip_address'], {});
    await direct.close();
    assertColumn(rows, 'ip_address', ['127.0.0.1', '127.0.0.1']);
    // Behind a trusted proxy, it is the address that the proxy reports.
    const client = createAuthClient(app, { network: '203.0.113.9' });
    const person = await signUp(app, client);
    assert.equal((await sessionsOf(person.email))[0]?.ip_address, '203.0.113.9');
  });

  test('only the listed authentication routes respond (AUTH-6)', async () => {
    const mounted: string[] = [];
    const alone = Fastify();
    alone.addHook('onRoute', ({ method, url }) => {
      mounted.push(`${String(method)} ${url}`);
    });
    registerAuthRoutes(alone, {
      ...app.services,
      offerSystemMailbox: () => 'open',
      offerDemo: () => Promise.resolve(null),
    });
    assert.deepEqual(
      mounted.filter((route) => !route.startsWith('HEAD ')),
      signInOperations.map(({ method, path }) => `${method} /api${path.replace('{provider}', ':provider')}`),
    );
    for (const path of [
      'ok',
      'error',
      'reset-password/x',
      'verify-email?token=x',
      'callback/google',
      'callback/oidc?code=x&state=y',
      'list-sessions',
      'list-accounts',
      'delete-user/callback?token=x',
      'account-info',
      'jwks',
      'token',
      'reference',
      'sign-up/email',
      'get-session/x',
      'api-key/list',
      'admin/list-users',
    ])
      assertProblem(await app.request('GET', `/api/auth/${path}`), 404, 'not_found', path);
    for (const path of ['sign-in/email', 'sign-out'])
      assertProblem(await app.request('GET', `/api/auth/${path}`), 405, 'method_not_allowed', path);
    for (const path of words(`
      sign-up/email sign-in/magic-link sign-in/username sign-in/anonymous sign-in/oauth2
      forget-password request-password-reset change-password set-password verify-password change-email
      send-verification-email update-user delete-user link-social oauth2/link unlink-account
      revoke-session revoke-sessions revoke-other-sessions refresh-token get-access-token
      update-session open-session api-key/create sign-up/email/x
    `)) {
      const response = await post(path, {
        userId: randomUUID(),
        email: newEmail(),
        password,
        callbackURL: '/',
      });
      assertProblem(response, 404, 'not_found', path);
    }
    for (const path of ['get-session', 'callback/google', 'magic-link/verify'])
      assertProblem(await post(path, {}), 405, 'method_not_allowed', path);
    for (const { name, method, path } of signInOperations) {
      const response = await createAuthClient(app).request(
        method as 'GET' | 'POST',
        `/api${path}`,
        method === 'POST' ? {} : undefined,
      );
      if (path.includes('{provider}')) continue;
      assert.notEqual(response.status, 404, name);
      assert.equal(response.headers['cache-control'], 'no-store', name);
    }
  });

  test('state changes with a cookie require an own origin (AUTH-6, CSRF-1)', async () => {
    const client = createAuthClient(app);
    await signUp(app, client);
    const cookie = `reachout_session=${client.cookies.get('reachout_session')}`;
    for (const { name, method, path } of signInOperations) {
      if (method !== 'POST') continue;
      for (const origin of ['https://evil.example', 'null', 'http://localhost:3000.evil.example']) {
        const response = await app.request('POST', `/api${path}`, { body: {}, headers: { cookie, origin } });
        assertProblem(response, 403, 'foreign_origin', `${name} ${origin}`);
      }
    }
    assert.equal(await statusWith({ cookie }), 200);
  });

  test('the options list the ways to sign in', async () => {
    const body = await app.ok('GET', '/api/auth/options');
    assert.deepEqual(body, { providers: [], sign_up: 'open', local_mailbox: 'needs_link', demo: null });
    // A tunnel, a page that points its own name here, and a proxy also connect from this machine.
    for (const headers of [
      { host: 'reachout.example' },
      { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.9' },
      { host: 'localhost:3000', forwarded: 'for=203.0.113.9' },
    ]) {
      const stranger = await app.request('GET', '/api/auth/options', { headers });
      assert.deepEqual(stranger.body, { ...Object(body), local_mailbox: null });
    }
    const open = await secure.request('GET', '/api/auth/options');
    assert.deepEqual(open.body, { providers: [], sign_up: 'open', local_mailbox: null, demo: null });
  });

  test('session cookies are HttpOnly and SameSite (SES-2)', async () => {
    for (const [of, prefix, flags] of [
      [app, 'reachout_', 'HttpOnly; SameSite=Strict'],
      [secure, '__Host-reachout_', 'HttpOnly; Secure; SameSite=Strict'],
    ] as const) {
      const client = createAuthClient(of);
      const { email } = await signUp(of, client);
      const opened = await createAuthClient(of).post('sign-in/email', { email, password });
      assert.equal(opened.headers['cache-control'], 'no-store');
      const asked = await client.post('sign-in/code', { email });
      const tries = await client.post('sign-up', { name: 'Bob', email: newEmail(), password });
      for (const [response, name, age] of [
        [opened, 'session', 2_592_000],
        [opened, 'trusted_device', 15_552_000],
        [asked, 'sign_in_code', 600],
        [tries, 'sign_up', 86_400],
      ] as const) {
        const cookies = cookiesOf(response);
        assert.equal(cookies.length, response === opened ? 2 : 1, name);
        assert.match(
          cookies.find((cookie) => cookie.startsWith(`${prefix}${name}=`)) ?? '',
          new RegExp(`^${prefix}${name}=[\\w%.+/=-]{32,}; Max-Age=${age}; Path=/; ${flags}$`),
        );
      }
    }
  });

  test('signing out ends only the current session (SES-4)', async () => {
    const first = createAuthClient(app);
    const second = createAuthClient(app);
    const { email } = await signUp(app, first);
    await second.post('sign-in/email', { email, password });
    const cookie = `reachout_session=${first.cookies.get('reachout_session')}`;
    assert.equal(await statusWith({ cookie }), 200);
    const signedOut = await first.post('sign-out', {});
    assert.equal(signedOut.status, 200);
    const [gone = ''] = cookiesOf(signedOut).filter((text) => text.startsWith('reachout_session='));
    assert.match(gone, /=; Max-Age=0; Path=\/; HttpOnly;/);
    assert.equal(signedOut.headers['clear-site-data'], '"cache"');
    assert.equal(await statusWith({ cookie }), 401);
    assert.equal(await second.whoIs(), email);
  });

  test('signing out only deletes the session cookie (SES-2)', async () => {
    for (const [of, prefix, flags] of [
      [app, 'reachout_', 'HttpOnly; SameSite=Strict'],
      [secure, '__Host-reachout_', 'HttpOnly; Secure; SameSite=Strict'],
    ] as const) {
      const client = createAuthClient(of);
      await signUp(of, client);
      const cookies = cookiesOf(await client.post('sign-out', {}));
      assert.equal(cookies.length, 1, cookies.join('\n'));
      assert.match(cookies[0] ?? '', new RegExp(`^${prefix}session=; Max-Age=0; Path=/; ${flags}$`));
      assert.equal(await client.whoIs(), undefined);
    }
  });

  test('the session response has no secret (SES-1)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const { status, body } = await client.request<Record<string, Record<string, string>>>(
      'GET',
      '/api/auth/get-session',
    );
    const [stored] = await sessionsOf(email);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      user: { id: stored?.user_id, email, name: 'Ada Lovelace', avatar_url: null },
      session: { id: stored?.id, expires_at: stored?.expires_at },
    });
    assert.ok(!JSON.stringify(body).includes(stored!.token));
  });

  test('a new sign-in replaces the session of the browser (SES-1)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const replaced = `reachout_session=${client.cookies.get('reachout_session')}`;
    assert.equal((await client.post('sign-in/email', { email, password })).status, 200);
    assert.equal(await statusWith({ cookie: replaced }), 401);
    assert.equal(await client.whoIs(), email);
    assert.equal((await sessionsOf(email)).length, 1);
    // The session of another user is not ended.
    const other = createAuthClient(app);
    const { email: otherEmail } = await signUp(app, other);
    other.cookies.set('reachout_session', client.cookies.get('reachout_session')!);
    assert.equal((await other.post('sign-in/email', { email: otherEmail, password })).status, 200);
    assert.equal(await client.whoIs(), email);
  });

  test('stored session data does not sign in (SES-1)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const cookie = `reachout_session=${client.cookies.get('reachout_session')}`;
    const [stored] = await sessionsOf(email);
    assert.ok(stored !== undefined && stored.token.length >= 32);
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
    // A modified cookie is rejected, and so is a valid one sent as another kind of credential.
    assert.equal(await statusWith({ authorization: `Bearer ${cookie.split('=')[1] ?? ''}` }), 401);
    assert.equal(await statusWith({ cookie: cookie.replace(/=./, '=_') }), 401);
    assert.equal(await statusWith({ cookie: cookie.slice(0, -3) }), 401);
  });

  test('invalid and unknown fields are named (TEN-8)', async () => {
    const email = newEmail();
    const name = 'Ada';
    const tries: [string, Record<string, unknown>, string][] = [
      ['sign-up', { email: 'nonsense', password, name }, 'email'],
      ['sign-up', { password, name }, 'email'],
      ['sign-up', { email, name }, 'password'],
      ['sign-up', { email, password }, 'name'],
      ['sign-up', { email, password, name: ' ' }, 'name'],
      ['sign-up', { email, password: 12_345_678, name }, 'password'],
      ['sign-up', { email, password, name, status: 'active' }, 'status'],
      ['sign-up', { email, password, name, email_verified: true }, 'email_verified'],
      ['sign-up/confirm', {}, 'token'],
      ['sign-up/confirm', { token: 1 }, 'token'],
      ['sign-up/invitation', { token: 'x' }, 'proof'],
      ['sign-up/invited', { token: 'x', name, password }, 'proof'],
      ['sign-up/invited', { token: 'x', proof: 'x', name, password, email }, 'email'],
      ['sign-in/email', { email: 'nonsense', password }, 'email'],
      ['sign-in/email', { password }, 'email'],
      ['sign-in/email', { email }, 'password'],
      ['sign-in/email', { email, password, rememberMe: false }, 'rememberMe'],
      ['sign-in/code', { email: 'a\r\nb@people.example' }, 'email'],
      ['sign-in/code/verify', { code: '12345' }, 'code'],
      ['sign-in/code/verify', { code: 123_456 }, 'code'],
      ['reset-password', {}, 'email'],
      ['reset-password/new', { token: 'x' }, 'password'],
      ['change-email/confirm', {}, 'token'],
      ['sign-in/social', { provider: 'google' }, 'callbackURL'],
      ['sign-in/social', { provider: 'google', callbackURL: '/', idToken: { token: 'x' } }, 'idToken'],
    ];
    for (const [path, body, field] of tries) {
      const response = await post(path, body);
      const what = `${path} ${JSON.stringify(body)}: ${JSON.stringify(response.body)}`;
      assertProblem(response, 422, 'invalid_input', what);
      assert.equal(response.body.errors?.[0]?.path, field, what);
      assert.deepEqual(cookiesOf(response), []);
    }
  });

  test('a sign-in link works once within ten minutes (LNK-2)', async () => {
    const email = newEmail();
    await app.services.auth.createUser({ email, password, name: 'Ada' });
    const linkTo = async () => {
      const { pathname, searchParams } = new URL(await app.services.auth.makeSignInLink(email));
      return { pathname, searchParams };
    };
    const follow = ({ pathname, searchParams }: { pathname: string; searchParams: URLSearchParams }) =>
      app.app.inject({ url: `${pathname}?${searchParams.toString()}` });

    const link = await linkTo();
    const stored = await listRows(app.owner, 'verifications', '*');
    assert.ok(!JSON.stringify(stored).includes(link.searchParams.get('token') ?? 'none'));
    const first = await follow(link);
    assert.equal(first.statusCode, 302);
    assert.equal(first.headers.location, 'http://localhost:3000/');
    assert.match(String(first.headers['set-cookie']), /(?:^|,)reachout_session=[^;]{40,};/);
    const second = await follow(link);
    assert.equal(second.headers['set-cookie'], undefined);

    const twins = await linkTo();
    const responses = await Promise.all(Array.from({ length: 10 }, () => follow(twins)));
    assert.equal(responses.filter(({ headers }) => headers['set-cookie'] !== undefined).length, 1);

    for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      for (const target of [
        'https://evil.example/',
        '//evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
      ]) {
        const turned = await linkTo();
        turned.searchParams.set(name, target);
        const response = await follow(turned);
        const location = response.headers.location ?? '/';
        assert.equal(
          new URL(location, 'http://localhost:3000').origin,
          'http://localhost:3000',
          `${name}=${target}`,
        );
      }
    }

    const late = await linkTo();
    await updateRows(
      app.owner,
      'verifications',
      {},
      { expires_at: new Date(Date.now() - 1_000).toISOString() },
    );
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

  test('an undecodable return address is a bad request (LNK-2)', async () => {
    for (const name of ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL']) {
      const url = `/api/auth/magic-link/verify?token=x&${name}=/%25zz`;
      assertProblem(await app.request('GET', url), 400, 'bad_request', name);
    }
  });

  test('the audit log records sign-ins of members (AUD-1)', async () => {
    const client = createAuthClient(app);
    const { email } = await signUp(app, client);
    const made = await client.request<{ id: string }>('POST', '/api/organizations', { name: 'Agency' });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    await client.post('sign-in/email', { email, password });
    const entries = await app.owner
      .selectFrom('audit_log')
      .innerJoin('users', 'users.id', 'audit_log.user_id')
      .select(['action', 'details', 'ip_address', 'organization_id'])
      .where('users.email', '=', email)
      .where('action', '=', 'sign_in')
      .execute();
    assert.deepEqual(entries, [
      {
        action: 'sign_in',
        details: { method: 'password' },
        ip_address: client.network,
        organization_id: made.body.id,
      },
    ]);
    // Members of many organizations also need one statement only, which sees only the user's own rows.
    const organization_ids = [made.body.id];
    for (let count = 0; count < 20; count += 1) {
      const { id } = await buildOrganization(app.owner);
      await buildMember(app.owner, { organization_id: id, user_id: (await sessionsOf(email))[0]!.user_id });
      organization_ids.push(id);
    }
    const { id: strange } = await buildOrganization(app.owner);
    await client.post('sign-in/email', { email, password });
    const told = await app.owner
      .selectFrom('audit_log')
      .select(['organization_id'])
      .where('action', '=', 'sign_in')
      .where('organization_id', 'in', [...organization_ids, strange])
      .execute();
    assert.deepEqual(
      told.map(({ organization_id }) => organization_id).sort(),
      [...organization_ids, made.body.id].sort(),
    );
  });

  test('an account has thirty sign-ins an hour (AUTH-7)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    const responses = [];
    for (let times = 0; times < 30; times += 1)
      responses.push(await createAuthClient(app).post('sign-in/email', { email, password }));
    assertColumn(responses, 'status', [...Array<number>(29).fill(200), 429]);
    assert.ok(Number(responses.at(-1)?.headers['retry-after']) > 3_000);
    assert.deepEqual(cookiesOf(responses.at(-1)!), []);
  });
});
