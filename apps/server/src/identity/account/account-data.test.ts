import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import type { MyInvitation } from '@reachout/contract/me.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildClient, buildMember, buildOrganization, buildSend, buildUser } from '../../sample/records.ts';
import { buildTotp } from '../../testing/totp.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { assertColumn } from '../../testing/assert-column.ts';

type Export = Record<string, Record<string, unknown>[]> & { profile: Record<string, unknown> };

/** The part of the export with the rows of each column that refers to a user, or the reason for leaving them out. */
const exportedAs = {
  'accounts.user_id': 'sign_in_methods',
  'api_keys.user_id': 'api_keys',
  'audit_log.user_id': 'audit_entries',
  'contact_notes.created_by': 'left out: what it says is about others, and belongs to the organization',
  'content_files.user_created': 'left out: an id alone; the file belongs to the organization',
  'content_imports.user_created': 'imports',
  'content_items.user_created': 'left out: what it says is about others, and belongs to the organization',
  'content_presets.user_id': 'left out: how a list of the organization is shown',
  'content_shares.user_created': 'left out: an id alone; the share belongs to the organization',
  'idempotency_keys.user_id': 'left out: answers that are repeated to the person for a day',
  'one_time_tokens.user_id': 'mailed_codes_and_links',
  'organization_invitation_links.created_by': 'invitation_links',
  'organization_invitation_links.removed_user_ids': 'left out: an id alone, which keeps somebody out',
  'organization_invitation_links.signed_up_user_ids': 'left out: an id alone, which holds a place',
  'organization_invitations.invited_by': 'sent_invitations',
  'organization_user_clients.user_id': 'left out: names clients, which belong to the organization',
  'organization_users.user_id': 'memberships',
  'passkeys.user_id': 'second_factors',
  'recovery_codes.user_id': 'second_factors',
  'resubscriptions.created_by': 'left out: what it says is about others, and belongs to the organization',
  'sessions.user_id': 'sessions',
  'sign_up_form_versions.created_by':
    'left out: what it says is the text of a form, and belongs to the organization',
  'suppression_lifts.created_by': 'left out: what it says is about others, and belongs to the organization',
  'choices.created_by': 'left out: what it says is about others, and belongs to the organization',
  'totp_secrets.user_id': 'second_factors',
  'touchpoint_sends.user_created': 'sends',
  'user_addresses.user_id': 'addresses',
  'user_socials.user_id': 'socials',
};

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();

/** Creates a user with personal data in every place that stores it. */
async function createPersonalData(app: TestApp, word: string) {
  const { id: userId, email } = await buildUser(app.owner, {
    email: `${word}@people.example`,
    full_name: `${word} Surname`,
  });
  const person = await app.signIn({ userId, email });
  const operation = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const headers = { 'idempotency-key': newId() };
    return await app.ok<{ id: string }>(method, path, { body, as: person, headers });
  };
  await operation('PATCH', '/api/me', { company: `${word} Ltd`, website: `https://${word}.example` });
  await operation('PATCH', '/api/me/preferences', { preferences: { note: word } });
  const address = { line1: `${word} street`, city: 'Berlin', country_id: 'DE' };
  const { id: deletedAddress } = await operation('POST', '/api/me/addresses', {
    ...address,
    region: 'deleted',
  });
  await person.request('DELETE', `/api/me/addresses/${deletedAddress}`);
  await operation('POST', '/api/me/addresses', address);
  await operation('POST', '/api/me/socials', { network: 'x', url: `https://x.example/${word}` });

  const { id: organization_id } = await buildOrganization(app.owner);
  await buildMember(app.owner, { organization_id, user_id: userId, role: 'admin' });
  const colleague = await app.signInMember(organization_id, 'owner');
  await operation('POST', '/api/clients', { organization_id, name: 'Nordwind' });
  await buildSend(app.owner, { organization_id, user_created: userId });
  await insertAround(app, { organization_id, userId, email, word, colleagueId: colleague.userId });
  return { person, colleague, organization_id };
}

