import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql, type Insertable, type Transaction as KyselyTransaction } from 'kysely';
import { newId } from '../ids.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { buildUser } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows } from '../../testing/rows.ts';
import { listTenantTables } from '../../testing/tenant-tables.ts';
import { words } from '../../testing/words.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { connect, inOrganization, transactionAs, type Database } from './database.ts';
import type { DB } from './types.gen.ts';

/** Tables without row-level security: shared lists that the server can read but not write. */
const sharedLists = words(`
  client_contact_types contents countries event_folds faq_categories faqs help_orders organization_contact_types organization_sizes
  touchpoint_event_actions touchpoint_event_types
`);

/** Policies of the other tables without organization_id; null for those that only sign-in can access. */
const ownPolicies: Record<string, string | null> = {
  organizations: '(id = current_organization_id())',
  idempotency_keys: '(user_id = current_user_id())',
  passkeys: '(user_id = current_user_id())',
  recovery_codes: '(user_id = current_user_id())',
  totp_secrets: '(user_id = current_user_id())',
  user_addresses: '(user_id = current_user_id())',
  user_socials: '(user_id = current_user_id())',
  accounts: '(user_id = current_user_id())',
  sessions: '(user_id = current_user_id())',
  users: '(id = current_user_id())',
  verifications: null,
  one_time_tokens: null,
  account_mailbox_messages: null,
  account_email_outbox: null,
  write_checks: 'true',
  // Domains of mail providers, which belong to no tenant.
  recipient_domains: 'true',
  // Limits of the installation, leased by its workers.
  send_rates: 'true',
  warm_up_plans: 'true',
  // Whose it is, is known once it is read.
  returned_mail: 'true',
  rate_limits:
    "((current_organization_id() IS NOT NULL) AND ((key ~~ 'invitations %'::text) OR (key ~~ 'visitor_marks %'::text)))",
};

/** Tables that sign-in uses before the user is known: accessible to its own role, `reachout_auth`. */
const signInTables = words(`
  account_email_outbox account_mailbox_messages accounts one_time_tokens rate_limits sessions users
  verifications
`);

/** Evaluated once per statement, not once per row. */
const checkOfTenant = '(organization_id = ( SELECT current_organization_id() AS current_organization_id))';

const policyForAll = (role: string, expression: string, check = expression) => ({
  roles: `{${role}}`,
  command: 'ALL',
  permissive: 'PERMISSIVE',
  using: expression,
  check,
});

/** Additional policies: for rows that can be read but not changed, or written but not read, or that few callers see. */
const morePolicies: Record<string, object[]> = {
  // For content tokens, which show members the items they created.
  content_items: [
    {
      ...policyForAll('reachout_app', '(has_full_item_scope() OR (user_created = current_user_id()))'),
      check: null,
      permissive: 'RESTRICTIVE',
    },
  ],
  jobs: [
    // For an email to the owners about a domain that fails.
    {
      roles: '{reachout_app}',
      command: 'INSERT',
      permissive: 'PERMISSIVE',
      using: null,
      check:
        "((organization_id IS NULL) AND (kind = 'account_email'::text) AND (current_organization_id() IS NOT NULL))",
    },
    {
      roles: '{reachout_app}',
      command: 'INSERT',
      permissive: 'PERMISSIVE',
      using: null,
      check: '((organization_id IS NULL) AND (current_user_id() IS NOT NULL))',
    },
    // For the job runner and the operators' page.
    policyForAll('reachout_auth', 'true'),
  ],
  users: [
    {
      roles: '{reachout_app}',
      command: 'SELECT',
      permissive: 'PERMISSIVE',
      using:
        '((id IN ( SELECT m.user_id\n   FROM organization_users m)) OR (EXISTS ( SELECT\n   FROM audit_log a\n  WHERE (a.user_id = users.id))))',
      check: null,
    },
  ],
  account_email_outbox: [
    {
      roles: '{reachout_app}',
      command: 'INSERT',
      permissive: 'PERMISSIVE',
      using: null,
      check: '(current_user_id() IS NOT NULL)',
    },
    // A person confirms a sign-up by mail.
    {
      roles: '{reachout_app}',
      command: 'INSERT',
      permissive: 'PERMISSIVE',
      using: null,
      check: "((current_organization_id() IS NOT NULL) AND (kind = 'confirm_subscription'::text))",
    },
    // A recipient confirms a request about the own data.
    {
      roles: '{reachout_app}',
      command: 'INSERT',
      permissive: 'PERMISSIVE',
      using: null,
      check: "((current_organization_id() IS NOT NULL) AND (kind = 'confirm_data_request'::text))",
    },
    // A job tells the owners of its organization.
    {
      roles: '{reachout_app}',
      command: 'INSERT',
      permissive: 'PERMISSIVE',
      using: null,
      check:
        "((current_organization_id() IS NOT NULL) AND (kind = ANY (ARRAY['domain_failing'::text, 'complaints'::text])))",
    },
  ],
};

