import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { createLog } from '../../../platform/log.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../../testing/assert-problem.ts';
import { listRows, updateRows } from '../../../testing/rows.ts';
import { buildWebsite, websiteHeaders, type TestWebsite } from '../../../testing/tracked-website.ts';
import { useMade } from '../../../testing/use-made.ts';
import { registerTrack, type TrackRates } from './track.routes.ts';
import { createVisitorMarks } from './visitor-marks.ts';
import { createWebsites } from './websites.ts';

const shop = 'https://www.shop.example';
const checkout = 'https://pay.shop-checkout.example';
const hosts = ['www.shop.example', 'pay.shop-checkout.example', '*.shop.example'];
const visitor = randomUUID();

suite('visitors who follow a link to another host of the website (TRK-6)', () => {
  const app = useSharedApp();
  const site = useMade(() => buildWebsite(app.owner, { hosts }));

  interface Sent {
    of?: TestWebsite;
    origin?: string | undefined;
    headers?: Record<string, string>;
    in?: FastifyInstance;
  }
  const send = async (body: object, { of = site, origin, headers = {}, in: server = app.app }: Sent) => {
    const response = await server.inject({
      method: 'POST',
      url: '/api/track',
      payload: body,
      headers: { ...websiteHeaders(of), ...(origin !== undefined && { origin }), ...headers },
    });
    const { statusCode: status, headers: sent } = response;
    return { status, headers: sent, body: response.json<Record<string, unknown>>() };
  };
  const link = (more: object = {}, sent: Sent = {}) =>
    send(
      { type: 'LINK', anonymous_id: visitor, host: 'pay.shop-checkout.example', ...more },
      { origin: shop, ...sent },
    );
  const arrive = (ctm_vid: unknown, sent: Sent = {}, referrer: string | null = `${shop}/cart`) =>
    send({ type: 'ARRIVE', ctm_vid, referrer }, { origin: checkout, ...sent });
  const issue = async (sent: Sent = {}) => {
    const { ctm_vid } = (await link({}, sent)).body;
    assert.match(String(ctm_vid), /^[\w.-]{40,128}$/);
    return String(ctm_vid);
  };

  /** The endpoint in another process, with the same database. */
  async function startBeside(t: { after: (work: () => Promise<void>) => void }, rates?: TrackRates) {
    const made = Fastify();
    await made.register(async (scope) =>
      registerTrack(scope, {
        db: app.services.trackingDb,
        secrets: app.services.secrets,
        committer: { add: async () => {}, close: async () => {} },
        findMessage: async () => undefined,
        loadCountries: async () => () => null,
        log: createLog('silent'),
        rates,
      }),
    );
    t.after(() => made.close());
    return made;
  }

  test('the mark of a link brings the visitor along, once', async () => {
    const mark = await issue();
    const arrived = await arrive(mark);
    assert.deepEqual([arrived.status, arrived.body], [200, { anonymous_id: visitor }]);
    assert.equal(arrived.headers['access-control-allow-origin'], '*');
    assert.equal(arrived.headers['access-control-allow-credentials'], undefined);
    assert.deepEqual((await arrive(mark)).body, { anonymous_id: null });
  });

  test('of many uses at once, in several processes, one gets the visitor', async (t) => {
    const other = await startBeside(t);
    const mark = await issue();
    const uses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => arrive(mark, index % 2 === 0 ? { in: other } : {})),
    );
    const visitors = uses.map(({ body }) => body['anonymous_id']);
    assert.deepEqual(
      visitors.filter((one) => one !== null),
      [visitor],
    );
  });

  test('any other mark, page or referrer gets the same response, and uses nothing up', async (t) => {
    const inOrganization = await buildWebsite(app.owner, { organization_id: site.organizationId, hosts });
    const elsewhere = await buildWebsite(app.owner, { hosts });
    const mark = await issue();
    const { trackingDb: db, secrets } = app.services;
    const website = await createWebsites(db).lookUp(site.id);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 5 * 60_000 - 1 });
    const old = createVisitorMarks({ db, secrets, canUse: () => true }).issue(website!, visitor, {
      from: 'www.shop.example',
      to: 'pay.shop-checkout.example',
    });
    t.mock.timers.reset();
    assert.ok(old);
    const responses = [
      await arrive(old),
      await arrive(''),
      await arrive(undefined),
      await arrive({ mark }),
      await arrive('x'.repeat(5_000)),
      await arrive(visitor),
      await arrive(mark, { of: inOrganization }),
      await arrive(mark, { of: elsewhere }),
      await arrive(mark, { origin: 'https://other.shop.example' }, `${checkout}/`),
      await arrive(mark, { origin: shop }),
      await arrive(mark, { origin: 'https://evil.example' }),
      await arrive(mark, { origin: 'null' }),
      await arrive(mark, { origin: undefined }),
      // As from a messenger.
      await arrive(mark, {}, ''),
      await arrive(mark, {}, null),
      await arrive(mark, {}, 'https://evil.example/www.shop.example'),
      await arrive(mark, {}, 'android-app://www.example'),
      await arrive(mark, { headers: { dnt: '1' } }),
      await arrive(mark, { headers: { 'sec-gpc': '1' } }),
    ];
    for (const [part, text] of mark.split('.').entries()) {
      const bytes = Buffer.from(text, 'base64url');
      for (const index of bytes.keys()) {
        const altered = Buffer.from(bytes);
        altered[index]! ^= 1 << (index % 8);
        const parts = mark.split('.').with(part, altered.toString('base64url'));
        responses.push(await arrive(parts.join('.')));
      }
    }
    for (const { status, headers, body } of responses) {
      assert.deepEqual([status, body], [200, { anonymous_id: null }]);
      assert.equal(headers['access-control-allow-origin'], '*');
    }
    assert.deepEqual((await arrive(mark)).body, { anonymous_id: visitor });
  });

  test('a mark is made for visitors and hosts of an active website alone', async () => {
    for (const anonymous_id of [undefined, null, 7, '', 'x', `${visitor}x`, [visitor], { visitor }])
      assertInvalid(await link({ anonymous_id }), 'anonymous_id');
    const paused = await buildWebsite(app.owner, { hosts, status: 'paused' });
    for (const refused of [
      await link({ host: 'evil.example' }),
      await link({ host: 'shop.example' }),
      await link({ host: undefined }),
      await link({}, { origin: 'https://evil.example' }),
      await link({}, { origin: undefined }),
      await link({}, { of: paused }),
      await link({}, { headers: { dnt: '1' } }),
      await link({}, { headers: { 'sec-gpc': '1' } }),
    ])
      assert.deepEqual([refused.status, refused.body], [200, { ctm_vid: null }]);
    assertProblem(await link({}, { of: { ...site, token: paused.token } }), 401, 'unknown_website');
    const upper = await link({ anonymous_id: visitor.toUpperCase(), host: 'a.shop.example' });
    const arrived = await arrive(upper.body['ctm_vid'], { origin: 'https://a.shop.example' });
    assert.deepEqual(arrived.body, { anonymous_id: visitor });
  });

  test('a mark of a website that was paused meanwhile is worth nothing', async (t) => {
    const own = await buildWebsite(app.owner, { hosts });
    const mark = await issue({ of: own });
    await updateRows(app.owner, 'touchpoints', { id: own.touchpointId }, { status: 'paused' });
    // It has not read the website yet.
    const other = await startBeside(t);
    assert.deepEqual((await arrive(mark, { of: own, in: other })).body, { anonymous_id: null });
  });

  test('a mark says nothing about the visitor, and a use is stored without one', async () => {
    const own = await buildWebsite(app.owner, { hosts });
    const mark = await issue({ of: own });
    const readable = mark.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    assert.ok(!readable.join(' ').includes(visitor) && !mark.includes(visitor));
    const keysOf = async () =>
      (await listRows(app.owner, 'rate_limits', ['key', 'expire'])).filter(({ key }) =>
        key.startsWith('visitor_marks '),
      );
    const known = new Set((await keysOf()).map(({ key }) => key));
    await arrive(mark, { of: own });
    const added = (await keysOf()).filter(({ key }) => !known.has(key));
    assert.equal(added.length, 1);
    assert.ok(!JSON.stringify(added).includes(visitor));
    const leftMs = Number(added[0]!.expire) - Date.now();
    assert.ok(leftMs > 5 * 60_000 && leftMs <= 10 * 60_000, `${leftMs}`);
  });

  test('marks count for the limits of network and website, and their uses have one (RATE-1)', async (t) => {
    const high = { perMinute: 1_000_000, atOnce: 1_000_000 };
    const rates = { website: high, conversions: high, arrivals: high, network: high, lookUps: high };
    for (const limit of ['network', 'website'] as const) {
      const server = await startBeside(t, { ...rates, [limit]: { perMinute: 1, atOnce: 3 } });
      const statuses: number[] = [];
      for (let count = 0; count < 2; count += 1)
        for (const ask of [link, () => arrive('x', { in: server })] as const)
          statuses.push((await ask({}, { in: server })).status);
      assert.deepEqual(statuses, [200, 200, 200, 429], limit);
    }
    const few = await startBeside(t, { ...rates, arrivals: { perMinute: 1, atOnce: 2 } });
    const visitors: unknown[] = [];
    for (const mark of [await issue(), await issue(), await issue()]) {
      // One that is not genuine takes nothing.
      await arrive(`${mark}x`.slice(1), { in: few });
      visitors.push((await arrive(mark, { in: few })).body['anonymous_id']);
    }
    assert.deepEqual(visitors, [visitor, visitor, null]);
  });
});
