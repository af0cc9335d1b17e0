import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { builtInRules, readOnlyRules } from '@reachout/contract/abilities.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember, buildOrganization, buildSend } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { useMade } from '../../testing/use-made.ts';
import { valuesOf, inOrganization, transactionAs } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { makeApiKey } from '../api-keys/find-api-key-caller.ts';
import { createOrganization } from './create-organization.ts';

type List = { items: Organization[]; count: number };

suite('organizations', () => {
  const app = useSharedApp();
  const person = useMade(() => app.signIn());

  test('the creator becomes the owner', async () => {
    const body = { name: 'Agentur' };
    assertProblem(await app.request('POST', '/api/organizations', { body }), 401, 'not_signed_in');
    assertInvalid(await person.request('POST', '/api/organizations', {}), 'name');
    assertInvalid(
      await person.request('POST', '/api/organizations', { ...body, status: 'active' }),
      'status',
    );

    const created = await person.ok<Organization>('POST', '/api/organizations', body);
    assert.equal(created.role, 'owner');
    assert.equal(created.status, 'active');
    const log = await person.ok<{ items: { action: string; record_name: string }[] }>(
      'GET',
      `/api/organizations/${created.id}/audit_log`,
    );
    assert.deepEqual(
      log.items.map(({ action, record_name }) => [action, record_name]),
      [['organizations.create', 'Agentur']],
    );
    assert.deepEqual(await person.ok<Organization>('GET', `/api/organizations/${created.id}`), {
      ...created,
      invitation_token: null,
    });
  });

  test('creation and its hook are one transaction', async () => {
    const actor = { userId: person.userId };
    const hooked: string[] = [];
    const id = await transactionAs(app.services.db, actor, (trx) =>
      createOrganization(
        trx,
        { name: 'Hooked', ownerId: person.userId },
        {
          onCreated: async (inside, organizationId) => {
            hooked.push(organizationId);
            // Row-level security allows this only in the context of the new organization.
            await insertRows(inside, 'content_collections', {
              organization_id: organizationId,
              collection: 'contacts',
            });
          },
        },
      ),
    );
    assert.deepEqual(hooked, [id]);
    const collections = await inOrganization(app.services.db, id, (trx) =>
      listRows(trx, 'content_collections', ['collection'], {}),
    );
    assert.deepEqual(collections, [{ collection: 'contacts' }]);

    const failing = transactionAs(app.services.db, actor, (trx) =>
      createOrganization(
        trx,
        { name: 'Half made', ownerId: person.userId },
        { onCreated: () => Promise.reject(new Error('no collections')) },
      ),
    );
    await assert.rejects(failing, /no collections/);
    const left = await listRows(app.owner, 'organizations', ['id'], { name: 'Half made' });
    assert.deepEqual(left, []);
  });

  test('only members see active organizations in their list', async () => {
    assertProblem(await app.request('GET', '/api/organizations'), 401, 'not_signed_in');
    const reader = await app.signIn();
    for (const [status, name] of [
      ['active', 'alpha'],
      ['suspended', 'Beta'],
      ['inactive', 'Gamma'],
    ] as const) {
      const { id } = await buildOrganization(app.owner, { status, name });
      await buildMember(app.owner, { organization_id: id, user_id: reader.userId, role: 'analyst' });
      if (status === 'inactive') {
        assertProblem(await reader.request('GET', `/api/organizations/${id}`), 404, 'not_found');
      }
    }
    const gone = await buildOrganization(app.owner, { deleted: true });
    await buildMember(app.owner, { organization_id: gone.id, user_id: reader.userId });
    await buildOrganization(app.owner);

    const body = await reader.ok<List>('GET', '/api/organizations');
    assert.deepEqual(
      body.items.map(({ name, role }) => ({ name, role })),
      [
        { name: 'alpha', role: 'analyst' },
        { name: 'Beta', role: 'analyst' },
      ],
    );
    assert.equal(body.count, 2);
  });

  test('renaming requires permission', async () => {
    const { id } = await buildOrganization(app.owner);
    const path = `/api/organizations/${id}`;
    const body = { name: 'Neu' };
    assertProblem(await app.request('PATCH', path, { body }), 401, 'not_signed_in');
    const editor = await app.signInMember(id, 'editor');
    assertProblem(await editor.request('PATCH', path, body), 403, 'forbidden');
    const admin = await app.signInMember(id, 'admin');
    assertInvalid(await admin.request('PATCH', path, { name: '' }), 'name');
    const renamed = await admin.request<Organization>('PATCH', path, body);
    assert.equal(renamed.body.name, 'Neu');
    assert.equal(renamed.body.role, 'admin');
    const longest = 'x'.repeat(120);
    const change = (changes: object) => admin.request<Organization>('PATCH', path, changes);
    assert.equal((await change({ name: longest })).body.name, longest);
    assertInvalid(await change({ name: `${longest}x` }), 'name');
  });

  test('a user creates ten organizations a day, twenty overall', async () => {
    const maker = await app.signIn();
    const create = (as: Person, body: object = { name: 'New' }) =>
      as.request('POST', '/api/organizations', body);
    for (let times = 0; times < 12; times += 1)
      assertProblem(await create(maker, { name: 'New', country_id: 'ZZ' }), 422, 'invalid_input');
    const responses = await Promise.all(Array.from({ length: 14 }, () => create(maker)));
    assert.equal(responses.filter(({ status }) => status === 200).length, 10);
    for (const response of responses)
      if (response.status !== 200) assertProblem(response, 409, 'too_many_organizations');
    const list = await maker.request<{ items: Organization[] }>('GET', '/api/organizations');
    assert.equal(list.body.items.length, 10);
    // Deleted organizations count, too.
    const path = `/api/organizations/${list.body.items[0]!.id}`;
    await maker.ok('DELETE', path);
    assertProblem(await create(maker), 409, 'too_many_organizations');

    const owner = await app.signIn();
    for (let count = 0; count < 19; count += 1) {
      const { id } = await buildOrganization(app.owner);
      await buildMember(app.owner, { organization_id: id, user_id: owner.userId, role: 'owner' });
    }
    // Organizations created by other users do not count.
    const { id: shared } = await buildOrganization(app.owner);
    await buildMember(app.owner, { organization_id: shared, user_id: owner.userId, role: 'admin' });
    assert.equal((await create(owner)).status, 200);
    assertProblem(await create(owner), 409, 'too_many_organizations');
  });

  test('size and country come from the lists', async () => {
    const { id } = await buildOrganization(app.owner);
    const admin = await app.signInMember(id, 'admin');
    const change = (body: object) => admin.request<Organization>('PATCH', `/api/organizations/${id}`, body);
    const create = (body: object) =>
      admin.request<Organization>('POST', '/api/organizations', { name: 'New', ...body });
    for (const [field, value] of [
      ['organization_size_id', '3'],
      ['organization_size_id', 'x'.repeat(21)],
      ['country_id', 'ZZ'],
      ['country_id', 'de'],
    ] as const) {
      assertInvalid(await change({ [field]: value }), field);
      assertInvalid(await create({ [field]: value }), field);
    }
    const choices = { organization_size_id: '11-50', country_id: 'AT' };
    for (const response of [await change(choices), await create(choices)]) {
      const { organization_size_id, country_id } = response.body;
      assert.deepEqual({ organization_size_id, country_id }, choices);
    }
    const cleared = await change({ organization_size_id: '', name: 'Same country' });
    assert.deepEqual(
      [cleared.body.organization_size_id, cleared.body.country_id, cleared.body.name],
      [null, 'AT', 'Same country'],
    );
  });

  test('organizations are read with the names of size and country', async () => {
    const { id } = await buildOrganization(app.owner, { organization_size_id: '11-50', country_id: 'AT' });
    const bare = await buildOrganization(app.owner);
    const reader = await app.signInMember(id, 'analyst');
    await buildMember(app.owner, { organization_id: bare.id, user_id: reader.userId, role: 'analyst' });
    const body = await reader.ok<{ items: Organization[] }>('GET', '/api/organizations');
    for (const [wanted, size, country] of [
      [id, await getRow(app.owner, 'organization_sizes', ['name'], { id: '11-50' }), { name: 'Austria' }],
      [bare.id, null, null],
    ] as const) {
      const one = await reader.request<Organization>('GET', `/api/organizations/${wanted}`);
      for (const read of [one.body, body.items.find((item) => item.id === wanted)!])
        assert.deepEqual([read.organization_sizes, read.countries, read.deleted], [size, country, false]);
    }
  });

  test('only who may read the invitation link reads its token', async () => {
    const { id } = await buildOrganization(app.owner);
    const owner = await app.signInMember(id, 'owner');
    const path = `/api/organizations/${id}`;
    const tokenFor = async (as: Person | undefined, headers: Record<string, string> = {}) =>
      (await app.ok<{ invitation_token: string | null }>('GET', path, { as, headers })).invitation_token;
    assert.equal(await tokenFor(owner), null, 'there is no link');
    const link = await owner.request<{ invitation_token: string }>('PUT', `${path}/invitation_link`, {
      client_ids: [(await buildClient(app.owner, { organization_id: id })).id],
    });
    const token = link.body.invitation_token;
    assert.equal(await tokenFor(owner), token);
    assert.equal(await tokenFor(await app.signInMember(id, 'admin')), token);
    for (const role of ['editor', 'analyst', 'guest'])
      assert.equal(await tokenFor(await app.signInMember(id, role)), null, role);
    const key = await owner.request<{ secret: string }>('POST', `${path}/api_keys`, {
      name: 'Key',
      scopes: ['clients:read'],
    });
    assert.equal(await tokenFor(undefined, { authorization: `Bearer ${key.body.secret}` }), null);
    for (const other of ['/api/organizations', `/api/start?organization_id=${id}`]) {
      const { body } = await owner.request('GET', other);
      assert.ok(!JSON.stringify(body).includes(token), other);
    }
    const invitations = async (as: Person) =>
      (
        await as.ok<{ items: { organization: unknown; organization_id: string }[] }>(
          'GET',
          `${path}/invitations`,
        )
      ).items.map(({ organization, organization_id }) => [organization_id, organization]);
    await app.request('POST', '/api/organizations/invitations/create', {
      body: { organization_id: id, emails: ['new@people.example'], role: 'editor' },
      as: owner,
    });
    const name = (await getRow(app.owner, 'organizations', ['name'], { id })).name;
    assert.deepEqual(await invitations(owner), [[id, { name, invitation_token: token }]]);
  });

  test('visits of websites are kept for 30 to 1,825 days', async () => {
    const { id } = await buildOrganization(app.owner);
    const admin = await app.signInMember(id, 'admin');
    const path = `/api/organizations/${id}`;
    const kept = async () => (await admin.ok<Organization>('GET', path)).website_events_days;
    assert.equal(await kept(), 400);
    const change = (website_events_days: unknown) => admin.request('PATCH', path, { website_events_days });
    for (const wrong of [29, 1_826, 99.5, '90', null])
      assertInvalid(await change(wrong), 'website_events_days');
    assert.equal((await change(90)).status, 200);
    assert.equal(await kept(), 90);
  });

  test('values of conversions are in the currency of the organization', async () => {
    const { id } = await buildOrganization(app.owner);
    const admin = await app.signInMember(id, 'admin');
    const path = `/api/organizations/${id}`;
    const used = async () => (await admin.ok<Organization>('GET', path)).currency;
    assert.equal(await used(), 'EUR');
    const change = (currency: unknown) => admin.request('PATCH', path, { currency });
    for (const wrong of ['', 'eur', 'Euro', 'XXQ', null, 978]) assertInvalid(await change(wrong), 'currency');
    assert.equal((await change('CHF')).status, 200);
    assert.equal(await used(), 'CHF');
    const [entry] = await listRows(app.owner, 'audit_log', ['details'], {
      organization_id: id,
      action: 'organizations.update',
    });
    assert.deepEqual(entry!.details, { fields: ['currency'], values: { currency: 'CHF' } });
  });

  test('only owners delete an organization without open sends', async () => {
    const send = await buildSend(app.owner, { status: 'paused' });
    const id = send.organization_id;
    const path = `/api/organizations/${id}`;
    assertProblem(await app.request('DELETE', path), 401, 'not_signed_in');
    const admin = await app.signInMember(id, 'admin');
    assertProblem(await admin.request('DELETE', path), 403, 'forbidden');
    const owner = await app.signInMember(id, 'owner');
    assertProblem(await owner.request('DELETE', path), 409, 'send_in_progress');
    await owner.ok('GET', path);

    await updateRows(app.owner, 'touchpoint_sends', { id: send.id }, { status: 'cancelled' });
    assert.deepEqual((await owner.request('DELETE', path)).body, { id });
    assertProblem(await owner.request('GET', path), 404, 'not_found');
    assert.equal((await owner.ok<List>('GET', '/api/organizations')).count, 0);
  });

  test('deletion ends API keys, invitations and links at once (GDP-1)', async () => {
    const { id: organization_id } = await buildOrganization(app.owner);
    const owner = await app.signInMember(organization_id, 'owner');
    const path = `/api/organizations/${organization_id}`;
    const { secret, ...key } = makeApiKey(app.services.secrets);
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const scopes = ['clients:read'];
    await insertRows(app.owner, 'api_keys', {
      ...key,
      id: newId(),
      organization_id,
      name: 'Key',
      user_id: owner.userId,
      scopes,
      expires_at,
    });
    const token_hash = newId();
    const email = 'invited@people.example';
    await insertRows(app.owner, 'organization_invitations', {
      id: newId(),
      organization_id,
      email,
      role: 'editor',
      language: 'en',
      token_hash,
      expires_at,
    });
    const link = {
      organization_id,
      token_hash: `link ${token_hash}`,
      token_sealed: 'x',
      max_uses: 5,
      expires_at,
    };
    await insertRows(app.owner, 'organization_invitation_links', link);
    const withKey = () =>
      app.request('GET', `/api/clients?organization_id=${organization_id}`, {
        headers: { authorization: `Bearer ${secret}` },
      });
    const found = () => valuesOf<string>(app.services.db)`
        select kind from invitation_by_hash(${[token_hash, link.token_hash]})
      `;
    assert.equal((await withKey()).status, 200);
    assert.deepEqual(await found(), ['email', 'link']);

    await owner.ok('DELETE', path);
    assertProblem(await withKey(), 404, 'not_found');
    assert.deepEqual(await found(), []);
  });

  test('deletion requires a recent sign-in (SES-3)', async () => {
    const { id } = await buildOrganization(app.owner);
    const owner = await app.signInMember(id, 'owner');
    await updateRows(
      app.owner,
      'sessions',
      { user_id: owner.userId },
      { created_at: new Date(Date.now() - 61 * 60_000).toISOString() },
    );
    const path = `/api/organizations/${id}`;
    assertProblem(await owner.request('DELETE', path), 401, 'sign_in_again');
    await owner.ok('GET', path);
  });

  test('members can read their own rules', async () => {
    const { id } = await buildOrganization(app.owner);
    const path = `/api/organizations/${id}/permissions`;
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    const owner = await app.signInMember(id);
    const stranger = await app.signInMember(id, 'some-role-of-tomorrow');
    assert.deepEqual((await owner.request('GET', path)).body, {
      role: 'owner',
      rules: builtInRules.owner,
      client_wanted_from: null,
    });
    assert.deepEqual((await stranger.request('GET', path)).body, {
      role: 'some-role-of-tomorrow',
      rules: readOnlyRules,
      client_wanted_from: null,
    });
  });

  test('suspended organizations are read-only', async () => {
    const { id } = await buildOrganization(app.owner, { status: 'suspended' });
    const owner = await app.signInMember(id);
    for (const part of ['', '/setup', '/trash', '/addresses', '/contacts', '/permissions'])
      assert.equal((await owner.request('GET', `/api/organizations/${id}${part}`)).status, 200, part);
    for (const [method, path, body] of [
      ['PATCH', `/api/organizations/${id}`, { name: 'No' }],
      ['DELETE', `/api/organizations/${id}`, undefined],
      ['POST', '/api/clients', { organization_id: id, name: 'No' }],
      ['POST', `/api/organizations/${id}/addresses`, { line1: 'No', city: 'No', country_id: 'DE' }],
      ['POST', `/api/organizations/${id}/contacts`, { contact_type_id: 'general', full_name: 'No' }],
    ] as const) {
      assertProblem(await owner.request(method, path, body), 403, 'organization_suspended');
    }
  });
});
