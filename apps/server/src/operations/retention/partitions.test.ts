import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { buildOrganization, buildSend } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, listRows } from '../../testing/rows.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createLog } from '../../platform/log.ts';
import { maintainPartitions } from './partitions.ts';

const tables = ['deliveries', 'delivery_exclusions', 'delivery_results', 'events', 'visitor_events'];

suite('tables partitioned by month', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let auth: Database;
  let organizationId: string;

  before(async () => {
    ({ owner, app, auth } = database);
    organizationId = (await buildOrganization(owner)).id;
    // The template may be of the month before: a run that started in its last minutes.
    await maintain();
  });

  const thisMonth = monthAt(0);

  async function listPartitions(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where c.relnamespace = 'partitions'::regnamespace and c.relkind = 'r' order by 1
    `.execute(owner);
    return rows.map(({ name }) => name);
  }

  const storeDelivery = (sendId: string) =>
    inOrganization(app, organizationId, (trx) =>
      insertRows(trx, 'deliveries', {
        organization_id: organizationId,
        send_id: sendId,
        seq: 1,
        contact_id: 'c',
        address: 'a@b.example',
        variables: '{}',
      }),
    );

  /** Runs one round. @returns the log lines for operators */
  async function maintain() {
    const lines: { msg: string; partition?: string; rows?: number; table?: string }[] = [];
    const faults = { refused: 0 };
    const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
    await maintainPartitions(auth, log, faults);
    return { lines, faults };
  }

  /** @returns the partition that stores the delivery of a send */
  async function partitionOf(sendId: string): Promise<string | undefined> {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from deliveries d join pg_class c on c.oid = d.tableoid where d.send_id = ${sendId}
    `.execute(owner);
    return rows[0]?.name;
  }

  test('there are partitions for two months and the rest', async () => {
    const months = [`_${thisMonth}`, `_${monthAt(1)}`, '_default'];
    const expected = tables.flatMap((table) => months.map((month) => table + month));
    const current = (await listPartitions()).filter((name) => !name.endsWith(`_${monthAt(-1)}`));
    assert.deepEqual(current, expected.toSorted());
    const sendId = newId();
    await storeDelivery(sendId);
    assert.equal(await partitionOf(sendId), `deliveries_${thisMonth}`);
  });

  test('rows of a missing month are moved later', async () => {
    const [old, early] = [idAt(-3), idAt(1)];
    await sql.raw(`drop table partitions.deliveries_${monthAt(1)}`).execute(owner);
    for (const sendId of [old, early]) {
      await storeDelivery(sendId);
      assert.equal(await partitionOf(sendId), 'deliveries_default');
    }
    const { lines } = await maintain();
    assert.equal(await partitionOf(early), `deliveries_${monthAt(1)}`);
    assert.equal(await partitionOf(old), `deliveries_${monthAt(-3)}`);
    const late = [monthAt(-3), monthAt(1)].map((month) => [
      'rows waited for their partition',
      `deliveries_${month}`,
      1,
    ]);
    assert.deepEqual(
      lines.map(({ msg, partition, rows }) => [msg, partition, rows]),
      late,
    );
    const seen = await inOrganization(app, organizationId, (trx) =>
      trx.selectFrom('deliveries').select('send_id').where('send_id', 'in', [old, early]).execute(),
    );
    assert.equal(seen.length, 2);
  });

  test('too many rows stay in the default partition', async () => {
    const [month, early] = [monthAt(1), idAt(1)];
    await sql.raw(`drop table partitions.deliveries_${month}`).execute(owner);
    await sql`
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select ${organizationId}, ${early}, seq, 'c', 'a@b.example', '{}' from generate_series(1, 50001) seq
    `.execute(owner);
    const countRead = async () => {
      const { rows } = await inOrganization(app, organizationId, (trx) =>
        sql<{ count: string }>`select count(*) from deliveries where send_id = ${early}`.execute(trx),
      );
      return Number(rows[0]?.count);
    };
    const { lines, faults } = await maintain();
    assert.deepEqual(
      lines.map(({ msg, table }) => [msg, table]),
      [['too many rows wait for their partition (docs/sending.md, Months)', 'deliveries']],
    );
    assert.equal(faults.refused, 1);
    assert.equal(await countRead(), 50_001);
    assert.equal(await partitionOf(early), 'deliveries_default');
    // The operator has stopped the workers.
    const { rows } = await sql`select partition, moved_rows from make_partitions(null)`.execute(owner);
    assert.deepEqual(rows, [{ partition: `deliveries_${month}`, moved_rows: 50_001 }]);
    assert.equal(await partitionOf(early), `deliveries_${month}`);
    assert.equal(await countRead(), 50_001);
    assert.deepEqual(await maintain(), { lines: [], faults: { refused: 0 } });
  });

  test('empty old months are dropped', async () => {
    const month = monthAt(-6);
    const sendId = idAt(-6);
    await buildSend(owner, { organization_id: organizationId, id: sendId });
    await storeDelivery(sendId);
    const isThere = async () => {
      await maintain();
      return (await listPartitions()).includes(`deliveries_${month}`);
    };
    // A round skips a table whose lock it does not get soon.
    await waitUntil('the month has a partition', isThere);
    await deleteRows(owner, 'deliveries', { send_id: sendId });
    assert.equal(await isThere(), true);
    await deleteRows(owner, 'touchpoint_sends', { id: sendId });
    await owner.transaction().execute(async (trx) => {
      await listRows(trx, 'deliveries', ['seq'], { send_id: sendId });
      assert.equal(await isThere(), true, 'while somebody reads it');
    });
    assert.equal(await isThere(), false);
    const recent = await listPartitions();
    assert.ok(recent.includes(`deliveries_${thisMonth}`) && recent.includes(`deliveries_${monthAt(1)}`));
  });

  test('a month is created while messages are stored', async () => {
    const table = `delivery_results_${monthAt(1)}`;
    await sql.raw(`drop table partitions.${table}`).execute(owner);
    await inOrganization(app, organizationId, async (trx) => {
      const result = {
        organization_id: organizationId,
        send_id: newId(),
        seq: 1,
        state: 'sent' as const,
        attempts: 1,
      };
      await insertRows(trx, 'delivery_results', { ...result, at: new Date().toISOString() });
      await maintain();
    });
    assert.ok((await listPartitions()).includes(table));
  });

  test('creating a month does not block other tables', async () => {
    const early = idAt(-4);
    await storeDelivery(early);
    const result = {
      organization_id: organizationId,
      send_id: early,
      seq: 1,
      state: 'sent' as const,
      attempts: 1,
    };
    await inOrganization(app, organizationId, (trx) =>
      insertRows(trx, 'delivery_results', { ...result, at: new Date().toISOString() }),
    );
    await inOrganization(app, organizationId, async (trx) => {
      await listRows(trx, 'delivery_results', ['seq'], { send_id: early });
      await maintain();
      assert.equal(await partitionOf(early), `deliveries_${monthAt(-4)}`);
      const read = await listRows(trx, 'deliveries', ['seq'], { send_id: early });
      assert.equal(read.length, 1);
    });
    assert.ok(!(await listPartitions()).includes(`delivery_results_${monthAt(-4)}`));
    await maintain();
    assert.ok((await listPartitions()).includes(`delivery_results_${monthAt(-4)}`));
  });

  test('a query by send scans one partition', async () => {
    const { rows } = await owner.transaction().execute(async (trx) => {
      await sql`set local plan_cache_mode = force_generic_plan`.execute(trx);
      await sql`prepare one_send (uuid) as select address from deliveries where organization_id = $1 and send_id = $1`.execute(
        trx,
      );
      return await sql
        .raw<{ 'QUERY PLAN': string }>(`explain (costs off) execute one_send ('${newId()}')`)
        .execute(trx);
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.deepEqual(
      [...plan.matchAll(/ on (\w+)/g)].map(([, name]) => name),
      [`deliveries_${thisMonth}`],
      plan,
    );
    assert.match(plan, /Subplans Removed: \d/);
  });
});

function monthAt(offset: number): string {
  return startOf(offset).toISOString().slice(0, 7).replace('-', '_');
}

/** @returns a UUIDv7 with a time within that month */
function idAt(offset: number): string {
  const time = (startOf(offset).getTime() + 1).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
}

/** @returns the first of a month in UTC, `offset` months from now */
function startOf(offset: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
}
