import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { escapeLiteral, Pool } from 'pg';

const folder = join(import.meta.dirname, '../../../../../db/migrations');

/**
 * Brings the database to the newest version. Several processes may start at once: one migrates, the others wait.
 * All migrations run in one transaction.
 * @param ownerUrl logs in as the owner of the database; may create roles
 * @param options.appPassword the password that the role `reachout_app` gets
 */
export async function migrateDatabase(ownerUrl: string, options: { appPassword: string }): Promise<void> {
  const pool = new Pool({ connectionString: ownerUrl, max: 2, connectionTimeoutMillis: 5_000 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await createAppRole(db, options.appPassword);
    const migrator = new Migrator({ db, provider: { getMigrations }, migrationTableSchema: 'migrations' });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  } finally {
    await db.destroy();
  }
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Object.fromEntries(
    names.map((name) => [
      name.replace(/\.sql$/, ''),
      {
        up: async (db: Kysely<unknown>) => {
          await sql`set local lock_timeout = '30s'`.execute(db);
          await sql.raw(await readFile(join(folder, name), 'utf8')).execute(db);
        },
      },
    ]),
  );
}

/**
 * The server's own role: owns nothing, bypasses nothing. Roles belong to the whole cluster, so databases made
 * side by side ask for it at the same time: the advisory lock makes them take turns.
 * @throws Error where a role of this name has rights that it must not have
 */
async function createAppRole(db: Kysely<unknown>, password: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('reachout_app'))`.execute(trx);
    const { rows } = await sql<{ is_mighty: boolean }>`
      select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as is_mighty
      from pg_roles where rolname = 'reachout_app'
    `.execute(trx);
    if (rows[0]?.is_mighty === true) {
      throw new Error(
        'The role reachout_app may bypass row-level security or make roles. Take those rights from it.',
      );
    }
    // An owner who is no superuser may set the password of a role it made, not repeat the attributes.
    const statement =
      rows.length > 0 ? 'alter role reachout_app login' : `create role reachout_app login noinherit`;
    await sql.raw(`${statement} password ${escapeLiteral(password)}`).execute(trx);
  });
}
