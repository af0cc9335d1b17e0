import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import type { Invitation, InvitationLink } from '@reachout/contract/invitations.ts';
import { nextAccountEmail } from './testing/account-mail.ts';
import { createTestApp, useTestApp, type Person, type TestApp } from './testing/app.ts';
import { assertProblem } from './testing/assert-problem.ts';
import { createAuthClient, goodPassword as password, newEmail } from './testing/auth-client.ts';
import { buildClient, buildOrganization } from './sample/records.ts';
import { testSecretKey } from './testing/test-secrets.ts';

const secretKey = 'the key that comes after the one of all test apps';

suite('changed SECRET_KEY (SEC-1)', () => {
  const settings = { trustedProxies: ['127.0.0.1'] };
  // Before the hook that closes the app beside them.
  after(async () => {
    await careless.close();
    await rotated.close();
  });
  const app = useTestApp(settings);
  /** Has the old key in PREVIOUS_SECRET_KEYS. */
  let rotated: TestApp;
  /** Has only the new key. */
  let careless: TestApp;
  let id: string;
  let owner: Person;

  before(async () => {
    rotated = await createTestApp(
      { ...settings, secretKey, previousSecretKeys: [testSecretKey] },
      { beside: app },
    );
    careless = await createTestApp({ ...settings, secretKey }, { beside: app });
    ({ id } = await buildOrganization(app.owner));
    owner = await app.signInMember(id, 'owner');
  });

  test('API keys stay valid', async () => {
    const body = await app.ok<ApiKey & { secret: string }>('POST', `/api/organizations/${id}/api_keys`, {
      body: { name: 'Reports', scopes: ['clients:read'] },
      as: owner,
    });
    const use = (where: TestApp) =>
      where.request('GET', `/api/clients?organization_id=${id}`, {
        headers: { authorization: `Bearer ${body.secret}` },
      });
    assert.equal((await use(rotated)).status, 200);
    assertProblem(await use(careless), 401, 'not_signed_in');
  });

  test('invitations stay valid', async () => {
    const invited = await rotated.signIn();
    await app.request('POST', '/api/organizations/invitations/create', {
      body: { organization_id: id, emails: [invited.email], role: 'editor' },
      as: owner,
    });
    const seer = await rotated.signIn(owner);
    const { body } = await rotated.request<{ items: Invitation[] }>(
      'GET',
      `/api/organizations/${id}/invitations?search=${invited.email}`,
      { as: seer },
    );
    const path = `/api/organizations/invitations/${body.items[0]?.url?.split('/').at(-1)}`;
    assertProblem(await careless.request('GET', path), 404, 'not_found');
    await rotated.ok('GET', path);
    const response = await rotated.request('PUT', path, { as: invited });
    assert.deepEqual([response.status, response.body], [200, { organization_id: id }]);
  });

  test('the invitation link of an organization stays valid', async () => {
    const body = await app.ok<InvitationLink>('PUT', `/api/organizations/${id}/invitation_link`, {
      body: { client_ids: [(await buildClient(app.owner, { organization_id: id })).id] },
      as: owner,
    });
    const join = async (where: TestApp) =>
      where.request('PUT', `/api/organizations/invitations/link/${body.invitation_token}`, {
        as: await where.signIn(),
      });
    assert.equal((await join(rotated)).status, 200);
    assertProblem(await join(careless), 404, 'not_found');
  });

  test('mailed links and codes stay valid', async () => {
    const email = newEmail();
    // The browser keeps its cookies, whichever process responds.
    const asking = createAuthClient(app);
    const answering = createAuthClient(rotated);
    const carry = () => {
      for (const [name, value] of asking.cookies) answering.cookies.set(name, value);
    };
    await asking.post('sign-up', { name: 'Ada', email, password });
    carry();
    const { token } = await nextAccountEmail(app, email);
    assertProblem(await createAuthClient(careless).post('sign-up/confirm', { token }), 410, 'link_expired');
    assert.equal((await answering.post('sign-up/confirm', { token })).status, 200);

    await asking.post('sign-in/code', { email });
    carry();
    const { code } = await nextAccountEmail(app, email);
    assert.equal((await answering.post('sign-in/code/verify', { code })).status, 200);

    await asking.post('reset-password', { email });
    const reset = await nextAccountEmail(app, email);
    const chosen = { token: reset.token, password: 'another good one' };
    assert.equal((await answering.post('reset-password/new', chosen)).status, 200);
  });
});
