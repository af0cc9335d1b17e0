import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { mostRepeatsPerKill, mostUncertainPerKill, tallyCopies } from '../../testing/copies.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { buildDueSend, type SendFixture } from '../../testing/send-fixture.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { watchAccounts } from '../../testing/watch-accounts.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/worker-process.ts';
import { decideUncertain } from '../sends/change-send.ts';

// kill -9 at random times of a send (docs/sending.md). REACHOUT_FULL=1 runs it at the guaranteed scale.
const isFull = process.env['REACHOUT_FULL'] === '1';
const contacts = isFull ? 20_000 : 400;
const kills = isFull ? 20 : 2;
/** With the policy "hold". */
const holdKills = isFull ? 20 : 1;
const timeout = 300_000;
const mostRepeats = kills * mostRepeatsPerKill;
const mostUncertain = kills * mostUncertainPerKill;
/** After a kill, the next worker continues at once, without waiting for the lease to expire (120 s). */
const longestResumeMs = isFull ? 2_000 : 30_000;

suite('sends whose worker is killed (JOB-2, R7.1, R7.3)', () => {
  const database = useSendDatabase(async () => {
    await worker?.kill();
    await sink.close();
  });
  let owner: Database;
  let app: Database;
  let sink: SmtpSink;
  /** Goes on from test to test. */
  let worker: WorkerProcess | undefined;
  /** Called for each message that has arrived and has no reply yet. */
  let onMessage: () => void = () => undefined;

  before(async () => {
    ({ owner, app } = database);
    sink = await startSmtpSink();
    // Delays replies, so that messages are in flight most of the time and a kill affects some of them.
    sink.beforeAnswer = async () => {
      onMessage();
      await delay(Math.random() * 8);
    };
  });

  /** Resolves when a random number of further messages, up to `most`, has arrived. */
  const randomMoment = (most: number): Promise<void> =>
    new Promise((resolve) => {
      let left = 1 + Math.floor(Math.random() * most);
      onMessage = () => {
        left -= 1;
        if (left > 0) return;
        onMessage = () => undefined;
        resolve();
      };
    });

  /** Waits until PostgreSQL sees a living worker, or none. */
  const seeWorker = (isThere: boolean) =>
    waitUntil(`a worker is ${isThere ? 'there' : 'gone'}`, async () => {
      const { rows } = await sql`
        select from pg_locks
        where locktype = 'advisory' and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database())
      `.execute(owner);
      return rows.length > 0 === isThere;
    });

  /** Kills the worker repeatedly. @returns the longest time in ms from the start of the next worker to its first message */
  async function killAgainAndAgain(times: number): Promise<number> {
    let longestMs = 0;
    // All kills happen in the first four fifths, while the send is running.
    const most = Math.floor((contacts * 0.8) / times);
    for (let kill = 0; kill < times; kill += 1) {
      await randomMoment(most);
      await worker?.kill();
      await seeWorker(false);
      const count = sink.taken.length;
      // Another key, to show that the identity of a message does not depend on it.
      worker = startWorkerProcess(database, sink.url, randomUUID());
      await seeWorker(true);
      const start = performance.now();
      await waitUntil('sending goes on', () => sink.taken.length > count);
      longestMs = Math.max(longestMs, performance.now() - start);
    }
    return longestMs;
  }

  const isWaitingForPerson = async ({ sendId }: SendFixture) => {
    const { queued, hasEnded } = await countAccounts(owner, sendId);
    const { rows } =
      await sql`select from delivery_queue where send_id = ${sendId} and due_at is not null`.execute(owner);
    return hasEnded || (queued === 0 && rows.length === 0);
  };

  const waitForEnd = (fixture: SendFixture) =>
    waitUntil(
      'the send ends',
      async () => {
        const accounts = await countAccounts(owner, fixture.sendId);
        return accounts.hasEnded ? accounts : undefined;
      },
      timeout,
    );

  test('killed workers lose nothing and repeat few messages', { timeout }, async (t) => {
    const fixture = await buildDueSend(owner, { contacts });
    const from = sink.taken.length;
    const watch = watchAccounts(owner, fixture.sendId);
    worker ??= startWorkerProcess(database, sink.url);
    const resumeMs = await killAgainAndAgain(kills);
    const most = () => tallyCopies(sink.taken.slice(from)).mostCopies;
    await waitUntil('nothing is left to do without a person', () => isWaitingForPerson(fixture), timeout);
    assert.ok(most() <= 2, `${most()} copies`);
    // Messages affected by two kills are held; if there are none, the send ends by itself.
    await inOrganization(app, fixture.organizationId, (trx) =>
      decideUncertain(trx, fixture.sendId, 'retry'),
    ).catch(() => undefined);
    const accounts = await waitForEnd(fixture);
    await watch.stop();

    const { recipients, repeats } = tallyCopies(sink.taken.slice(from));
    t.diagnostic(
      `${kills} kills: ${repeats} repeats (${mostRepeats} by promise), ${watch.mostUncertain} uncertain at most (${mostUncertain}); ` +
        `the next worker went on within ${resumeMs.toFixed(0)} ms; ${watch.readings} readings balanced`,
    );
    assert.equal(accounts.status, 'completed');
    assert.equal(accounts.counters.sent, contacts);
    assert.equal(recipients, contacts);
    assert.ok(repeats <= mostRepeats);
    assert.ok(watch.mostUncertain <= mostUncertain);
    assert.ok(resumeMs <= longestResumeMs, `${resumeMs} ms`);
    assert.ok(watch.readings > kills);
  });

  test('the policy "hold" repeats nothing without a decision', { timeout }, async (t) => {
    const fixture = await buildDueSend(owner, { contacts, uncertain_policy: 'hold' });
    const from = sink.taken.length;
    const watch = watchAccounts(owner, fixture.sendId);
    worker ??= startWorkerProcess(database, sink.url);
    await killAgainAndAgain(holdKills);
    const held = await waitUntil(
      'only unclear messages are left',
      async () => {
        const accounts = await countAccounts(owner, fixture.sendId);
        return accounts.queued === 0 ? accounts : undefined;
      },
      timeout,
    );
    assert.equal(held.status, 'sending');
    assert.equal(held.counters.sent + held.counters.uncertain, contacts);
    assert.ok(held.counters.uncertain > 0 && held.counters.uncertain <= holdKills * mostUncertainPerKill);
    assert.equal(tallyCopies(sink.taken.slice(from)).repeats, 0);

    await inOrganization(app, fixture.organizationId, (trx) => decideUncertain(trx, fixture.sendId, 'retry'));
    const ended = await waitForEnd(fixture);
    await watch.stop();
    const { recipients, repeats } = tallyCopies(sink.taken.slice(from));
    t.diagnostic(`${holdKills} kills: ${held.counters.uncertain} held, of which ${repeats} had arrived`);
    assert.equal(ended.status, 'completed');
    assert.equal(ended.counters.sent, contacts);
    assert.equal(recipients, contacts);
    assert.ok(repeats <= held.counters.uncertain);
  });

  test('cut database connections lose no message', { timeout }, async (t) => {
    const fixture = await buildDueSend(owner, { contacts });
    const from = sink.taken.length;
    const watch = watchAccounts(owner, fixture.sendId);
    worker ??= startWorkerProcess(database, sink.url);
    for (let cut = 0; cut < kills; cut += 1) {
      await randomMoment(Math.floor((contacts * 0.8) / kills));
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'reachout worker%'
      `.execute(owner);
    }
    const accounts = await waitForEnd(fixture);
    await watch.stop();
    const { recipients, repeats } = tallyCopies(sink.taken.slice(from));
    t.diagnostic(`${kills} cuts: ${repeats} repeats, ${watch.mostUncertain} uncertain at most`);
    assert.equal(accounts.status, 'completed');
    assert.equal(accounts.counters.sent, contacts);
    assert.equal(recipients, contacts);
    assert.ok(repeats <= mostRepeats);
    assert.ok(watch.mostUncertain <= mostUncertain);
  });
});
