import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openOwnServer, untilLost, type OwnServer } from '../testing/own-server.ts';
import { buildWebsite } from '../testing/tracked-website.ts';
import { buildVisit, foldEvents, foldVisits, storeVisits } from '../sample/events.ts';
import { letLocksWait, waitUntilSomebodyWaits } from '../testing/wait-for-lock.ts';
import { waitUntil } from '../testing/wait-until.ts';
import type { VisitorEvent } from './event.ts';

let server: OwnServer;

before(async () => {
  server = await openOwnServer();
  await letLocksWait(server);
});
after(async () => {
  await server.close();
});

const isBack = async () => await sql`select 1`.execute(server.app).catch(() => undefined);

/** Stores a batch as a client does: repeated until it was acknowledged. */
async function storeSurely(events: readonly VisitorEvent[]): Promise<void> {
  await waitUntil('events are acknowledged', async () => {
    try {
      await storeVisits(server.app, events);
      return true;
    } catch {
      return false;
    }
  });
}

/** @returns the number of events by each table */
async function countAll(): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from visitor_events) as stored, (select count(distinct id) from visitor_events) as different,
      (select sum(running_counts[96])::bigint from counts where dimension = 'event') as totals,
      (select sum(running_counts[1])::bigint from counts where dimension = 'event' and day = '-infinity') as of_all_time,
      (select sum(events)::bigint from visitor_sessions) as in_sessions,
      (select sum(running_counts[31])::bigint from visitor_value_months where dimension = 'path') as in_months,
      (select count(*) from visitor_sessions) - (select sum(running_counts[96])::bigint from counts where dimension = 'session' and value = '') as more_sessions,
      (select count(*) from visitor_sessions) - (select sum(sessions)::bigint from visitor_days) as more_visitors,
      (select count(*) from unfolded_visitor_events) as unfolded
  `.execute(server.owner);
  return rows[0]!;
}

test('what was acknowledged is there once after PostgreSQL was killed', async () => {
  const website = await buildWebsite(server.owner);
  const visitors = Array.from({ length: 300 }, () => buildVisit(website).visitorId);
  const batch = () =>
    Array.from({ length: 50 }, (_, index) => {
      const at = new Date(Date.now() - Math.floor(Math.random() * 10_000_000));
      return buildVisit(website, { visitorId: visitors[(index * 7) % visitors.length]!, at });
    });
  let acknowledged = 0;
  const over = new AbortController();
  const appending = Array.from({ length: 3 }, async () => {
    while (!over.signal.aborted) {
      const events = batch();
      await storeSurely(events);
      acknowledged += events.length;
    }
  });

  // While events are appended.
  await waitUntil('many were acknowledged', () => acknowledged >= 2_000);
  await server.kill();
  const killedAt = acknowledged;
  await waitUntil('PostgreSQL is back', isBack);
  await waitUntil('more were acknowledged', () => acknowledged >= killedAt + 1_000);

  // In the middle of a fold, which waits for a row of totals.
  await foldEvents(server.app, 'visitor', 1_000);
  let outcome: Promise<string> | undefined;
  await assert.rejects(
    server.owner.transaction().execute(async (trx) => {
      await sql`select from counts for update`.execute(trx);
      outcome = foldEvents(server.app, 'visitor', 20_000).then(
        () => 'folded',
        () => 'killed',
      );
      await waitUntilSomebodyWaits(server.owner);
      await server.kill();
      await outcome;
      await untilLost(trx);
    }),
  );
  assert.equal(await outcome, 'killed');
  await waitUntil('PostgreSQL is back', isBack);
  over.abort();
  await Promise.all(appending);

  await foldVisits(server.app);
  assert.deepEqual(await countAll(), {
    stored: acknowledged,
    different: acknowledged,
    totals: acknowledged,
    of_all_time: acknowledged,
    in_sessions: acknowledged,
    in_months: acknowledged,
    more_sessions: 0,
    more_visitors: 0,
    unfolded: 0,
  });
});
