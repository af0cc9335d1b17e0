import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { inOrganization, type Database } from '../platform/database/database.ts';
import { createLog } from '../platform/log.ts';
import { useSendDatabase } from '../testing/send-worker.ts';
import { listRows } from '../testing/rows.ts';
import { buildWebsite } from '../testing/tracked-website.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { createDropCounter, listDrops } from './website-drops.ts';

suite('dropped events of websites', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;

  before(() => ({ owner, app: db } = database));

  const read = async (of: { organizationId: string; touchpointId: string }) =>
    (await inOrganization(db, of.organizationId, (trx) => listDrops(trx, of, 30))).map(
      ({ reason, count }) => `${reason} ${count}`,
    );

  test('counts are stored while counting, and on close', async () => {
    const [one, other] = [await buildWebsite(owner), await buildWebsite(owner)];
    const drops = createDropCounter(db, createLog('silent'), 10);
    for (let index = 0; index < 50; index++) drops.count(one, 'host');
    drops.count(other, 'inactive', 20);
    await waitUntil('drops are stored', async () => (await read(one)).length > 0);
    drops.count(one, 'host');
    drops.count(one, 'limit', 99);
    await drops.close();
    assert.deepEqual(await read(one), ['limit 99', 'host 51']);
    assert.deepEqual(await read(other), ['inactive 20']);
  });

  test('a website of another organization counts nothing', async () => {
    const [one, other] = [await buildWebsite(owner), await buildWebsite(owner)];
    const drops = createDropCounter(db, createLog('silent'));
    drops.count({ ...one, organizationId: other.organizationId }, 'invalid');
    drops.count(other, 'invalid');
    await drops.close();
    assert.deepEqual(
      await listRows(owner, 'website_drops', ['count'], { touchpoint_id: one.touchpointId }),
      [],
    );
    assert.deepEqual(await read(other), ['invalid 1']);
  });

  test('counts that could not be stored are stored later', async () => {
    const website = await buildWebsite(owner);
    let failures = 0;
    const away = db.withPlugin({
      transformQuery: ({ node }) => {
        if (failures === 0) throw new Error(`away ${++failures}`);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const drops = createDropCounter(away, createLog('silent'), 10);
    drops.count(website, 'host', 7);
    await waitUntil('it fails once, then stores', async () => (await read(website)).length > 0);
    assert.equal(failures, 1);
    drops.count(website, 'host', 2);
    await drops.close();
    assert.deepEqual(await read(website), ['host 9']);
  });
});
