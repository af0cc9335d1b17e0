import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import type {
  WebsiteBreakdown,
  WebsiteConversions,
  WebsiteNow,
  WebsiteOverview,
} from '@reachout/contract/statistics.ts';
import { websiteDimensions, type WebsiteDimension } from '@reachout/contract/states/website.ts';
import type { VisitorEvent } from '../../events/event.ts';
import { newId } from '../../platform/ids.ts';
import { createRandom } from '../../platform/random.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildWebsite, type TestWebsite } from '../../testing/tracked-website.ts';
import { buildVisit, foldVisits, storeVisits } from '../../sample/events.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'];
const random = createRandom(20_261_128);
const { pick } = random;

interface Span {
  from: string;
  until: string;
}

suite('statistics of a website', () => {
  const app = useSharedApp();
  let website: TestWebsite;
  let person: Person;
  let events: VisitorEvent[];

  before(async () => {
    website = await buildWebsite(app.owner);
    person = await app.signInMember(website.organizationId, 'analyst');
    events = randomEvents(website, 400);
  });

  const read = async <T>(what: string, query: Record<string, string> = {}) => {
    const path = `/api/content/${website.organizationId}/reachout/touchpoint_websites/${what}`;
    const parameters = new URLSearchParams({ touchpoint: website.touchpointId, ...query });
    return (await person.ok<{ data: T }>('GET', `${path}?${parameters.toString()}`)).data;
  };

  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const timeOf = (place: number) =>
    events.map(({ at }) => at.toISOString()).toSorted((a, b) => (a < b ? -1 : 1))[place]!;
  const periods = () => [
    '55minute',
    '1day',
    '-1day',
    '7day',
    // Both ends within a minute.
    `${ago(3 * dayMs + 1_234_567)}::${ago(dayMs + 7_654_321)}`,
    // With events right before and after both ends.
    ...[100, 130, 160].map((place) => `${timeOf(place)}::${timeOf(place + 150)}`),
  ];

  test('totals and charts equal the events', async () => {
    await buildFolded();
    for (const time_zone of zones)
      for (const period of periods()) {
        const at = `${period}, ${time_zone}`;
        const found = await read<WebsiteOverview>('overview', { period, time_zone });
        assert.deepEqual(found.total, totalsOf(events, found.period), at);
        assert.deepEqual(found.previous_total, totalsOf(events, found.previous_period), `${at}, before`);
        found.rows.forEach((row, index) => {
          const from = row.at > found.period.from ? row.at : found.period.from;
          const next = found.rows[index + 1]?.at ?? found.period.until;
          const {
            visitors: _,
            conversion_value: _value,
            converted_visitors: _converted,
            ...counts
          } = totalsOf(events, { from, until: next });
          assert.deepEqual(row, { at: row.at, ...counts }, `${at}: ${row.at}`);
        });
        const { goals, emails } = await read<WebsiteConversions>('conversions', { period, time_zone });
        const { conversions, conversion_value: value } = found.total;
        const attributed = orders(events, found.period).filter((event) => seqOf(event) !== null);
        const [goal] = goals;
        assert.deepEqual(
          { ...goal, event: 'buy' },
          {
            goal_id: goal?.goal_id,
            event: 'buy',
            conversions,
            converted_visitors: found.total.converted_visitors,
            value,
            attributed: attributed.length,
            previous_conversions: found.previous_total.conversions,
          },
          at,
        );
        const ofEmail = {
          touchpoint: null,
          converted: new Set(attributed.map(seqOf)).size,
          conversions: attributed.length,
          value: valueOfAll(attributed),
        };
        assert.deepEqual(emails, attributed.length === 0 ? [] : [ofEmail], at);
      }
  });

  test('breakdowns equal the events, and add up to the totals', async () => {
    await buildFolded();
    for (const time_zone of zones)
      for (const period of periods().slice(3, 5)) {
        // A period that goes on is a little longer in each request, in which nothing happens.
        const overview = await read<WebsiteOverview>('overview', { period, time_zone });
        for (const dimension of websiteDimensions) {
          const at = `${dimension}, ${period}, ${time_zone}`;
          const found = await read<WebsiteBreakdown>('breakdown', {
            period,
            time_zone,
            dimension,
            limit: '100',
          });
          const isEvent = dimension === 'event';
          const hasSessions = !['path', 'host', 'event'].includes(dimension);
          const { total, previous_total } = overview;
          assert.deepEqual(
            found.total,
            {
              count: isEvent ? total.events : total.page_views,
              sessions: hasSessions ? total.sessions : null,
              previous_count: isEvent ? previous_total.events : previous_total.page_views,
            },
            at,
          );
          assert.equal(found.values, found.rows.length, at);
          assert.deepEqual(
            found.rows.toSorted((a, b) => a.value.localeCompare(b.value)),
            breakdownOf(events, dimension, overview),
            at,
          );
        }
      }
  });

  test('a previous period can begin within a quarter of an hour', async () => {
    const start = new Date(`${ago(6 * dayMs).slice(0, 10)}T10:05:00Z`).getTime();
    const at = (ms: number) => new Date(start + ms).toISOString();
    website = await buildWebsite(app.owner, { organization_id: website.organizationId });
    await storeVisits(
      app.owner,
      [-minuteMs, minuteMs].map((ms) => buildVisit(website, { at: new Date(start + ms) })),
    );
    await foldVisits(app.owner, website);
    const { previous_total } = await read<WebsiteOverview>('overview', {
      period: `${at(2 * dayMs)}::${at(4 * dayMs)}`,
    });
    assert.deepEqual([previous_total.page_views, previous_total.sessions], [1, 1]);
  });

  test('right now counts visitors of the last five minutes', async () => {
    const visitorId = randomUUID();
    const visit = (minutes: number, more: Partial<VisitorEvent> = {}) =>
      buildVisit(website, { at: new Date(Date.now() - minutes * minuteMs), ...more });
    website = await buildWebsite(app.owner, { organization_id: website.organizationId });
    await storeVisits(app.owner, [
      visit(1, { visitorId, path: '/now' }),
      visit(2, { visitorId, path: '/now' }),
      visit(2, { path: '/now' }),
      visit(3, { visitorId, path: '/other' }),
      visit(1, { visitorId, type: 'TRACK', name: 'buy' }),
      visit(1, { isBot: true }),
      visit(6),
    ]);
    await foldVisits(app.owner, website);
    assert.deepEqual(await read<WebsiteNow>('now'), {
      visitors: 2,
      page_views: 4,
      pages: [
        { path: '/now', visitors: 2 },
        { path: '/other', visitors: 1 },
      ],
    });
  });

  /** Makes `buy` a goal. @returns stores its conversions; those of a goal that was removed count nowhere */
  async function buildGoals() {
    const of = { organization_id: website.organizationId, touchpoint_id: website.touchpointId };
    const goal_id = newId();
    await insertRows(app.owner, 'conversion_goals', { ...of, id: goal_id, event: 'buy', window_days: 7 });
    const [email_touchpoint_id, send_id] = [newId(), newId()];
    return async (batch: readonly VisitorEvent[]) => {
      const rows = batch
        .filter(({ name, isBot }) => name !== null && !isBot)
        .map((event) => {
          const seq = seqOf(event);
          const cents = centsOf(event);
          return {
            ...of,
            event_id: event.id,
            visitor_id: event.visitorId,
            goal_id: event.name === 'buy' ? goal_id : newId(),
            at: event.at.toISOString(),
            window_days: 7,
            value: cents === null ? null : String(cents / 100),
            ...(seq !== null && { seq, send_id, email_touchpoint_id }),
          };
        });
      // Rows of a statement have the same columns.
      for (const row of rows) await insertRows(app.owner, 'conversions', row);
    };
  }

  /** Makes a new website, to which the events come in any order, some again, and are folded in two parts. */
  async function buildFolded(): Promise<void> {
    website = await buildWebsite(app.owner, { organization_id: website.organizationId });
    const arriving = [...events, ...events.filter(() => random.chance(0.3))]
      .map((event) => ({ ...event, touchpointId: website.touchpointId }))
      .toSorted(() => random.next() - 0.5);
    const convert = await buildGoals();
    for (const [from, until] of [
      [0, 0.5],
      [0.5, 1],
    ] as const) {
      await storeVisits(app.owner, arriving.slice(from * arriving.length, until * arriving.length));
      await convert(events.slice(from * events.length, until * events.length));
      await foldVisits(app.owner, website);
    }
  }
});

