import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Passkey, SecondFactor } from '@reachout/contract/me.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../../testing/assert-problem.ts';
import { createAuthClient, signUp, type AuthClient } from '../../../testing/auth-client.ts';
import { createPasskey } from '../../../testing/passkey.ts';
import { updateRows } from '../../../testing/rows.ts';
import { totpCode } from '../../../testing/totp.ts';

const at = '/api/me/second_factor';

suite('passkeys (AUTH-11)', () => {
  const app = useSharedApp();

  const startAdding = async (client: AuthClient) => {
    const { body } = await client.request<{ options: { challenge: string; user: { id: string } } }>(
      'POST',
      `${at}/passkeys/options`,
    );
    const { challenge, user } = body.options;
    return { challenge, userId: Buffer.from(user.id, 'base64url').toString() };
  };
  const add = (client: AuthClient, credential: object, name = 'Phone') =>
    client.request<{ passkey: Passkey; recovery_codes: string[] | null }>('POST', `${at}/passkeys`, {
      name,
      credential,
    });
  const getChallenge = async (client: AuthClient) => {
    const { body } = await client.post<{ challenge: string }>('sign-in/passkey/options', {});
    return body.challenge;
  };
  const enter = (client: AuthClient, assertion: object) => client.post('sign-in/passkey', assertion);
  const invented = Buffer.from('invented').toString('base64url');

  async function enroll() {
    const client = createAuthClient(app);
    const person = await signUp(app, client);
    const { challenge, userId } = await startAdding(client);
    const passkey = createPasskey(userId);
    const added = await add(client, passkey.create({ challenge }));
    assert.equal(added.status, 200, JSON.stringify(added.body));
    return { client, person, userId, passkey, added: added.body };
  }

  test('passkeys can be added, renamed, listed and removed', async () => {
    const client = createAuthClient(app);
    const person = await signUp(app, client);
    const other = createAuthClient(app);
    await other.post('sign-in/email', person);
    const stranger = createAuthClient(app);
    await signUp(app, stranger);
    const passkey = createPasskey((await startAdding(client)).userId);
    const challenge = async (of = client) => (await startAdding(of)).challenge;
    const wrong: [what: string, credential: object][] = [
      ['of another page', passkey.create({ challenge: await challenge(), origin: 'https://evil.example' })],
      ['for another host', passkey.create({ challenge: await challenge(), rpId: 'evil.example' })],
      ['without its user', passkey.create({ challenge: await challenge(), isUserVerified: false })],
      ['with an invented challenge', passkey.create({ challenge: invented })],
      ['with the challenge of somebody else', passkey.create({ challenge: await challenge(stranger) })],
    ];
    for (const [what, credential] of wrong) assertInvalid(await add(client, credential), 'credential', what);

    const credential = passkey.create({ challenge: await challenge() });
    const added = await add(client, credential, 'My phone');
    assert.equal(added.body.recovery_codes?.length, 10);
    assert.equal(await other.whoIs(), undefined, 'the other sessions end');
    assertInvalid(await add(client, credential), 'credential', 'a challenge works once');
    const second = createPasskey('').create({ challenge: await challenge() });
    assert.equal((await add(client, second, 'Second')).body.recovery_codes, null);

    const list = async () =>
      (await client.request<SecondFactor>('GET', at)).body.passkeys.map(({ name }) => name);
    assert.deepEqual(await list(), ['My phone', 'Second']);
    const path = `${at}/passkeys/${added.body.passkey.id}`;
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin: 'http://localhost:3000', cookie };
    await app.ok('PATCH', path, { body: { name: 'Old phone' }, headers });
    assert.deepEqual(await list(), ['Old phone', 'Second']);
    assertProblem(await stranger.request('DELETE', path), 404, 'not_found');
    assert.equal((await client.request('DELETE', path)).status, 200);
    assert.deepEqual(await list(), ['Second']);
  });

  test('a passkey signs in with a fresh verified challenge', async () => {
    const { person, passkey, userId } = await enroll();
    const client = createAuthClient(app);
    const challenge = () => getChallenge(client);
    const wrong: [what: string, assertion: object][] = [
      ['of another page', passkey.get({ challenge: await challenge(), origin: 'https://evil.example' })],
      ['for another host', passkey.get({ challenge: await challenge(), rpId: 'evil.example' })],
      ['without its user', passkey.get({ challenge: await challenge(), isUserVerified: false })],
      ['with an invented challenge', passkey.get({ challenge: invented })],
      ['of another key', createPasskey(userId).get({ challenge: await challenge() })],
      ['of nobody', { ...passkey.get({ challenge: await challenge() }), user_handle: 'bm9ib2R5' }],
      ['with a broken signature', { ...passkey.get({ challenge: await challenge() }), signature: 'AAAA' }],
    ];
    for (const [what, assertion] of wrong)
      assertProblem(await enter(client, assertion), 401, 'unknown_passkey', what);
    assert.equal(await client.whoIs(), undefined);

    const countSignIns = async () => {
      const counters = app.owner.selectFrom('rate_limits').where('key', 'like', 'passkey_sign_ins_%');
      const { sum } = await counters
        .select((of) => of.fn.sum<string>('points').as('sum'))
        .executeTakeFirstOrThrow();
      return Number(sum);
    };
    const countedBefore = await countSignIns();
    const assertion = passkey.get({ challenge: await challenge() });
    assert.deepEqual((await enter(client, assertion)).body, { status: 'signed_in' });
    assert.equal(await client.whoIs(), person.email);
    assert.equal(await countSignIns(), countedBefore + 1);
    assertProblem(await enter(createAuthClient(app), assertion), 401, 'unknown_passkey');
    await updateRows(app.owner, 'users', { id: userId }, { status: 'suspended' });
    const late = passkey.get({ challenge: await challenge() });
    assertProblem(await enter(createAuthClient(app), late), 401, 'unknown_passkey');
  });

  test('a passkey or recovery code follows the password', async () => {
    const { person, passkey, added } = await enroll();
    const client = createAuthClient(app);
    assert.deepEqual((await client.post('sign-in/email', person)).body, { status: 'second_factor_needed' });
    assert.deepEqual((await client.request('GET', '/api/auth/sign-in/second-factor')).body, {
      totp: false,
      passkey: true,
      recovery_code: true,
    });
    const assertion = passkey.get({ challenge: await getChallenge(client) });
    assert.deepEqual((await enter(client, assertion)).body, { status: 'signed_in' });
    const other = createAuthClient(app);
    await other.post('sign-in/email', person);
    const code = added.recovery_codes?.[0] ?? '';
    assert.deepEqual((await other.post('sign-in/second-factor', { code })).body, { status: 'signed_in' });
  });

  test('an unconfirmed authenticator app is no second factor (AUTH-9)', async () => {
    const { client, person, added } = await enroll();
    const { key } = (await client.request<{ key: string }>('POST', `${at}/totp`)).body;
    const other = createAuthClient(app);
    await other.post('sign-in/email', person);
    const early = await other.post('sign-in/second-factor', { code: totpCode(key) });
    assertProblem(early, 401, 'wrong_code');
    const confirm = (code: string) => client.request('POST', `${at}/totp/confirm`, { code });
    // A recovery code does not prove that the app is set up.
    assertInvalid(await confirm(added.recovery_codes?.[0] ?? ''), 'code');
    assert.deepEqual((await confirm(totpCode(key))).body, { recovery_codes: null });
    const signIn = await other.post('sign-in/second-factor', { code: totpCode(key, 1) });
    assert.deepEqual(signIn.body, { status: 'signed_in' });
  });
});
