import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { call, type ORPCError } from '@orpc/server';
import { listBuckets, readPeriod, type TimeSpan } from '@reachout/contract/period.ts';
import { execute, rowsOf, inOrganization, type Transaction } from '../../platform/database/database.ts';
import { foldAll } from '../../testing/fold.ts';
import { insideContext } from '../../testing/inside-context.ts';
import { createRandom } from '../../platform/random.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp } from '../../testing/app.ts';
import { buildMember } from '../../sample/records.ts';
import { buildOpen } from '../../testing/events.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { buildSentEmail, storeResults, type SentEmail } from '../../testing/sent-email.ts';
import { storeEvents, storeEventsIn } from '../../events/store-events.ts';
import type { MessageEvent } from '../../events/event.ts';
import { getEmailChart, getEmailStats, getPreviousEmailStats, toPeriod } from './email-statistics.ts';
import { statisticsRoutes } from './statistics.routes.ts';

const app = useSharedApp();
const now = new Date('2026-10-26T08:20:00Z');

const inOrganizationOf = <T>(organizationId: string, work: (trx: Transaction) => Promise<T>) =>
  inOrganization(app.services.db, organizationId, work);

interface StoredResult {
  sendId: string;
  state: string;
  tracked: boolean;
  at: Date;
}

/** The expected data, computed naively from every row. */
interface Oracle {
  results: StoredResult[];
  events: MessageEvent[];
  /** The time of the message's first event by a person, by send, seq and type. */
  firsts: Map<string, { sendId: string; type: string; at: Date }>;
  /** When mail servers took messages, also of those that bounced later. */
  accepted: { sendId: string; at: Date }[];
}

const messages = 40;
const states = ['sent', 'sent', 'sent', 'bounced', 'failed', 'suppressed', 'skipped'] as const;
// Around the end of daylight saving time in Berlin.
const from = Date.parse('2026-10-23T20:00:00Z');

const addresses = Array.from({ length: messages }, (_, index) => `m${index + 1}@example.org`);

async function fill(sends: SentEmail[], seed: number): Promise<Oracle> {
  const { below: random } = createRandom(seed);
  const oracle: Oracle = { results: [], accepted: [], events: [], firsts: new Map() };
  const moment = () => new Date(from + random(now.getTime() - from));
  for (const [index, sent] of sends.entries()) {
    const counters: Record<string, number> = {};
    const rows = [];
    for (let seq = 1; seq <= messages - 3; seq++) {
      const state = states[random(states.length)]!;
      counters[state] = (counters[state] ?? 0) + 1;
      const at = moment();
      // Every other bounce arrives hours or days after the message was accepted.
      const isLate = state === 'bounced' && seq % 2 === 0;
      const accepted = isLate ? new Date(from + random(at.getTime() - from)) : state === 'sent' ? at : null;
      if (accepted !== null) counters['accepted'] = (counters['accepted'] ?? 0) + 1;
      const tracked = random(3) > 0;
      if (state === 'sent' && !tracked) counters['not_measured'] = (counters['not_measured'] ?? 0) + 1;
      oracle.results.push({ sendId: sent.sendId, state, tracked, at });
      if (accepted !== null) oracle.accepted.push({ sendId: sent.sendId, at: accepted });
      rows.push({
        organization_id: sent.organizationId,
        send_id: sent.sendId,
        seq,
        state,
        attempts: 1,
        at: at.toISOString(),
        accepted_at: accepted?.toISOString() ?? null,
        tracked,
      });
    }
    await insertRows(app.owner, 'delivery_results', rows);
    // The results of one send are in totals, those of the other in an open chunk.
    if (index === 0) await addToTotals(sent);
    else await buildOpenChunk(sent);
    await updateRows(
      app.owner,
      'touchpoint_sends',
      { id: sent.sendId },
      {
        recipients_total_count: messages,
        recipients_total_sent_count: counters['sent'] ?? 0,
        recipients_not_measured_count: counters['not_measured'] ?? 0,
        recipients_accepted_count: counters['accepted'] ?? 0,
        recipients_total_delivery_failed_count: counters['bounced'] ?? 0,
        recipients_total_failed_count: counters['failed'] ?? 0,
        recipients_suppressed_count: counters['suppressed'] ?? 0,
        recipients_skipped_count: counters['skipped'] ?? 0,
        recipients_uncertain_count: 2,
      },
    );
  }
  for (let batch = 0; batch < 60; batch++) {
    const events = Array.from({ length: 1 + random(30) }, (): MessageEvent => {
      const sent = sends[random(sends.length)]!;
      const isClick = random(3) === 0;
      const isVisit = !isClick && random(4) === 0;
      return {
        // Lower numbers are more frequent, so that some messages have many events and some none.
        ...buildOpen(sent, 1 + random(1 + random(messages))),
        type: isClick ? 'CLICK' : isVisit ? 'VISIT' : 'OPEN_EMAIL',
        linkNo: isClick ? random(3) : null,
        at: moment(),
        isBot: !isVisit && random(4) === 0,
      };
    });
    await storeEvents(app.services.trackingPipelined, events);
    await foldAll(app.owner);
    oracle.events.push(...events);
    for (const [key, own] of Map.groupBy(
      events.filter(({ isBot }) => !isBot),
      (event) => `${event.sendId} ${event.seq} ${event.type}`,
    )) {
      if (oracle.firsts.has(key)) continue;
      const at = new Date(Math.min(...own.map((event) => event.at.getTime())));
      oracle.firsts.set(key, { sendId: own[0]!.sendId, type: own[0]!.type, at });
    }
  }
  for (let seq = 1; seq <= 9; seq++) {
    const sent = sends[random(sends.length)]!;
    const { organizationId, sendId } = sent;
    const at = moment();
    const type = seq % 3 === 0 ? 'COMPLAINT' : 'UNSUBSCRIBE';
    const key = `${sendId} ${seq} ${type}`;
    for (const _ of [1, 2])
      await inOrganizationOf(organizationId, (trx) =>
        storeEventsIn(trx, organizationId, [{ ...buildOpen(sent, seq), type, at }]),
      );
    oracle.firsts.set(key, { sendId, type, at });
  }
  return oracle;
}

