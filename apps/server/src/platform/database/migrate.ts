import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeLiteral } from 'pg';
import type { RolePasswords } from './logins.ts';

const folder = join(import.meta.dirname, '../../../../../db');
/** Folders applied after the migrations, in this order, and again whenever one of their files has changed. */
const derivedFolders = ['functions', 'views', 'policies', 'reference'];

/** Set on the roles, so that they apply to every connection of the server. PgBouncer rejects them when one starts. */
const roleLimits = {
  statement_timeout: '5s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '10s',
};

/** The database was not created by the files in db/ of this version. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/**
 * Migrates the database to the newest version. If several processes start at once, one migrates and the others wait.
 * @param ownerUrl logs in as the owner of the database; must be able to create roles
 * @throws SchemaMismatch if the applied migrations are not those of this version
 */
export async function migrateDatabase(ownerUrl: string, passwords: RolePasswords): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    // Before anything changes, roles of the whole server included.
    checkMigrations(await readFiles(), await listApplied(client));
    await inTransaction(client, () => createRoles(client, passwords));
    await inTransaction(client, () => applySchema(client));
  });
}

/**
 * Checks the schema for processes and commands that do not migrate.
 * @param url  logs in as the owner or as `reachout_app`
 * @throws SchemaMismatch if the schema is not the one that this version needs
 */
export async function checkSchema(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const [wanted, applied] = [await readFiles(), await listApplied(client)];
    checkMigrations(wanted, applied);
    const missing = wanted.find(({ path, checksum }) => applied.get(path) !== checksum);
    if (missing !== undefined)
      throw new SchemaMismatch(
        `The database lacks ${missing.path}. Let a server of this version migrate it first.`,
      );
  });
}

/** Runs in one transaction, so that no other session sees the tables without their policies. */
export async function applySchema(client: Client): Promise<void> {
  const wanted = await readFiles();
  await client.query(`
    select pg_advisory_xact_lock(hashtext('reachout schema'));
    set local lock_timeout = '30s';
    create schema if not exists migrations;
    create table if not exists migrations.files (
      path text primary key, checksum text not null, applied_at timestamptz not null default now()
    );
    grant usage on schema migrations to reachout_app;
    grant select on migrations.files to reachout_app;
  `);
  const applied = await listApplied(client);
  checkMigrations(wanted, applied);
  const derivedOf = (paths: Iterable<string>) => [...paths].filter((path) => !isMigration(path)).length;
  const isCurrent =
    wanted.every(({ path, checksum }) => applied.get(path) === checksum) &&
    derivedOf(applied.keys()) === derivedOf(wanted.map(({ path }) => path));
  if (isCurrent) return;
  await client.query(dropDerived);
  await client.query(`delete from migrations.files where path not like 'migrations/%'`);
  for (const { path, checksum, text } of wanted) {
    if (isMigration(path) && applied.has(path)) continue;
    await client.query(text).catch((error: unknown) => {
      throw new Error(`db/${path} failed.`, { cause: error });
    });
    await client.query('insert into migrations.files (path, checksum) values ($1, $2)', [path, checksum]);
  }
}

/**
 * Drops the objects of the derived files and turns off forced row-level security, so that migrations find only tables and
 * can change all rows: forced row-level security also applies to an owner who is not a superuser. Functions are dropped
 * newest first, so that each is dropped before the functions it uses.
 */
const dropDerived = `
  do $$
  declare
    of_extensions oid[] := array(select objid from pg_depend where deptype = 'e');
    statement text;
  begin
    for statement in
      select format('drop policy %I on public.%I', policyname, tablename) from pg_policies where schemaname = 'public'
      union all
      select format('drop view if exists public.%I cascade', relname) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'v' and oid <> all(of_extensions)
      union all
      select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger
        where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all
      (select format('drop routine %s', oid::regprocedure) from pg_proc
        where pronamespace = 'public'::regnamespace and oid <> all(of_extensions)
        order by oid desc)
      union all
      select format('alter table %s no force row level security', oid::regclass) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relforcerowsecurity
    loop
      execute statement;
    end loop;
  end
  $$;
  revoke all on all tables in schema public from reachout_app, reachout_auth;
`;

