import { createDirectus, customEndpoint, rest, staticToken } from '@directus/sdk';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { storeEvents } from '../../events/store-events.ts';
import { connectPipelined } from '../../platform/database/pipelined.ts';
import { foldAll } from '../../testing/fold.ts';
import { makeKeyOf, signInGuest } from '../../testing/actors.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { buildOrganization, buildTouchpoint } from '../../sample/records.ts';
import { buildOpen } from '../../testing/events.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { buildVisit, foldVisits, storeVisits } from '../../sample/events.ts';

type Query = Record<string, string>;
interface Refusal {
  errors: { message: string; extensions: { code: string } }[];
}

const day = 86_400_000;
const quarterAt = (at: number) => new Date(Math.floor(at / 900_000) * 900_000).toISOString();

suite('statistics interface for programs', () => {
  const app = useTestApp();
  let sent: SentEmail;
  let website: string;
  let owner: Person;
  let key: Person;

  const get = (path: string, query: Query = {}, as: Person | undefined = key) =>
    app.request<{ data: Record<string, never> } & Refusal>(
      'GET',
      `${path}?${new URLSearchParams(query).toString()}`,
      {
        headers: as?.headers ?? {},
      },
    );
  const read = async (path: string, query: Query = {}) => {
    const { status, body } = await get(`/reachout/${path}`, query);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as Record<string, unknown>;
  };
  const ofEmail = (query: Query = {}) => ({ touchpoint: sent.touchpointId, ...query });

  before(async () => {
    const { id: organizationId } = await buildOrganization(app.owner);
    owner = await app.signInMember(organizationId);
    const { id: touchpointId } = await buildTouchpoint(app.owner, { organization_id: organizationId });
    sent = await buildSentEmail(app.owner, {
      organizationId,
      touchpointId,
      addresses: ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'],
    });
    website = (await buildTouchpoint(app.owner, { organization_id: organizationId, type: 'website' })).id;
    key = await makeKeyOf(app, organizationId, owner.userId, ['statistics:read']);
    const total = { organization_id: organizationId, touchpoint_id: touchpointId, send_id: sent.sendId };
    const now = Date.now();
    await insertRows(app.owner, 'delivery_result_totals', [
      { ...total, at: quarterAt(now - 3_600_000), state: 'sent', class: '', count: 3 },
      // One of them has bounced since.
      { ...total, at: quarterAt(now - 3_600_000), state: 'accepted', class: '', count: 4 },
      { ...total, at: quarterAt(now - 3_600_000), state: 'bounced', class: 'unknown_address', count: 1 },
      { ...total, at: quarterAt(now - 8 * day), state: 'sent', class: '', count: 2 },
      { ...total, at: quarterAt(now - 8 * day), state: 'accepted', class: '', count: 2 },
      { ...total, at: quarterAt(now - 8 * day), state: 'failed', class: '', count: 5 },
    ]);
    const pipelined = connectPipelined(app.appUrl, { name: 'tests', connections: 1, onError: () => {} });
    await storeEvents(pipelined, [
      buildOpen(sent, 1),
      buildOpen(sent, 2),
      { ...buildOpen(sent, 2), isBot: true },
      { ...buildOpen(sent, 1), type: 'CLICK', linkNo: 0 },
    ]);
    await foldAll(app.owner);
    await pipelined.destroy();
  });

  test('both addresses return the displayed numbers', async () => {
    const emails = ['stats', 'stats_chart', 'metrics', 'failure_stats_chart'].map(
      (name) => `touchpoint_emails/${name}`,
    );
    // A fixed one: the previous one of a period that is not over ends now.
    const dayOf = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
    const periods = [{}, { period: `${dayOf(-12)}::${dayOf(-2)}`, time_zone: 'Europe/Berlin' }];
    const types = [undefined, 'SEND_EMAIL', 'OPEN_EMAIL', 'COMPLAINT'];
    const queries = periods.flatMap((period) =>
      types.map((type) => ofEmail(type === undefined ? period : { ...period, type })),
    );
    for (const name of ['db/metrics', ...emails])
      for (const query of name === 'db/metrics' ? [{}] : queries) {
        const path = `content/${sent.organizationId}/reachout/${name}`;
        const shown = await get(`/api/${path}`, query, owner);
        assert.equal(shown.status, 200);
        const { until: _shownUntil, ...expected } = shown.body.data as Record<string, unknown>;
        const beside = await get(`/${path}`, query);
        for (const data of [await read(name, query), beside.body.data as Record<string, unknown>]) {
          const { until: _until, ...given } = data;
          assert.deepEqual(given, expected, name);
        }
      }
  });

  test('one event type can be counted', async () => {
    const figures = async (type: string, query: Query = {}) => {
      const { unique, total, bots } = await read('touchpoint_emails/stats', ofEmail({ type, ...query }));
      return [unique, total, bots];
    };
    assert.deepEqual(await figures('OPEN_EMAIL'), [2, 2, 1]);
    assert.deepEqual(await figures('CLICK', { period: '7day' }), [1, 1, 0]);
    assert.deepEqual(await figures('SEND_EMAIL', { period: '7day' }), [4, 4, 0]);
    assert.deepEqual(await figures('BOUNCE', { period: '7day' }), [1, 1, 0]);
    assert.deepEqual(await figures('COMPLAINT'), [0, 0, 0]);
    const { rows } = await read(
      'touchpoint_emails/stats_chart',
      ofEmail({ type: 'OPEN_EMAIL', period: '2day' }),
    );
    const counts = (rows as { count: number }[]).map(({ count }) => count);
    assert.equal(counts.length, 2);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      2,
    );
  });

  test('a period is compared with the previous one', async () => {
    const { current, previous } = await read('touchpoint_emails/metrics', ofEmail({ period: '7day' }));
    const { delivered, rates } = current as { delivered: number; rates: object };
    assert.equal(delivered, 3);
    assert.deepEqual(rates, { opened: 2 / 3, clicked: 1 / 3, unsubscribed: 0, bounced: 1 / 4 });
    const earlier = previous as { delivered: number; failed: number; start: string; end: string };
    assert.deepEqual([earlier.delivered, earlier.failed], [2, 5]);
    assert.ok(Date.parse(earlier.start) < Date.parse(earlier.end));
    assert.equal((await read('touchpoint_emails/metrics', ofEmail()))['previous'], null);
    const { rows } = await read('touchpoint_emails/failure_stats_chart', ofEmail({ period: '14day' }));
    const failures = (rows as Record<string, number>[]).map(
      ({ bounced = 0, failed = 0 }) => bounced + failed,
    );
    assert.equal(
      failures.reduce((sum, count) => sum + count, 0),
      6,
    );
  });

  test('the records of an organization are counted', async () => {
    assert.deepEqual(await read('db/metrics'), {
      clients: 2,
      brands: 2,
      campaigns: 2,
      touchpoints: 2,
      sends: 1,
      recipients: 4,
      delivered: 4,
      not_measured: 0,
      opened: 2,
      clicked: 1,
    });
  });

  test('a website without events has none', async () => {
    const { id } = await buildTouchpoint(app.owner, {
      organization_id: sent.organizationId,
      type: 'website',
    });
    const query = { touchpoint: id, period: '7day' };
    assert.deepEqual(await read('touchpoint_websites/stats', query), { events: [] });
    for (const name of ['stats_chart', 'event_stats_chart']) {
      const { rows, unit } = await read(`touchpoint_websites/${name}`, query);
      assert.equal(unit, 'day');
      for (const row of rows as { count?: number; events?: object }[])
        assert.deepEqual(row.events ?? row.count, name === 'stats_chart' ? 0 : []);
    }
  });

  test('website events are counted by type, and as sessions', async () => {
    const at = { organizationId: sent.organizationId, touchpointId: website };
    const noon = new Date(new Date().setUTCHours(12, 7, 30, 0) - day);
    const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
    const [one, two] = [randomUUID(), randomUUID()];
    await storeVisits(app.owner, [
      buildVisit(at, { visitorId: one, at: noon }),
      buildVisit(at, { visitorId: one, at: after(1) }),
      buildVisit(at, { visitorId: one, at: after(2), type: 'TRACK', name: 'buy' }),
      buildVisit(at, { visitorId: one, at: after(60) }),
      buildVisit(at, {
        visitorId: two,
        at: after(20),
        type: 'IDENTIFY',
        userId: 'ada',
        collection: 'contacts',
      }),
      buildVisit(at, { visitorId: two, at: after(20), isBot: true }),
      buildVisit(at, { visitorId: two, at: after(-3 * 1_440) }),
    ]);
    const events = (identifies: number, tracks: number, views: number) =>
      Object.entries({ IDENTIFY: identifies, TRACK: tracks, VIEW_PAGE: views })
        .filter(([, count]) => count > 0)
        .map(([type, count]) => ({ type, count }));
    await foldVisits(app.owner);
    const ask = async (name: string, query: Query) => {
      const where = { touchpoint: website, ...query };
      const { until: _until, ...given } = await read(`touchpoint_websites/${name}`, where);
      const path = `/api/content/${sent.organizationId}/reachout/touchpoint_websites/${name}`;
      const shown = await get(path, where, owner);
      assert.equal(shown.status, 200, JSON.stringify(shown.body));
      const { until: _shownUntil, ...expected } = shown.body.data as Record<string, unknown>;
      assert.deepEqual(given, expected, name);
      return given;
    };
    assert.deepEqual(await ask('stats', {}), { events: events(1, 1, 4) });
    assert.deepEqual(await ask('stats', { distinct: 'true' }), { events: events(1, 1, 3) });
    assert.deepEqual(await ask('stats', { period: '-1day' }), { events: events(1, 1, 3) });
    const { current, previous } = (await ask('metrics', { period: '-1day', distinct: 'true' })) as Record<
      string,
      { events: unknown }
    >;
    assert.deepEqual([current!.events, previous!.events], [events(1, 1, 2), []]);
    // From within a quarter of an hour until within another.
    const period = `${after(0.5).toISOString()}::${after(30).toISOString()}`;
    assert.deepEqual(await ask('stats', { period }), { events: events(1, 1, 1) });
    assert.deepEqual(await ask('stats', { period, distinct: 'true' }), { events: events(1, 0, 0) });
    for (const [query, counts] of [
      [{}, [3, 1, 1]],
      [{ distinct: 'true' }, [1, 1, 1]],
    ] as const) {
      const hour = `${noon.toISOString().slice(0, 11)}12:00:00Z::${after(60).toISOString().slice(0, 11)}14:00:00Z`;
      for (const end of [hour, `${noon.toISOString()}::${after(45).toISOString()}`]) {
        const { rows } = (await ask('stats_chart', { ...query, period: end })) as {
          rows: { count: number }[];
        };
        const seen = rows.map(({ count }) => count).filter((count) => count > 0);
        if (end === hour) assert.deepEqual(seen, [counts[0] + counts[1], counts[2]]);
        else
          assert.equal(
            seen.reduce((sum, count) => sum + count, 0),
            counts[0] + counts[1],
          );
      }
    }
    const { rows } = (await ask('event_stats_chart', { period: '-1day' })) as {
      rows: { events: object[] }[];
    };
    assert.deepEqual(rows[12]?.events, events(1, 1, 2));
  });

  test('invalid requests return errors in Directus form', async () => {
    const foreign = await buildSentEmail(app.owner);
    const guest = await signInGuest(app, sent.organizationId, []);
    const ofGuest = await makeKeyOf(app, sent.organizationId, guest.userId);
    const unscoped = await makeKeyOf(app, sent.organizationId, owner.userId, ['content:read']);
    const stranger: Person = { ...key, headers: { authorization: 'Bearer reachout_x' } };
    const nobody: Person = { ...key, headers: {} };
    const stats = '/reachout/touchpoint_emails/stats';
    const cases: [path: string, query: Query, as: Person, status: number, code: string][] = [
      [stats, ofEmail(), nobody, 403, 'FORBIDDEN'],
      [stats, ofEmail(), owner, 403, 'FORBIDDEN'],
      [stats, ofEmail(), stranger, 401, 'INVALID_CREDENTIALS'],
      [stats, ofEmail(), unscoped, 403, 'FORBIDDEN'],
      [stats, ofEmail(), ofGuest, 403, 'FORBIDDEN'],
      [stats, { touchpoint: foreign.touchpointId }, key, 403, 'FORBIDDEN'],
      [stats, { touchpoint: website }, key, 403, 'FORBIDDEN'],
      [stats, { touchpoint: 'x' }, key, 403, 'FORBIDDEN'],
      ['/reachout/touchpoint_websites/stats', ofEmail(), key, 403, 'FORBIDDEN'],
      [stats, {}, key, 400, 'INVALID_QUERY'],
      [stats, ofEmail({ period: 'ever' }), key, 400, 'INVALID_QUERY'],
      [stats, ofEmail({ type: 'open' }), key, 400, 'INVALID_QUERY'],
      [stats, ofEmail({ time_zone: 'Mars' }), key, 400, 'INVALID_QUERY'],
      [stats, ofEmail({ distinct: 'maybe' }), key, 400, 'INVALID_QUERY'],
      ['/reachout/touchpoint_emails/nothing', {}, key, 404, 'ROUTE_NOT_FOUND'],
      [`/content/${foreign.organizationId}${stats}`, ofEmail(), key, 401, 'INVALID_CREDENTIALS'],
    ];
    for (const [path, query, as, status, code] of cases) {
      const refused = await get(path, query, as);
      assert.deepEqual(
        [refused.status, refused.body.errors?.[0]?.extensions.code],
        [status, code],
        `${path} ${JSON.stringify(query)}`,
      );
    }
  });

  test('the Directus SDK can read statistics', async () => {
    const address = await app.app.listen({ host: '127.0.0.1', port: 0 });
    const [, token = ''] = key.headers['authorization']!.split(' ');
    const content = createDirectus(`${address}/content/${sent.organizationId}`)
      .with(staticToken(token))
      .with(rest());
    const stats = await content.request<{ delivered: number }>(
      customEndpoint({ path: '/reachout/touchpoint_emails/stats', params: ofEmail() }),
    );
    assert.equal(stats.delivered, 4);
  });
});
