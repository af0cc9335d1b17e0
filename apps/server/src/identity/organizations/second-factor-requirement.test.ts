import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import sharp from 'sharp';
import type { Organization } from '@reachout/contract/organizations.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildTotp } from '../../testing/totp.ts';
import { deleteRows } from '../../testing/rows.ts';
import { buildTenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

suite('second-factor requirement of organizations (AUTH-10)', () => {
  const app = useSharedApp();
  const tenant = useMade(() => buildTenant(app.owner));
  const owner = useMade(() => app.signInMember(tenant.organizationId));
  const editor = useMade(() => app.signInMember(tenant.organizationId, 'editor'));

  const require = (is_required: boolean, as = owner) =>
    as.request<Organization>('PUT', `/api/organizations/${tenant.organizationId}/second_factor`, {
      is_required,
    });
  const mine = async (as: Person) =>
    (await as.ok<{ items: Organization[] }>('GET', '/api/organizations')).items[0];

  test('requiring a second factor requires having one', async () => {
    assertProblem(await require(true, editor), 403, 'forbidden');
    assertProblem(await require(true), 403, 'second_factor_required');
    assert.equal((await mine(owner))?.requires_second_factor, false);
    await buildTotp(app.owner, owner.userId, { isConfirmed: false });
    assertProblem(await require(true), 403, 'second_factor_required');
    await buildTotp(app.owner, owner.userId);
    const { status, body } = await require(true);
    assert.deepEqual([status, body.requires_second_factor, body.lacks_second_factor], [200, true, false]);
  });

  test('members without a second factor see only the name', async () => {
    const { organizationId, clientId } = tenant;
    const requests: ['GET' | 'PATCH' | 'POST', string, object?][] = [
      ['GET', `/api/organizations/${organizationId}`],
      ['GET', `/api/organizations/${organizationId}/permissions`],
      ['GET', `/api/clients/${clientId}`],
      ['PATCH', `/api/clients/${clientId}`, { name: 'Renamed' }],
      // Not an operation of the contract.
      ['POST', `/api/storage/logos/organizations/${organizationId}`],
    ];
    const ask = ([method, path, body]: (typeof requests)[number], as: Person) =>
      app.request(method, path, { as, ...(body && { body }) });
    for (const request of requests)
      assertProblem(await ask(request, editor), 403, 'second_factor_required', request[1]);
    // It is not disclosed to strangers.
    const stranger = await app.signIn();
    assertProblem(await ask(requests[2]!, stranger), 404, 'not_found');
    const organization = await mine(editor);
    assert.deepEqual([organization?.requires_second_factor, organization?.lacks_second_factor], [true, true]);
    await editor.ok('GET', '/api/me');
    for (const request of requests.slice(0, 4))
      assert.equal((await ask(request, owner)).status, 200, request[1]);
    // Avatars are stored in the folders of users.
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const uploaded = await app.app.inject({
      method: 'POST',
      url: '/api/storage/avatars/me',
      headers: { ...owner.headers, 'content-type': 'image/png' },
      payload: picture,
    });
    const { url } = uploaded.json<{ url: string }>();
    assertProblem(await editor.request('GET', url), 404, 'not_found');

    await buildTotp(app.owner, editor.userId);
    assert.equal((await ask(requests[3]!, editor)).status, 200);
    const seen = await app.app.inject({ method: 'GET', url, headers: editor.headers });
    assert.equal(seen.statusCode, 200);
    await deleteRows(app.owner, 'totp_secrets', { user_id: editor.userId });
    assertProblem(await ask(requests[3]!, editor), 403, 'second_factor_required');
  });

  test('API keys work without a second factor', async () => {
    const key = await makeKeyOf(app, tenant.organizationId, editor.userId);
    await key.ok('GET', `/api/clients/${tenant.clientId}`);
  });

  test('the requirement can be removed', async () => {
    assert.equal((await require(false)).body.requires_second_factor, false);
    await editor.ok('GET', `/api/clients/${tenant.clientId}`);
  });
});