const addToTotals = ({ organizationId, touchpointId, sendId }: SentEmail, lastSeq = messages) =>
  execute(app.owner)`
    insert into delivery_result_totals (organization_id, touchpoint_id, send_id, at, state, class, count, not_measured)
    select ${organizationId}, ${touchpointId}, ${sendId}, at, state, class, count, not_measured
    from sum_results(${organizationId}, ${sendId}, 1, ${lastSeq})
  `;

const buildOpenChunk = ({ organizationId: organization_id, sendId: send_id }: SentEmail) =>
  insertRows(app.owner, 'delivery_chunks', {
    organization_id,
    send_id,
    first_seq: 1,
    last_seq: messages,
    marked_up_to: messages,
    lease_token: 1,
  });

function bruteForce(oracle: Oracle, span: TimeSpan, sendId?: string) {
  const matches = (row: { at: Date; sendId: string }) =>
    row.at >= span.start && row.at < span.end && (sendId === undefined || row.sendId === sendId);
  const results = oracle.results.filter(matches);
  const events = oracle.events.filter(matches);
  const firsts = [...oracle.firsts.values()].filter(matches);
  const ended = (...wanted: string[]) => results.filter(({ state }) => wanted.includes(state)).length;
  const count = (type: string) => ({
    unique: firsts.filter((first) => first.type === type).length,
    total: events.filter((event) => event.type === type && !event.isBot).length,
    bots: events.filter((event) => event.type === type && event.isBot).length,
  });
  return {
    recipients: results.length,
    accepted: oracle.accepted.filter(matches).length,
    delivered: ended('sent'),
    not_measured: results.filter(({ state, tracked }) => state === 'sent' && !tracked).length,
    bounced: ended('bounced'),
    failed: ended('failed'),
    suppressed: ended('suppressed'),
    uncertain: 0,
    queued: 0,
    opened: count('OPEN_EMAIL'),
    clicked: count('CLICK'),
    visited: count('VISIT').unique,
    converted: 0,
    conversions: 0,
    conversion_value: 0,
    unsubscribed: firsts.filter((first) => first.type === 'UNSUBSCRIBE').length,
    complained: firsts.filter((first) => first.type === 'COMPLAINT').length,
  };
}

/** Of a message, type and link, separately for people and bots (LNK-5). */
const maxStoredEvents = 20;

