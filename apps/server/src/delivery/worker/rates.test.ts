import { isDeepStrictEqual } from 'node:util';
import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { sql } from 'kysely';
import { listWarmUpPlans, upsertWarmUpPlan } from '../../queue/warm-up.ts';
import { copiesAt } from '../../testing/copies.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { readSendError } from '../../testing/send-accounts.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWatchedSend, type WatchedSend } from '../../testing/watched-send.ts';
import type { SendRates } from '../../platform/config.ts';
import type { ActiveSend } from './active-send.ts';
import { Rates } from './rates.ts';

/** The parts of an active send that limits use. */
const activeSend = (organizationId: string, ownRate: number | null) =>
  ({ ref: { organizationId, sendId: 'spring' }, ownRate, rateBuckets: new Map() }) as unknown as ActiveSend;

suite('rate limits (R7.8)', () => {
  const database = useSendDatabase();

  // The workers of the next test must not process the remaining messages.
  afterEach(() =>
    sql`update touchpoint_sends set status = 'paused', next_due_at = null where status = 'sending'`.execute(
      database.owner,
    ),
  );

  const startWorker = (relay: FaultyRelay, sendRates: SendRates) =>
    startSendWorker(database, { url: relay.url, connections: 4, inFlightLimit: 32, sendRates });

  test('two workers share the limit of a provider', async () => {
    const relay = await startFaultyRelay();
    const workers = [startWorker(relay, { google: 1 }), startWorker(relay, { google: 1 })];
    const send = await startWatchedSend(database, { contacts: 120, domains: ['gmail.com', 'sink.example'] });
    await send.waitFor('all others are sent, and one', ({ counters }) => counters.sent === 61);
    assert.equal([...relay.tries.keys()].filter((recipient) => recipient.endsWith('@gmail.com')).length, 1);
    await waitUntil('the send says so', async () => {
      const error = await readSendError(database.owner, send.fixture.sendId);
      return isDeepStrictEqual(error, sendError('rate_of_provider', { perMinute: 1, provider: 'Google' }));
    });
    for (const worker of workers) await worker.stop();
    const next = startWorker(relay, {});
    // The next worker has no such limit, and the minute has passed.
    await sql`update touchpoint_sends set next_due_at = now() where id = ${send.fixture.sendId}`.execute(
      database.owner,
    );
    assert.equal((await send.finish()).counters.sent, 120);
    assert.equal(copiesAt(relay).repeats, 0);
    await next.stop();
    await relay.close();
  });

  test('an organization can have its own limit', async () => {
    const relay = await startFaultyRelay();
    const first = await startWatchedSend(database, { contacts: 10 });
    const second = await startWatchedSend(database, { contacts: 10 });
    await sql`update organizations set messages_per_minute = 1 where id = ${first.fixture.organizationId}`.execute(
      database.owner,
    );
    const worker = startWorker(relay, { organization: 600 });
    await second.finish();
    await first.waitFor('one is sent', ({ counters }) => counters.sent === 1);
    assert.equal([...relay.copies.values()].flat().length, 11);
    await worker.stop();
    await first.watch.stop();
    await relay.close();
  });

  /** Waits until messages of all these sends are allowed. */
  async function waitUntilAllowed(sends: ActiveSend[]): Promise<void> {
    const allowed = new Set<ActiveSend>();
    const start = () => {
      for (const send of sends) if (rates.findReached(send, 'other') === undefined) allowed.add(send);
    };
    const rates = new Rates({
      db: database.app,
      rates: { organization: 60_000 },
      onResponse: start,
      onShortWait: start,
      onLongWait: start,
    });
    start();
    await waitUntil('all may start', () => allowed.size === sends.length);
  }

  test('a worker limits a thousand organizations separately', async () => {
    const sends = Array.from({ length: 1_010 }, (_, number) => activeSend(`organization-${number}`, null));
    await waitUntilAllowed(sends);
  });

  test('sends with different limits use separate buckets', async () => {
    const sends = [null, 1_200].map((ownRate) => activeSend('nordwind', ownRate));
    await waitUntilAllowed(sends);
  });

  test('sends that wait for a limit occupy no places', async () => {
    const relay = await startFaultyRelay();
    const limited = [];
    for (let count = 0; count < 8; count += 1)
      limited.push(await startWatchedSend(database, { contacts: 2, domains: ['gmail.com'] }));
    const worker = startWorker(relay, { google: 1 });
    for (const { fixture } of limited)
      await waitUntil('it waits', async () => {
        const { rows } = await sql`
          select from touchpoint_sends s where id = ${fixture.sendId} and next_due_at > now()
            and not exists (select from delivery_chunks where send_id = s.id and worker_id is not null)
        `.execute(database.owner);
        return rows.length === 1;
      });
    const other = await startWatchedSend(database, { contacts: 10 });
    assert.equal((await other.finish()).counters.sent, 10);
    await worker.stop();
    for (const { watch } of limited) await watch.stop();
    await relay.close();
  });

  test('limited sends leave places for others', async () => {
    const relay = await startFaultyRelay();
    const limited: WatchedSend[] = [];
    for (let count = 0; count < 8; count += 1)
      limited.push(await startWatchedSend(database, { contacts: 600 }));
    // One message a second, so that they take ten minutes.
    await sql`update organizations set messages_per_minute = 60`.execute(database.owner);
    const worker = startWorker(relay, {});
    for (const send of limited) await send.waitFor('it begins', ({ counters }) => counters.sent > 0);
    const other = await startWatchedSend(database, { contacts: 20 });
    assert.equal((await other.finish()).counters.sent, 20);
    for (const send of limited) assert.equal((await send.waitFor('', () => true)).status, 'sending');
    await worker.stop();
    for (const { watch } of limited) await watch.stop();
    await relay.close();
  });

  test('a warm-up plan limits each day of a sender domain', async () => {
    const relay = await startFaultyRelay();
    await upsertWarmUpPlan(database.app, { domain: 'nordwind.example', first: 30, growth: 2, last: 100 });
    const small = await startWatchedSend(database, { contacts: 5 });
    const first = startWorker(relay, {});
    await small.finish();
    await first.stop();
    // Its leased but unused quota is available to the next worker.
    assert.equal((await listWarmUpPlans(database.app))[0]!.used, 5);
    const send = await startWatchedSend(database, { contacts: 120 });
    const sentAfter = async (sent: number, workers: ReturnType<typeof startWorker>[]) => {
      await send.waitFor(`${sent} are sent`, ({ counters }) => counters.sent === sent);
      const reason = await waitUntil('the rest waits', async () => {
        const { rows } = await sql<{ error: SendError | null; seconds: number }>`
          select error, extract(epoch from next_due_at - now())::float8 as seconds
          from touchpoint_sends where id = ${send.fixture.sendId}`.execute(database.owner);
        const { seconds, error } = rows[0]!;
        if (seconds <= 0) return undefined;
        // The operator may raise the limit meanwhile.
        assert.ok(seconds <= 300, `${seconds} s`);
        return error;
      });
      for (const worker of workers) await worker.stop();
      assert.equal([...relay.copies.values()].flat().length, 5 + sent);
      return reason;
    };
    const limitOf = (limit: number) => sendError('warm_up_of_domain', { domain: 'nordwind.example', limit });
    assert.deepEqual(await sentAfter(25, [startWorker(relay, {}), startWorker(relay, {})]), limitOf(30));
    const nextDay = async () => {
      await sql`update warm_up_plans set first_day = first_day - 1, counted_day = counted_day - 1`.execute(
        database.owner,
      );
      await sql`update touchpoint_sends set next_due_at = now() where id = ${send.fixture.sendId}`.execute(
        database.owner,
      );
    };
    await nextDay();
    assert.deepEqual(await sentAfter(85, [startWorker(relay, {})]), limitOf(60));
    // 120 would exceed the last limit, so the plan is over.
    await nextDay();
    const worker = startWorker(relay, {});
    assert.equal((await send.finish()).counters.sent, 120);
    await worker.stop();
    await relay.close();
  });
});
