import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { execute, hasRows, inOrganization, type Database } from '../platform/database/database.ts';
import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import { bounced, deferred, failed, sent, uncertain } from '../testing/delivery-results.ts';
import { buildPreparedSend, leaseNextChunk, upTo } from '../testing/prepared-send.ts';
import { listRows } from '../testing/rows.ts';
import { countAccounts } from '../testing/send-accounts.ts';
import { useSendDatabase } from '../testing/send-worker.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { assertBalanced } from '../testing/watch-accounts.ts';
import { pauseSend } from '../delivery/sends/change-send.ts';
import type { DeliveryResult } from './delivery.ts';
import type { Lease } from './held-chunk.queries.ts';
import { storeLateBounces } from './late-results.queries.ts';
import { acceptUncertain } from './resolve-uncertain.queries.ts';
import { noEffects } from './result-statements.ts';
import { lockSend } from './send.queries.ts';
import type { SendKey } from './send-statements.ts';
import { storeChunk } from './store-chunk.queries.ts';
import { storeResults } from './store-results.queries.ts';

suite('late results', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let pipelined: PipelinedDatabase;
  before(() => ({ owner, app, pipelined } = database));

  const start = async (contacts: number) => {
    const ref = await buildPreparedSend(database, { contacts });
    const { lease } = await leaseNextChunk(database, ref, { workerId: 1, markCount: 250 });
    return { ref, lease };
  };
  const store = (ref: SendKey, lease: Lease, results: DeliveryResult[], release?: 'done' | 'free') =>
    storeChunk(pipelined, ref, 1, results, noEffects, upTo(lease, lease.lastSeq, release));
  const notMeasured = (seq: number): DeliveryResult => ({ ...sent(seq), tracked: false });

  /** Reports messages, and asserts that the books balance. @returns those that changed */
  const report = async (ref: SendKey, ...seqs: number[]): Promise<number[]> => {
    const reported = await inOrganization(app, ref.organizationId, async (trx) => {
      await lockSend(trx, ref.sendId);
      return await storeLateBounces(
        trx,
        ref,
        seqs.map((seq) => ({ seq, class: 'address_hard', reply: '550 5.1.1 no such user' })),
      );
    });
    assertBalanced(await countAccounts(owner, ref.sendId));
    return reported
      .flatMap(({ seq, is_changed }) => (is_changed ? [seq] : []))
      .toSorted((one, other) => one - other);
  };
  const countersOf = async ({ sendId }: SendKey) => {
    const { counters, totals } = await countAccounts(owner, sendId);
    const { accepted, sent: delivered, bounced: failedLater, uncertain: unknown, not_measured } = counters;
    return { accepted, delivered, bounced: failedLater, uncertain: unknown, not_measured, totals };
  };

  test('an accepted message that bounces is counted as bounced', async () => {
    const { ref, lease } = await start(4);
    await store(ref, lease, [sent(1), notMeasured(2), sent(3), bounced(4)], 'done');
    assert.deepEqual(await report(ref, 1, 2), [1, 2]);
    const { totals, ...counters } = await countersOf(ref);
    assert.deepEqual(counters, { accepted: 3, delivered: 1, bounced: 3, uncertain: 0, not_measured: 0 });
    // It leaves the quarter of its acceptance, and enters that of the report.
    assert.equal(totals['2026-11-20 10:00:00 sent'], 1);
    assert.equal(totals['2026-11-20 10:00:00 bounced address_hard'], 1);
    const [row] = await listRows(owner, 'delivery_results', ['reply', 'class', 'accepted_at'], {
      send_id: ref.sendId,
      seq: 1,
    });
    assert.deepEqual([row?.reply, row?.class], ['550 5.1.1 no such user', 'address_hard']);
    assert.ok(row?.accepted_at);
  });

  test('a chunk that is under way counts them itself', async () => {
    const { ref, lease } = await start(6);
    await store(ref, lease, [notMeasured(1), sent(2), deferred(3), deferred(4)]);
    // These come from the queue, and are counted in the send, while their chunk is open.
    await storeResults(pipelined, ref, [sent(3, { attempts: 2 }), notMeasured(4)], noEffects);
    assert.deepEqual(await report(ref, 1, 3), [1, 3]);
    assert.deepEqual(await report(ref, 2, 4), [2, 4]);
    await store(ref, lease, [sent(5), notMeasured(6)]);
    assert.deepEqual(await report(ref, 6), [6]);
    await store(ref, lease, [], 'done');
    await inOrganization(app, ref.organizationId, (trx) => pauseSend(trx, ref.sendId));
    const { totals: _, ...counters } = await countersOf(ref);
    assert.deepEqual(counters, { accepted: 6, delivered: 1, bounced: 5, uncertain: 0, not_measured: 0 });
    assertBalanced(await countAccounts(owner, ref.sendId));
  });

  test('a chunk that was given back leaves them to the send', async () => {
    const { ref, lease } = await start(4);
    await store(ref, lease, [sent(1), notMeasured(2)], 'free');
    assert.deepEqual(await report(ref, 1, 2), [1, 2]);
    const { totals: _, ...counters } = await countersOf(ref);
    assert.deepEqual(counters, { accepted: 2, delivered: 0, bounced: 2, uncertain: 0, not_measured: 0 });
  });

  test('an uncertain message that bounces was accepted', async () => {
    const { ref, lease } = await start(3);
    await store(ref, lease, [sent(1), uncertain(2), uncertain(3)]);
    assert.deepEqual(await report(ref, 2), [2]);
    await store(ref, lease, [], 'done');
    assert.deepEqual(await report(ref, 3), [3]);
    const { totals: _, ...counters } = await countersOf(ref);
    assert.deepEqual(counters, { accepted: 3, delivered: 1, bounced: 2, uncertain: 0, not_measured: 0 });
  });

  test('an uncertain message whose recipient has it was accepted', async () => {
    const { ref, lease } = await start(3);
    await store(ref, lease, [sent(1), uncertain(2), uncertain(3)]);
    await inOrganization(app, ref.organizationId, async (trx) => {
      await lockSend(trx, ref.sendId);
      await acceptUncertain(trx, ref, [1, 2]);
    });
    assertBalanced(await countAccounts(owner, ref.sendId));
    await store(ref, lease, [], 'done');
    const { totals: _, ...counters } = await countersOf(ref);
    assert.deepEqual(counters, { accepted: 2, delivered: 2, bounced: 0, uncertain: 1, not_measured: 0 });
  });

  test('a report and a store of one message wait for each other', async () => {
    const { ref, lease } = await start(2);
    await store(ref, lease, [sent(1)]);
    const late = await inOrganization(app, ref.organizationId, async (trx) => {
      const ofSend = sql`organization_id = ${ref.organizationId} and send_id = ${ref.sendId}`;
      await execute(trx)`select from delivery_chunks where ${ofSend} for no key update`;
      const reported = report(ref, 1);
      await waitUntil(
        'the report waits',
        async () =>
          hasRows(owner)`
          select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`,
      );
      // What a worker does whose first store was committed without a reply.
      await execute(trx)`select from delivery_results where ${ofSend} and seq = 1 for update`;
      return { reported };
    });
    assert.deepEqual(await late.reported, [1]);
  });

  test('what failed, waits or was reported before stays as it is', async () => {
    const { ref, lease } = await start(6);
    await store(ref, lease, [sent(1), bounced(2), failed(3), deferred(4)], 'done');
    assert.deepEqual(await report(ref, 1, 2, 3, 4, 5, 99), [1]);
    const early = await countersOf(ref);
    assert.deepEqual(await report(ref, 1, 2, 3, 4), []);
    assert.deepEqual(await countersOf(ref), early);
  });
});