/** Inserts the data about a user that other operations and the sign-in store. */
async function insertAround(
  app: TestApp,
  ids: { organization_id: string; userId: string; email: string; word: string; colleagueId: string },
) {
  const { organization_id, userId, email, word, colleagueId } = ids;
  const { owner } = app;
  await buildTotp(owner, userId);
  const other = await buildOrganization(owner);
  const invitation = { email, role: 'editor', language: 'en' as const, expires_at: inAWeek() };
  const invitationId = newId();
  const acceptedId = newId();
  await insertRows(owner, 'organization_invitations', [
    {
      ...invitation,
      id: invitationId,
      organization_id: other.id,
      token_hash: newId(),
      invited_by: colleagueId,
    },
    // Accepted before the address changed.
    {
      ...invitation,
      id: acceptedId,
      organization_id,
      token_hash: newId(),
      status: 'accepted',
      email: `former-${email}`,
    },
  ]);
  await insertRows(owner, 'audit_log', [
    {
      organization_id,
      id: newId(),
      user_id: colleagueId,
      action: 'members.update',
      record_id: userId,
      record_name: `${word} Surname`,
      ip_address: '192.0.2.7',
    },
    {
      organization_id,
      id: newId(),
      user_id: userId,
      action: 'invitations.accept',
      record_id: acceptedId,
      record_name: `former-${email}`,
      ip_address: '198.51.100.7',
    },
    {
      organization_id: other.id,
      id: newId(),
      user_id: colleagueId,
      action: 'invitations.create',
      record_id: invitationId,
      record_name: email,
      details: JSON.stringify({ email }),
    },
  ]);
  await insertRows(owner, 'idempotency_keys', {
    user_id: colleagueId,
    route: 'members.update',
    key: newId(),
    request_hash: 'x',
    response: JSON.stringify({ id: userId, full_name: `${word} Surname`, email }),
  });
  await insertRows(owner, 'accounts', {
    id: newId(),
    user_id: userId,
    account_id: `${word}-id`,
    provider_id: 'google',
    id_token: `secret-${word}`,
  });
  await insertRows(owner, 'one_time_tokens', [
    {
      id: newId(),
      purpose: 'reset_password',
      email,
      user_id: userId,
      secret_hash: `secret-${newId()}`,
      expires_at: inAWeek(),
    },
    {
      id: newId(),
      purpose: 'sign_up',
      email,
      secret_hash: newId(),
      payload: JSON.stringify({ name: `${word} Surname` }),
      expires_at: inAWeek(),
    },
  ]);
  await insertRows(owner, 'account_email_outbox', {
    id: newId(),
    kind: 'invitation',
    recipient: email,
    language: 'en',
    expires_at: inAWeek(),
  });
  await insertRows(owner, 'account_mailbox_messages', {
    id: newId(),
    recipient: email,
    sender: 'no-reply@reachout.example',
    subject: `Hello ${word}`,
    raw: Buffer.from('Hello'),
    received_at: new Date().toISOString(),
  });
  // A colleague sent a test of an email to the person.
  const { id: send_id } = await buildSend(owner, { organization_id, kind: 'test', status: 'completed' });
  await insertRows(owner, 'deliveries', {
    organization_id,
    send_id,
    seq: 1,
    contact_id: email,
    address: email,
    variables: '{}',
  });
  await insertRows(owner, 'mailbox_messages', {
    organization_id,
    id: newId(),
    send_id,
    seq: 1,
    recipient: email,
    sender: 'news@nordwind.example',
    subject: `[Test] Hello ${word}`,
    raw: Buffer.from(`To: ${email}`),
    received_at: new Date().toISOString(),
  });
  await insertRows(owner, 'verifications', {
    id: newId(),
    identifier: 'x',
    value: JSON.stringify({ email, name: word }),
    expires_at: inAWeek(),
  });
}

