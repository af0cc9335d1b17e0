import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { buildMember, buildOrganization, buildSend, buildUser } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, getRow, listRows } from '../../testing/rows.ts';
import { testSecrets } from '../../testing/test-secrets.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { buildVisit, foldVisits, storeVisits } from '../../sample/events.ts';
import { findMembership } from '../../identity/memberships/membership.queries.ts';
import { connect, inOrganization, transactionAs, type Database } from './database.ts';
import { applySchema, withClient } from './migrate.ts';

/** All functions that bypass row-level security, and what each checks itself. Think twice before adding one. */
const definerFunctions = {
  'add_website_drops(json)':
    'adds to counts alone, for websites that are of the organization named with them',
  'add_website_use(json)': 'adds to counts alone, for websites that are of the organization named with them',
  'api_key_by_hash(text[])':
    'the caller who can name the keyed hash holds the key; the owner of the key is active',
  'append_message_events(json)':
    'called by the server alone, with events of tokens that it verified; the send is of the organization',
  'append_visitor_events(json)':
    'adds events alone, for websites that are of the organization named with them',
  'avatar_of(uuid)': 'the avatar of a member of an organization that the acting user is a member of',
  'brand_logos(uuid)': 'addresses of files alone, for the picture that emails show to everybody',
  'collections_to_erase(integer)': 'names alone, for the worker, which then enters each organization',
  'count_audiences_of(text)': 'one number about the organization of the transaction',
  'count_content(text)': 'one number about the organization of the transaction',
  'count_open_jobs(text,boolean,integer)':
    'one number about the organization of the transaction, or about the installation',
  'count_other_users(text,text,uuid,uuid)': 'one number about the organization of the transaction',
  'count_sending_domains()': 'one number about the organization of the transaction',
  'count_unfolded_events(integer)': 'one number about the installation',
  'create_partitions(text)': 'makes empty months of a table that has such, whose policies hold for them',
  'delete_expired(text,integer)': 'tells how many; its policies reach what has expired',
  'drop_empty_partitions()': 'drops what holds no row; takes no argument',
  'due_dates(uuid[])': 'ids and names of fields alone, for the worker, which then enters each organization',
  'due_jobs(text[],integer[],integer[],uuid[])':
    'ids alone, for the runner of jobs, which logs in as reachout_auth',
  'due_reactions(integer)': 'ids and actions alone, for the worker, which then enters each organization',
  'due_sending_domains(integer)': 'ids alone, for the worker, which then enters each organization',
  'due_sends(integer,integer,uuid[],boolean,uuid)':
    'ids and statuses alone, for the worker, which then enters each organization',
  'due_transports(integer)': 'ids and a time, for the worker, which then enters each organization',
  'erase_my_personal_data()': 'what names the acting user; takes no argument',
  'erase_organization(uuid)': 'its policy reaches what was deleted 30 days ago; yes or no',
  'erase_resubscriptions(text)': 'its policy reaches the organization of the transaction; tells nothing',
  'fold_message_events(integer,uuid)':
    'adds what was appended to counts of the same organization; tells how many events it took',
  'fold_visitor_events(integer,uuid)':
    'moves what was appended, within its organization; tells how many events',
  'has_other_clients(uuid)': 'yes or no about the organization of the transaction',
  'hold_link_place(text[],uuid)': 'the caller who can name the keyed hash holds the link; yes or no',
  'invitation_by_hash(text[])': 'the caller who can name the keyed hash holds the token; ids alone',
  'is_bounce_host(text)': 'yes or no about a host that mail servers name',
  'is_domain_taken(text)': 'yes or no about a name, and not whose it is',
  'is_invited(text,text[])':
    'yes or no about an address that has no account, for the sign-up that asks for it',
  'my_api_keys()': 'those that the acting user made; no secrets',
  'my_invitations()': 'those to the acting user’s own address, which was proven',
  'my_organizations()': 'those that the acting user is a member of',
  'my_personal_data()': 'what is kept about the acting user; takes no argument',
  'old_visits(integer)': 'ids and a time alone, for the worker, which then enters each organization',
  'operated_organizations(text,text,integer,integer)':
    'names and statuses, for the page of operators, which logs in as reachout_auth',
  'organization_names(uuid[])': 'names alone, for the page of operators, which logs in as reachout_auth',
  'organization_of(text,uuid)': 'called by resolve_membership alone: the server may not',
  'organizations_of_user(uuid)': 'ids alone, for the page of operators, which logs in as reachout_auth',
  'organizations_to_erase(integer)': 'ids alone, for the worker, which then enters each organization',
  'organizations_to_fold(text)': 'ids alone, for the server, which then folds the events of each',
  'organizations_to_index(integer)': 'ids alone, for the worker, which then enters each organization',
  'organizations_with_erased_visitors(integer)':
    'ids alone, for the worker, which then enters each organization',
  'organizations_with_old_data_requests(integer)':
    'ids alone, for the worker, which then enters each organization',
  'organizations_with_old_links(interval,integer)':
    'ids alone, for the worker, which then enters each organization',
  'organizations_with_unwritten_copies(integer)':
    'ids alone, for the worker, which then enters each organization',
  'owner_of_collection(text)': 'ids alone, of the organization of the transaction',
  'public_image(text)': 'who can name the key, which nobody can guess, was given the address of the image',
  'recipients_in_organization(uuid,uuid)': 'called by the two below alone: the server may not',
  'recipients_of_last_day()': 'one number about the organization of the transaction',
  'recipients_of_people_of_last_day(uuid)':
    'one number about this user and the owners of the organization of the transaction',
  'record_sign_in(uuid,uuid,text,text,text)':
    'a session of the acting user, told to the organizations that this user is a member of',
  'records_to_erase(integer)': 'ids alone, for the worker, which then enters each organization',
  'remote_collection(text)': 'an owner and names of fields, of the organization of the transaction',
  'removed_goals(integer)': 'ids alone, for the worker, which then enters each organization',
  'resolve_membership(text,uuid)': 'the acting user’s own membership, or nothing',
  'review_clicks(integer,integer)':
    'moves counts from people to bots within a message; tells how many messages it took',
  'search_candidates(text,text,integer)':
    'ids alone, of the organization of the transaction; who asks reads the items themselves below the policies',
  'send_by_number(bigint)': 'the token that names the number was verified before',
  'sender_domain_status(text,uuid,uuid)': 'one word about the organization of the transaction',
  'sender_domains(uuid,uuid)':
    'names of the organization of the transaction that the brand’s emails can be sent from',
  'signed_file(uuid,uuid)': 'the server has checked that it signed the address of this file',
  'stuck_sends(integer)': 'ids alone, for the worker, which then enters each organization',
  'take_contact_changes(integer)':
    'called by the worker, for all organizations; what it stores has the organization of what it takes',
  'tests_to_erase(integer)': 'ids alone, for the worker, which then enters each organization',
  'tracking_hosts(text,integer)':
    'names that their DNS publishes, and where they lead, for the server, which answers requests to them',
  'unbalanced_sends(interval,integer)': 'ids and numbers alone, for the log of the worker',
  'watched_fields(uuid,text)': 'names of fields alone, for the organization that a statement has written in',
  'website_by_id(uuid)': 'for the server, which then compares the token that came with the id',
};

