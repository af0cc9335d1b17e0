import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { totpKey } from '../second-factor/verify-code.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { insertRows } from '../../../sample/rows.ts';
import { getRow, updateRows } from '../../../testing/rows.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import {
  cookiesOf,
  createAuthClient,
  goodPassword,
  newEmail,
  signUp,
  type AuthClient,
} from '../../../testing/auth-client.ts';
import { buildOrganization } from '../../../sample/records.ts';
import { buildTotp, totpCode } from '../../../testing/totp.ts';
import { testSecrets } from '../../../testing/test-secrets.ts';
import { linkHash } from '../../invitations/invitation.ts';
import { startOidcProvider, type TestProvider } from '../../../testing/oidc-provider.ts';
import { waitUntil } from '../../../testing/wait-until.ts';
import { assertColumn } from '../../../testing/assert-column.ts';

const callback = 'http://localhost:3000/api/auth/callback/oidc';
const settingsOf = ({ issuer, clientId, clientSecret }: TestProvider) => ({
  trustedProxies: ['127.0.0.1'],
  oauth: { oidc: { issuer, clientId, clientSecret, name: 'Agency login' } },
});

interface Offers {
  providers: { id: string; name: string }[];
}

suite('OpenID sign-in', () => {
  let provider: TestProvider;
  let app: TestApp;
  /** Begins before the other tests, because it takes ten seconds. */
  let fromSilent: ReturnType<typeof comeBackFromSilent>;

  before(async () => {
    provider = await startOidcProvider([callback]);
    app = await createTestApp(settingsOf(provider));
    await waitUntil('the provider is offered', async () => (await offers(app)).length === 1);
    fromSilent = comeBackFromSilent();
    // The test that waits for it fails then.
    fromSilent.catch(() => undefined);
  });
  after(async () => {
    await fromSilent.catch(() => undefined);
    await app.close();
    await provider.close();
  });

  const offers = async (of: TestApp) => (await of.ok<Offers>('GET', '/api/auth/options')).providers;
  const start = async (client: AuthClient, callbackURL = '/o/abc?tab=1') => {
    const answer = await client.post<{ url: string; redirect: boolean }>('sign-in/social', {
      provider: 'oidc',
      callbackURL,
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.url;
  };
  /** Follows the pages of the provider as a browser. @returns the URL that it redirects back to */
  const walk = async (address: string, email: string): Promise<URL> => {
    const jar = new Map<string, string>();
    let url = new URL(address);
    let body: URLSearchParams | undefined;
    for (let step = 0; step < 10; step += 1) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      await response.text();
      body = undefined;
      if (location === null) {
        assert.equal(response.status, 200, url.href);
        body = new URLSearchParams({ email });
        continue;
      }
      url = new URL(location, url);
      if (url.origin !== provider.issuer) return url;
    }
    throw new Error('The provider never came to an end.');
  };
  const comeBack = async (client: AuthClient, url: URL) =>
    await client.request('GET', `${url.pathname}${url.search}`);
  const signInAs = async (client: AuthClient, email: string) =>
    await comeBack(client, await walk(await start(client), email));
  const assertRefused = (answer: Awaited<ReturnType<typeof comeBack>>, error: string) => {
    assert.equal(answer.status, 302);
    assert.equal(answer.headers['location'], `http://localhost:3000/auth/callback?error=${error}`);
    assert.ok(!cookiesOf(answer).some((cookie) => /session=[^;]/.test(cookie)));
  };
  const newPerson = (given: { email?: string; email_verified?: boolean; sub?: string } = {}) => {
    const person = {
      sub: randomUUID(),
      email: newEmail(),
      email_verified: true,
      name: 'Ada Lovelace',
      ...given,
    };
    provider.add(person);
    return person;
  };
  const accountsOf = (email: string) =>
    app.owner
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.user_id')
      .selectAll('accounts')
      .select(['users.email_verified', 'users.avatar_url', 'users.full_name'])
      .where('users.email', '=', email)
      .execute();

  /** Comes back from a provider that answers nothing but the request for its discovery document. */
  async function comeBackFromSilent() {
    const silent = createServer((request, response) => {
      const { host = '' } = request.headers;
      const issuer = `http://${host}`;
      if (!request.url?.startsWith('/.well-known/')) return;
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      );
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const waiting = await createTestApp(settingsOf({ ...provider, issuer }), { beside: app });
    await waitUntil('the provider is offered', async () => (await offers(waiting)).length === 1);
    const client = createAuthClient(waiting);
    const back = new URL(callback);
    back.searchParams.set('state', new URL(await start(client)).searchParams.get('state') ?? '');
    back.searchParams.set('code', 'x');
    const started = performance.now();
    const response = await comeBack(client, back);
    const tookMs = performance.now() - started;
    silent.closeAllConnections();
    silent.close();
    await waiting.close();
    return { response, tookMs };
  }

  test('the provider is offered by its name', async () => {
    assert.deepEqual(await offers(app), [{ id: 'oidc', name: 'Agency login' }]);
    assertProblem(
      await createAuthClient(app).post('sign-in/social', { provider: 'google', callbackURL: '/' }),
      404,
      'not_found',
    );
  });

  test('sign-in uses PKCE, state and an exact callback (AUTH-5)', async () => {
    const client = createAuthClient(app);
    const url = new URL(await start(client));
    const parameter = (name: string) => url.searchParams.get(name) ?? '';
    assert.equal(url.origin, provider.issuer);
    assert.equal(parameter('response_type'), 'code');
    assert.equal(parameter('redirect_uri'), callback);
    assert.equal(parameter('code_challenge_method'), 'S256');
    assert.ok(parameter('code_challenge').length >= 43);
    assert.ok(parameter('state').length >= 32);
    assert.ok(parameter('nonce').length >= 32);
    assert.deepEqual(parameter('scope').split(' ').sort(), ['email', 'openid', 'profile']);
  });

  test('sign-up rules apply to new provider accounts (OPS-1)', async () => {
    const link = { token: randomUUID(), organization: await buildOrganization(app.owner) };
    await insertRows(app.owner, 'organization_invitation_links', {
      organization_id: link.organization.id,
      token_hash: testSecrets.hash(linkHash, link.token),
      token_sealed: '',
      max_uses: 1,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    });
    const open = newPerson();
    assert.equal((await signInAs(createAuthClient(app), open.email)).status, 302);
    const startWith = async (rule: 'closed' | 'invited') => {
      const other = await createTestApp({ ...settingsOf(provider), signUp: rule }, { beside: app });
      await waitUntil('the provider is offered', async () => (await offers(other)).length === 1);
      return other;
    };
    const [closed, invited] = [await startWith('closed'), await startWith('invited')];
    const cases = [
      { other: closed, back: `/join/${link.token}`, error: 'sign_up_closed' },
      { other: invited, back: '/o/abc', error: 'not_invited' },
      { other: invited, back: `/join/${link.token}x`, error: 'not_invited' },
      { other: invited, back: `/join/${link.token}`, error: undefined },
      // The new account has taken the only place.
      { other: invited, back: `/join/${link.token}`, error: 'not_invited' },
    ] as const;
    for (const { other, back, error } of cases) {
      const client = createAuthClient(other);
      const person = newPerson();
      const answer = await comeBack(client, await walk(await start(client, back), person.email));
      assert.equal(
        (await accountsOf(person.email)).length,
        error === undefined ? 1 : 0,
        `${other === closed ? 'closed' : 'invited'} ${back}`,
      );
      if (error !== undefined) assertRefused(answer, error);
      // An existing account can sign in under every rule.
      const known = createAuthClient(other);
      await comeBack(known, await walk(await start(known), open.email));
      assert.equal(await known.whoIs(), open.email);
    }
    await closed.close();
    await invited.close();
  });

  test('a verified address creates one account', async () => {
    const person = newPerson();
    const client = createAuthClient(app);
    const answer = await signInAs(client, person.email);
    assert.equal(answer.status, 302);
    assert.equal(
      new URL(String(answer.headers['location']), 'http://localhost:3000').href,
      'http://localhost:3000/o/abc?tab=1',
    );
    assert.equal(await client.whoIs(), person.email);
    const [account, ...others] = await accountsOf(person.email);
    assert.equal(others.length, 0);
    assert.equal(account?.provider_id, 'oidc');
    assert.equal(account?.account_id, person.sub);
    assert.equal(account?.email_verified, true);
    assert.equal(account?.full_name, 'Ada Lovelace');

    // The provider's id identifies the user, not the current address.
    provider.add({ ...person, email: newEmail() });
    const again = createAuthClient(app);
    await comeBack(again, await walk(await start(again), person.email).catch(() => new URL(callback)));
    const moved = newPerson({ sub: person.sub, email: newEmail() });
    await signInAs(again, moved.email);
    assert.equal(await again.whoIs(), person.email);
    assert.equal((await accountsOf(person.email)).length, 1);
  });

  test('tokens of the provider are never stored', async () => {
    const person = newPerson();
    for (let times = 0; times < 2; times += 1) {
      await signInAs(createAuthClient(app), person.email);
      const [account] = await accountsOf(person.email);
      assert.ok(account !== undefined);
      for (const column of ['access_token', 'refresh_token', 'id_token', 'password'] as const)
        assert.equal(account[column], null, column);
    }
  });

  test('an existing account with the verified address is linked (AUTH-5)', async () => {
    const { email, password } = await signUp(app, createAuthClient(app));
    newPerson({ email });
    const client = createAuthClient(app);
    await signInAs(client, email);
    assert.equal(await client.whoIs(), email);
    assert.deepEqual((await accountsOf(email)).map(({ provider_id }) => provider_id).sort(), [
      'credential',
      'oidc',
    ]);
    assert.equal((await createAuthClient(app).post('sign-in/email', { email, password })).status, 200);
  });

  test('unverified addresses are rejected alike (AUTH-5, AUTH-2)', async () => {
    const { email } = await signUp(app, createAuthClient(app));
    newPerson({ email, email_verified: false });
    const unknown = newPerson({ email_verified: false });
    for (const address of [email, unknown.email]) {
      const client = createAuthClient(app);
      assertRefused(await signInAs(client, address), 'email_not_verified');
      assert.equal(await client.whoIs(), undefined);
    }
    assertColumn(await accountsOf(email), 'provider_id', ['credential']);
    assert.deepEqual(await accountsOf(unknown.email), []);
  });

  test('an account cannot be claimed by its address (AUTH-5)', async () => {
    // Ada's account is linked; the provider then reports another address for her, and her old one for Eve.
    const ada = newPerson();
    await signInAs(createAuthClient(app), ada.email);
    provider.add({ ...ada, email: newEmail() });
    const eve = newPerson({ email: ada.email, email_verified: false });
    const client = createAuthClient(app);
    assertRefused(await signInAs(client, eve.email), 'email_not_verified');
    assertColumn(await accountsOf(ada.email), 'account_id', [ada.sub]);
  });

  test('a code works once with its browser and state (AUTH-5)', async () => {
    const person = newPerson();
    const client = createAuthClient(app);
    const back = await walk(await start(client), person.email);
    const state = client.cookies.get('reachout_state')!;

    // Another browser has the URL but not the cookie.
    assertRefused(await comeBack(createAuthClient(app), back), 'state_mismatch');
    // Without state, with a forged one, and with that of another attempt.
    const without = new URL(back);
    without.searchParams.delete('state');
    assertRefused(await comeBack(client, without), 'state_mismatch');
    const forged = new URL(back);
    forged.searchParams.set('state', 'x'.repeat(32));
    assertRefused(await comeBack(client, forged), 'state_mismatch');
    const other = createAuthClient(app);
    const otherState = new URL(await start(other)).searchParams.get('state') ?? '';
    const swapped = new URL(back);
    swapped.searchParams.set('state', otherState);
    assertRefused(await comeBack(client, swapped), 'state_mismatch');

    client.cookies.set('reachout_state', state);
    const first = await comeBack(client, back);
    assert.equal(await client.whoIs(), person.email, JSON.stringify(first.headers));

    // A replay with the original cookie.
    const replay = createAuthClient(app);
    replay.cookies.set('reachout_state', state);
    assertRefused(await comeBack(replay, back), 'state_mismatch');
    // The code in another user's attempt, which has a different PKCE verifier.
    const stolen = new URL(callback);
    const thief = createAuthClient(app);
    stolen.searchParams.set('state', new URL(await start(thief)).searchParams.get('state') ?? '');
    stolen.searchParams.set('code', back.searchParams.get('code') ?? '');
    assertRefused(await comeBack(thief, stolen), 'invalid_code');
  });

  test('a code does not work in another attempt (AUTH-5, PKCE)', async () => {
    const victim = newPerson();
    const back = await walk(await start(createAuthClient(app)), victim.email);
    const thief = createAuthClient(app);
    const stolen = new URL(callback);
    stolen.searchParams.set('state', new URL(await start(thief)).searchParams.get('state') ?? '');
    stolen.searchParams.set('code', back.searchParams.get('code') ?? '');
    assertRefused(await comeBack(thief, stolen), 'invalid_code');
    assert.equal(await thief.whoIs(), undefined);
  });

  test('the attempt’s cookie is Lax, the session’s is Strict (SES-2)', async () => {
    const person = newPerson();
    const client = createAuthClient(app);
    const asked = await client.post<{ url: string }>('sign-in/social', {
      provider: 'oidc',
      callbackURL: '/',
    });
    const [state = ''] = cookiesOf(asked);
    assert.match(state, /^reachout_state=[^;]{32,}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/);
    const answer = await comeBack(client, await walk(asked.body.url, person.email));
    const session = cookiesOf(answer).find((cookie) => cookie.startsWith('reachout_session='));
    assert.match(session ?? '', /; HttpOnly; SameSite=Strict$/);
  });

  test('provider sign-in still requires the second factor (AUTH-9)', async () => {
    const person = newPerson();
    const first = createAuthClient(app);
    await signInAs(first, person.email);
    const { id } = await getRow(app.owner, 'users', ['id'], { email: person.email });
    const key = totpKey(await buildTotp(app.owner, id));
    const client = createAuthClient(app);
    const answer = await signInAs(client, person.email);
    assert.equal(answer.headers['location'], 'http://localhost:3000/sign-in/second-factor');
    assert.equal(await client.whoIs(), undefined);
    const proven = await client.post('sign-in/second-factor', { code: totpCode(key) });
    assert.deepEqual(proven.body, { status: 'signed_in' });
    assert.equal(await client.whoIs(), person.email);
  });

  test('return addresses must be own pages (LNK-2)', async () => {
    const person = newPerson();
    for (const target of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '\\\\evil.example',
      'http:evil.example',
      'javascript:alert(1)',
      '/@evil.example/..//evil.example',
      'http://localhost:3000@evil.example/',
      '/\n/evil.example',
      ' //evil.example',
      '',
    ]) {
      const client = createAuthClient(app);
      const answer = await comeBack(client, await walk(await start(client, target), person.email));
      assert.equal(answer.status, 302, target);
      const location = new URL(String(answer.headers['location']), 'http://localhost:3000');
      assert.equal(location.origin, 'http://localhost:3000', JSON.stringify(target));
    }
  });

  test('provider errors are shown only as codes', async () => {
    const client = createAuthClient(app);
    const back = new URL(callback);
    back.searchParams.set('state', new URL(await start(client)).searchParams.get('state') ?? '');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'Call 0900-EVIL');
    assertRefused(await comeBack(client, back), 'access_denied');
    const odd = new URL(callback);
    odd.searchParams.set('state', new URL(await start(client)).searchParams.get('state') ?? '');
    odd.searchParams.set('error', '<b>Call 0900-EVIL</b>');
    assertRefused(await comeBack(client, odd), 'failed');
  });

  test('suspended users cannot sign in by a provider (SES-4)', async () => {
    const person = newPerson();
    await signInAs(createAuthClient(app), person.email);
    await updateRows(app.owner, 'users', { email: person.email }, { status: 'suspended' });
    assertRefused(await signInAs(createAuthClient(app), person.email), 'account_suspended');
  });

  test('a network can begin sixty attempts per quarter hour (AUTH-7)', async () => {
    const client = createAuthClient(app);
    for (let times = 0; times < 60; times += 1) await start(client);
    const body = { provider: 'oidc', callbackURL: '/' };
    assertProblem(await client.post('sign-in/social', body), 429, 'too_many_attempts');
    await start(createAuthClient(app));
  });

  test('too many sign-ins return with a reason (AUTH-7)', async () => {
    const { email } = newPerson();
    await signInAs(createAuthClient(app), email);
    const [account] = await accountsOf(email);
    for (let times = 0; times < 29; times += 1)
      await app.services.limits.count(['sign_ins_of_account', account!.user_id]);
    assertRefused(await signInAs(createAuthClient(app), email), 'too_many_attempts');
  });

  test('the audit log names the provider of a sign-in (AUD-1)', async () => {
    const person = newPerson();
    const client = createAuthClient(app);
    await signInAs(client, person.email);
    await client.request('POST', '/api/organizations', { name: 'Agency' });
    await signInAs(client, person.email);
    const [entry] = await app.owner
      .selectFrom('audit_log')
      .innerJoin('users', 'users.id', 'audit_log.user_id')
      .select('details')
      .where('users.email', '=', person.email)
      .where('action', '=', 'sign_in')
      .execute();
    assert.deepEqual(entry?.details, { method: 'oidc' });
  });

  test('users without a password can set one by link', async () => {
    const person = newPerson();
    await signInAs(createAuthClient(app), person.email);
    const answer = await createAuthClient(app).post('sign-in/email', {
      email: person.email,
      password: goodPassword,
    });
    assertProblem(answer, 401, 'invalid_email_or_password');
  });

  test('an unreachable provider is offered once it responds', async () => {
    const first = await startOidcProvider([callback]);
    await first.close();
    const port = Number(new URL(first.issuer).port);
    const late = await createTestApp(settingsOf(first), { beside: app });
    assert.deepEqual(await offers(late), []);
    const email = newEmail();
    await late.services.auth.createUser({ email, password: goodPassword, name: 'Ada' });
    const client = createAuthClient(late);
    assert.equal((await client.post('sign-in/email', { email, password: goodPassword })).status, 200);
    const second = await startOidcProvider([callback], { port });
    await waitUntil('the provider is offered', async () => (await offers(late)).length === 1);
    // Existing sessions stay valid.
    assert.equal(await client.whoIs(), email);
    await late.close();
    await second.close();
  });

  test('a provider that never answers is given up (TMO-1)', async () => {
    const { response, tookMs } = await fromSilent;
    assertRefused(response, 'provider_away');
    assert.ok(tookMs < 15_000);
  });

  test('discovery documents of another issuer are rejected', async () => {
    const { issuer, clientId, clientSecret } = provider;
    const named = issuer.replace('127.0.0.1', 'localhost');
    const wrong = await createTestApp(settingsOf({ ...provider, issuer: named, clientId, clientSecret }), {
      beside: app,
    });
    const right = await createTestApp(settingsOf(provider), { beside: app });
    await waitUntil('the right one is offered', async () => (await offers(right)).length === 1);
    assert.deepEqual(await offers(wrong), []);
    await wrong.close();
    await right.close();
  });
});
