import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import { cancelSend } from '../delivery/sends/change-send.ts';
import { type Bounce, effectsOf } from '../delivery/worker/finished-message.ts';
import { execute, rowsOf, type Database, inOrganization } from '../platform/database/database.ts';
import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import { newId } from '../platform/ids.ts';
import { bounced, deferred, sent, uncertain } from '../testing/delivery-results.ts';
import { buildPreparedSend, leaseNextChunk, upTo } from '../testing/prepared-send.ts';
import { insertRows } from '../sample/rows.ts';
import { getRow } from '../testing/rows.ts';
import { countAccounts } from '../testing/send-accounts.ts';
import { useSendDatabase } from '../testing/send-worker.ts';
import { countWaiting } from '../testing/wait-for-lock.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { assertBalanced } from '../testing/watch-accounts.ts';
import { assertColumn } from '../testing/assert-column.ts';
import type { DeliveryResult } from './delivery.ts';
import type { Lease, LeaseProgress } from './held-chunk.queries.ts';
import { leaseQueued } from './lease-queued.queries.ts';
import { renewQueued, clearRecovered, listRecovered } from './recover-queued.queries.ts';
import { noEffects } from './result-statements.ts';
import type { SendKey } from './send-statements.ts';
import { storeChunk } from './store-chunk.queries.ts';
import { storeResults } from './store-results.queries.ts';

// No worker with these ids is alive, so each can take over the other's leases.
const one = 1;
const other = 2;