/**
 * Writes of the owner: on rows of the acting user, in functions without arguments, and on rows past their retention
 * (definer-functions.test.ts).
 */
const ownerWrites = [
  'audit_log erase UPDATE',
  // At sign-in, once for each organization of the user.
  'audit_log sign_in INSERT',
  'choices retention DELETE',
  'click_reviews fold INSERT',
  'click_reviews review DELETE',
  'client_addresses retention DELETE',
  'client_contacts retention DELETE',
  // Contacts of all organizations that were added or changed, which a worker takes.
  'contact_changes note ALL',
  // Sums of conversions of all organizations, from what statements changed.
  'conversion_changes fold ALL',
  // Counts and totals of events of all organizations, from those that were appended.
  'counts fold INSERT',
  'counts fold_again UPDATE',
  'delivery_event_counts fold INSERT',
  'delivery_event_counts fold_again UPDATE',
  'events fold INSERT',
  'events fold_again UPDATE',
  'idempotency_keys erase DELETE',
  'idempotency_keys retention DELETE',
  'organization_addresses retention DELETE',
  'organization_contacts retention DELETE',
  'organization_invitation_links sign_up UPDATE',
  // Locks a row; its check lets no change pass.
  'organizations fold UPDATE',
  'organizations retention DELETE',
  // Appended and folded for all organizations at once, for websites of their organization alone.
  // What listeners make of events, and what waits because of a click that no person made.
  'reactions fold INSERT',
  'reactions review UPDATE',
  'replaced_visitor_events fold ALL',
  // Those of an address, when its owner has asked for the erasure.
  'resubscriptions erase DELETE',
  'sign_ups retention DELETE',
  'stored_bytes count UPDATE',
  // Counts reactions that were not made.
  'touchpoint_event_listeners fold UPDATE',
  'unfolded_message_events append INSERT',
  'unfolded_message_events fold DELETE',
  'unfolded_visitor_events fold ALL',
  'user_addresses retention DELETE',
  'visitor_days fold ALL',
  'visitor_events fold ALL',
  'visitor_sessions fold ALL',
  'visitor_value_months fold ALL',
  'website_drops count INSERT',
  'website_drops count_more UPDATE',
  'website_use count INSERT',
  'website_use count_more UPDATE',
];

/** Tables whose rows never change. */
const neverChanged = ['audit_log', 'resubscriptions', 'sign_up_form_versions'];

/**
 * Tables whose rows belong to clients: a limited member sees and writes only those within their access scope (TEN-9).
 */
const scopedTables = words(`
  audience_reading_contacts audience_readings brands campaign_domains campaigns choices client_addresses
  client_contacts client_socials clients content_collections content_imports content_items content_presets content_shares
  directus_collections events filters mailbox_messages messages reactions resubscriptions sending_domain_checks
  sending_domains sign_up_form_versions sign_up_forms sign_ups suppression_lifts
  topics touchpoint_emails touchpoint_event_listeners touchpoint_events touchpoint_schedules touchpoint_sends touchpoint_websites touchpoints
  unfolded_message_events
`);

/** All members can see the platform's own collections, but not their items. */
const withoutPlatform = "not starts_with(collection, 'reachout_')";