const options = { connections: 4, statementTimeoutMs: 60_000, name: 'tests', onError: () => {} };

suite('definer functions (TEN-5)', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;

  before(() => ({ owner, app: db } = database));

  test('views run with the rights of their caller', async () => {
    const { rows } = await sql<{ name: string; options: string[] | null }>`
      select relname as name, reloptions as options from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
    `.execute(owner);
    assert.ok(rows.length >= 5);
    for (const view of rows) assert.ok(view.options?.includes('security_invoker=true'), view.name);
  });

  test('definer functions are listed, with fixed search path and grants', async () => {
    const { rows } = await sql<{ name: string; settings: string[] | null; everybody: boolean }>`
      select p.oid::regprocedure::text as name, p.proconfig as settings,
        exists (
          select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0
        ) as everybody
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prosecdef
      order by 1
    `.execute(owner);
    assertColumn(rows, 'name', Object.keys(definerFunctions));
    for (const { name, settings, everybody } of rows) {
      // pg_temp must be listed last: otherwise it comes first, and a role that can create temporary types could run code in
      // these functions.
      const [path, ...plans] = settings ?? [];
      assert.equal(path, 'search_path=pg_catalog, public, pg_temp', name);
      for (const plan of plans) assert.match(plan, /^enable_\w+=off$/, name);
      assert.equal(everybody, false, name);
    }
  });

  test('organizations of bare ids are found in one place', async () => {
    const tenant = await buildTenant(owner);
    for (const [kind, id] of recordsOf(tenant)) {
      const ask = sql<{ found: string }>`select organization_of(${kind}, ${id}) as found`;
      assert.deepEqual((await ask.execute(owner)).rows, [{ found: tenant.organizationId }], kind);
      await assert.rejects(ask.execute(db), { code: '42501' }, kind);
    }
  });

  test('triggers run as the writing role, without rewrite rules', async () => {
    const { rows } = await sql<{ trigger: string }>`
      select tgname as trigger from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not tgisinternal and p.prosecdef
      union all select rulename from pg_rules where schemaname = 'public'
    `.execute(owner);
    assert.deepEqual(rows, []);
  });

  test('record look-ups answer only members', async () => {
    const tenant = await buildTenant(owner);
    const stranger = await buildMember(owner);
    for (const [kind, id] of recordsOf(tenant)) {
      const ask = (userId?: string) =>
        transactionAs(db, { userId }, (trx) => findMembership(trx, kind, id ?? ''));
      assert.deepEqual(
        await ask(tenant.ownerUserId),
        {
          organization_id: tenant.organizationId,
          role: 'owner',
          status: 'active',
          rules: null,
          client_ids: [],
          lacks_second_factor: false,
        },
        kind,
      );
      assert.equal(await ask(stranger.user_id), undefined, kind);
      assert.equal(await ask(), undefined, kind);
    }
    await assert.rejects(
      transactionAs(db, { userId: tenant.ownerUserId }, (trx) =>
        findMembership(trx, 'users' as 'clients', tenant.ownerUserId),
      ),
      /unknown kind of record/,
    );
  });

  test('custom rules keep their order and exact text', async () => {
    const { organizationId: organization_id, customRole: role } = await buildTenant(owner);
    const { user_id } = await buildMember(owner, { organization_id, role });
    const rules = [
      { action: 'read', subject: 'Brand', inverted: false, conditions: { brand_id: null } },
      { action: 'read', subject: 'Brand', inverted: true },
      { action: 'read', subject: 'Client', inverted: false, conditions: {} },
    ];
    await deleteRows(owner, 'role_permissions', { organization_id });
    for (const [position, { conditions, ...rule }] of [...rules.entries()].toReversed())
      await insertRows(owner, 'role_permissions', {
        ...rule,
        organization_id,
        role,
        position,
        ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
      });
    const found = await transactionAs(db, { userId: user_id }, (trx) =>
      findMembership(trx, 'organizations', organization_id),
    );
    assert.deepEqual(found?.rules, rules);
  });

  test('keys and invitations are found only while valid', async () => {
    const tenant = await buildTenant(owner);
    const ask = async (name: 'api_key_by_hash' | 'invitation_by_hash', hash: string) =>
      (
        await sql<{ organization_id: string }>`select * from ${sql.raw(name)}(${[hash]})`.execute(db)
      ).rows.map(({ organization_id }) => organization_id);
    const { key_hash } = await getRow(owner, 'api_keys', ['key_hash'], { id: tenant.apiKeyId });
    assert.deepEqual(await ask('api_key_by_hash', key_hash), [tenant.organizationId]);
    const key = owner.updateTable('api_keys').where('id', '=', tenant.apiKeyId);
    const owns = owner.updateTable('users').where('id', '=', tenant.ownerUserId);
    for (const [off, on] of [
      [key.set({ revoked_at: sql`now()` }), key.set({ revoked_at: null })],
      [key.set({ expires_at: sql`now()` }), key.set({ expires_at: sql`now() + interval '1 day'` })],
      [owns.set({ status: 'suspended' }), owns.set({ status: 'active' })],
    ] as const) {
      await off.execute();
      assert.deepEqual(await ask('api_key_by_hash', key_hash), []);
      await on.execute();
      assert.deepEqual(await ask('api_key_by_hash', key_hash), [tenant.organizationId]);
    }

    const tokens = [
      testSecrets.hash('invitation', tenant.invitationToken),
      testSecrets.hash('invitation link', tenant.linkToken),
    ];
    for (const hash of tokens)
      assert.deepEqual(await ask('invitation_by_hash', hash), [tenant.organizationId]);
    assert.deepEqual(await ask('invitation_by_hash', tenant.invitationToken), []);
    const place = owner.updateTable('organizations').where('id', '=', tenant.organizationId);
    for (const change of [{ deleted: true }, { deleted: false, status: 'inactive' }] as const) {
      await place.set(change).execute();
      for (const hash of tokens) assert.deepEqual(await ask('invitation_by_hash', hash), []);
    }
  });

  test('invitations are visible only to the proven address', async () => {
    const tenant = await buildTenant(owner);
    const invited = await buildUser(owner, { email: `${tenant.invitationId}@people.example` });
    const unproven = owner.updateTable('users').where('id', '=', invited.id);
    const mine = (userId?: string) =>
      transactionAs(db, { userId }, async (trx) => {
        const { rows } = await sql<{ id: string }>`select * from my_invitations()`.execute(trx);
        return rows.map(({ id }) => id);
      });
    assert.deepEqual(await mine(invited.id), [tenant.invitationId]);
    assert.deepEqual(await mine(tenant.ownerUserId), []);
    assert.deepEqual(await mine(), []);
    await unproven.set({ email_verified: false }).execute();
    assert.deepEqual(await mine(invited.id), []);
  });

  test('deleted and inactive organizations are hidden from members', async () => {
    for (const given of [{ deleted: true }, { status: 'inactive' }] as const) {
      const { id } = await buildOrganization(owner, given);
      const { user_id } = await buildMember(owner, { organization_id: id });
      await transactionAs(db, { userId: user_id }, async (trx) => {
        assert.equal(await findMembership(trx, 'organizations', id), undefined);
        assert.deepEqual((await sql`select * from my_organizations()`.execute(trx)).rows, []);
      });
    }
  });
});

