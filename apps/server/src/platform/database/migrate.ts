import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeLiteral } from 'pg';
import type { RolePasswords } from './logins.ts';

const folder = join(import.meta.dirname, '../../../../../db');
/** Applied after the migrations, in this order, and again whenever one of them has changed. */
const derivedFolders = ['functions', 'views', 'policies', 'reference'];

/** Hold on every connection of the server, also through PgBouncer, which rejects them at the start of a connection. */
const roleLimits = {
  statement_timeout: '5s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '10s',
};

/** The database was not made by the files in db/ of this version. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/**
 * Brings the database to the newest version. Several processes may start at once: one migrates, the others wait.
 * @param ownerUrl logs in as the owner of the database; may create roles
 * @throws SchemaMismatch where the applied migrations are not those of this version
 */
export async function migrateDatabase(ownerUrl: string, passwords: RolePasswords): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await inTransaction(client, () => createRoles(client, passwords));
    await inTransaction(client, () => applySchema(client));
  });
}

/**
 * For starts and commands that do not migrate.
 * @param url  logs in as the owner or as `reachout_app`
 * @throws SchemaMismatch where the database is not as this version needs it
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

/** In one transaction, so that nobody sees the tables without their policies. */
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
 * Drops the objects of the derived files. Migrations then find tables alone, and their changes to rows reach all rows: an owner who
 * is no superuser is bound by forced row-level security too. A function goes before those that it uses, which were there before it.
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
  /** Within db/. */
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

/** The files applied to this database, path to checksum; empty before the first migration. */
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
 * Creates the server's own roles, which own nothing and bypass nothing. `reachout_app` runs the operations;
 * `reachout_auth` inherits from it and also reads and writes the tables of sign-in. Several processes may start at once:
 * the advisory lock makes those of one database run one after the other.
 * @throws Error where a role of this name has rights that it must not have
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
  // An owner who is no superuser may set the password of a role it made, not repeat the attributes.
  const statement = rows.length > 0 ? `alter role ${name} login` : `create role ${name} login ${attributes}`;
  await client.query(`${statement} password ${escapeLiteral(password)}`);
  for (const [setting, value] of Object.entries(roleLimits))
    await client.query(`alter role ${name} set ${setting} = '${value}'`);
}

/** One connection for `work`. */
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