suite('email metrics', () => {
  let sends: SentEmail[];
  let oracle: Oracle;

  before(async () => {
    const first = await buildSentEmail(app.owner, { addresses });
    const { organizationId, touchpointId } = first;
    sends = [first, await buildSentEmail(app.owner, { touchpointId, addresses })];
    oracle = await fill(sends, 1);
    // Noise that must not be counted: another touchpoint of the organization, and another organization.
    await fill([await buildSentEmail(app.owner, { organizationId, addresses })], 2);
    await fill([await buildSentEmail(app.owner, { addresses })], 3);
  });

  const read = <T>(work: (trx: Transaction) => Promise<T>) =>
    inOrganizationOf(sends[0]!.organizationId, work);
  const scopeOf = (sendId?: string) => ({
    organizationId: sends[0]!.organizationId,
    touchpointId: sends[0]!.touchpointId,
    sendId,
  });
  const everything = { start: new Date(0), end: new Date('2100-01-01') };

  test('metrics over all time equal the stored rows', async () => {
    for (const sendId of [undefined, sends[0]!.sendId, sends[1]!.sendId]) {
      const count = sendId === undefined ? 2 : 1;
      const expected = bruteForce(oracle, everything, sendId);
      assert.ok(expected.opened.unique > 10 && expected.clicked.unique > 5);
      assert.deepEqual(await read((trx) => getEmailStats(trx, scopeOf(sendId))), {
        ...expected,
        recipients: count * messages,
        uncertain: count * 2,
        queued: count,
      });
    }
  });

  const periods = [
    '1day',
    '-1day',
    '7day',
    '1week',
    '1month',
    '1year',
    '30hour',
    '2week',
    '3month',
    '45minute',
    '2026-10-24T01:07:11Z::2026-10-25T13:22:33.500Z',
    '2026-10-24T10:15Z::2026-10-24T11:15Z',
    '2026-10-24T10:01Z::2026-10-24T10:02Z',
    '2026-10-24T10:01Z::2026-10-24T13:00Z',
    '2026-10-25::2026-10-25',
    '2025-01-01::2025-01-02',
  ];
  for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) {
    for (const text of periods) {
      test(`metrics in ${text}, ${timeZone} equal the rows by bucket`, async () => {
        const input = { text, timeZone, now };
        const period = readPeriod(text, { now, timeZone });
        const scopes = [undefined, sends[1]!.sendId];
        const readings = await read(async (trx) => {
          const found = [];
          for (const sendId of scopes) {
            const stats = await getEmailStats(trx, scopeOf(sendId), input);
            const previous = await getPreviousEmailStats(trx, scopeOf(sendId), toPeriod(input));
            found.push({ sendId, stats, previous, chart: await getEmailChart(trx, scopeOf(sendId), input) });
          }
          return found;
        });
        for (const { sendId, stats, previous, chart } of readings) {
          assert.deepEqual(stats, bruteForce(oracle, period, sendId));
          assert.deepEqual(previous, {
            ...bruteForce(oracle, period.previous, sendId),
            period: {
              from: period.previous.start.toISOString(),
              until: period.previous.end.toISOString(),
            },
          });

          assert.equal(chart.unit, period.granularity);
          assert.equal(chart.time_zone, timeZone);
          assert.equal(chart.until, period.until.toISOString());
          const begun = { start: period.start, end: period.until };
          const buckets = listBuckets(begun, period.granularity, timeZone);
          const expected = buckets.map((at, index) => {
            const start = at < period.start ? period.start : at;
            const next = buckets[index + 1] ?? period.end;
            const metrics = bruteForce(oracle, { start, end: next }, sendId);
            return {
              at: at.toISOString(),
              delivered: metrics.delivered,
              not_measured: metrics.not_measured,
              opened: metrics.opened.unique,
              clicked: metrics.clicked.unique,
              converted: 0,
              bounced: metrics.bounced,
              unsubscribed: metrics.unsubscribed,
              complained: metrics.complained,
            };
          });
          assert.deepEqual(chart.rows, expected);
          for (const column of ['delivered', 'bounced', 'unsubscribed', 'complained'] as const)
            assert.equal(
              chart.rows.reduce((sum, row) => sum + row[column], 0),
              stats[column],
            );
        }
      });
    }
  }

  test('charts omit buckets in the future', async () => {
    const input = { text: '2027-01-01::2027-01-31', timeZone: 'UTC', now };
    const chart = await read((trx) => getEmailChart(trx, scopeOf(), input));
    assert.deepEqual(chart, { unit: 'day', time_zone: 'UTC', until: '2027-01-01T00:00:00.000Z', rows: [] });
  });

  test('metrics by link include links without clicks', async () => {
    const unread = await buildSentEmail(app.owner, { touchpointId: sends[0]!.touchpointId });
    const { user_id: userId } = await buildMember(app.owner, { organization_id: unread.organizationId });
    const context = { context: insideContext(app.services.db, userId) };
    const where = { organization_id: unread.organizationId, touchpoint: unread.touchpointId };
    const clicks = oracle.events.filter(({ type }) => type === 'CLICK');
    const expected = [
      'https://shop.example/spring?utm_source=mail',
      'https://shop.example/for/{{ contact.code | url_encode }}',
      'https://shop.example/about',
    ].map((url, link_no) => {
      const all = clicks.filter(({ linkNo }) => linkNo === link_no);
      const own = all.filter(({ isBot }) => !isBot);
      return {
        link_no,
        url,
        unique: new Set(own.map(({ sendId, seq }) => `${sendId} ${seq}`)).size,
        total: own.length,
        bots: all.length - own.length,
      };
    });
    assert.deepEqual((await call(statisticsRoutes.emailLinks, where, context)).data, expected);
    assert.deepEqual(
      (await call(statisticsRoutes.emailLinks, { ...where, send: unread.sendId }, context)).data,
      expected.map((link) => ({ ...link, unique: 0, total: 0, bots: 0 })),
    );
  });

  test('periods within a quarter hour read their ends only', async () => {
    const sent = await buildSentEmail(app.owner);
    const query = { organizationId: sent.organizationId, touchpointId: sent.touchpointId };
    // 100 messages a minute, for ten hours.
    await execute(app.owner)`
      insert into delivery_results (organization_id, send_id, seq, state, attempts, at, accepted_at)
      select ${sent.organizationId}::uuid, ${sent.sendId}::uuid, seq, 'sent', 1, at, at
      from generate_series(1, 60000) seq, lateral (select '2026-11-01T00:00:00Z'::timestamptz + seq * interval '600 ms' as at) t
      order by seq
    `;
    await addToTotals(sent, 60_000);
    await execute(app.owner)`vacuum (analyze) delivery_results`;
    await inOrganizationOf(sent.organizationId, async (trx) => {
      const period = { text: '2026-11-01T02:20:00Z::2026-11-01T05:05:00Z', timeZone: 'UTC', now };
      assert.equal((await getEmailStats(trx, query, period)).delivered, 165 * 100);
      const rows = await rowsOf<{ scanned: number; fetched: number }>(trx)`
        select sum(seq_tup_read)::int as scanned, sum(idx_tup_fetch)::int as fetched from pg_stat_xact_all_tables
        where schemaname = 'partitions' and relname like 'delivery_results_%'
      `;
      const { scanned, fetched } = rows[0]!;
      // 1,500 are counted; the index scan includes the other rows of their pages.
      assert.ok(fetched >= 1_500 && scanned + fetched < 20_000, `${scanned} scanned, ${fetched} fetched`);
    });
  });

  test('totals stay exact beyond the stored rows', async () => {
    const sent = await buildSentEmail(app.owner);
    const at = new Date('2026-11-01T10:07:00Z');
    const events = Array.from({ length: maxStoredEvents * 3 }, () => ({ ...buildOpen(sent), at }));
    const query = { organizationId: sent.organizationId, touchpointId: sent.touchpointId };
    await storeEvents(app.services.trackingPipelined, events);
    await foldAll(app.owner);
    const stats = await inOrganizationOf(sent.organizationId, (trx) =>
      getEmailStats(trx, query, { text: '1day', timeZone: 'UTC', now: at }),
    );
    assert.deepEqual(stats.opened, { unique: 1, total: maxStoredEvents * 3, bots: 0 });
    const { length } = await listRows(app.owner, 'events', ['id'], { send_id: sent.sendId });
    assert.equal(length, maxStoredEvents);
  });
});

