import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { inOrganization, type Database } from '../platform/database/database.ts';
import { useSendDatabase } from '../testing/send-worker.ts';
import { listRows } from '../testing/rows.ts';
import { buildWebsite, type TestWebsite } from '../testing/tracked-website.ts';
import { buildVisit, foldEvents, foldVisits, storeVisits } from '../sample/events.ts';
import type { VisitorEvent } from './event.ts';

const minuteMs = 60_000;

suite('folded events of visitors', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;

  before(() => ({ owner, app: db } = database));

  const fold = (maxRows?: number) => foldVisits(db, { ...(maxRows !== undefined && { maxRows }) });
  const at = (minutes: number) => new Date(Date.UTC(2026, 4, 4, 22) + minutes * minuteMs);
  const stored = async (website: TestWebsite) =>
    await listRows(owner, 'visitor_sessions', ['started_at', 'ended_at', 'previous_started_at', 'events'], {
      touchpoint_id: website.touchpointId,
    });

  /** @returns what is stored of a website, without its id */
  async function read({ organizationId, touchpointId }: TestWebsite): Promise<string[]> {
    const of = sql`organization_id = ${organizationId} and touchpoint_id = ${touchpointId}`;
    const row = sql`(to_jsonb(t) - '{organization_id,touchpoint_id,subject_id}'::text[])::text`;
    const { rows } = await sql<{ line: string }>`
      select 'event ' || ${row} as line from visitor_events t where ${of}
      union all select 'count ' || ${row} from counts t where ${of} and 0 <> any (running_counts)
      union all select 'value ' || ${row} from visitor_value_months t where ${of} and 0 <> any (running_counts || running_sessions)
      union all select 'session ' || ${row} from visitor_sessions t where ${of}
      union all select 'visitors ' || ${row} from visitor_days t where ${of} and sessions <> 0
    `.execute(owner);
    return rows.map(({ line }) => line).toSorted();
  }

  const countVisitors = async ({ organizationId, touchpointId }: TestWebsite, start: Date, end: Date) =>
    await inOrganization(db, organizationId, async (trx) => {
      const { rows } = await sql<{ visitors: number }>`
        select count_visitors(${organizationId}, ${touchpointId}, ${start}, ${end}) as visitors
      `.execute(trx);
      return rows[0]?.visitors;
    });

  test('events without a longer pause are one session', async () => {
    const website = await buildWebsite(owner);
    const visitorId = randomUUID();
    const visit = (minutes: number) => buildVisit(website, { visitorId, at: at(minutes) });
    const session = (start: number, end: number, previous: number | null, events: number) => ({
      started_at: at(start).toISOString(),
      ended_at: at(end).toISOString(),
      previous_started_at: previous === null ? null : at(previous).toISOString(),
      events,
    });
    const readSessions = async () =>
      (await stored(website)).toSorted((a, b) => a.started_at.localeCompare(b.started_at));
    await storeVisits(db, [visit(0), visit(30), visit(90)]);
    await fold();
    assert.deepEqual(await readSessions(), [session(0, 30, null, 2), session(90, 90, 0, 1)]);
    // An event between both joins them, an earlier one opens a session, and a late one moves the start.
    await storeVisits(db, [visit(60), visit(-60)]);
    await fold();
    assert.deepEqual(await readSessions(), [session(-60, -60, null, 1), session(0, 90, -60, 4)]);
    await storeVisits(db, [visit(-10), visit(-75)]);
    await fold();
    assert.deepEqual(await readSessions(), [session(-75, -60, null, 2), session(-10, 90, -75, 5)]);
  });

  test('a session of many hours goes on with its next event', async () => {
    const website = await buildWebsite(owner);
    const visitorId = randomUUID();
    const visit = (minutes: number) => buildVisit(website, { visitorId, at: at(minutes) });
    // With more than half an hour after six hours, its start alone no longer tells that it has ended.
    const [earlier, start, end] = [-600, 0, 450];
    await storeVisits(
      db,
      [earlier, ...Array.from({ length: end / 30 + 1 }, (_, turn) => start + 30 * turn)].map(visit),
    );
    await fold();
    await storeVisits(db, [visit(end + 30)]);
    await fold();
    await storeVisits(db, [visit(end + 90)]);
    await fold();
    const rows = (await stored(website)).toSorted((a, b) => a.started_at.localeCompare(b.started_at));
    const lines = rows.map((row) => [row.started_at, row.ended_at, row.previous_started_at]);
    assert.deepEqual(lines, [
      [at(earlier).toISOString(), at(earlier).toISOString(), null],
      [at(start).toISOString(), at(end + 30).toISOString(), at(earlier).toISOString()],
      [at(end + 90).toISOString(), at(end + 90).toISOString(), at(start).toISOString()],
    ]);
  });

  test('the order of arrival changes nothing, nor do repeats', async () => {
    for (let run = 0; run < 8; run++) {
      const events = randomEvents(60 + 60 * run);
      const sorted = await buildWebsite(owner);
      await storeVisits(
        db,
        of(
          sorted,
          events.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
        ),
      );
      await fold();
      const expected = await read(sorted);
      assert.deepEqual(
        expected.filter((row) => row.startsWith('session ')).length,
        sessionsOf(events).length,
      );

      const shuffled = await buildWebsite(owner);
      const arriving = shuffle([...events, ...events.filter(() => Math.random() < 0.3)]);
      for (let next = 0; next < arriving.length;) {
        const size = 1 + Math.floor(Math.random() ** 3 * 120);
        await storeVisits(db, of(shuffled, arriving.slice(next, next + size)));
        next += size;
        if (Math.random() < 0.5) await fold(1 + Math.floor(Math.random() * 50));
      }
      await fold();
      assert.deepEqual(await read(shuffled), expected);
    }
  });

  test('visitors of any period are exact', async () => {
    const website = await buildWebsite(owner);
    const events = randomEvents(600);
    const sessions = sessionsOf(events);
    for (const part of [events.slice(0, 400), events.slice(400)]) {
      await storeVisits(db, of(website, part));
      await fold();
    }
    for (let index = 0; index < 120; index++) {
      // Days of zones such as India and Nepal begin at any quarter of an hour, ranges at any time.
      const step = index % 2 === 0 ? 15 : 0.731;
      const start = at(Math.round(((Math.random() * 7 - 1) * 1_440) / step) * step);
      const end = new Date(
        start.getTime() + Math.round((Math.random() ** 2 * 5 * 1_440) / step) * step * minuteMs,
      );
      const expected = new Set(
        sessions
          .filter(({ startedAt }) => startedAt >= start && startedAt < end)
          .map(({ visitorId }) => visitorId),
      );
      assert.equal(
        await countVisitors(website, start, end),
        expected.size,
        `${start.toISOString()} ${end.toISOString()}`,
      );
    }
  });

  test('a repeat whose time was replaced changes nothing', async () => {
    const website = await buildWebsite(owner);
    const clientAt = at(-9_999);
    const event = buildVisit(website, { at: at(0), clientAt });
    await storeVisits(db, [event]);
    await fold();
    await storeVisits(db, [{ ...event, at: at(5) }]);
    await fold();
    // The clock of the client was wrong by then, or right.
    await storeVisits(db, [{ ...event, at: clientAt, clientAt: null }]);
    await fold();
    const late = buildVisit(website, { at: at(1) });
    await storeVisits(db, [late]);
    await fold();
    await storeVisits(db, [{ ...late, at: at(3_000), clientAt: late.at }]);
    await fold();
    const rows = await listRows(owner, 'visitor_events', ['at'], { touchpoint_id: website.touchpointId });
    assert.deepEqual(rows.map((row) => row.at).toSorted(), [at(0).toISOString(), at(1).toISOString()]);
    assert.equal((await stored(website)).length, 2);
  });

  test('bots are stored, and neither counted nor in a session', async () => {
    const website = await buildWebsite(owner);
    await storeVisits(db, [
      buildVisit(website, { isBot: true }),
      buildVisit(website, { isBot: true, type: 'TRACK', name: 'spam' }),
      buildVisit(website),
    ]);
    await fold();
    const rows = await read(website);
    assert.equal(rows.filter((row) => row.startsWith('event ')).length, 3);
    assert.equal(rows.filter((row) => row.startsWith('session ')).length, 1);
    const of = { touchpoint_id: website.touchpointId };
    const counts = await listRows(owner, 'counts', ['dimension', 'value', 'running_counts'], of);
    assert.deepEqual(
      counts.map((row) => `${row.dimension} ${row.value} ${row.running_counts.at(-1)}`).toSorted(),
      ['event VIEW_PAGE 1', 'session  1', 'session VIEW_PAGE 1'].flatMap((line) => [line, line]),
    );
    const months = await listRows(owner, 'visitor_value_months', ['running_counts'], of);
    assert.ok(months.every((row) => row.running_counts.at(-1) === 1));
  });

  test('forged names and paths add a bounded number of rows', async () => {
    const website = await buildWebsite(owner);
    const visitorId = randomUUID();
    let sum = 0;
    for (let turn = 0; turn < 4; turn++) {
      await storeVisits(
        db,
        Array.from({ length: 1_500 }, (_, index) => [
          // 'other' is a name like any other.
          buildVisit(website, {
            visitorId,
            at: at(turn),
            type: 'TRACK',
            name: index < 200 ? 'other' : randomUUID(),
          }),
          buildVisit(website, {
            visitorId,
            at: at(turn),
            path: `/${randomUUID()}`,
            referrerHost: `${index}.example`,
          }),
        ]).flat(),
      );
      sum += 1_500;
      await fold();
      const of = { touchpoint_id: website.touchpointId };
      const months = await listRows(
        owner,
        'visitor_value_months',
        ['dimension', 'is_other', 'value', 'running_counts'],
        of,
      );
      const countOf = (row?: { running_counts: number[] }) => row?.running_counts.at(-1) ?? 0;
      for (const dimension of ['path', 'event', 'referrer']) {
        const rows = months.filter((row) => row.dimension === dimension);
        assert.ok(rows.length <= 2_001, `${rows.length} of ${dimension}`);
        assert.equal(
          rows.reduce((total, row) => total + countOf(row), 0),
          sum,
        );
      }
      assert.equal(countOf(months.find(({ value }) => value === 'other')), 200 * (turn + 1));
    }
  });

  test('events of an erased or another website are dropped', async () => {
    const [website, other] = [await buildWebsite(owner), await buildWebsite(owner)];
    await storeVisits(db, [
      buildVisit({ ...website, organizationId: other.organizationId }),
      buildVisit(website),
      buildVisit(other),
    ]);
    await sql`delete from touchpoint_websites where touchpoint_id = ${website.touchpointId}`.execute(owner);
    await fold();
    assert.deepEqual(await read(website), []);
    assert.equal((await stored(other)).length, 1);
    assert.deepEqual(await listRows(owner, 'unfolded_visitor_events', ['id']), []);
  });

  test('one organization can be folded alone, one fold at a time', async () => {
    const [website, other] = [await buildWebsite(owner), await buildWebsite(owner)];
    await storeVisits(db, [buildVisit(website), buildVisit(other)]);
    assert.equal(await foldVisits(db, { organizationId: website.organizationId }), 1);
    await owner.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('reachout visitors'))`.execute(trx);
      assert.equal(await foldEvents(db, 'visitor', 20_000), 0);
    });
    assert.equal(await fold(), 1);
  });
});

const of = ({ organizationId, touchpointId }: TestWebsite, events: readonly VisitorEvent[]) =>
  events.map((event) => ({ ...event, organizationId, touchpointId }));

const shuffle = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;

/** @returns events of few visitors over five days, with pauses of about half an hour, and some at the same time */
function randomEvents(count: number): VisitorEvent[] {
  const start = Date.UTC(2026, 4, 4, 22);
  const visitors = Array.from({ length: 8 }, () => randomUUID());
  const times = Array.from(
    { length: count / 4 },
    () => start + Math.floor(Math.random() * 5 * 24 * 4) * 15 * minuteMs,
  );
  return Array.from({ length: count }, () =>
    buildVisit(
      { organizationId: '', touchpointId: '' },
      {
        visitorId: pick(visitors),
        at: new Date(pick(times) + pick([0, 0, 1, 5, 30]) * minuteMs),
        type: pick(['VIEW_PAGE', 'VIEW_PAGE', 'TRACK', 'IDENTIFY']),
        name: pick([null, 'sign_up', 'buy']),
        path: pick(['/', '/a', '/b']),
        referrerHost: pick([null, 'a.example', 'b.example']),
        country: pick([null, 'DE', 'FR']),
        language: pick([null, 'de']),
        width: pick([null, 400, 1_000, 1_920]),
        isBot: Math.random() < 0.1,
      },
    ),
  );
}

/** The same sessions, event by event. */
function sessionsOf(
  events: readonly VisitorEvent[],
): { visitorId: string; startedAt: Date; endedAt: Date }[] {
  const sessions: { visitorId: string; startedAt: Date; endedAt: Date }[] = [];
  for (const { visitorId, at } of events
    .filter(({ isBot }) => !isBot)
    .toSorted((a, b) => a.visitorId.localeCompare(b.visitorId) || a.at.getTime() - b.at.getTime())) {
    const last = sessions.at(-1);
    if (last?.visitorId === visitorId && at.getTime() - last.endedAt.getTime() <= 30 * minuteMs)
      last.endedAt = at;
    else sessions.push({ visitorId, startedAt: at, endedAt: at });
  }
  return sessions;
}