/** By people, in a span. */
const orders = (events: readonly VisitorEvent[], span: Span) =>
  events.filter(within(span)).filter(({ name, isBot }) => name === 'buy' && !isBot);

/** In hundredths; none for every third. */
const centsOf = ({ at }: VisitorEvent) => (at.getTime() % 3 === 0 ? null : at.getTime() % 10_000);
const valueOfAll = (events: readonly VisitorEvent[]) =>
  events.reduce((sum, event) => sum + (centsOf(event) ?? 0), 0) / 100;
/** The message that gets it, if any. */
const seqOf = ({ at, referrerHost }: VisitorEvent) => (referrerHost === null ? null : at.getTime() % 20);

interface Session {
  first: VisitorEvent;
  lastAt: Date;
}

function sessionsOf(events: readonly VisitorEvent[]): Session[] {
  const sessions: Session[] = [];
  for (const event of events
    .filter(({ isBot }) => !isBot)
    .toSorted((a, b) => a.visitorId.localeCompare(b.visitorId) || a.at.getTime() - b.at.getTime())) {
    const last = sessions.at(-1);
    if (
      last?.first.visitorId === event.visitorId &&
      event.at.getTime() - last.lastAt.getTime() <= 30 * minuteMs
    )
      last.lastAt = event.at;
    else sessions.push({ first: event, lastAt: event.at });
  }
  return sessions;
}