/**
 * The owner of the database may not be a superuser, for example on managed servers: then the policies apply to it, too, and
 * the definer functions must still work.
 */
suite('owner role without superuser rights', () => {
  const role = `owner_${randomUUID().replaceAll('-', '')}`;
  let admin: Database;
  let superuser: Database;
  let limited: Database;
  let db: Database;
  let authDb: Database;
  let tenant: Tenant;

  before(async () => {
    const adminUrl = process.env['TEST_PG_URL'] ?? '';
    const at = (username: string, password: string) => {
      const url = new URL(adminUrl);
      url.pathname = role;
      if (username !== '') [url.username, url.password] = [username, password];
      return url.href;
    };
    admin = connect(adminUrl, { ...options, connections: 1 });
    await sql.raw(`create role ${role} login nosuperuser nobypassrls password 'owner-test'`).execute(admin);
    await sql.raw(`create database ${role} owner ${role}`).execute(admin);
    superuser = connect(at('', ''), options);
    limited = connect(at(role, 'owner-test'), { ...options, connections: 1 });
    db = connect(at('reachout_app', 'reachout-test'), options);
    authDb = connect(at('reachout_auth', 'reachout-test'), { ...options, connections: 1 });
    await withClient(at(role, 'owner-test'), applySchema);
    tenant = await buildTenant(superuser);
  });
  after(async () => {
    await Promise.all([superuser, limited, db, authDb].map((each) => each?.destroy()));
    await sql.raw(`drop database if exists ${role} with (force)`).execute(admin);
    await sql.raw(`drop role if exists ${role}`).execute(admin);
    await admin.destroy();
  });

  test('definer functions still find their rows', async () => {
    await transactionAs(db, { userId: tenant.ownerUserId }, async (trx) => {
      for (const [kind, id] of recordsOf(tenant)) {
        assert.equal((await findMembership(trx, kind, id ?? ''))?.role, 'owner', kind);
      }
      assert.equal((await sql`select * from my_organizations()`.execute(trx)).rows.length, 1);
    });
    const session = { id: randomUUID(), token: randomUUID(), user_id: tenant.ownerUserId };
    await insertRows(superuser, 'sessions', {
      ...session,
      expires_at: sql<string>`now() + interval '1 day'`,
    });
    const stranger = await buildMember(superuser, { organization_id: tenant.organizationId });
    // Of these callers, only the owner of the session creates an entry.
    for (const userId of [stranger.user_id, undefined, tenant.ownerUserId])
      await transactionAs(db, { userId }, (trx) =>
        sql`select record_sign_in(${randomUUID()}, ${session.id}, 'code', '192.0.2.1', 'Browser')`.execute(
          trx,
        ),
      );
    const told = await listRows(
      superuser,
      'audit_log',
      ['organization_id', 'user_id', 'ip_address', 'user_agent'],
      { action: 'sign_in' },
    );
    assert.deepEqual(told, [
      {
        organization_id: tenant.organizationId,
        user_id: tenant.ownerUserId,
        ip_address: '192.0.2.1',
        user_agent: 'Browser',
      },
    ]);
    const key = await getRow(superuser, 'api_keys', ['key_hash'], { id: tenant.apiKeyId });
    const keys = await sql<{ id: string }>`select * from api_key_by_hash(${[key.key_hash]})`.execute(db);
    assertColumn(keys.rows, 'id', [tenant.apiKeyId]);
    for (const hash of [
      testSecrets.hash('invitation', tenant.invitationToken),
      testSecrets.hash('invitation link', tenant.linkToken),
    ]) {
      assert.equal((await sql`select * from invitation_by_hash(${[hash]})`.execute(db)).rows.length, 1);
    }
    const { id: invitedId } = await buildUser(superuser, { email: `${tenant.invitationId}@people.example` });
    await transactionAs(db, { userId: invitedId }, async (trx) => {
      assert.equal((await sql`select * from my_invitations()`.execute(trx)).rows.length, 1);
    });
    const { send_number, id } = await buildSend(superuser, { organization_id: tenant.organizationId });
    const found = await sql<{ send_id: string }>`select * from send_by_number(${send_number})`.execute(db);
    assertColumn(found.rows, 'send_id', [id]);
    const work = await sql<{ send_id: string }>`select * from due_sends(10, 10, '{}', true, null)`.execute(
      db,
    );
    assert.ok(work.rows.some(({ send_id }) => send_id === id));
    const job = { organization_id: tenant.organizationId, id: randomUUID(), kind: 'definer', key: 'x' };
    await insertRows(superuser, 'jobs', job);
    const jobs = await sql<{ id: string }>`
      select due_jobs(array['definer'], array[10], array[10], array[]::uuid[]) as id
    `.execute(authDb);
    assert.deepEqual(jobs.rows, [{ id: job.id }]);
    const names = await sql<{ id: string }>`
      select id from organization_names(${[tenant.organizationId]}::uuid[])
    `.execute(authDb);
    assert.deepEqual(names.rows, [{ id: tenant.organizationId }]);
    const operated = await sql<{
      id: string;
    }>`select id from operated_organizations(null, null, 1000, 0)`.execute(authDb);
    assert.ok(operated.rows.some(({ id: listed }) => listed === tenant.organizationId));
    const mine = await sql<{
      id: string;
    }>`select id from organizations_of_user(${tenant.ownerUserId})`.execute(authDb);
    assert.ok(mine.rows.some(({ id: listed }) => listed === tenant.organizationId));
    const open = await inOrganization(db, tenant.organizationId, (trx) =>
      sql<{ count: number }>`select count_open_jobs('definer', false, 10) as count`.execute(trx),
    );
    assert.deepEqual(open.rows, [{ count: 1 }]);
    const website = { organizationId: tenant.organizationId, touchpointId: tenant.touchpointId };
    const visit = buildVisit(website);
    for (let turn = 0; turn < 2; turn += 1) {
      await storeVisits(db, [visit, buildVisit(website, { visitorId: visit.visitorId })]);
      await foldVisits(db);
    }
    const sessions = await listRows(superuser, 'visitor_sessions', ['events'], {
      visitor_id: visit.visitorId,
    });
    assert.deepEqual(sessions, [{ events: 3 }]);
  });

  test('expired rows are erased, and no others', async () => {
    const { id } = await buildOrganization(superuser, {
      deleted: true,
      deleted_at: new Date().toISOString(),
    });
    const erase = async () => {
      const { rows } = await sql<{ erased: boolean }>`select erase_organization(${id}) as erased`.execute(db);
      return rows[0]?.erased;
    };
    assert.equal(await erase(), false);
    const place = superuser.updateTable('organizations').where('id', '=', id);
    await place.set({ deleted_at: sql<string>`now() - interval '31 days'` }).execute();
    assert.equal(await erase(), true);
    await insertRows(
      superuser,
      'idempotency_keys',
      ['1 hour', '25 hours'].map((key) => ({
        user_id: tenant.ownerUserId,
        route: 'r',
        key,
        request_hash: 'h',
        created_at: sql<string>`now() - ${key}::interval`,
      })),
    );
    const deleteExpired = async (table: string) =>
      (await sql<{ count: number }>`select delete_expired(${table}, 100) as count`.execute(db)).rows;
    assert.deepEqual(await deleteExpired('idempotency_keys'), [{ count: 1 }]);
    await assert.rejects(deleteExpired('clients'), /rows of clients do not expire/);
    const contacts = superuser
      .updateTable('client_contacts')
      .where('organization_id', '=', tenant.organizationId);
    for (const [age, count] of [
      ['29 days', 0],
      ['31 days', 1],
    ] as const) {
      await contacts.set({ deleted: true, deleted_at: sql<string>`now() - ${age}::interval` }).execute();
      assert.deepEqual(await deleteExpired('client_contacts'), [{ count }], age);
    }
  });

  test('the owner is bound by the policies', async () => {
    const foreign = await buildTenant(superuser);
    const { rows } = await sql`select id from clients`.execute(db);
    assert.deepEqual(rows, []);
    const seen = await inOrganization(db, tenant.organizationId, (trx) =>
      listRows(trx, 'clients', ['id'], {}),
    );
    assert.ok(seen.some(({ id }) => id === tenant.clientId));
    assert.ok(!seen.some(({ id }) => id === foreign.clientId));
    const change = await sql`update clients set name = 'changed'`.execute(limited);
    assert.equal(change.numAffectedRows, 0n);
  });
});

const recordsOf = (tenant: Tenant) =>
  [
    ['organizations', tenant.organizationId],
    ['clients', tenant.clientId],
    ['brands', tenant.brandId],
    ['campaigns', tenant.campaignId],
    ['touchpoints', tenant.touchpointId],
    ['filters', tenant.filterId],
    ['touchpoint_sends', tenant.sendId],
    ['touchpoint_schedules', tenant.scheduleId],
    ['content_imports', tenant.importId],
    ['mailbox_messages', tenant.messageId],
  ] as const;
