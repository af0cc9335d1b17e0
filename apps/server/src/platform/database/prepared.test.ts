import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { getBrand } from '../../clients/brands/brand.queries.ts';
import { getTouchpoint } from '../../outreach/touchpoints/touchpoint.queries.ts';
import { buildBrand, buildTouchpoint } from '../../sample/records.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { rowsOf, connect, inOrganization, transactionAs, type Database } from './database.ts';
import { collectPoolMetrics } from '../metrics/process-metrics.ts';
import { maxPrepared, prepared } from './prepared.ts';

/** PostgreSQL uses the plan for all values from the sixth execution on, if it is not more expensive. */
const executions = 8;

const timesOver = async (work: () => Promise<void>) => {
  for (let execution = 0; execution < executions; execution += 1) await work();
};

suite('prepared statements', () => {
  let database: TestDatabase;
  let owner: Database;
  /** With one connection. */
  let db: Database;

  const options = { connections: 1, name: 'tests', onError: () => {} };
  before(async () => {
    database = await createTestDatabase();
    owner = connect(database.ownerUrl, options);
    db = connect(database.appUrl, options);
  });
  after(async () => {
    await Promise.all([owner.destroy(), db.destroy()]);
    await database.drop();
  });

  /** Those of the connection whose text has the word. */
  const listPrepared = (word: string) => rowsOf<{ custom: number; generic: number }>(db)`
      select custom_plans as custom, generic_plans as generic from pg_prepared_statements where statement like ${`%${word}%`}
    `;

  test('a statement has one plan for each connection', async () => {
    const touchpoint = await buildTouchpoint(owner);
    await timesOver(async () => {
      const read = await inOrganization(db, touchpoint.organization_id, (trx) =>
        getTouchpoint(trx, touchpoint.id),
      );
      assert.equal(read.name, touchpoint.name);
    });
    assert.deepEqual(await listPrepared('touchpoint_overviews'), [{ custom: 5, generic: executions - 5 }]);
  });

  test('each execution sees its tenant and scope alone', async () => {
    const [brand, other] = [await buildBrand(owner), await buildBrand(owner)];
    const namedBy = (actor: Parameters<typeof transactionAs>[1], id: string) =>
      transactionAs(db, actor, (trx) => getBrand(trx, id)).then(
        ({ name }) => name,
        (error: { status?: number }) => error.status,
      );
    const ofBrand = { organizationId: brand.organization_id };
    const ofOther = { organizationId: other.organization_id };
    const scopeOf = (ids: string[]) => ({ ...ofBrand, accessScope: { client_ids: ids, brand_ids: [] } });
    await timesOver(async () => {
      assert.equal(await namedBy(ofBrand, brand.id), brand.name);
      assert.equal(await namedBy(ofOther, brand.id), 404);
      assert.equal(await namedBy(ofOther, other.id), other.name);
      assert.equal(await namedBy({}, brand.id), 404);
      assert.equal(await namedBy(scopeOf([]), brand.id), 404);
      assert.equal(await namedBy(scopeOf([brand.client_id]), brand.id), brand.name);
    });
    const [plans, ...others] = await listPrepared('brand_overviews');
    assert.deepEqual([plans?.custom, others], [5, []]);
  });

  test('a query that was built from the same one is not prepared', async () => {
    const query = db.selectFrom('countries').select('id').where('id', '=', 'none');
    for (const each of [prepared(query), query, query]) await each.execute();
    assert.deepEqual(await listPrepared('countries'), [{ custom: 1, generic: 0 }]);
  });

  test('results are right after a change of the schema', async () => {
    const change = async (...statements: string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(owner);
    };
    await change(
      'create table shapes (id integer, width integer)',
      'create view wide_shapes as select id, width from shapes where width > 1',
      'insert into shapes values (1, 2)',
      'grant select on shapes, wide_shapes to reachout_app',
    );
    const read = async () => {
      const statement = prepared(sql<{ width: unknown }>`select width from wide_shapes where id = ${1}`);
      return (await statement.execute(db)).rows[0]?.width;
    };
    await timesOver(async () => assert.equal(await read(), 2));
    await change(
      'alter table shapes add column height integer',
      'create or replace view wide_shapes as select id, width * 10 as width, height from shapes',
    );
    assert.equal(await read(), 20);
    await change(
      'drop view wide_shapes',
      'create view wide_shapes as select id, width::text as width from shapes',
      'grant select on wide_shapes to reachout_app',
    );
    await assert.rejects(read(), { code: '0A000' });
    await timesOver(async () => assert.equal(await read(), '2'));
    assert.equal((await listPrepared('')).length, 1, 'what was prepared before is given up');
  });

  // The last test: it uses up what the connection may have.
  test('a connection has a bounded number of them', async () => {
    const countUnprepared = () =>
      collectPoolMetrics().find(({ name }) => name === 'reachout_database_unprepared_total')!.values[0]!
        .value;
    const countedBefore = countUnprepared();
    const beyond = 3;
    for (let number = 0; number < maxPrepared + beyond; number += 1) {
      const { rows } = await prepared(sql<{ number: number }>`select ${sql.lit(number)} as number`).execute(
        db,
      );
      assert.deepEqual(rows, [{ number }]);
    }
    assert.equal((await listPrepared('')).length, maxPrepared);
    assert.ok(countUnprepared() - countedBefore >= beyond);
  });
});
