import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { completeOrSchedule } from '../delivery/sends/end-send.ts';
import { type Bounce, effectsOf } from '../delivery/worker/finished-message.ts';
import { execute, rowsOf, type Database, inOrganization } from '../platform/database/database.ts';
import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import { newId } from '../platform/ids.ts';
import { bounced, deferred, sent } from '../testing/delivery-results.ts';
import { buildPreparedSend, leaseNextChunk, upTo } from '../testing/prepared-send.ts';
import { getRow } from '../testing/rows.ts';
import { countAccounts } from '../testing/send-accounts.ts';
import { useSendDatabase } from '../testing/send-worker.ts';
import { countWaiting } from '../testing/wait-for-lock.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { assertBalanced } from '../testing/watch-accounts.ts';
import type { DeliveryResult } from './delivery.ts';
import { findDueSends } from './due-sends.queries.ts';
import { renewChunk, type Lease, type LeaseProgress } from './held-chunk.queries.ts';
import { leaseChunk, leaseChunkFrom } from './lease-chunk.queries.ts';
import { leaseQueued } from './lease-queued.queries.ts';
import { clearRecovered, listRecovered } from './recover-queued.queries.ts';
import type { SendKey, WantedLane } from './send-statements.ts';
import { storeChunk } from './store-chunk.queries.ts';

// No worker with these ids is alive, so each can take over the other's leases.
const one = 1;
const other = 2;
const wanted: WantedLane[] = [{ lane: 'other', limit: 10 }];

