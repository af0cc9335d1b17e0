import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, suite, test } from 'node:test';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { buildDueSend, type SendFixture } from '../../testing/send-fixture.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitForLook } from '../../testing/wait-for-look.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertBalanced, watchAccounts } from '../../testing/watch-accounts.ts';
import { workerOptionsFor } from '../../testing/worker-process.ts';
import { startWorker } from '../../worker.ts';
import { cancelSend, pauseSend, resumeSend } from './change-send.ts';

const window = 64;
const connections = 8;

suite('sends that a person stops', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let sink: SmtpSink;
  let workers: ReturnType<typeof startWorker>[] = [];
  /** The mail server confirms messages only while this is open. */
  let gate = openGate();

  before(() => ({ owner, app } = database));
  beforeEach(async () => {
    gate = openGate();
    sink = await startSmtpSink();
    sink.beforeAnswer = () => gate.promise;
  });
  afterEach(async () => {
    gate.open();
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    await sink.close();
  });

  const start = () => {
    const options = { ...workerOptionsFor(database, sink.url), smtpConnections: connections };
    const worker = startWorker({ ...options, inFlightLimit: window });
    workers.push(worker);
    return worker;
  };

  const change = (fixture: SendFixture, verb: (trx: Transaction, id: string) => Promise<void>) =>
    inOrganization(app, fixture.organizationId, (trx) => verb(trx, fixture.sendId));

  const arrived = (count: number) =>
    waitUntil(`${count} messages have arrived`, () => sink.taken.length >= count);

  const waitForEnd = (fixture: SendFixture) =>
    waitUntil('the send ends', async () => {
      const accounts = await countAccounts(owner, fixture.sendId);
      return accounts.hasEnded ? accounts : undefined;
    });

  const leases = async (fixture: SendFixture) =>
    await owner
      .selectFrom('delivery_chunks')
      .select('first_seq')
      .where('send_id', '=', fixture.sendId)
      .where('worker_id', 'is not', null)
      .execute();

  /** Waits until all in-flight messages are confirmed and stored, and the worker has released its leases. */
  const settled = (fixture: SendFixture) =>
    waitUntil('nothing is leased', async () => (await leases(fixture)).length === 0);

  test('a paused send continues with the remaining messages', async () => {
    const fixture = await buildDueSend(owner, { contacts: 600 });
    const watch = watchAccounts(owner, fixture.sendId);
    start();
    await arrived(100);
    gate.close();
    const atPause = sink.taken.length;
    await change(fixture, pauseSend);
    await waitForLook(owner);
    gate.open();
    await settled(fixture);
    const paused = await countAccounts(owner, fixture.sendId);
    const count = sink.taken.length;
    assert.equal(paused.status, 'paused');
    assert.equal(paused.counters.sent, count);
    assert.ok(count <= atPause + window, `${count} have left, ${atPause} of them before`);

    await change(fixture, resumeSend);
    const ended = await waitForEnd(fixture);
    await watch.stop();
    assert.equal(ended.status, 'completed');
    assert.equal(ended.counters.sent, 600);
    assert.equal(sink.taken.length, 600);
    assert.equal(distinct(sink), 600);
  });

  test('a paused send starts no more messages', async () => {
    const fixture = await buildDueSend(owner, { contacts: 600 });
    start();
    await arrived(50);
    gate.close();
    await waitUntil('every connection waits for an answer', () => gate.waiting >= connections);
    const count = sink.taken.length;
    await change(fixture, pauseSend);
    await waitForLook(owner);
    gate.open();
    await settled(fixture);
    assert.equal(sink.taken.length, count);
    assertBalanced(await countAccounts(owner, fixture.sendId));
  });

  test('a cancelled send counts messages in flight', async () => {
    const fixture = await buildDueSend(owner, { contacts: 600 });
    const watch = watchAccounts(owner, fixture.sendId);
    start();
    await arrived(100);
    gate.close();
    await change(fixture, cancelSend);
    gate.open();
    const ended = await waitForEnd(fixture);
    await watch.stop();
    assert.equal(ended.status, 'cancelled');
    assert.equal(ended.counters.sent, sink.taken.length);
    assert.equal(ended.counters.sent + ended.counters.cancelled, 600);
    assert.equal(ended.counters.uncertain, 0);
    assert.ok(ended.counters.cancelled > 0);
  });

  test('a send survives ten quick pauses', async () => {
    const fixture = await buildDueSend(owner, { contacts: 600 });
    const watch = watchAccounts(owner, fixture.sendId);
    start();
    for (let turn = 1; turn <= 10; turn += 1) {
      await arrived(turn * 50);
      await change(fixture, pauseSend);
      await change(fixture, resumeSend);
    }
    const ended = await waitForEnd(fixture);
    await watch.stop();
    assert.equal(ended.counters.sent, 600);
    assert.equal(sink.taken.length, 600);
    assert.equal(distinct(sink), 600);
  });

  test('a stopping worker leaves its send to another', async () => {
    const fixture = await buildDueSend(owner, { contacts: 1_000 });
    const watch = watchAccounts(owner, fixture.sendId);
    const first = start();
    start();
    await arrived(600);
    workers = workers.filter((worker) => worker !== first);
    await first.stop();
    const ended = await waitForEnd(fixture);
    await watch.stop();
    assert.equal(ended.status, 'completed');
    assert.equal(ended.counters.sent, 1_000);
    assert.equal(sink.taken.length, 1_000);
    assert.equal(distinct(sink), 1_000);
    assert.equal(watch.mostUncertain, 0);
  });
});

const distinct = ({ taken }: SmtpSink): number => new Set(taken.map(({ recipient }) => recipient)).size;

interface Gate {
  /** Resolves when the gate is open. */
  readonly promise: Promise<void>;
  readonly waiting: number;
  open: () => void;
  close: () => void;
}

function openGate(): Gate {
  let current: PromiseWithResolvers<void> | undefined;
  let waiting = 0;
  return {
    get promise() {
      if (current === undefined) return Promise.resolve();
      waiting += 1;
      return current.promise;
    },
    get waiting() {
      return waiting;
    },
    open: () => {
      current?.resolve();
      current = undefined;
      waiting = 0;
    },
    close: () => {
      current ??= Promise.withResolvers<void>();
    },
  };
}