/** @returns every column of text, JSON or bytes that contains this text, ignoring case */
async function findText(app: TestApp, text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    where a.attnum > 0 and not a.attisdropped and a.atttypid::regtype::text in ('text', 'text[]', 'jsonb', 'bytea')
  `.execute(app.owner);
  assert.ok(columns.length > 100);
  const found = await Promise.all(
    columns.map(async ({ table, column, type }) => {
      const value =
        type === 'bytea' ? sql`encode(${sql.ref(column)}, 'escape')` : sql`${sql.ref(column)}::text`;
      const { rows } = await sql`
        select from ${sql.table(table)} where strpos(lower(${value}), lower(${text})) > 0 limit 1
      `.execute(app.owner);
      return rows.length > 0 ? [`${table}.${column}`] : [];
    }),
  );
  return found.flat().sort();
}

suite('personal data (GDP-1)', () => {
  const app = useSharedApp();

  const makeSessionOld = (person: Person) =>
    updateRows(
      app.owner,
      'sessions',
      { user_id: person.userId },
      { created_at: new Date(Date.now() - 61 * 60_000).toISOString() },
    );

  test('the export has all data of the person without secrets', async () => {
    const { person, colleague, organization_id } = await createPersonalData(app, 'markerada');
    await createPersonalData(app, 'markerbob');
    assertProblem(await app.request('GET', '/api/me/export'), 401, 'not_signed_in');
    const body = await person.ok<Export>('GET', '/api/me/export');

    const text = JSON.stringify(body);
    for (const foreign of ['markerbob', colleague.userId, colleague.email, 'secret-', '192.0.2.7'])
      assert.ok(!text.includes(foreign), foreign);
    assert.equal(body.profile['full_name'], 'markerada Surname');
    assert.equal(body.profile['website'], 'https://markerada.example');
    const counts = Object.entries(body)
      .filter(([, value]) => Array.isArray(value))
      .map(([key, value]) => [key, value.length]);
    assert.deepEqual(Object.fromEntries(counts), {
      addresses: 2,
      socials: 1,
      sessions: 1,
      sign_in_methods: 1,
      second_factors: 1,
      mailed_codes_and_links: 2,
      mails: 1,
      memberships: 1,
      invitations: 2,
      sent_invitations: 0,
      invitation_links: 0,
      api_keys: 0,
      audit_entries: 2,
      sends: 1,
      imports: 0,
    });
    assert.deepEqual(body['preferences'], { note: 'markerada' });
    assert.equal(body['memberships']?.[0]?.['organization_id'], organization_id);
    assert.ok(body['audit_entries']?.some(({ action }) => action === 'clients.create'));

    await makeSessionOld(person);
    assertProblem(await person.request('GET', '/api/me/export'), 401, 'sign_in_again');
  });

  test('the test covers every column that names a person', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname || '.' || a.attname as name
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      where not a.attisdropped and (
        a.attname ~ '(^|_)(user|users|by|user_id|user_ids|created)$' and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)
        or exists (
          select from pg_constraint f
          where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'users'::regclass and a.attnum = any (f.conkey)
        )
      )
      order by 1
    `.execute(app.owner);
    assertColumn(rows, 'name', Object.keys(exportedAs).sort());
  });

  test('erasure removes only stored responses that name the person (GDP-1)', async () => {
    const { id: userId } = await buildUser(app.owner, { email: 'e@x.example' });
    const person = await app.signIn({ userId, email: 'e@x.example' });
    const colleague = await buildUser(app.owner);
    const responses = {
      'of a longer address': { items: [{ email: 'joe@x.example' }, { email: 'e@x.example.org' }] },
      'of a longer text': { name: 'Write to e@x.example' },
      'of nobody': null,
      'a field called so': { 'e@x.example': 1 },
      'the address': { items: [{ deep: ['E@X.example'] }] },
      'the address alone': 'e@x.example',
      'the id': { id: userId },
      'the picture': { avatar_url: `/api/storage/avatars/${userId}/${newId()}.webp` },
    };
    await insertRows(
      app.owner,
      'idempotency_keys',
      Object.entries(responses).map(([key, response]) => ({
        user_id: colleague.id,
        route: 'members.update',
        key,
        request_hash: 'x',
        response: JSON.stringify(response),
      })),
    );
    await person.ok('DELETE', '/api/me');
    const kept = await listRows(app.owner, 'idempotency_keys', ['key'], { user_id: colleague.id });
    assert.deepEqual(
      kept.map(({ key }) => key).toSorted(),
      ['a field called so', 'of a longer address', 'of a longer text', 'of nobody'].toSorted(),
    );
  });

  test('erasure covers every table and ends all sessions', async () => {
    const { person, colleague, organization_id } = await createPersonalData(app, 'markereve');
    const neighbour = await createPersonalData(app, 'markermallory');
    const placesOfNeighbour = await findText(app, 'markermallory');
    assert.ok((await findText(app, 'markereve')).length >= 18);
    assertProblem(await app.request('DELETE', '/api/me'), 401, 'not_signed_in');
    const avatar = `avatars/${person.userId}/${newId()}.webp`;
    const avatarOfNeighbour = `avatars/${neighbour.person.userId}/${newId()}.webp`;
    for (const path of [avatar, avatarOfNeighbour])
      await app.services.files.write(path, Buffer.from('picture'));

    assert.deepEqual(
      (
        await app.request('DELETE', '/api/me', {
          as: person,
          headers: { 'idempotency-key': 'goodbye', 'user-agent': 'markereve browser' },
        })
      ).body,
      { id: person.userId },
    );
    assertProblem(await person.request('GET', '/api/me'), 401, 'not_signed_in');
    assert.deepEqual(await findText(app, 'markereve'), []);
    assert.deepEqual(await findText(app, person.email), []);
    assert.equal(await app.services.files.read(avatar), undefined);
    assert.ok(await app.services.files.read(avatarOfNeighbour));

    // The audit log entries remain, with an id that no longer identifies a user.
    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'ip_address', 'user_agent', 'record_name'])
      .where('organization_id', '=', organization_id)
      .where('action', '<>', 'sign_in')
      .orderBy('action')
      .execute();
    const nowhere = { ip_address: null, user_agent: null };
    assert.deepEqual(entries, [
      { action: 'clients.create', user_id: person.userId, ...nowhere, record_name: 'Nordwind' },
      { action: 'invitations.accept', user_id: person.userId, ...nowhere, record_name: null },
      { action: 'me.delete', user_id: person.userId, ...nowhere, record_name: null },
      {
        action: 'members.update',
        user_id: colleague.userId,
        ip_address: '192.0.2.7',
        user_agent: null,
        record_name: null,
      },
    ]);
    assert.deepEqual(await findText(app, 'markermallory'), placesOfNeighbour);
    await neighbour.person.ok('GET', '/api/me');
  });

  test('erasure covers stored responses of other users', async () => {
    const word = 'markerzoe';
    const { id: userId, email } = await buildUser(app.owner, {
      email: `${word}@people.example`,
      full_name: `${word} Surname`,
    });
    const person = await app.signIn({ userId, email });
    const { id: organization_id } = await buildOrganization(app.owner);
    const colleague = await app.signInMember(organization_id, 'owner');
    const client = await buildClient(app.owner, { organization_id });
    const operation = async (method: 'POST' | 'PUT' | 'PATCH', path: string, as: Person, body?: object) => {
      const headers = { 'idempotency-key': newId() };
      await app.ok<unknown>(method, `/api/${path}`, { body, as, headers });
    };
    const invite = (emails: string[]) =>
      operation('POST', 'organizations/invitations/create', colleague, {
        organization_id,
        emails,
        role: 'editor',
      });
    await invite([email]);
    const invitations = await person.request<{ items: MyInvitation[] }>('GET', '/api/me/invitations');
    await operation('PUT', `organizations/invitations/${invitations.body.items[0]?.token}`, person);
    await operation('PUT', `organizations/${organization_id}/members/${userId}`, colleague, {
      role: 'admin',
    });
    await invite([email, 'somebody@people.example']);
    await operation('POST', 'organizations/invitations/create', person, {
      organization_id,
      emails: ['other@people.example'],
      role: 'guest',
      client_ids: [client.id],
    });
    await operation('PUT', `organizations/${organization_id}/invitation_link`, person, {
      client_ids: [client.id],
    });
    await operation('POST', 'me/email', person, { email: `new-${email}` });
    const places = await findText(app, word);
    for (const place of ['audit_log.record_name', 'idempotency_keys.response', 'one_time_tokens.email'])
      assert.ok(places.includes(place), place);

    await person.ok('DELETE', '/api/me');
    assert.deepEqual(await findText(app, word), []);
    // Leftover tokens of the user grant no access (TOK-2).
    const left = await app.owner
      .selectFrom('organization_invitations')
      .select(['email', 'status'])
      .where('organization_id', '=', organization_id)
      .orderBy('email')
      .execute();
    assert.deepEqual(left, [
      { email: 'other@people.example', status: 'cancelled' },
      { email: 'somebody@people.example', status: 'pending' },
    ]);
    const links = await listRows(app.owner, 'organization_invitation_links', ['created_by'], {
      organization_id,
    });
    assert.deepEqual(links, []);
  });

  test('erasure keeps mailbox messages of other addresses (GDP-1)', async () => {
    const person = await app.signIn();
    const [victim, former] = [`victim-${newId()}@people.example`, `former-${newId()}@people.example`];
    const email = `now-${newId()}@people.example`;
    // The user had another address, which was notified of the change.
    await updateRows(app.owner, 'users', { id: person.userId }, { email });
    const mail = { kind: 'email_changed', recipient: former, language: 'en' as const, expires_at: inAWeek() };
    await insertRows(app.owner, 'account_email_outbox', {
      id: newId(),
      ...mail,
      payload: JSON.stringify({ user_id: person.userId }),
    });
    for (const recipient of [victim, former, email])
      await insertRows(app.owner, 'account_mailbox_messages', {
        id: newId(),
        recipient,
        sender: 'reachout@localhost.example',
        subject: 'Your code',
        raw: Buffer.from(''),
        received_at: new Date().toISOString(),
      });
    await person.ok('POST', '/api/me/email', { email: victim });
    await person.ok('DELETE', '/api/me');
    const left = await app.owner
      .selectFrom('account_mailbox_messages')
      .select('recipient')
      .where('recipient', 'in', [victim, former, email])
      .execute();
    assert.deepEqual(left, [{ recipient: victim }]);
    const mails = await app.owner
      .selectFrom('account_email_outbox')
      .select('id')
      .where('recipient', 'in', [victim, former, email])
      .execute();
    assert.deepEqual(mails, []);
  });

  test('erasure requires a sign-in of the last hour', async () => {
    const person = await app.signIn();
    await makeSessionOld(person);
    assertProblem(await person.request('DELETE', '/api/me'), 401, 'sign_in_again');
    await person.ok('GET', '/api/me');
  });

  test('the only owner of an organization cannot be erased', async () => {
    const person = await app.signIn();
    const organizationOf = async (given: object, others: string[]) => {
      const organization = await buildOrganization(app.owner, given);
      const { id: organization_id } = organization;
      await buildMember(app.owner, { organization_id, user_id: person.userId, role: 'owner' });
      for (const role of others) await buildMember(app.owner, { organization_id, role });
      return organization;
    };
    const alone = await organizationOf({}, []);
    const withOthers = await organizationOf({}, ['admin', 'editor']);
    const inactive = await organizationOf({ status: 'inactive' }, []);
    await organizationOf({ deleted: true }, []);
    await organizationOf({}, ['owner']);
    await buildMember(app.owner, { user_id: person.userId, role: 'editor' });

    const refused = await person.request<{ data: { organizations: Organization[] } }>('DELETE', '/api/me');
    assertProblem(refused, 409, 'last_owner');
    assert.deepEqual(
      refused.body.data.organizations.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      [alone, withOthers, inactive]
        .map(({ id, name }) => ({ id, name }))
        .sort((one, other) => (one.id < other.id ? -1 : 1)),
    );
    await person.ok('GET', '/api/me');

    await buildMember(app.owner, { organization_id: withOthers.id, role: 'owner' });
    await buildMember(app.owner, { organization_id: inactive.id, role: 'owner' });
    assertProblem(await person.request('DELETE', '/api/me'), 409, 'last_owner');
    const path = `/api/organizations/${alone.id}`;
    await person.ok('DELETE', path);
    await person.ok('DELETE', '/api/me');
  });

  test('two owners cannot leave at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await buildOrganization(app.owner);
      const owners = [await app.signInMember(id, 'owner'), await app.signInMember(id, 'owner')];
      const responses = await Promise.all(owners.map((as) => as.request('DELETE', '/api/me')));
      assert.deepEqual(
        responses.map(({ status }) => status).toSorted((one, other) => one - other),
        [200, 409],
      );
    }
  });
});
