import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '../ids.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { connect, inOrganization, type Database } from './database.ts';
import { connectPipelined, type PipelinedDatabase } from './pipelined.ts';

const options = { connections: 1, name: 'tests', onError: () => {} };

/** Default limits of every connection, in milliseconds. */
const roleLimits = {
  statement_timeout: '5000',
  lock_timeout: '3000',
  idle_in_transaction_session_timeout: '10000',
};

const limitsInForce = `
  select name, setting, source from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode',
    'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin') or source = 'client'
`;

interface Setting {
  name: string;
  setting: string;
  source: string;
}

suite('connection limits', () => {
  let database: TestDatabase;
  let standard: Database;
  let patient: Database;
  let pipelined: PipelinedDatabase;

  before(async () => {
    database = await createTestDatabase();
    standard = connect(database.appUrl, options);
    patient = connect(database.appUrl, { ...options, statementTimeoutMs: 60_000 });
    pipelined = connectPipelined(database.appUrl, { ...options, statementTimeoutMs: 60_000 });
  });
  after(async () => {
    await Promise.all([standard.destroy(), patient.destroy(), pipelined.destroy()]);
    await database.drop();
  });

  const listSettings = async (db: Database): Promise<Setting[]> =>
    (await sql.raw<Setting>(limitsInForce).execute(db)).rows;
  const limitsOf = (settings: Setting[]) =>
    Object.fromEntries(
      settings.filter(({ name }) => name in roleLimits).map(({ name, setting }) => [name, setting]),
    );
  const inTransaction = (db: Database) => inOrganization(db, newId(), listSettings);
  const inPipeline = async () => {
    const [rows] = await pipelined.transaction(newId(), [
      { name: 'limits', text: limitsInForce, values: [] },
    ]);
    return rows as Setting[];
  };

  test('transactions have the limits of role and pool', async () => {
    const longer = { ...roleLimits, statement_timeout: '60000' };
    for (const db of [standard, patient]) assert.deepEqual(limitsOf(await listSettings(db)), roleLimits);
    assert.deepEqual(limitsOf(await inTransaction(standard)), roleLimits);
    assert.deepEqual(limitsOf(await inTransaction(patient)), longer);
    assert.deepEqual(limitsOf(await inPipeline()), longer);
    // They ended with the transaction.
    assert.deepEqual(limitsOf(await listSettings(patient)), roleLimits);
  });

  test('long statements are cancelled', async () => {
    const hasty = connect(database.appUrl, { ...options, statementTimeoutMs: 50 });
    try {
      await assert.rejects(
        inOrganization(hasty, newId(), (trx) => sql`select pg_sleep(2)`.execute(trx)),
        { code: '57014' },
      );
    } finally {
      await hasty.destroy();
    }
  });

  test('isolation levels keep the limits', async () => {
    const settings = await patient
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const { rows } = await sql<{ isolation: string; read_only: string }>`
          select current_setting('transaction_isolation') as isolation,
            current_setting('transaction_read_only') as read_only
        `.execute(trx);
        assert.deepEqual(rows, [{ isolation: 'repeatable read', read_only: 'on' }]);
        return await listSettings(trx);
      });
    assert.equal(limitsOf(settings)['statement_timeout'], '60000');
  });

  test('pipelined statements use generic plans', async () => {
    const settings = Object.fromEntries((await inPipeline()).map(({ name, setting }) => [name, setting]));
    assert.equal(settings['plan_cache_mode'], 'force_generic_plan');
    for (const method of ['seqscan', 'hashjoin', 'mergejoin'])
      assert.equal(settings[`enable_${method}`], 'off', method);
  });

  test('connections need no startup parameters, as PgBouncer requires', async () => {
    for (const settings of [await listSettings(standard), await inTransaction(patient), await inPipeline()]) {
      const asked = settings.filter(({ source }) => source === 'client').map(({ name }) => name);
      assert.deepEqual(asked.sort(), ['application_name', 'client_encoding']);
    }
  });
});