/** Tenant tables without an access scope policy, and what denies limited members the other rows. */
const unscopedTables: Record<string, string[]> = {
  'a condition on their subject never holds: who may read them may read all': words(`
    api_keys audit_log organization_addresses organization_contacts organization_directus
    organization_invitation_links organization_invitations organization_roles organization_user_clients
    organization_users role_permissions transport_choices transports
  `),
  'looked up by a collection or an import, which has an access scope, first': words(`
    content_fields content_import_parts content_import_rejections content_search_queue content_search_texts
    content_unique_values
  `),
  'denied to limited members by its routes': ['content_files', 'data_request_records', 'data_requests'],
  'seen by those who may change the organization, and within views of records, which have an access scope': [
    'content_outbox',
  ],
  'seen by those alone whose permissions on consent are limited to nothing': ['contact_notes'],
  'seen with visits of websites alone, which have an access scope; deleted with a contact by those who see less':
    ['visitor_contacts'],
  'seen by no operation of members: they hold ids alone, for the runner': ['jobs'],
  'names alone, which new collections may not have': ['deleted_collections'],
  'seen by no operation of members: the worker notes in them what it has done': ['complaint_limits'],
  'seen by no operation of members: a worker takes the rows within seconds': ['contact_changes'],
  'one number of the whole organization': ['stored_bytes'],
  'keyed hashes alone, which every write of a contact looks up': ['erased_addresses'],
  'public keys alone leave them, which are published': ['dkim_keys'],
  'written by the send engine in bulk; operations look for the send or touchpoint, which has an access scope, first':
    words(`
    click_reviews contact_deliveries counts deliveries delivery_chunks delivery_event_counts delivery_exclusions delivery_result_totals delivery_results
    delivery_queue touchpoint_send_contents
  `),
  'written in bulk, for all organizations at once; operations look for the website, which has an access scope, first':
    words(`
    conversion_changes conversion_goals conversions followed_links
    replaced_visitor_events unfolded_visitor_events visitor_days visitor_events
    visitor_sessions visitor_value_months website_drops website_use
  `),
};

const options = { statementTimeoutMs: 60_000, name: 'tests', onError: () => {} };

