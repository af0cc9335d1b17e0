import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { copiesAt } from '../../testing/copies.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { openSendDatabase, startSendWorker, type SendDatabase } from '../../testing/send-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';
import type { SendRates } from '../../platform/config.ts';
import type { ActiveSend } from './active-send.ts';
import { Rates } from './rates.ts';

describe('rates (R7.8)', () => {
  let database: SendDatabase;

  before(async () => {
    database = await openSendDatabase();
  });
  after(() => database.close());

  const startWorker = (relay: FaultyRelay, sendRates: SendRates) =>
    startSendWorker(database, { url: relay.url, connections: 4, inFlightLimit: 32, sendRates });

  it('two workers share the limit of a group, which holds up no others, and the send says so', async () => {
    const relay = await startFaultyRelay();
    const workers = [startWorker(relay, { google: 1 }), startWorker(relay, { google: 1 })];
    const send = await startWatchedSend(database, { contacts: 120, domains: ['gmail.com', 'sink.example'] });
    await send.waitFor('all others are sent, and one', ({ counters }) => counters.sent === 61);
    assert.equal([...relay.tries.keys()].filter((recipient) => recipient.endsWith('@gmail.com')).length, 1);
    await waitUntil('the send says so', async () => {
      const { error_content } = await database.owner
        .selectFrom('touchpoint_sends')
        .select('error_content')
        .where('id', '=', send.fixture.sendId)
        .executeTakeFirstOrThrow();
      return error_content?.startsWith('Reachout sends at most 1 message a minute to Google.') === true;
    });
    for (const worker of workers) await worker.stop();
    const next = startWorker(relay, {});
    assert.equal((await send.finish()).counters.sent, 120);
    assert.equal(copiesAt(relay).repeats, 0);
    await next.stop();
    await relay.close();
  });

  it('an organization has the limit that the operator gave it', async () => {
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

  it('sends of an organization that began with different limits take nothing from each other', async () => {
    const ref = { organizationId: 'nordwind', sendId: 'spring' };
    const sends = [null, 1_200].map((ownRate) => ({ ref, ownRate }) as ActiveSend);
    const allowed = new Set<ActiveSend>();
    const start = () => {
      for (const send of sends) if (rates.findReached(send, 'other') === undefined) allowed.add(send);
    };
    const rates = new Rates({ db: database.app, rates: { organization: 60_000 }, onFree: start });
    start();
    await waitUntil('both may start', () => allowed.size === sends.length, 5_000);
  });
});