suite('statistics requests', () => {
  const code = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error: ORPCError<string, unknown>) => error.code,
    );

  test('statistics are limited to sends of their touchpoint', async () => {
    const sent = await buildSentEmail(app.owner);
    const foreign = await buildSentEmail(app.owner);
    const sibling = await buildSentEmail(app.owner, { organizationId: sent.organizationId });
    const { user_id: analyst } = await buildMember(app.owner, {
      organization_id: sent.organizationId,
      role: 'analyst',
    });
    const as = (userId?: string) => ({ context: insideContext(app.services.db, userId) });
    const where = { organization_id: sent.organizationId, touchpoint: sent.touchpointId };
    const routes = [
      statisticsRoutes.emailStats,
      statisticsRoutes.emailChart,
      statisticsRoutes.emailLinks,
      statisticsRoutes.emailEvents,
    ] as const;
    const ask = async (
      input: { organization_id: string; touchpoint: string; send?: string },
      userId?: string,
    ) =>
      await Promise.all(
        routes.map((route) => code(call(route as typeof statisticsRoutes.emailLinks, input, as(userId)))),
      );
    const all = (response: string) => routes.map(() => response);

    assert.deepEqual(await ask(where, analyst), all('answered'));
    assert.deepEqual(await ask({ ...where, send: sent.sendId }, analyst), all('answered'));
    assert.deepEqual(await ask({ ...where, send: sibling.sendId }, analyst), all('not_found'));
    assert.deepEqual(await ask({ ...where, send: foreign.sendId }, analyst), all('not_found'));
  });

  test('invalid periods and time zones are rejected', async () => {
    const sent = await buildSentEmail(app.owner);
    const { user_id: userId } = await buildMember(app.owner, { organization_id: sent.organizationId });
    const context = { context: insideContext(app.services.db, userId) };
    const where = { organization_id: sent.organizationId, touchpoint: sent.touchpointId };
    for (const route of [statisticsRoutes.emailStats, statisticsRoutes.emailChart] as const) {
      const ask = (input: object) =>
        code(call(route as typeof statisticsRoutes.emailChart, { ...where, ...input }, context));
      assert.equal(await ask({ period: 'yesterday' }), 'invalid_period');
      assert.equal(await ask({ period: '0day' }), 'invalid_period');
      assert.equal(await ask({ period: '1day', time_zone: 'Mars/Olympus' }), 'BAD_REQUEST');
      assert.equal(await ask({ period: '1day', time_zone: 'Europe/Berlin' }), 'answered');
    }
  });

  test('events are listed newest first with address and link', async () => {
    const sent = await buildSentEmail(app.owner, {
      addresses: ['a@example.org', 'b@example.org', 'c@example.org'],
    });
    const { user_id: userId } = await buildMember(app.owner, { organization_id: sent.organizationId });
    const { organizationId, touchpointId, sendId } = sent;
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 10, minute));
    const event = (seq: number, minute: number, linkNo: number | null, isBot = false): MessageEvent => ({
      ...buildOpen(sent, seq),
      type: linkNo === null ? 'OPEN_EMAIL' : 'CLICK',
      linkNo,
      at: at(minute),
      isBot,
    });
    await storeEvents(app.services.trackingPipelined, [
      event(1, 5, null),
      event(1, 6, 2),
      event(2, 7, null, true),
    ]);
    await foldAll(app.owner);
    const left: MessageEvent = { ...buildOpen(sent, 2), type: 'UNSUBSCRIBE', at: at(8) };
    await inOrganizationOf(organizationId, (trx) => storeEventsIn(trx, organizationId, [left]));
    await storeResults(app.owner, { organizationId, sendId }, ['sent', 'sent', 'bounced'], (index) =>
      at(index).toISOString(),
    );
    // The event that a send stores for a rejected address.
    await insertRows(app.owner, 'events', {
      organization_id: organizationId,
      id: newId(),
      touchpoint_id: touchpointId,
      send_id: sendId,
      seq: 3,
      type: 'BOUNCE',
      at: at(2).toISOString(),
    });
    const list = async (input: object) => {
      const where = { organization_id: organizationId, touchpoint: touchpointId, ...input };
      const { data } = await call(statisticsRoutes.emailEvents, where, {
        context: insideContext(app.services.db, userId),
      });
      assert.equal(new Set(data.map(({ id }) => id)).size, data.length);
      return data.map(({ type, address, url, is_bot }) =>
        [type, address[0], url ?? '', is_bot ? 'bot' : ''].filter(Boolean).join(' '),
      );
    };
    const latest = [
      'UNSUBSCRIBE b',
      'OPEN_EMAIL b bot',
      'CLICK a https://shop.example/about',
      'OPEN_EMAIL a',
      'BOUNCE c',
    ];
    assert.deepEqual(await list({}), latest);
    assert.deepEqual(await list({ limit: 2 }), latest.slice(0, 2));
    assert.deepEqual(await list({ send: sendId, type: 'OPEN_EMAIL' }), [latest[1], latest[3]]);
    assert.deepEqual(await list({ type: 'BOUNCE' }), ['BOUNCE c']);
    assert.deepEqual(await list({ type: 'SEND_EMAIL' }), ['SEND_EMAIL b', 'SEND_EMAIL a']);
  });
});
