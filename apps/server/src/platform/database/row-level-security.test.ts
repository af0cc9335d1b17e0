import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql, type Transaction as KyselyTransaction } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { buildTenant, listTenantTables, type Tenant } from '../../testing/tenant.ts';
import { connect, inOrganization, transactionAs, type Database } from './database.ts';
import type { DB } from './types.gen.ts';

/** Tables that belong to no organization, and are open to the server as a whole. Think twice before adding one. */
const openTables = ['accounts', 'sessions', 'users', 'verifications'];

/** Who sees which rows of the tables that have no organization_id, but are not open either. */
const ownPolicies: Record<string, string> = {
  organizations: '(id = current_organization_id())',
  idempotency_keys: '(user_id = current_user_id())',
};

const options = { statementTimeoutMs: 60_000, name: 'tests', onError: () => {} };

suite('row-level security', () => {
  let database: TestDatabase;
  let owner: Database;
  let db: Database;
  let one: Tenant;
  let other: Tenant;
  let tenantTables: string[];

  before(async () => {
    database = await createTestDatabase();
    owner = connect(database.ownerUrl, { ...options, connections: 4 });
    db = connect(database.appUrl, { ...options, connections: 4 });
    [one, other] = [await buildTenant(owner), await buildTenant(owner)];
    tenantTables = await listTenantTables(owner);
  });
  after(async () => {
    await Promise.all([owner.destroy(), db.destroy()]);
    await database.drop();
  });

  const query = async <T>(text: string): Promise<T[]> => (await sql.raw<T>(text).execute(owner)).rows;

  test('is on, forced and complete on every table but the open ones (TEN-3)', async () => {
    const tables = await query<{ name: string; enabled: boolean; forced: boolean }>(`
      select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f', 'm')
    `);
    assert.ok(tables.length > 20);
    const unprotected = tables.filter(({ enabled, forced }) => !enabled || !forced).map(({ name }) => name);
    assert.deepEqual(unprotected.sort(), openTables);

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
      from pg_policies where schemaname = 'public'
    `);
    const ownerName = new URL(database.ownerUrl).username;
    for (const { name } of tables.filter((table) => !openTables.includes(table.name))) {
      const expression = ownPolicies[name] ?? '(organization_id = current_organization_id())';
      const ofTable = policies.filter(({ table }) => table === name);
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
          {
            roles: '{reachout_app}',
            command: 'ALL',
            permissive: 'PERMISSIVE',
            using: expression,
            check: expression,
          },
        ],
        name,
      );
      const forOwner = ofTable.filter(({ roles }) => roles === `{${ownerName}}`);
      assert.ok(
        forOwner.every(({ command }) => command === 'SELECT'),
        `${name}: the owner may read, not write`,
      );
    }
  });

  test('holds a role that owns nothing, bypasses nothing and is nobody else (TEN-3)', async () => {
    const [role] = await query(`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolinherit
      from pg_roles where rolname = 'reachout_app'
    `);
    assert.deepEqual(role, {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolinherit: false,
    });
    assert.deepEqual(
      await query(`select roleid::regrole::text from pg_auth_members where member = 'reachout_app'::regrole`),
      [],
    );
    const owned = await query(`
      select 'relation ' || relname as what from pg_class where relowner = 'reachout_app'::regrole
      union all select 'routine ' || proname from pg_proc where proowner = 'reachout_app'::regrole
      union all select 'schema ' || nspname from pg_namespace where nspowner = 'reachout_app'::regrole
      union all select 'database ' || datname from pg_database where datdba = 'reachout_app'::regrole
    `);
    assert.deepEqual(owned, []);
    // TRUNCATE knows no row-level security; TRIGGER and REFERENCES would run or tell what others store.
    const privileges = await query<{ privilege: string }>(`
      select distinct privilege_type as privilege from information_schema.role_table_grants
      where grantee = 'reachout_app' order by 1
    `);
    assert.deepEqual(
      privileges.map(({ privilege }) => privilege),
      ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
    );
    for (const statement of [
      'alter table clients disable row level security',
      'drop policy tenant on clients',
      'create table public.mine ()',
      'truncate clients',
      'delete from organizations',
      'set role postgres',
      'set session authorization postgres',
      'select * from migrations.kysely_migration',
    ]) {
      await assert.rejects(
        inOrganization(db, one.organizationId, (trx) => sql.raw(statement).execute(trx)),
        { code: '42501' },
        statement,
      );
    }
  });

  test('finds that PUBLIC is granted nothing (TEN-3)', async () => {
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
      where grantee = 0 and nspname in ('public', 'migrations')
    `);
    assert.deepEqual(grants, []);
  });

  test('has a row in every tenant table to show itself on', async () => {
    for (const { organizationId } of [one, other]) {
      for (const table of tenantTables) {
        assert.ok(
          (await countOf(owner, table, organizationId)) > 0,
          `buildTenant puts nothing into ${table}`,
        );
      }
    }
  });

  test('shows nothing without an organization, and nothing of another one', async () => {
    const tables = [...tenantTables, 'organizations'];
    for (const actor of [{}, { userId: one.ownerUserId }]) {
      await transactionAs(db, actor, async (trx) => {
        for (const table of tables) assert.equal(await countOf(trx, table), 0, table);
      });
    }
    // A connection that never heard of the settings, and one on which they ended.
    for (const table of tables) assert.equal(await countOf(db, table), 0, table);

    await inOrganization(db, one.organizationId, async (trx) => {
      for (const table of tables) {
        assert.ok((await countOf(trx, table)) > 0, table);
        assert.equal(await countOf(trx, table, other.organizationId), 0, table);
      }
    });
  });

  test('lets nobody write into another organization', async () => {
    for (const table of tenantTables) {
      const rowsBefore = await rowsOf(owner, table);
      const columns = (await insertableColumns(table)).join(', ');
      const name = `${table} (TEN-3)`;
      const inOther = <T>(work: (trx: KyselyTransaction<DB>) => Promise<T>) =>
        inOrganization(db, other.organizationId, work);
      const changed = await inOther((trx) =>
        sql
          .raw(
            `update ${table} set organization_id = organization_id where organization_id = '${one.organizationId}'`,
          )
          .execute(trx),
      );
      assert.equal(changed.numAffectedRows, 0n, name);
      const removed = await inOther((trx) =>
        sql.raw(`delete from ${table} where organization_id = '${one.organizationId}'`).execute(trx),
      );
      assert.equal(removed.numAffectedRows, 0n, name);
      // Rows of the own organization do not move out, and new ones do not land elsewhere.
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

  test('keeps to the organization of each transaction on one connection, whatever fails between (TEN-4)', async () => {
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
      for (let turn = 0; turn < 1_200; turn += 1) {
        const organizationId = ids[turn % 2] ?? '';
        // The slow ones come less often.
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