interface SchemaFile {
  /** Relative to db/. */
  path: string;
  checksum: string;
  text: string;
}

const isMigration = (path: string): boolean => path.startsWith('migrations/');

async function readFiles(): Promise<SchemaFile[]> {
  const paths: string[] = [];
  for (const part of ['migrations', ...derivedFolders]) {
    const names = (await readdir(join(folder, part))).filter((name) => name.endsWith('.sql'));
    paths.push(...names.toSorted().map((name) => `${part}/${name}`));
  }
  return await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(folder, path), 'utf8');
      return { path, checksum: createHash('sha256').update(text).digest('hex'), text };
    }),
  );
}

/** @returns the files applied to this database, path to checksum; empty before the first migration */
async function listApplied(client: Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ isRecorded: boolean; isUsed: boolean }>(`
    select to_regclass('migrations.files') is not null as "isRecorded",
      to_regclass('public.organizations') is not null as "isUsed"
  `);
  const { rows } =
    tables[0]?.isRecorded === true
      ? await client.query<{ path: string; checksum: string }>('select path, checksum from migrations.files')
      : { rows: [] };
  if (rows.length === 0 && tables[0]?.isUsed === true)
    throw new SchemaMismatch(
      'The database holds tables of a version that kept no record of its migrations. Use an empty database.',
    );
  return new Map(rows.map(({ path, checksum }) => [path, checksum]));
}

function checkMigrations(wanted: SchemaFile[], applied: Map<string, string>): void {
  const migrations = wanted.filter(({ path }) => isMigration(path));
  const known = new Set(migrations.map(({ path }) => path));
  const advice = 'Start the version that migrated the database, or use another database.';
  for (const path of applied.keys()) {
    if (isMigration(path) && !known.has(path))
      throw new SchemaMismatch(`The database has ${path}, which this version does not know. ${advice}`);
  }
  for (const { path, checksum } of migrations) {
    const before = applied.get(path);
    if (before !== undefined && before !== checksum)
      throw new SchemaMismatch(
        `The database was migrated with another ${path} than this version's. ${advice}`,
      );
  }
  const newest = [...applied.keys()].filter(isMigration).toSorted().at(-1) ?? '';
  const skipped = migrations.find(({ path }) => path < newest && !applied.has(path));
  if (skipped !== undefined)
    throw new SchemaMismatch(`The database has ${newest}, but not ${skipped.path} before it. ${advice}`);
}

/**
 * Creates the server's roles, which own no objects and do not bypass row-level security. `reachout_app` runs the operations;
 * `reachout_auth` inherits from it and also reads and writes the sign-in tables. If several processes start at once, an
 * advisory lock serializes those of one database.
 * @throws Error if a role of this name has rights that it must not have
 */
async function createRoles(client: Client, { appPassword, authPassword }: RolePasswords): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('reachout_app'))`);
  await createRole(client, 'reachout_app', 'noinherit', appPassword);
  await createRole(client, 'reachout_auth', 'inherit in role reachout_app', authPassword);
}

async function createRole(client: Client, name: string, attributes: string, password: string): Promise<void> {
  const { rows } = await client.query<{ is_privileged: boolean }>(
    `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as is_privileged
     from pg_roles where rolname = $1`,
    [name],
  );
  if (rows[0]?.is_privileged === true) {
    throw new Error(
      `The role ${name} may bypass row-level security or make roles. Take those rights from it.`,
    );
  }
  // An owner who is not a superuser can set the password of a role it created, but cannot set the attributes again.
  const statement = rows.length > 0 ? `alter role ${name} login` : `create role ${name} login ${attributes}`;
  await client.query(`${statement} password ${escapeLiteral(password)}`);
  for (const [setting, value] of Object.entries(roleLimits))
    await client.query(`alter role ${name} set ${setting} = '${value}'`);
}

/** Opens one connection for `work`, and closes it afterwards. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
