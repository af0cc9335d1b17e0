import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { execute, inOrganization, type Database } from '../platform/database/database.ts';
import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import { countAccounts } from '../testing/send-accounts.ts';
import { bounced, deferred, failed, sent, uncertain } from '../testing/delivery-results.ts';
import { buildPreparedSend, leaseNextChunk, upTo } from '../testing/prepared-send.ts';
import { listRows } from '../testing/rows.ts';
import { useSendDatabase } from '../testing/send-worker.ts';
import { assertBalanced } from '../testing/watch-accounts.ts';
import { cancelSend, decideUncertain, pauseSend } from '../delivery/sends/change-send.ts';
import { completeOrSchedule } from '../delivery/sends/end-send.ts';
import { eraseRows } from '../operations/retention/erase-rows.ts';
import type { Lease } from './held-chunk.queries.ts';
import type { DeliveryResult } from './delivery.ts';
import { storeChunk } from './store-chunk.queries.ts';
import { storeResults } from './store-results.queries.ts';
import { noEffects } from './result-statements.ts';
import type { SendKey } from './send-statements.ts';

const worker = 1;

suite('totals of results', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let pipelined: PipelinedDatabase;
  before(() => ({ owner, app, pipelined } = database));

  const buildSending = (contacts: number) => buildPreparedSend(database, { contacts });

  const lease = async (ref: SendKey, held: Lease[] = []): Promise<Lease> =>
    (await leaseNextChunk(database, ref, { workerId: worker, markCount: 250, held })).lease;

  const store = async (
    ref: SendKey,
    held: Lease,
    results: DeliveryResult[],
    release?: 'done' | 'free',
    markedUpTo = held.lastSeq,
  ) =>
    (await storeChunk(pipelined, ref, worker, results, noEffects, upTo(held, markedUpTo, release))) !==
    undefined;

  /** Asserts that the totals equal the single results. @returns the number of rows of the totals */
  async function check({ sendId }: SendKey, expected: Record<string, number>): Promise<number> {
    const accounts = await countAccounts(owner, sendId);
    assertBalanced(accounts);
    assert.deepEqual(accounts.totals, expected);
    const stored = await listRows(owner, 'delivery_result_totals', ['state'], { send_id: sendId });
    return stored.filter(({ state }) => state !== 'accepted').length;
  }

  test('totals equal the results in each state of a chunk', async () => {
    const ref = await buildSending(8);
    const held = await lease(ref);
    await store(ref, held, [sent(1), deferred(2), deferred(3)]);
    assert.equal(await check(ref, { [`${early} sent`]: 1 }), 0);
    await store(ref, held, [bounced(4)], 'free', 4);
    await check(ref, { [`${early} sent`]: 1, [`${early} bounced address_hard`]: 1 });
    // A queued message that ends before its chunk is done, and whose result is stored twice.
    for (let time = 1; time <= 2; time += 1) await storeResults(pipelined, ref, [sentAt(2, late)], noEffects);
    const soFar = { [`${early} sent`]: 1, [`${late} sent`]: 1, [`${early} bounced address_hard`]: 1 };
    assert.equal(await check(ref, soFar), 0);
    const again = await lease(ref);
    await store(ref, again, [sent(5), uncertain(6), sent(7), sent(8)], 'done');
    const done = { ...soFar, [`${early} sent`]: 4 };
    assert.equal(await check(ref, done), 3);
    // Afterwards: the same release again, a queued message, and one that a person treats as sent.
    assert.equal(await store(ref, again, [sent(7)], 'done'), false);
    await storeResults(pipelined, ref, [sentAt(7, late), failed(3)], noEffects);
    assert.equal(await check(ref, { ...done, [`${early} failed content`]: 1 }), 4);
    await inOrganization(app, ref.organizationId, (trx) => decideUncertain(trx, ref.sendId, 'treat_as_sent'));
    const { totals } = await countAccounts(owner, ref.sendId);
    assert.equal(
      Object.values(totals).reduce((sum, count) => sum + count, 0),
      8,
    );
    assertBalanced(await countAccounts(owner, ref.sendId));
  });

  test('chunks that end together are added in one update', async () => {
    const ref = await buildSending(1_000);
    const readSend = () =>
      owner
        .selectFrom('touchpoint_sends')
        .select(['recipients_total_sent_count as sent', 'counted_at', 'next_due_at'])
        .where('id', '=', ref.sendId)
        .executeTakeFirstOrThrow();
    const finishNext = async () => {
      const held = await lease(ref);
      const seqs = Array.from({ length: 250 }, (_, index) => held.firstSeq + index);
      await store(
        ref,
        held,
        seqs.map((seq) => sent(seq)),
        'done',
      );
    };
    await finishNext();
    // A busy machine may take more than five seconds for the next two.
    await execute(owner)`
      update touchpoint_sends set counted_at = now() + interval '1 hour' where id = ${ref.sendId}`;
    const first = await readSend();
    assert.equal(first.sent, 250);
    await finishNext();
    await finishNext();
    assert.deepEqual(await readSend(), first, 'the send has not changed with its chunks');
    assert.equal(await check(ref, { [`${early} sent`]: 750 }), 1);
    // Simulates that more than five seconds have passed.
    await execute(owner)`
      update touchpoint_sends set counted_at = now() - interval '6 s' where id = ${ref.sendId}`;
    await finishNext();
    assert.equal((await readSend()).sent, 1_000);
    assert.equal(await check(ref, { [`${early} sent`]: 1_000 }), 1);
  });

  test('finished chunks are counted before a send stops', async () => {
    const stops = [
      (ref: SendKey) => inOrganization(app, ref.organizationId, (trx) => pauseSend(trx, ref.sendId)),
      (ref: SendKey) => inOrganization(app, ref.organizationId, (trx) => cancelSend(trx, ref.sendId)),
      (ref: SendKey) => inOrganization(app, ref.organizationId, (trx) => completeOrSchedule(trx, ref, [])),
    ];
    for (const stop of stops) {
      const ref = await buildSending(500);
      for (let chunk = 1; chunk <= 2; chunk += 1) {
        const held = await lease(ref);
        await store(ref, held, [sent(held.firstSeq)], 'done');
      }
      await stop(ref);
      const { sent: counted } = await owner
        .selectFrom('touchpoint_sends')
        .select('recipients_total_sent_count as sent')
        .where('id', '=', ref.sendId)
        .executeTakeFirstOrThrow();
      assert.equal(counted, 2);
    }
  });

  test('totals equal the results after a cancellation', async () => {
    const ref = await buildSending(300);
    const first = await lease(ref);
    const second = await lease(ref, [first]);
    await store(ref, first, [sent(1), bounced(2)]);
    await store(ref, second, [sent(251)]);
    await inOrganization(app, ref.organizationId, (trx) => cancelSend(trx, ref.sendId));
    const cancelled = { [`${early} sent`]: 2, [`${early} bounced address_hard`]: 1 };
    assert.equal(await check(ref, cancelled), 2);
    assert.equal(await store(ref, second, [sent(252)]), false);
    await storeResults(pipelined, ref, [sent(252)], noEffects);
    assert.equal(await check(ref, { ...cancelled, [`${early} sent`]: 3 }), 2);
  });

  test('erasing the results of a send erases its totals', async () => {
    const ref = await buildSending(3);
    await store(ref, await lease(ref), [sent(1), sent(2), sent(3)], 'done');
    await check(ref, { [`${early} sent`]: 3 });
    await eraseRows(10, (work) => inOrganization(app, ref.organizationId, work), {
      organization_id: ref.organizationId,
      by: ['send', ref.sendId],
    });
    const { totals, results } = await countAccounts(owner, ref.sendId);
    assert.deepEqual({ totals, results }, { totals: {}, results: {} });
  });
});

const early = '2026-11-20 10:00:00';
const late = '2026-11-20 10:15:00';

/** @param quarter  start of a quarter of an hour as in the totals, in UTC without a zone */
const sentAt = (seq: number, quarter: string) => sent(seq, { at: `${quarter.replace(' ', 'T')}.000Z` });
