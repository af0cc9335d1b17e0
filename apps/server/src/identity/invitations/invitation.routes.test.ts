import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Invitation } from '@reachout/contract/invitations.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember, buildOrganization, buildUser } from '../../sample/records.ts';
import { findMarker } from '../../testing/find-marker.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';

type List = { items: Invitation[]; count: number };
type Created = { items: Invitation[]; already_members: string[] };

suite('invitations', () => {
  const app = useSharedApp();
  const { organizationId: id, clientId, owner, editor } = useWorld(app);
  const path = `/api/organizations/${id}/invitations`;

  const create = (given: Record<string, unknown>, as: Person | undefined = owner, headers = {}) =>
    app.request<Created>('POST', '/api/organizations/invitations/create', {
      body: { organization_id: id, role: 'analyst', ...given },
      as,
      headers: { ...as?.headers, ...headers },
    });
  const mailsTo = (recipient: string) =>
    app.owner
      .selectFrom('account_email_outbox')
      .select(['kind', 'language', 'payload'])
      .where('recipient', '=', recipient)
      .orderBy('id')
      .execute();
  const tokenOf = ({ url }: { url: string | null }) => url?.split('/').at(-1) ?? '';

  test('several people get one mail each', async () => {
    const client = await buildClient(app.owner, { organization_id: id, name: 'Nordwind' });
    const foreign = await buildClient(app.owner);
    const member = await buildUser(app.owner, { email: 'here@already.example' });
    await buildMember(app.owner, { organization_id: id, user_id: member.id });
    const body = { organization_id: id, role: 'guest', emails: ['ada@new.example'] };
    assertProblem(
      await app.request('POST', '/api/organizations/invitations/create', { body }),
      401,
      'not_signed_in',
    );
    assertProblem(await create({ emails: ['ada@new.example'] }, editor), 403, 'forbidden');
    assertInvalid(await create({ emails: [] }), 'emails');
    assertInvalid(await create({ emails: ['not an address'] }), 'emails.0');
    assertInvalid(await create({ emails: Array(51).fill('a@b.example') }), 'emails');
    assertInvalid(await create({ emails: ['a@b.example'], role: 'no_such_role' }), 'role');
    assertInvalid(await create({ emails: ['a@b.example'], client_ids: [foreign.id] }), 'client_ids');
    assertInvalid(await create({ emails: ['a@b.example'], language: 'fr' }), 'language');
    // A guest without a client would see nothing.
    assertInvalid(await create({ emails: ['a@b.example'], role: 'guest' }), 'client_ids');

    const { status, body: created } = await create({
      emails: ['Ada@New.example', 'ada@new.example', 'HERE@already.example', 'bob@new.example'],
      role: 'guest',
      client_ids: [client.id],
      language: 'de',
    });
    assert.equal(status, 200, JSON.stringify(created));
    assert.deepEqual(created.already_members, ['here@already.example']);
    assert.deepEqual(created.items.map(({ email }) => email).sort(), ['ada@new.example', 'bob@new.example']);
    const ada = created.items.find(({ email }) => email === 'ada@new.example')!;
    assert.match(ada.url ?? '', /\/invitation\/[\w-]{32}$/);
    assert.deepEqual(
      [ada.status, ada.is_expired, ada.role, ada.clients, ada.invited_by?.id],
      ['pending', false, 'guest', [{ id: client.id, name: 'Nordwind' }], owner.userId],
    );
    const days = (Date.parse(ada.expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 6.99 && days <= 7, String(days));
    assert.deepEqual(await mailsTo('ada@new.example'), [
      { kind: 'invitation', language: 'de', payload: { organization_id: id, invitation_id: ada.id } },
    ]);
    assert.deepEqual(await mailsTo('here@already.example'), []);
    const count = await app.owner
      .selectFrom('users')
      .where('email', 'like', '%@new.example')
      .select('id')
      .execute();
    assert.deepEqual(count, [], 'inviting makes no account');
  });

  test('inviting a person again renews the invitation', async () => {
    const first = (await create({ emails: ['again@new.example'] })).body.items[0]!;
    const second = (await create({ emails: ['AGAIN@new.example'], role: 'editor' })).body.items[0]!;
    assert.equal(second.id, first.id);
    assert.equal(second.role, 'editor');
    assert.notEqual(second.url, first.url);
    assertProblem(
      await app.request('GET', `/api/organizations/invitations/${tokenOf(first)}`),
      404,
      'not_found',
    );
    assert.equal((await mailsTo('again@new.example')).length, 2);
    // An admin cannot revoke an invitation that they could not have sent.
    const admin = await app.signInMember(id, 'admin');
    await create({ emails: ['boss@new.example'], role: 'owner' });
    assertProblem(
      await create({ emails: ['boss@new.example'], role: 'guest', client_ids: [clientId] }, admin),
      403,
      'beyond_own_rights',
    );
  });

  test('concurrent invitations of one person become one', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => create({ emails: ['rush@new.example'] })),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(responses.map(({ body }) => body.items[0]?.id)).size, 1);
  });

  test('invitations are listed by age, with links for inviters (TOK-3)', async () => {
    const organization = await buildOrganization(app.owner);
    const inviter = await app.signInMember(organization.id, 'admin');
    const reader = await app.signInMember(organization.id, 'analyst');
    const guest = await app.signInMember(organization.id, 'guest');
    const at = `/api/organizations/${organization.id}/invitations`;
    for (const name of ['one', 'two', 'three_x'])
      await create({ organization_id: organization.id, emails: [`${name}@list.example`] }, inviter);
    assertProblem(await app.request('GET', at), 401, 'not_signed_in');
    assertProblem(await guest.request('GET', at), 403, 'forbidden');
    assertProblem(await owner.request('GET', at), 404, 'not_found');
    assertInvalid(await reader.request('GET', `${at}?status=open`), 'status');
    const list = async (query: string, as = inviter) => await as.ok<List>('GET', `${at}?${query}`);
    const emails = ({ items, count }: List) => [items.map(({ email }) => email.split('@')[0]), count];
    assert.deepEqual(emails(await list('')), [['three_x', 'two', 'one'], 3]);
    assert.deepEqual(emails(await list('page=1&page_size=2')), [['one'], 3]);
    assert.deepEqual(emails(await list('search=_x')), [['three_x'], 1]);
    assert.ok((await list('')).items.every(({ url }) => url !== null));
    assert.ok((await list('', reader)).items.every(({ url }) => url === null));

    const [three, two] = (await list('')).items;
    await inviter.request('DELETE', `${at}/${three!.id}`);
    await expire(two!.id);
    assert.deepEqual(emails(await list('status=pending')), [['two', 'one'], 2]);
    assert.deepEqual(emails(await list('status=cancelled')), [['three_x'], 1]);
    assert.deepEqual(
      (await list('')).items.map(({ status, is_expired, url }) => [status, is_expired, url !== null]),
      [
        ['cancelled', false, false],
        ['pending', true, false],
        ['pending', false, true],
      ],
    );
  });

  test('resending replaces the link', async () => {
    const first = (await create({ emails: ['lost@new.example'] })).body.items[0]!;
    await expire(first.id);
    const at = `${path}/${first.id}/resend`;
    assertProblem(await app.request('POST', at), 401, 'not_signed_in');
    assertProblem(await editor.request('POST', at), 403, 'forbidden');
    assertInvalid(await owner.request('POST', `${path}/x/resend`), 'invitation_id');
    assertProblem(
      await owner.request('POST', `${path}/01900000-0000-7000-8000-000000000000/resend`),
      404,
      'not_found',
    );
    const again = await owner.ok<Invitation>('POST', at);
    assert.equal(again.is_expired, false);
    assert.notEqual(tokenOf(again), tokenOf(first));
    const preview = (token: string) =>
      app.request<{ status: string }>('GET', `/api/organizations/invitations/${token}`);
    assertProblem(await preview(tokenOf(first)), 404, 'not_found');
    assert.equal((await preview(tokenOf(again))).body.status, 'pending');
    assert.equal((await mailsTo('lost@new.example')).length, 2);

    const admin = await app.signInMember(id, 'admin');
    const top = (await create({ emails: ['top@new.example'], role: 'owner' })).body.items[0]!;
    assertProblem(await admin.request('POST', `${path}/${top.id}/resend`), 403, 'beyond_own_rights');
    await owner.request('DELETE', `${path}/${first.id}`);
    assertProblem(await owner.request('POST', at), 409, 'not_pending');
  });

  test('invitations can be cancelled', async () => {
    const { id: invitationId, url } = (await create({ emails: ['no@new.example'] })).body.items[0]!;
    const at = `${path}/${invitationId}`;
    assertProblem(await app.request('DELETE', at), 401, 'not_signed_in');
    assertProblem(await editor.request('DELETE', at), 403, 'forbidden');
    assertInvalid(await owner.request('DELETE', `${path}/x`), 'invitation_id');
    const cancelled = await owner.request<Invitation>('DELETE', at);
    assert.deepEqual([cancelled.body.status, cancelled.body.url], ['cancelled', null]);
    assertProblem(await owner.request('DELETE', at), 409, 'not_pending');
    const told = await app.request<{ status: string }>(
      'GET',
      `/api/organizations/invitations/${tokenOf({ url })}`,
    );
    assert.equal(told.body.status, 'cancelled');
  });

  test('an organization sends fifty invitations a day (RATE-2)', async () => {
    const organization = await buildOrganization(app.owner);
    const inviter = await app.signInMember(organization.id, 'owner');
    const invite = (emails: string[]) => create({ organization_id: organization.id, emails }, inviter);
    const many = (count: number, word: string) =>
      Array.from({ length: count }, (_, index) => `${word}${index}@many.example`);
    assert.equal((await invite(many(48, 'a'))).status, 200);
    // Rejected requests do not count.
    const refused = await app.request<{ data?: { retry_after: number } }>(
      'POST',
      '/api/organizations/invitations/create',
      { body: { organization_id: organization.id, emails: many(3, 'b'), role: 'editor' }, as: inviter },
    );
    assertProblem(refused, 429, 'too_many_attempts');
    const wait = Number(refused.headers['retry-after']);
    assert.ok(wait > 86_000 && wait <= 86_400, String(wait));
    assert.equal(refused.body.data?.retry_after, wait);
    const atOnce = await Promise.all(many(6, 'c').map((email) => invite([email])));
    assert.deepEqual(
      atOnce.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 200, 429, 429, 429, 429],
    );
    const [some] = (await inviter.ok<List>('GET', `/api/organizations/${organization.id}/invitations`)).items;
    assertProblem(
      await inviter.request('POST', `/api/organizations/${organization.id}/invitations/${some?.id}/resend`),
      429,
      'too_many_attempts',
    );
    const stored = await app.owner
      .selectFrom('account_email_outbox')
      .select('id')
      .where('recipient', 'like', '%@many.example')
      .execute();
    assert.equal(stored.length, 50);
    assert.equal((await create({ emails: ['other@many.example'] })).status, 200, 'of another organization');

    await app.owner
      .updateTable('rate_limits')
      .set({ expire: Date.now() - 1 })
      .where('key', 'in', [`invitations ${organization.id}`, `invitations by ${inviter.userId}`])
      .execute();
    assert.equal((await invite(many(50, 'd'))).status, 200, 'the next day');
  });

  test('an address gets five invitations a day under any tag (RATE-2)', async () => {
    const inviteFrom = async (emails: string[]) => {
      const { id: organization_id } = await buildOrganization(app.owner);
      return await create({ organization_id, emails }, await app.signInMember(organization_id, 'owner'));
    };
    assert.equal((await inviteFrom(['eve@flooded.example', 'Eve+1@Flooded.example'])).status, 200);
    assert.equal((await inviteFrom(['eve+2@flooded.example'])).status, 200);
    const atOnce = await Promise.all(
      ['eve@flooded.example', 'eve+x@flooded.example', 'eve+@flooded.example'].map((email) =>
        inviteFrom([`other${newId()}@flooded.example`, email]),
      ),
    );
    const refused = atOnce.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 1);
    assertProblem(refused[0]!, 429, 'too_many_attempts');
    const wait = Number(refused[0]!.headers['retry-after']);
    assert.ok(wait > 86_000 && wait <= 86_400, String(wait));
    assert.equal((await inviteFrom(['mallory@flooded.example'])).status, 200);
    const keys = await listRows(app.owner, 'rate_limits', ['key'], {});
    assert.ok(keys.every(({ key }) => !/flooded|eve[@+]/i.test(key)));
  });

  test('a member sends fifty invitations a day in all organizations (RATE-2)', async () => {
    const organizations = [await buildOrganization(app.owner), await buildOrganization(app.owner)] as const;
    const inviter = await app.signInMember(organizations[0].id, 'owner');
    await buildMember(app.owner, { organization_id: organizations[1].id, user_id: inviter.userId });
    const invite = (organization_id: string, count: number) =>
      create(
        { organization_id, emails: Array.from({ length: count }, () => `${newId()}@person.example`) },
        inviter,
      );
    assert.equal((await invite(organizations[0].id, 49)).status, 200);
    assertProblem(await invite(organizations[1].id, 2), 429, 'too_many_attempts');
    assert.equal((await invite(organizations[1].id, 1)).status, 200);
    assertProblem(await invite(organizations[1].id, 1), 429, 'too_many_attempts');
  });

  test('an invitation is resent three times a day (RATE-2)', async () => {
    const { id: invitationId } = (await create({ emails: ['thrice@new.example'] }, owner)).body.items[0]!;
    const resend = () => owner.request('POST', `${path}/${invitationId}/resend`);
    for (let times = 1; times <= 3; times += 1) assert.equal((await resend()).status, 200, String(times));
    assertProblem(await resend(), 429, 'too_many_attempts');
  });

  test('invitations to more rights hide their link from the member (TOK-3, TEN-9)', async () => {
    const organization = await buildOrganization(app.owner);
    const at = `/api/organizations/${organization.id}/invitations`;
    const top = await app.signInMember(organization.id, 'owner');
    const admin = await app.signInMember(organization.id, 'admin');
    await insertRows(app.owner, 'organization_roles', {
      organization_id: organization.id,
      role: 'founder',
      name: 'Founder',
    });
    await insertRows(app.owner, 'role_permissions', {
      organization_id: organization.id,
      role: 'founder',
      position: 0,
      action: 'manage',
      subject: 'all',
    });
    const { id: client_id } = await buildClient(app.owner, { organization_id: organization.id });
    for (const role of ['owner', 'founder', 'admin', 'guest'])
      await create(
        {
          organization_id: organization.id,
          emails: [`${role}@roles.example`],
          role,
          client_ids: role === 'guest' ? [client_id] : [],
        },
        top,
      );
    const list = async (as: Person) => {
      const { items } = await as.ok<List>('GET', at);
      return Object.fromEntries(
        items.map(({ role, id: one, url }) => [role, { id: one, isShown: url !== null }]),
      );
    };
    const shown = await list(admin);
    assert.deepEqual(
      Object.entries(shown).map(([role, { isShown }]) => [role, isShown]),
      [
        ['guest', true],
        ['admin', true],
        ['founder', false],
        ['owner', false],
      ],
    );
    assert.ok(Object.values(await list(top)).every(({ isShown }) => isShown));
    for (const role of ['owner', 'founder']) {
      const one = `${at}/${shown[role]?.id}`;
      assertProblem(await admin.request('DELETE', one), 403, 'beyond_own_rights');
      assertProblem(await admin.request('POST', `${one}/resend`), 403, 'beyond_own_rights');
    }
    await admin.ok('DELETE', `${at}/${shown['admin']?.id}`);
    await top.ok('DELETE', `${at}/${shown['owner']?.id}`);
  });

  test('tokens are never stored in clear (TOK-1)', async () => {
    const headers = { 'idempotency-key': 'invite once' };
    const first = await create({ emails: ['marker@new.example'] }, owner, headers);
    const token = tokenOf(first.body.items[0]!);
    const again = await create({ emails: ['marker@new.example'] }, owner, headers);
    assert.deepEqual(again.body.items, [{ ...first.body.items[0], token: null, url: null }]);
    const resent = await app.request<Invitation>('POST', `${path}/${first.body.items[0]?.id}/resend`, {
      as: owner,
      headers: { 'idempotency-key': 'send once' },
    });
    const link = await app.request<{ invitation_token: string }>(
      'PUT',
      `/api/organizations/${id}/invitation_link`,
      { body: { client_ids: [clientId] }, as: owner, headers: { 'idempotency-key': 'link once' } },
    );
    const cancelled = await app.request<Invitation>('DELETE', `${path}/${first.body.items[0]?.id}`, {
      as: owner,
      headers: { 'idempotency-key': 'cancel once' },
    });
    assert.equal(cancelled.body.organization.invitation_token, link.body.invitation_token);
    const joining = await app.signIn();
    await app.ok('PUT', `/api/organizations/invitations/link/${link.body.invitation_token}`, {
      as: joining,
      headers: { 'idempotency-key': 'join once' },
    });
    assert.ok((await findMarker(app.owner, 'marker@new.example')).includes('organization_invitations.email'));
    for (const secret of [token, tokenOf(resent.body), link.body.invitation_token]) {
      assert.equal(secret.length, 32);
      assert.deepEqual(await findMarker(app.owner, secret), []);
    }
  });

  const expire = async (invitationId: string) => {
    await updateRows(
      app.owner,
      'organization_invitations',
      { id: invitationId },
      { expires_at: new Date(Date.now() - 1_000).toISOString() },
    );
  };
});