suite('stored results', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let pipelined: PipelinedDatabase;
  before(() => ({ owner, app, pipelined } = database));

  const buildSending = (contacts: number, uncertain_policy: UncertainPolicy = 'retry') =>
    buildPreparedSend(database, { contacts, uncertain_policy });

  const lease = (ref: SendKey, workerId: number, markCount: number, held: Lease[] = []) =>
    leaseNextChunk(database, ref, { workerId, markCount, held });

  const takeQueued = (ref: SendKey, workerId: number, limit: number, heldSeqs: number[] = []) =>
    leaseQueued(pipelined, ref, { workerId, wanted: [{ lane: 'other', limit }], limit, heldSeqs });

  /** Stores results as a worker does. @returns whether it still holds the chunk */
  const store = async (
    ref: SendKey,
    workerId: number,
    results: DeliveryResult[],
    progress: LeaseProgress | undefined,
  ): Promise<boolean> => {
    const isHeld =
      progress !== undefined &&
      (await storeChunk(pipelined, ref, workerId, results, noEffects, progress)) !== undefined;
    if (!isHeld) await storeResults(pipelined, ref, results, noEffects);
    return isHeld;
  };

  async function bounceOf(ref: SendKey) {
    const { touchpoint_id: touchpointId } = await getRow(owner, 'touchpoint_sends', '*', { id: ref.sendId });
    return (seq: number, addressKey = `gone${seq}@sink.example`): Bounce => ({
      event: {
        ...ref,
        touchpointId,
        id: newId(),
        subject: 'message',
        seq,
        type: 'BOUNCE',
        linkNo: null,
        at: new Date(),
        isBot: false,
        userAgent: null,
        ipPrefix: null,
      },
      suppressed: { id: newId(), seq, addressKey, class: 'address_hard' },
    });
  }

  const counters = async ({ sendId }: SendKey) => {
    const accounts = await countAccounts(owner, sendId);
    assertBalanced(accounts);
    return { sent: accounts.counters.sent, uncertain: accounts.counters.uncertain, queued: accounts.queued };
  };

  const markOf = async ({ sendId }: SendKey) =>
    (
      await owner
        .selectFrom('delivery_chunks')
        .select('marked_up_to')
        .where('send_id', '=', sendId)
        .orderBy('first_seq')
        .executeTakeFirstOrThrow()
    ).marked_up_to;

  test('results that are stored twice count once', async () => {
    const ref = await buildSending(20);
    const { lease: held } = await lease(ref, one, 8);
    const outcomes = [sent(1), sent(2), deferred(3), uncertain(4)];
    const progress = upTo(held, 12);
    for (let time = 1; time <= 2; time += 1) {
      assert.equal(await store(ref, one, outcomes, progress), true);
      assert.deepEqual(await counters(ref), { sent: 2, uncertain: 1, queued: 17 });
      assert.equal(await markOf(ref), 12);
    }
  });

  test('a bounce is stored once, and never after acceptance', async () => {
    const ref = await buildSending(5);
    const bounce = await bounceOf(ref);
    await storeResults(pipelined, ref, [bounced(1)], effectsOf(ref, [bounce(1)]));
    await storeResults(pipelined, ref, [bounced(1)], effectsOf(ref, [bounce(1)]));
    await storeResults(pipelined, ref, [sent(2)], noEffects);
    await storeResults(pipelined, ref, [bounced(2)], effectsOf(ref, [bounce(2)]));
    const rows = await rowsOf<Record<string, number>>(owner)`
      select
        (select count(*) from events where send_id = ${ref.sendId} and type = 'BOUNCE') as events,
        (select sum(human_count)::int from delivery_event_counts where send_id = ${ref.sendId}) as counted,
        (select running_counts[1]::int from counts
          where subject_id = ${ref.sendId} and value = 'unique' and day = '-infinity') as total,
        (select count(*) from choices where kind = 'suppression' and send_id = ${ref.sendId}) as suppressed
    `;
    assert.deepEqual({ ...rows[0] }, { events: 1, counted: 1, total: 1, suppressed: 1 });
  });

  test('concurrent chunks can suppress the same addresses', async () => {
    const ref = await buildSending(253);
    const bounce = await bounceOf(ref);
    const chunks: { held: Lease; keys: string[] }[] = [];
    for (const keys of [
      ['a', 'm', 'b'],
      ['b', 'm', 'a'],
    ])
      chunks.push({
        held: (
          await lease(
            ref,
            one,
            3,
            chunks.map(({ held }) => held),
          )
        ).lease,
        keys,
      });
    const isHeld = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = owner.transaction().execute(async (trx) => {
      // Both transactions wait for this one while they hold their earlier suppressions.
      const suppressed = { organization_id: ref.organizationId, address_key: 'm', value: 'bounce' as const };
      await insertRows(trx, 'choices', { kind: 'suppression', ...suppressed, id: newId() });
      isHeld.resolve();
      await release.promise;
      throw new Error('rolled back');
    });
    await isHeld.promise;
    const stores = chunks.map(async ({ held, keys }) => {
      const seqs = keys.map((_key, index) => held.firstSeq + index);
      const bounces = keys.map((key, index) => bounce(seqs[index]!, key));
      return await storeChunk(
        pipelined,
        ref,
        one,
        seqs.map(bounced),
        effectsOf(ref, bounces),
        upTo(held, seqs.at(-1)!),
      );
    });
    await waitUntil('both wait', async () => (await countWaiting(owner)) === 2);
    release.resolve();
    await assert.rejects(holding, /rolled back/);
    for (const stored of await Promise.all(stores)) assert.ok(stored !== undefined);
    await counters(ref);
  });

  test('a cancellation counts marked messages as uncertain', async () => {
    const ref = await buildSending(20);
    const { lease: held } = await lease(ref, one, 8);
    await store(ref, one, [sent(1), sent(2)], upTo(held, 8));
    await inOrganization(app, ref.organizationId, (trx) => cancelSend(trx, ref.sendId));
    const accounts = await countAccounts(owner, ref.sendId);
    assertBalanced(accounts);
    const { counters: ended } = accounts;
    assert.deepEqual([ended.sent, ended.uncertain, ended.cancelled], [2, 6, 12]);
  });

  test('results after a take-over keep the counters balanced', async () => {
    const ref = await buildSending(20);
    const { lease: lost } = await lease(ref, one, 8);
    const { lease: taken, recipients } = await lease(ref, other, 0);
    assert.equal(taken.leaseToken, lost.leaseToken + 1);
    assert.equal(recipients[0]?.seq, 9);
    assert.deepEqual(await counters(ref), { sent: 0, uncertain: 8, queued: 12 });

    const late = [sent(1), deferred(2), uncertain(3)];
    assert.equal(await store(ref, one, late, upTo(lost, 16)), false);
    // 1 was accepted, 2 was definitely rejected, 3 remains uncertain; the mark belongs to the other worker.
    assert.deepEqual(await counters(ref), { sent: 1, uncertain: 6, queued: 13 });
    assert.equal(await markOf(ref), 8);
  });

  test('results of two workers keep the counters balanced', async () => {
    const ref = await buildSending(5);
    const { lease: lost } = await lease(ref, one, 5);
    await lease(ref, other, 0);
    const untried = await takeQueued(ref, other, 10);
    assert.deepEqual(untried, { recipients: [], hasRecovered: true });
    const recovered = await listRecovered(pipelined, ref, 10);
    await clearRecovered(
      pipelined,
      ref,
      recovered.map(({ seq }) => seq),
    );
    const { recipients: again } = await takeQueued(ref, other, 10);
    assert.deepEqual(
      again.map(({ seq, tries }) => [seq, tries.attempts]),
      [1, 2, 3, 4, 5].map((seq) => [seq, 1]),
    );
    // Both workers store that the message was accepted, in either order.
    await store(ref, one, [sent(1)], upTo(lost, 5));
    await store(ref, other, [sent(1, { attempts: 2 }), sent(2, { attempts: 2 })], undefined);
    await store(ref, one, [sent(2), deferred(3)], upTo(lost, 5));
    assert.deepEqual(await counters(ref), { sent: 2, uncertain: 3, queued: 0 });
    // 3 is in flight at the other worker, which alone determines its result.
    await store(ref, other, [sent(3, { attempts: 2 })], undefined);
    assert.deepEqual(await counters(ref), { sent: 3, uncertain: 2, queued: 0 });
  });

  test('queued messages of a lost lease are leased again', async () => {
    const ref = await buildSending(5, 'retry');
    const { lease: held } = await lease(ref, one, 5);
    await store(ref, one, [deferred(1), deferred(2)], upTo(held, 5));
    const { recipients: taken } = await takeQueued(ref, one, 1);
    assertColumn(taken, 'seq', [1]);
    const { recipients: both } = await takeQueued(ref, one, 10);
    assert.deepEqual(
      both.map(({ seq, tries }) => [seq, tries.attempts]),
      [
        [1, 1],
        [2, 1],
      ],
    );
    assert.deepEqual(await counters(ref), { sent: 0, uncertain: 0, queued: 5 });
  });

  test('renewed queued messages are not leased again', async () => {
    const ref = await buildSending(3, 'retry');
    const { lease: held } = await lease(ref, one, 3);
    await store(ref, one, [deferred(1), deferred(2)], upTo(held, 3));
    await takeQueued(ref, one, 10);
    // Its connection was lost, and with it the advisory lock of its first id.
    await execute(owner)`update delivery_queue set worker_id = 999999 where send_id = ${ref.sendId}`;
    await renewQueued(pipelined, ref, { workerId: one, previousId: 999_999 }, [1]);
    const again = await takeQueued(ref, one, 10, [1, 2]);
    assert.deepEqual(again, { recipients: [], hasRecovered: false });
    assert.deepEqual(await counters(ref), { sent: 0, uncertain: 0, queued: 3 });
  });

  test('replies that PostgreSQL cannot store are cleaned', async () => {
    const ref = await buildSending(2);
    const { lease: held } = await lease(ref, one, 2);
    const odd = 'nul \0 and half a pair \ud83d';
    const error = sendError('unconfirmed', { detail: odd });
    await store(
      ref,
      one,
      [
        { ...sent(1), reply: odd },
        { ...uncertain(2), error },
      ],
      upTo(held, 2),
    );
    assert.deepEqual(await counters(ref), { sent: 1, uncertain: 1, queued: 0 });
  });
});
