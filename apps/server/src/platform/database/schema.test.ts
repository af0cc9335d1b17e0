import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Client } from 'pg';
import { describeSchema, schemaFile } from '../../../../../scripts/database-schema.ts';
import { typesFile, writeDatabaseTypes } from '../../../../../scripts/database-types.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { applySchema, checkSchema, migrateDatabase, SchemaMismatch } from './migrate.ts';

suite('database schema', () => {
  let database: TestDatabase;
  let owner: Client;

  before(async () => {
    database = await createTestDatabase();
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await database.drop();
  });

  test('db/schema.sql describes the database', async () => {
    const described = await readFile(schemaFile, 'utf8');
    assert.equal(await describeSchema(owner), described, 'run npm run db:dump');
  });

  test('table types match the database', async (t) => {
    const { rows } = await owner.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    if (rows[0]!.version < 180_000) return t.skip('older planners prove less about the columns of views');
    const folder = await mkdtemp(join(tmpdir(), 'reachout-types-'));
    try {
      const fresh = join(folder, 'types.ts');
      await writeDatabaseTypes(database.ownerUrl, fresh);
      assert.equal(await readFile(fresh, 'utf8'), await readFile(typesFile, 'utf8'), 'run npm run db:dump');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('migrating again changes nothing', async () => {
    await checkSchema(database.appUrl);
    const policies = async () => (await owner.query('select oid from pg_policy order by oid')).rows;
    const policiesBefore = await policies();
    await inRollback(() => applySchema(owner));
    assert.deepEqual(await policies(), policiesBefore);
  });

  test('changed functions, views, policies and lists are applied again', async () => {
    for (const change of [
      `update migrations.files set checksum = '' where path = 'functions/context.sql'`,
      `insert into migrations.files values ('policies/gone.sql', '')`,
      `delete from migrations.files where path like 'policies/%'`,
    ]) {
      await inRollback(async () => {
        await owner.query(change);
        await owner.query(`
          create function left_over() returns int language sql return 1;
          create policy left_over on clients using (true);
          grant truncate on clients to reachout_app;
          drop view clients_brands;
          drop policy tenant on brands;
          delete from client_contact_types;
        `);
        // Objects of extensions are kept.
        await owner.query('create extension pg_stat_statements');
        await applySchema(owner);
        await owner.query('drop extension pg_stat_statements');
        assert.equal(await describeSchema(owner), await readFile(schemaFile, 'utf8'), change);
        const { rows } = await owner.query('select from client_contact_types');
        assert.equal(rows.length, 5);
      });
    }
  });

  test('other applied migrations stop the start', async () => {
    const newest = `(select max(path) from migrations.files where path like 'migrations/%')`;
    for (const [change, message] of [
      [
        `update migrations.files set checksum = '' where path = ${newest}`,
        /another migrations\/\d{4}_\w+\.sql/,
      ],
      [
        `insert into migrations.files values ('migrations/9999_later.sql', '')`,
        /has migrations\/9999_later\.sql/,
      ],
      [`delete from migrations.files where path like 'migrations/0002%'`, /but not migrations\/0002/],
      [`drop table migrations.files`, /kept no record/],
    ] as const) {
      await inRollback(async () => {
        await owner.query(change);
        await assert.rejects(applySchema(owner), (error) => {
          assert.ok(error instanceof SchemaMismatch);
          assert.match(error.message, message);
          return true;
        });
      });
    }
    // Whoever has such a database finds all of it as it was, also what all databases of the server share.
    await owner.query(`insert into migrations.files values ('migrations/0160_use_of_websites.sql', '')`);
    const passwords = async () =>
      (await owner.query(`select rolname, rolpassword from pg_authid where rolname like 'reachout%'`)).rows;
    const passwordsBefore = await passwords();
    await assert.rejects(
      migrateDatabase(database.ownerUrl, { appPassword: 'other', authPassword: 'other' }),
      /^SchemaMismatch: The database has migrations\/0160_use_of_websites\.sql, which this version does not know\./,
    );
    assert.deepEqual(await passwords(), passwordsBefore);
    await owner.query(`delete from migrations.files where path like 'migrations/0160%'`);

    // Without the permission to migrate, missing migrations are reported, too.
    await owner.query(`delete from migrations.files where path = ${newest}`);
    await assert.rejects(checkSchema(database.appUrl), /The database lacks migrations\//);
  });

  async function inRollback(work: () => Promise<void>): Promise<void> {
    await owner.query('begin');
    try {
      await work();
    } finally {
      await owner.query('rollback');
    }
  }
});
