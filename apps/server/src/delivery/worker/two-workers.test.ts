import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { enqueueAccountEmail } from '../../identity/account-email/enqueue-account-email.ts';
import { connect, transactionAs, type Database } from '../../platform/database/database.ts';
import { buildUser } from '../../sample/records.ts';
import { copiesAt, mostRepeatsPerKill } from '../../testing/copies.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { getRow } from '../../testing/rows.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/worker-process.ts';

// Worker processes as operators run them: one hangs for longer than its lease, one is stopped (docs/sending.md).
const isFull = process.env['REACHOUT_FULL'] === '1';
const contacts = isFull ? 20_000 : 400;
const timeout = 300_000;
/** Maximum time in which a worker stops, whatever the mail server does. */
const longestStopMs = 5_000;

suite('two workers of one send (JOB-2, R7.1, R7.3)', () => {
  const database = useSendDatabase(async () => {
    for (const worker of workers) await worker.kill();
  });
  let owner: Database;
  let app: Database;
  const workers: WorkerProcess[] = [];

  before(() => ({ owner, app } = database));

  const startWorker = (relay: FaultyRelay): WorkerProcess => {
    const worker = startWorkerProcess(database, relay.url);
    workers.push(worker);
    return worker;
  };

  /** Its replies are delayed, so that messages are always in flight. */
  const startSlowRelay = async (): Promise<FaultyRelay> => {
    const relay = await startFaultyRelay();
    relay.behave = async (stage) => {
      if (stage === 'message') await delay(Math.random() * 16);
      return undefined;
    };
    return relay;
  };

  test('a second worker replaces a hanging one', { timeout }, async (t) => {
    const relay = await startSlowRelay();
    const send = await startWatchedSend({ owner, app }, { contacts });
    const first = startWorker(relay);
    await waitUntil('some have it', () => relay.copies.size >= contacts / 6);
    first.suspend();
    await send.expireLeases();
    const { size } = relay.copies;
    const second = startWorker(relay);
    await waitUntil('the second has gone on', () => relay.copies.size >= size + contacts / 4);
    first.resume();
    const { counters } = await send.finish();
    // It stores or releases its messages.
    assert.equal(await first.stop(), 0);
    assert.equal(await second.stop(), 0);
    const { recipients, repeats, mostCopies } = copiesAt(relay);
    t.diagnostic(`${repeats} repeats, ${send.watch.mostUncertain} uncertain at most`);
    assert.equal(counters.sent, contacts);
    assert.equal(recipients, contacts);
    assert.ok(mostCopies <= 2, `${mostCopies} copies`);
    assert.ok(repeats <= mostRepeatsPerKill, `${repeats} repeats`);
    await relay.close();
  });

  test('a second worker continues after a stop without repeats', { timeout }, async () => {
    const relay = await startSlowRelay();
    const send = await startWatchedSend({ owner, app }, { contacts });
    const first = startWorker(relay);
    await waitUntil('some have it', () => relay.copies.size >= contacts / 6);
    assert.equal(await first.stop(), 0);
    assert.ok(relay.copies.size < contacts);
    const second = startWorker(relay);
    const { counters } = await send.finish();
    assert.equal(await second.stop(), 0);
    assert.equal(send.watch.mostUncertain, 0);
    assert.equal(counters.sent, contacts);
    assert.equal(copiesAt(relay).recipients, contacts);
    assert.equal(copiesAt(relay).repeats, 0);
    await relay.close();
  });

  test('a worker stops in time despite missing replies', { timeout }, async (t) => {
    const relay = await startFaultyRelay();
    // Replies to the first messages make the worker use all connections.
    const replies = 40;
    relay.behave = (stage) => (stage === 'message' && relay.copies.size > replies ? 'silence' : undefined);
    const send = await startWatchedSend({ owner, app }, { contacts: 200 });
    const first = startWorker(relay);
    await waitUntil('all connections wait', () => relay.copies.size >= replies + 16);
    const recipient = await requestAccountEmail();
    await waitUntil('a job waits, too', () => relay.copies.has(recipient));
    const start = performance.now();
    assert.equal(await first.stop(), 0);
    const tookMs = performance.now() - start;
    t.diagnostic(`stopped in ${Math.round(tookMs)} ms`);
    assert.ok(tookMs < longestStopMs, `${tookMs} ms`);
    // The job can be repeated at once, and counts no death of a worker.
    const job = await getRow(owner, 'jobs', ['attempts', 'lost_leases', 'worker_id'], {
      kind: 'account_email',
    });
    assert.deepEqual(job, { attempts: 0, lost_leases: 0, worker_id: null });

    relay.behave = () => undefined;
    const second = startWorker(relay);
    const { counters } = await send.finish();
    await waitUntil('the job is done', () => relay.copies.get(recipient)?.length === 2);
    assert.equal(await second.stop(), 0);
    assert.equal(counters.sent, 200);
    relay.copies.delete(recipient);
    assert.ok(copiesAt(relay).repeats <= mostRepeatsPerKill);
    await relay.close();
  });

  /** @returns the address that gets it */
  async function requestAccountEmail(): Promise<string> {
    const authDb = connect(database.authUrl, { name: 'sign-in', connections: 1, onError: () => undefined });
    const { email: recipient } = await buildUser(owner);
    await transactionAs(authDb, {}, (trx) =>
      enqueueAccountEmail(trx, {
        kind: 'already_registered',
        recipient,
        language: 'en',
        payload: {},
        validForMs: 600_000,
      }),
    );
    await authDb.destroy();
    return recipient;
  }
});