suite('row-level security', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;
  let authDb: Database;
  let one: Tenant;
  let other: Tenant;
  let tenantTables: string[];

  before(async () => {
    ({ owner, app: db, auth: authDb } = database);
    [one, other] = [await buildTenant(owner), await buildTenant(owner)];
    tenantTables = await listTenantTables(owner);
  });

  const query = async <T>(text: string): Promise<T[]> => (await sql.raw<T>(text).execute(owner)).rows;

  test('all tables except shared lists enforce complete policies (TEN-3)', async () => {
    const tables = await query<{ name: string; enabled: boolean; forced: boolean }>(`
      select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f', 'm')
    `);
    assert.ok(tables.length > 20);
    const unprotected = tables.filter(({ enabled, forced }) => !enabled || !forced).map(({ name }) => name);
    assert.deepEqual(unprotected.sort(), sharedLists);

    const policies = await query<{
      table: string;
      policy: string;
      roles: string;
      command: string;
      permissive: string;
      using: string | null;
      check: string | null;
    }>(`
      select tablename as table, policyname as policy, roles::text as roles, cmd as command, permissive,
        qual as using, with_check as check
      from pg_policies where schemaname = 'public' order by tablename, permissive, policyname
    `);
    const ownerName = new URL(database.ownerUrl).username;
    for (const { name } of tables.filter((table) => !sharedLists.includes(table.name))) {
      const own = ownPolicies[name];
      const expression = own === undefined ? '(organization_id = current_organization_id())' : own;
      const ofTable = policies.filter(({ table, policy }) => table === name && policy !== 'access_scope');
      const forServer = ofTable.filter(({ roles }) => roles !== `{${ownerName}}`);
      assert.deepEqual(
        forServer.map(({ roles, command, permissive, using, check }) => ({
          roles,
          command,
          permissive,
          using,
          check,
        })),
        [
          ...(expression === null ? [] : [policyForAll('reachout_app', expression, own ?? checkOfTenant)]),
          ...(morePolicies[name] ?? []),
          ...(signInTables.includes(name) ? [policyForAll('reachout_auth', 'true')] : []),
        ],
        name,
      );
    }
    assert.deepEqual(
      policies
        .filter(({ roles, command }) => roles === `{${ownerName}}` && command !== 'SELECT')
        .map(({ table, policy, command }) => `${table} ${policy} ${command}`)
        .sort(),
      ownerWrites,
      'the owner may read, not write',
    );
  });

  test('server roles cannot access partitions directly (TEN-3)', async () => {
    const partitions = await query<{ name: string; enabled: boolean; policies: number; grants: number }>(`
      select c.oid::regclass::text as name, c.relrowsecurity as enabled,
        (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies,
        (select count(*)::int from aclexplode(c.relacl) a where a.grantee <> c.relowner) as grants
      from pg_class c where c.relispartition and c.relkind = 'r'
    `);
    assert.ok(partitions.length >= 12);
    for (const { name, ...rest } of partitions) {
      assert.match(name, /^partitions\./);
      assert.deepEqual(rest, { enabled: true, policies: 0, grants: 0 }, name);
      for (const role of [db, authDb])
        await assert.rejects(
          inOrganization(role, one.organizationId, (trx) => sql.raw(`select from ${name}`).execute(trx)),
          { code: '42501' },
          name,
        );
    }
  });

  test('client data has a restrictive policy for every command (TEN-9)', async () => {
    const policies = await query<{
      table: string;
      roles: string;
      command: string;
      permissive: string;
      using: string;
      check: string | null;
    }>(`
      select tablename as table, roles::text as roles, cmd as command, permissive, qual as using, with_check as check
      from pg_policies where schemaname = 'public' and (policyname = 'access_scope' or permissive = 'RESTRICTIVE')
        and policyname <> 'own_items'
      order by tablename
    `);
    assertColumn(policies, 'table', scopedTables);
    for (const { table, roles, command, permissive, using, check } of policies) {
      assert.deepEqual(
        { roles, command, permissive },
        { roles: '{reachout_app}', command: 'ALL', permissive: 'RESTRICTIVE' },
        table,
      );
      // Evaluated once per statement, not once per row.
      for (const expression of [using, check ?? using])
        assert.match(
          expression,
          /^\(\( SELECT has_full_access_scope\(\) AS has_full_access_scope\) OR\s/,
          table,
        );
    }
    const known = [...scopedTables, ...Object.values(unscopedTables).flat()];
    assert.deepEqual(known.sort(), tenantTables, 'is this table below clients?');
  });

  test('no statement crosses the access scope (TEN-9)', async () => {
    const limits = {
      'the client': { client_ids: [one.clientId], brand_ids: [] },
      'a brand': { client_ids: [], brand_ids: [one.brandId] },
    };
    for (const [what, accessScope] of Object.entries(limits)) {
      await transactionAs(db, { organizationId: one.organizationId, accessScope }, async (trx) => {
        for (const table of scopedTables) {
          const isOfClientItself = table.startsWith('client_');
          const seen = await countOf(trx, table);
          if (what === 'a brand' && isOfClientItself) assert.equal(seen, 0, table);
          else assert.ok(seen > 0, `${what}: ${table}`);
        }
      });
    }
    for (const accessScope of [
      { client_ids: [], brand_ids: [] },
      { client_ids: [other.clientId], brand_ids: [other.brandId] },
    ]) {
      for (const table of scopedTables) {
        const rowsBefore = await rowsOf(owner, table);
        const columns = (await insertableColumns(table)).join(', ');
        const where = table === 'content_collections' ? withoutPlatform : 'true';
        const [row] = rowsBefore.filter(
          (each) =>
            each.organization_id === one.organizationId && !('hidden' in each && each.hidden === true),
        );
        const limited = <T>(work: (trx: KyselyTransaction<DB>) => Promise<T>) =>
          transactionAs(db, { organizationId: one.organizationId, accessScope }, work);
        const { rows } = await limited((trx) => sql.raw(`select from ${table} where ${where}`).execute(trx));
        assert.equal(rows.length, 0, table);
        const changes = [
          `update ${table} set organization_id = organization_id where ${where}`,
          `delete from ${table} where ${where}`,
        ];
        for (const statement of neverChanged.includes(table) ? [] : changes) {
          const { numAffectedRows } = await limited((trx) => sql.raw(statement).execute(trx));
          assert.equal(numAffectedRows, 0n, statement);
        }
        await assert.rejects(
          limited((trx) =>
            sql`insert into ${sql.table(table)} (${sql.raw(columns)})
                select ${sql.raw(columns)} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`.execute(
              trx,
            ),
          ),
          { code: '42501' },
          table,
        );
        assert.deepEqual(await rowsOf(owner, table), rowsBefore, table);
      }
    }
  });

  test('suppressions of the organization apply to every brand', async () => {
    const { organizationId: organization_id, clientId } = await buildTenant(owner);
    const row = { organization_id, address_key: 'no@mail.example', value: 'manual' as const };
    await insertRows(owner, 'choices', { kind: 'suppression', ...row, id: newId() });
    const actor = { organizationId: organization_id, accessScope: { client_ids: [], brand_ids: [] } };
    assert.equal(await transactionAs(db, actor, (trx) => countOf(trx, 'choices')), 1);
    await assert.rejects(
      transactionAs(
        db,
        { ...actor, accessScope: { client_ids: [clientId], brand_ids: [] } },
        async (trx) =>
          await insertRows(trx, 'choices', {
            kind: 'suppression',
            ...row,
            id: newId(),
            address_key: 'yes@mail.example',
          }),
      ),
      { code: '42501' },
    );
  });

  test('shared lists and append-only tables are protected (TEN-3, AUD-1)', async () => {
    const grants = await query<{ table: string; privileges: string }>(`
      select table_name as table, string_agg(privilege_type, ' ' order by privilege_type) as privileges
      from information_schema.role_table_grants where grantee = 'reachout_app' group by 1
    `);
    const privilegesOf = Object.fromEntries(grants.map(({ table, privileges }) => [table, privileges]));
    for (const table of sharedLists) assert.equal(privilegesOf[table], 'SELECT', table);
    for (const table of neverChanged) {
      assert.equal(privilegesOf[table], 'INSERT SELECT', table);
      for (const statement of [
        `update ${table} set organization_id = organization_id`,
        `delete from ${table}`,
      ])
        await assert.rejects(
          inOrganization(db, one.organizationId, (trx) => sql.raw(statement).execute(trx)),
          { code: '42501' },
          statement,
        );
    }
  });

  test('transactions of a user cannot access others’ personal rows', async () => {
    const [mine, theirs] = [one.ownerUserId, other.ownerUserId];
    for (const userId of [mine, theirs]) {
      await buildPersonalRows(owner, userId);
    }
    const tables = ['passkeys', 'recovery_codes', 'totp_secrets', 'user_addresses', 'user_socials'];
    for (const table of ['accounts', 'sessions', ...tables]) {
      const rowsBefore = await rowsOf(owner, table);
      await transactionAs(db, { userId: mine, organizationId: one.organizationId }, async (trx) => {
        const { rows } = await sql<{ user_id: string }>`select user_id from ${sql.table(table)}`.execute(trx);
        assert.deepEqual(rows, [{ user_id: mine }], table);
        for (const statement of [`update ${table} set user_id = user_id`, `delete from ${table}`]) {
          const { numAffectedRows } = await sql.raw(`${statement} where user_id = '${theirs}'`).execute(trx);
          assert.equal(numAffectedRows, 0n, statement);
        }
      });
      await assert.rejects(
        transactionAs(db, { userId: mine }, (trx) =>
          sql.raw(`update ${table} set user_id = '${theirs}'`).execute(trx),
        ),
        { code: '42501' },
        table,
      );
      assert.deepEqual(await rowsOf(owner, table), rowsBefore, table);
    }
    await transactionAs(db, { userId: mine }, async (trx) => {
      const { numAffectedRows } = await sql`update users set full_name = 'Taken'`.execute(trx);
      assert.equal(numAffectedRows, 1n);
    });
  });

  test('transactions without a user see no personal data (TEN-3, TEN-4)', async () => {
    await buildSignInRows(owner, (await buildUser(owner)).id);
    const tables = await query<{ name: string }>(`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
    `);
    for (const { name } of tables.filter((table) => !sharedLists.includes(table.name))) {
      const seen = await countAll(db, name).catch((error: { code?: string }) => error.code);
      assert.ok(seen === 0 || seen === '42501', `${name}: ${seen}`);
    }
    for (const table of signInTables) assert.ok((await countAll(owner, table)) !== 0, `no row in ${table}`);
  });

  test('users are visible only in shared or past organizations (TEN-3)', async () => {
    const former = await buildUser(owner);
    const acted = {
      organization_id: one.organizationId,
      id: newId(),
      user_id: former.id,
      action: 'clients.create',
    };
    await insertRows(owner, 'audit_log', acted);
    const seenBy = async (tenant: Tenant) => {
      const actor = { userId: tenant.ownerUserId, organizationId: tenant.organizationId };
      const rows = await transactionAs(db, actor, (trx) => listRows(trx, 'users', ['id'], {}));
      return rows.map(({ id }) => id);
    };
    const members = async ({ organizationId }: Tenant) => {
      const rows = await listRows(owner, 'organization_users', ['user_id'], {
        organization_id: organizationId,
      });
      return rows.map(({ user_id }) => user_id);
    };
    assert.deepEqual((await seenBy(one)).sort(), [...(await members(one)), former.id].sort());
    assert.deepEqual((await seenBy(other)).sort(), (await members(other)).sort());
    const alone = await transactionAs(db, { userId: one.ownerUserId }, (trx) =>
      listRows(trx, 'users', ['id'], {}),
    );
    assert.deepEqual(alone, [{ id: one.ownerUserId }], 'outside of an organization');
  });

  for (const [role, inherits] of Object.entries({ reachout_app: [], reachout_auth: ['reachout_app'] }))
    test(`${role} owns no table and bypasses no policy (TEN-3)`, async () => {
      const [attributes] = await query(`
        select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
        from pg_roles where rolname = '${role}'
      `);
      assert.deepEqual(attributes, {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
      });
      const groups = await query<{ name: string }>(
        `select roleid::regrole::text as name from pg_auth_members where member = '${role}'::regrole`,
      );
      assertColumn(groups, 'name', inherits);
      const owned = await query(`
        select 'relation ' || relname as what from pg_class where relowner = '${role}'::regrole
        union all select 'routine ' || proname from pg_proc where proowner = '${role}'::regrole
        union all select 'schema ' || nspname from pg_namespace where nspowner = '${role}'::regrole
        union all select 'database ' || datname from pg_database where datdba = '${role}'::regrole
      `);
      assert.deepEqual(owned, []);
      // TRUNCATE ignores row-level security; TRIGGER and REFERENCES would execute on or disclose other tenants' rows.
      const privileges = await query<{ privilege: string }>(`
        select distinct privilege_type as privilege from information_schema.role_table_grants
        where grantee = '${role}' order by 1
      `);
      assertColumn(privileges, 'privilege', ['DELETE', 'INSERT', 'SELECT', 'UPDATE']);
      const login = role === 'reachout_app' ? db : authDb;
      for (const statement of [
        'alter table clients disable row level security',
        'drop policy tenant on clients',
        'create table public.mine ()',
        'truncate clients',
        'delete from organizations',
        'set role postgres',
        'set session authorization postgres',
        'delete from migrations.files',
        'create table migrations.mine ()',
        ...(role === 'reachout_app' ? ['set role reachout_auth'] : []),
      ]) {
        await assert.rejects(
          inOrganization(login, one.organizationId, (trx) => sql.raw(statement).execute(trx)),
          { code: '42501' },
          statement,
        );
      }
    });

  test('PUBLIC has no privileges (TEN-3)', async () => {
    const grants = await query(`
      select 'relation ' || relname as what, privilege_type
      from pg_class, aclexplode(relacl) where grantee = 0 and relnamespace = 'public'::regnamespace
      union all
      select 'column ' || attrelid::regclass || '.' || attname, privilege_type
      from pg_attribute, aclexplode(attacl)
      where grantee = 0 and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all
      select 'routine ' || p.oid::regprocedure, privilege_type
      from pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner)))
      where grantee = 0 and pronamespace = 'public'::regnamespace
      union all
      select 'schema ' || nspname, privilege_type
      from pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
      where grantee = 0 and nspname in ('public', 'migrations', 'partitions')
    `);
    assert.deepEqual(grants, []);
  });

  test('every tenant table has a row to test', async () => {
    for (const { organizationId } of [one, other]) {
      for (const table of tenantTables) {
        assert.ok(
          (await countOf(owner, table, organizationId)) > 0,
          `buildTenant puts nothing into ${table}`,
        );
      }
    }
  });

  test('rows of other organizations are invisible', async () => {
    const tables = [...tenantTables, 'organizations'];
    for (const actor of [{}, { userId: one.ownerUserId }]) {
      await transactionAs(db, actor, async (trx) => {
        for (const table of tables) assert.equal(await countOf(trx, table), 0, table);
      });
    }
    // A connection on which the settings were never set, and one on which they were reset.
    for (const table of tables) assert.equal(await countOf(db, table), 0, table);

    await inOrganization(db, one.organizationId, async (trx) => {
      for (const table of tables) {
        assert.ok((await countOf(trx, table)) > 0, table);
        assert.equal(await countOf(trx, table, other.organizationId), 0, table);
      }
    });
  });

  test('plans expect the rows that policies let members read', async () => {
    const undo = new Error('Statistics stay as they are.');
    const planning = owner.transaction().execute(async (trx) => {
      // As if each table had many more such rows, of two organizations: no estimate is less than one row.
      await sql`
        do $$
        declare
          name regclass;
        begin
          for name in
            select a.attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
            where a.attname = 'organization_id' and c.relkind = 'r'
              and c.relnamespace in ('public'::regnamespace, 'partitions'::regnamespace)
          loop
            execute format('alter table %s alter column organization_id set (n_distinct = 2)', name);
            execute format('analyze %s', name);
            update pg_class set reltuples = reltuples * 1e6 where oid = name;
          end loop;
        end
        $$
      `.execute(trx);
      const rowsOfPlan = async (table: string, where = '') => {
        const { rows } = await sql
          .raw<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
            `explain (format json) select from ${table} ${where}`,
          )
          .execute(trx);
        return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'];
      };
      const ofOrganization = new Map<string, number>();
      for (const table of tenantTables) {
        const rows = await rowsOfPlan(table, `where organization_id = '${one.organizationId}'`);
        ofOrganization.set(table, rows);
      }
      await sql.raw(`set local role ${new URL(database.appUrl).username}`).execute(trx);
      await sql.raw(`set local app.organization_id = '${one.organizationId}'`).execute(trx);
      const wrong: string[] = [];
      for (const [table, rows] of ofOrganization) {
        const expected = await rowsOfPlan(table);
        if (expected < rows / 2 || expected > rows) wrong.push(`${table}: ${expected} of ${rows}`);
      }
      assert.deepEqual(wrong, []);
      // Of these, an organization has one row.
      assert.deepEqual(
        [...ofOrganization].filter(([, rows]) => rows < 1_000).map(([table]) => table),
        ['organization_directus', 'organization_invitation_links', 'stored_bytes'],
      );
      throw undo;
    });
    await assert.rejects(planning, undo);
  });

  test('rows of other organizations cannot be written', async () => {
    for (const table of tenantTables) {
      const rowsBefore = await rowsOf(owner, table);
      const columns = (await insertableColumns(table)).join(', ');
      const name = `${table} (TEN-3)`;
      const inOther = <T>(work: (trx: KyselyTransaction<DB>) => Promise<T>) =>
        inOrganization(db, other.organizationId, work);
      // Another test shows that these rows cannot be changed (AUD-1).
      if (!neverChanged.includes(table)) {
        for (const statement of [
          `update ${table} set organization_id = organization_id`,
          `delete from ${table}`,
        ]) {
          const changed = await inOther((trx) =>
            sql.raw(`${statement} where organization_id = '${one.organizationId}'`).execute(trx),
          );
          assert.equal(changed.numAffectedRows, 0n, name);
        }
      }
      // Rows of the own organization cannot be moved to another one, and new ones cannot be inserted there.
      await assert.rejects(
        inOther((trx) =>
          sql.raw(`update ${table} set organization_id = '${one.organizationId}'`).execute(trx),
        ),
        { code: '42501' },
        name,
      );
      const [row] = rowsBefore.filter(({ organization_id }) => organization_id === one.organizationId);
      await assert.rejects(
        inOther((trx) =>
          sql`insert into ${sql.table(table)} (${sql.raw(columns)})
              select ${sql.raw(columns)} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`.execute(
            trx,
          ),
        ),
        { code: '42501' },
        name,
      );
      assert.deepEqual(await rowsOf(owner, table), rowsBefore, name);
    }
  });

  test('one connection keeps transactions of organizations apart (TEN-4)', async () => {
    const single = connect(database.appUrl, { ...options, connections: 1 });
    const ids = [one.organizationId, other.organizationId];
    const disturbances: ((trx: KyselyTransaction<DB>) => Promise<unknown>)[] = [
      () => Promise.resolve(),
      () => Promise.reject(new Error('the handler failed')),
      (trx) => sql`select 1 / 0`.execute(trx),
      (trx) => sql`insert into clients (id) values (null)`.execute(trx),
      async (trx) => {
        await sql`set local statement_timeout = '1ms'`.execute(trx);
        await sql`select pg_sleep(1)`.execute(trx);
      },
      (trx) => sql`rollback`.execute(trx),
    ];
    try {
      for (let turn = 0; turn < 200; turn += 1) {
        const organizationId = ids[turn % 2] ?? '';
        // Each disturbs both organizations; the slow ones do so only once.
        const disturb = disturbances[turn % 20 < 4 ? turn % 4 : turn % 100 < 2 ? 4 + (turn % 2) : 0];
        await inOrganization(single, organizationId, async (trx) => {
          assert.deepEqual(await visibleOrganizations(trx), [organizationId], `turn ${turn}`);
          await disturb?.(trx);
        }).catch((error: unknown) => {
          if (error instanceof assert.AssertionError) throw error;
        });
        if (turn % 10 === 0) assert.deepEqual(await visibleOrganizations(single), [], `after turn ${turn}`);
      }
    } finally {
      await single.destroy();
    }
  });

  async function insertableColumns(table: string): Promise<string[]> {
    const rows = await query<{ name: string }>(`
      select attname as name from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attidentity <> 'a' and attgenerated = ''
    `);
    return rows.map(({ name }) => name);
  }
});