const within =
  ({ from, until }: Span) =>
  ({ at }: { at: Date }) =>
    at >= new Date(from) && at < new Date(until);

function totalsOf(events: readonly VisitorEvent[], span: Span): WebsiteOverview['total'] {
  const started = sessionsOf(events)
    .map(({ first }) => first)
    .filter(within(span));
  const counted = events.filter(({ isBot }) => !isBot).filter(within(span));
  return {
    visitors: new Set(started.map(({ visitorId }) => visitorId)).size,
    sessions: started.length,
    page_views: counted.filter(({ type }) => type === 'VIEW_PAGE').length,
    events: counted.filter(({ type }) => type === 'TRACK').length,
    conversions: orders(events, span).length,
    conversion_value: valueOfAll(orders(events, span)),
    converted_visitors: new Set(orders(events, span).map(({ visitorId }) => visitorId)).size,
  };
}

const valueOf: Record<WebsiteDimension, (event: VisitorEvent) => string | null> = {
  path: ({ path }) => path,
  host: ({ url }) => new URL(url).host,
  referrer: ({ referrerHost }) => referrerHost,
  country: ({ country }) => country,
  language: ({ language }) => language,
  screen: ({ width }) =>
    width === null
      ? null
      : width < 768
        ? 'phone'
        : width < 1_024
          ? 'tablet'
          : width < 1_440
            ? 'laptop'
            : 'desktop',
  event: ({ name }) => name,
};

function breakdownOf(
  events: readonly VisitorEvent[],
  dimension: WebsiteDimension,
  { period, previous_period }: WebsiteOverview,
): WebsiteBreakdown['rows'] {
  const hasSessions = !['path', 'host', 'event'].includes(dimension);
  const countOf = (of: readonly VisitorEvent[], value: string, span: Span) =>
    of.filter(within(span)).filter((event) => (valueOf[dimension](event) ?? '') === value).length;
  const counted = events.filter(
    ({ isBot, type }) => !isBot && type === (dimension === 'event' ? 'TRACK' : 'VIEW_PAGE'),
  );
  const firsts = sessionsOf(events).map(({ first }) => first);
  return [...new Set(events.map((event) => valueOf[dimension](event) ?? ''))]
    .map((value) => ({
      value,
      is_other: false,
      count: countOf(counted, value, period),
      sessions: hasSessions ? countOf(firsts, value, period) : null,
      previous_count: countOf(counted, value, previous_period),
    }))
    .filter(({ count, sessions }) => count > 0 || (sessions ?? 0) > 0)
    .toSorted((a, b) => a.value.localeCompare(b.value));
}

/** @returns events of few visitors over ten days until five minutes ago, no two at the same time */
function randomEvents(website: TestWebsite, count: number): VisitorEvent[] {
  const end = Date.now() - 5 * minuteMs - count;
  const visitors = Array.from({ length: 12 }, () => randomUUID());
  const times = Array.from({ length: count / 4 }, () => end - Math.floor(random.next() ** 2 * 10 * dayMs));
  return Array.from({ length: count }, (_, index) => {
    const type = pick(['VIEW_PAGE', 'VIEW_PAGE', 'TRACK', 'IDENTIFY'] as const);
    return buildVisit(website, {
      visitorId: pick(visitors),
      at: new Date(Math.min(pick(times) + pick([0, 1, 5, 29]) * minuteMs, end) + index),
      type,
      name: type === 'TRACK' ? pick(['sign_up', 'buy']) : null,
      path: pick(['/', '/a', '/b']),
      referrerHost: pick([null, 'a.example', 'b.example']),
      country: pick([null, 'DE', 'FR']),
      language: pick([null, 'de']),
      width: pick([null, 400, 1_000, 1_920]),
      isBot: random.chance(0.1),
    });
  });
}