suite('leases that move between workers (JOB-2)', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let pipelined: PipelinedDatabase;
  before(() => ({ owner, app, pipelined } = database));

  async function buildLeased(contacts: number, markCount: number): Promise<{ ref: SendKey; held: Lease }> {
    const ref = await buildPreparedSend(database, { contacts });
    const { lease: held } = await leaseNextChunk(database, ref, { workerId: one, markCount });
    return { ref, held };
  }

  const store = (ref: SendKey, results: DeliveryResult[], progress: LeaseProgress, bounces: Bounce[] = []) =>
    storeChunk(pipelined, ref, one, results, effectsOf(ref, bounces), progress);

  const schedule = (ref: SendKey) =>
    inOrganization(app, ref.organizationId, (trx) => completeOrSchedule(trx, ref, []));

  const isDue = async ({ sendId }: SendKey) =>
    (
      await findDueSends(
        app,
        { toPrepare: 200, preparedFor: undefined, perList: 200, ofDeadWorkers: true },
        [],
      )
    ).some((found) => found.send_id === sendId);

  const readChunk = ({ sendId }: SendKey) =>
    getRow(owner, 'delivery_chunks', ['marked_up_to', 'worker_id'], { send_id: sendId });

  test('a lost lease cannot be renewed', async () => {
    const { ref, held } = await buildLeased(8, 8);
    const { lease: taken } = await leaseNextChunk(database, ref, { workerId: other, markCount: 8 });
    assert.equal(taken.firstSeq, held.firstSeq);
    await renewChunk(pipelined, ref, one, held);
    assert.equal((await readChunk(ref)).worker_id, other);
    // Under its new id after it lost its connection, the holder goes on.
    await renewChunk(pipelined, ref, 3, taken);
    assert.equal((await readChunk(ref)).worker_id, 3);
  });

  test('a lease from a position skips earlier chunks', async () => {
    const ref = await buildPreparedSend(database, { contacts: 800 });
    const from = async (seq: number) =>
      (await leaseChunkFrom(pipelined, ref, one, [{ lane: 'other', limit: 8, from: seq }]))?.lease.firstSeq;
    assert.equal(await from(251), 251);
    assert.equal(await from(251), 501);
    assert.equal(await from(751), 751);
    assert.equal(await from(501), undefined);
    const { lease } = await leaseNextChunk(database, ref, { workerId: 2, markCount: 8 });
    assert.equal(lease.firstSeq, 251, 'what a dead worker had comes first');
    assert.equal(await from(1), 1);
  });

  test('a take-over waits until a concurrent store has ended', async () => {
    const { ref, held } = await buildLeased(40, 8);
    const { touchpoint_id: touchpointId } = await getRow(owner, 'touchpoint_sends', '*', { id: ref.sendId });
    const event = {
      ...ref,
      touchpointId,
      id: newId(),
      subject: 'message',
      seq: 8,
      type: 'BOUNCE',
      linkNo: null,
    } as const;
    const bounce = { event: { ...event, at: new Date(), isBot: false, userAgent: null, ipPrefix: null } };
    const opened = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    // An uncommitted suppression of the same address blocks the store.
    const suppressed = { id: newId(), seq: 8, addressKey: 'user8@sink.example', class: 'address_hard' };
    const holder = owner.transaction().execute(async (trx) => {
      await execute(trx)`insert into choices (kind, id, organization_id, address_key, value)
        values ('suppression', ${newId()}, ${ref.organizationId}, ${suppressed.addressKey}, 'manual')`;
      locked.resolve();
      await opened.promise;
    });
    await locked.promise;
    const results = [...[1, 2, 3, 4, 5, 6, 7].map((seq) => sent(seq)), bounced(8)];
    const storing = store(ref, results, upTo(held, 16), [{ ...bounce, suppressed }]);
    await waitUntil('the store waits', async () => (await countWaiting(owner)) === 1);
    const taking = leaseChunk(pipelined, ref, other, wanted, []);
    await waitUntil('the take-over waits', async () => (await countWaiting(owner)) === 2);
    opened.resolve();
    await holder;
    assert.ok((await storing) !== undefined);
    // The messages that the first worker was allowed to send are uncertain now, and not leased by the second.
    const taken = await taking;
    assert.equal(taken?.recipients[0]?.seq, 17);
    const accounts = await countAccounts(owner, ref.sendId);
    assertBalanced(accounts);
    assert.equal(accounts.counters.uncertain, 8);
    const rows = await rowsOf(owner)`
      select from delivery_queue join delivery_results using (organization_id, send_id, seq)
      where send_id = ${ref.sendId}`;
    assert.equal(rows.length, 0);
  });

  test('recovered retries keep their send due', async () => {
    const { ref, held } = await buildLeased(2, 2);
    await store(ref, [sent(1), deferred(2)], upTo(held, 2, 'done'));
    assert.equal(
      (await leaseQueued(pipelined, ref, { workerId: one, wanted, limit: 10, heldSeqs: [] })).recipients
        .length,
      1,
    );
    await schedule(ref);
    assert.equal(
      (await leaseQueued(pipelined, ref, { workerId: other, wanted, limit: 10, heldSeqs: [] })).hasRecovered,
      true,
    );
    assert.ok(await isDue(ref));
    const recovered = await listRecovered(pipelined, ref, 10);
    await clearRecovered(
      pipelined,
      ref,
      recovered.map(({ seq }) => seq),
    );
    assert.ok(await isDue(ref));
  });

  test('a released chunk makes its send due', async () => {
    const { ref, held } = await buildLeased(20, 8);
    await execute(owner)`update touchpoint_sends set failure_count = 1 where id = ${ref.sendId}`;
    await schedule(ref);
    await store(ref, [sent(1)], upTo(held, 8, 'free'));
    assert.ok(await isDue(ref));
  });

  test('a late store changes no lease', async () => {
    const { ref, held } = await buildLeased(20, 8);
    await store(ref, [sent(1)], upTo(held, 16));
    await store(ref, [sent(1)], upTo(held, 12));
    assert.equal((await readChunk(ref)).marked_up_to, 16);
    await store(ref, [sent(2)], upTo(held, 2, 'free'));
    assert.equal(await store(ref, [sent(1)], upTo(held, 16)), undefined);
    assert.deepEqual(await readChunk(ref), { marked_up_to: 2, worker_id: null });
  });
});