const countAll = async (db: Database, table: string): Promise<number | undefined> =>
  (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)).rows[0]
    ?.count;

/** Builds a row in each table that belongs to a user. */
async function buildPersonalRows(owner: Database, user_id: string): Promise<void> {
  const id = newId();
  const passkey = { credential_id: id, public_key: Buffer.from('key'), counter: 0, transports: [] };
  await insertEach(owner, {
    sessions: { id, user_id, token: id, expires_at: new Date().toISOString() },
    accounts: { id, user_id, account_id: id, provider_id: 'credential' },
    user_addresses: { id, user_id, line1: 'Hauptstr. 1', city: 'Berlin', country_id: 'DE' },
    totp_secrets: { user_id, secret_sealed: 'sealed' },
    recovery_codes: { id, user_id, code_hash: 'hash' },
    passkeys: { id, user_id, name: 'Phone', ...passkey },
    user_socials: { id, user_id, network: 'x', url: 'https://x.example/ada' },
  });
}

/** Builds a row in each table that sign-in uses. */
async function buildSignInRows(owner: Database, user_id: string): Promise<void> {
  await buildPersonalRows(owner, user_id);
  const id = newId();
  const expires_at = new Date().toISOString();
  const recipient = 'ada@people.example';
  const message = { sender: 's', subject: 'x', raw: Buffer.from('x'), received_at: expires_at };
  await insertEach(owner, {
    verifications: { id, identifier: recipient, value: user_id, expires_at },
    one_time_tokens: { id, purpose: 'reset_password', email: recipient, secret_hash: id, expires_at },
    rate_limits: { key: `invitations ${id}` },
    account_email_outbox: { id, kind: 'invitation', recipient, language: 'en', expires_at },
    account_mailbox_messages: { id, recipient, ...message },
  });
}

async function insertEach(
  owner: Database,
  rows: { [Table in keyof DB]?: Insertable<DB[Table]> },
): Promise<void> {
  for (const [table, row] of Object.entries(rows)) await insertRows(owner, table as 'users', row as never);
}

async function countOf(db: Database, table: string, organizationId?: string): Promise<number> {
  const key = table === 'organizations' ? 'id' : 'organization_id';
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}
    where ${organizationId ?? null}::uuid is null or ${sql.ref(key)} = ${organizationId ?? null}
  `.execute(db);
  return rows[0]?.count ?? -1;
}

async function rowsOf(owner: Database, table: string): Promise<{ organization_id: string }[]> {
  const { rows } = await sql<{ row: { organization_id: string } }>`
    select to_jsonb(t) as row from ${sql.table(table)} t order by to_jsonb(t)::text
  `.execute(owner);
  return rows.map(({ row }) => row);
}

async function visibleOrganizations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from clients
  `.execute(db);
  return rows.map(({ organization_id }) => organization_id);
}
