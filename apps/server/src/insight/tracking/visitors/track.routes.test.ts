import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { suite, test } from 'node:test';
import Fastify, { type InjectOptions } from 'fastify';
import { visitorEventTypes, type DropReason } from '@reachout/contract/states/website.ts';
import type { EventCommitter } from '../../../events/event-committer.ts';
import type { StoredEvent, VisitorEvent } from '../../../events/event.ts';
import { setQuota } from '../../../identity/organizations/quotas.ts';
import { QueueFull } from '../../../platform/group-commit.ts';
import { createLog } from '../../../platform/log.ts';
import { createRandom } from '../../../platform/random.ts';
import { useSharedApp, useTestApp, type TestResponse } from '../../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../../testing/assert-problem.ts';
import { contractOperations, toRequest } from '../../../testing/contract-calls.ts';
import { listen } from '../../../testing/listen.ts';
import { insertRows } from '../../../sample/rows.ts';
import { listRows, updateRows } from '../../../testing/rows.ts';
import { sampleInputs } from '../../../testing/sample-inputs.ts';
import { buildTenant, digestTenant } from '../../../testing/tenant.ts';
import {
  buildWebsite,
  listVisitorEvents,
  pageView,
  websiteHeaders,
  type StoredVisitorEvent,
  type TestWebsite,
} from '../../../testing/tracked-website.ts';
import { foldVisits } from '../../../sample/events.ts';
import { waitUntil } from '../../../testing/wait-until.ts';
import { useMade } from '../../../testing/use-made.ts';
import { assertColumn } from '../../../testing/assert-column.ts';
import { registerTrack, type TrackDeps } from './track.routes.ts';

suite('events from pages of websites', () => {
  // The general limit of requests does not apply.
  const app = useTestApp({
    trustedProxies: ['127.0.0.1'],
    requestsPerMinute: { person: 10, organization: 10, network: 10 },
  });
  const roomy = useSharedApp();
  const site = useMade(() => buildWebsite(app.owner));

  const track = (body: unknown, of: TestWebsite = site, headers: Record<string, string> = {}) =>
    app.request('POST', '/api/track', { body, headers: { ...websiteHeaders(of), ...headers } });
  const list = (of: TestWebsite) => listVisitorEvents(app.owner, of);
  const listDrops = async ({ touchpointId }: TestWebsite) =>
    (await listRows(app.owner, 'website_drops', ['reason', 'count'], { touchpoint_id: touchpointId })).map(
      ({ reason, count }) => `${reason} ${count}`,
    );
  const waitForDrops = (of: TestWebsite, reason: DropReason, count: number) =>
    waitUntil(`${reason} is counted`, async () => (await listDrops(of)).includes(`${reason} ${count}`));

  test('a page view is stored before the response, without the address', async () => {
    const own = await buildWebsite(app.owner);
    const event = pageView();
    const response = await track(event, own, { 'x-forwarded-for': '8.8.8.8' });
    assert.deepEqual([response.status, response.body], [204, undefined]);
    const [stored, ...others] = await list(own);
    assert.equal(others.length, 0);
    assert.deepEqual(
      { ...stored, at: new Date(stored!.at).toISOString() },
      {
        id: event.event_id,
        type: 'VIEW_PAGE',
        at: event.timestamp,
        visitor_id: event.anonymous_id,
        name: null,
        url: 'https://shop.example/en/shoes?page=2',
        path: '/en/shoes',
        title: 'Shoes',
        referrer: 'https://www.google.com/',
        referrer_host: 'www.google.com',
        language: 'en-GB',
        country: 'US',
        width: 1440,
        height: 900,
        user_id: null,
        collection: null,
        is_bot: false,
      },
    );
    assert.ok(!JSON.stringify(await list(own)).includes('8.8.8.8'));
  });

  test('a list of events of all types is stored together', async () => {
    const own = await buildWebsite(app.owner);
    const response = await track(
      [
        pageView({ timestamp: at(-3_000), referrer: 'https://shop.example/en' }),
        pageView({ timestamp: at(-2_000), type: 'TRACK', event: 'Added to cart' }),
        pageView({ timestamp: at(-1_000), type: 'IDENTIFY', collection: 'contacts', user_id: '42' }),
      ],
      own,
    );
    assert.equal(response.status, 204);
    assert.deepEqual(
      (await list(own)).map((event) => [event.type, event.name, event.collection, event.user_id]),
      [
        ['VIEW_PAGE', null, null, null],
        ['TRACK', 'Added to cart', null, null],
        ['IDENTIFY', null, 'contacts', '42'],
      ],
    );
    // The site is no referrer of itself.
    assert.equal((await list(own))[0]!.referrer_host, null);
  });

  test('an event has few required fields, and newer ones are ignored', async () => {
    const own = await buildWebsite(app.owner);
    const { type, timestamp, anonymous_id, url } = pageView();
    const minimal = { type, timestamp, anonymous_id, url };
    const newer = { colour_depth: 24, screen: { nested: [1, 2] }, __proto__x: 1 };
    assert.equal((await track([minimal, { ...minimal, ...newer }], own)).status, 204);
    assert.equal(new Set((await list(own)).map(({ id }) => id)).size, 2);
  });

  suite('who may send (TRK-1)', () => {
    test('an unknown id, a wrong token and that of another website get the same response', async () => {
      const other = await buildWebsite(app.owner);
      const bodies = new Set<string>();
      for (const headers of [
        websiteHeaders({ ...site, id: randomUUID() }),
        websiteHeaders({ ...site, id: 'x' }),
        websiteHeaders({ ...site, id: site.touchpointId }),
        websiteHeaders({ ...site, token: other.token }),
        websiteHeaders({ ...site, token: '' }),
        websiteHeaders({ ...site, token: site.token.slice(1) }),
        { ...websiteHeaders(site), authorization: site.token },
        { 'x-website-id': site.id },
        { authorization: `Bearer ${site.token}` },
      ]) {
        const response = await app.request('POST', '/api/track', { body: pageView(), headers });
        assertProblem(response, 401, 'unknown_website');
        bodies.add(JSON.stringify(response.body));
      }
      assert.equal(bodies.size, 1);
      assert.deepEqual([await list(site), await list(other)], [[], []]);
    });

    test('the id may be in upper case', async () => {
      const own = await buildWebsite(app.owner);
      assert.equal((await track(pageView(), { ...own, id: own.id.toUpperCase() })).status, 204);
    });

    test('a website whose organization is suspended or deleted is unknown', async () => {
      for (const changes of [{ deleted: true }, { status: 'suspended' }] as const) {
        const own = await buildWebsite(app.owner);
        await updateRows(app.owner, 'organizations', { id: own.organizationId }, changes);
        assertProblem(await track(pageView(), own), 401, 'unknown_website');
      }
    });

    test('the token opens no other endpoint', async () => {
      const tenant = await buildTenant(roomy.owner);
      const [website] = await listRows(roomy.owner, 'touchpoint_websites', ['id', 'token'], {
        organization_id: tenant.organizationId,
      });
      const digest = await digestTenant(roomy.owner, tenant.organizationId);
      const headers = websiteHeaders(website!);
      for (const call of contractOperations) {
        const { body, ...request } = {
          body: undefined,
          ...toRequest(call, sampleInputs[call.name]?.(tenant) ?? {}),
        };
        const { status } = await roomy.request(request.method, request.path, { body, headers });
        const anonymous = await roomy.request(request.method, request.path, { body });
        assert.ok(
          status === 401 || (call.access.who === 'public' && status === anonymous.status),
          `${call.name}: ${status}`,
        );
      }
      for (const path of ['/items/contacts', '/reachout/touchpoint_websites/stats', '/files', '/users/me'])
        for (const prefix of ['', `/content/${tenant.organizationId}`]) {
          const { status } = await roomy.request('GET', prefix + path, { headers });
          assert.ok([401, 403, 404].includes(status), `${prefix}${path}: ${status}`);
        }
      assert.deepEqual(await digestTenant(roomy.owner, tenant.organizationId), digest);
    });
  });

  suite('other origins (CSRF-2)', () => {
    const origin = 'https://shop.example';
    const inject = (options: InjectOptions) => app.app.inject({ url: '/api/track', ...options });

    test('a preflight is answered for any origin, without credentials', async () => {
      for (const from of [origin, 'https://elsewhere.example', 'null']) {
        const { statusCode, headers, body } = await inject({
          method: 'OPTIONS',
          headers: {
            origin: from,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,content-type,x-website-id',
          },
        });
        assert.deepEqual([statusCode, body], [204, '']);
        assert.deepEqual(
          Object.entries(headers)
            .filter(([name]) => name.startsWith('access-control-'))
            .map((entry) => entry.join(' '))
            .sort(),
          [
            'access-control-allow-headers authorization, content-type, x-website-id',
            'access-control-allow-methods POST',
            'access-control-allow-origin *',
            'access-control-max-age 86400',
          ],
        );
      }
    });

    test('every response can be read, and none sets or needs a cookie', async () => {
      const good = { ...websiteHeaders(site), origin, 'content-type': 'application/json' };
      for (const [status, options] of [
        [204, { headers: good, payload: JSON.stringify(pageView()) }],
        [400, { headers: good, payload: '{' }],
        [401, { headers: { origin }, payload: {} }],
        [413, { headers: good, payload: ' '.repeat(65_537) }],
        [415, { headers: { ...good, 'content-type': 'text/plain' }, payload: '{}' }],
        [422, { headers: good, payload: '[]' }],
      ] as const) {
        const { statusCode, headers } = await inject({ method: 'POST', ...options });
        assert.equal(statusCode, status);
        assert.equal(headers['access-control-allow-origin'], '*', String(status));
        assert.equal(headers['access-control-allow-credentials'], undefined);
        assert.equal(headers['set-cookie'], undefined);
      }
    });

    test('other methods are refused', async () => {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const { statusCode, headers } = await roomy.app.inject({ method, url: '/api/track' });
        assert.deepEqual([statusCode, headers.allow], [405, 'OPTIONS, POST']);
      }
    });
  });

  suite('what is refused (INP-1, INP-2)', () => {
    for (const [path, change] of [
      ['type', { type: 'CLICK' }],
      ['type', { type: undefined }],
      ['anonymous_id', { anonymous_id: undefined }],
      ['anonymous_id', { anonymous_id: '019b0000-0000-7000-8000-00000000000' }],
      ['anonymous_id', { anonymous_id: ['5f0c3b1e-6a54-4b8e-9f1d-3c1b5a8e7d21'] }],
      ['url', { url: undefined }],
      ['url', { url: '' }],
      ['url', { url: { href: 'https://shop.example/' } }],
      ['event', { type: 'TRACK', event: null }],
      ['event', { type: 'TRACK', event: 'x'.repeat(256) }],
      ['collection', { type: 'IDENTIFY', user_id: '1' }],
      ['user_id', { type: 'IDENTIFY', collection: 'contacts', user_id: '' }],
      ['user_id', { type: 'IDENTIFY', collection: 'contacts', user_id: 'x'.repeat(256) }],
    ] as const) {
      test(`${path}: ${JSON.stringify(Object.values(change)[0] ?? 'missing').slice(0, 40)}`, async () => {
        const own = await buildWebsite(app.owner);
        assertInvalid(await track(pageView(change), own), path);
        assertInvalid(await track([pageView(), pageView(change)], own), `1.${path}`);
        assert.deepEqual(await list(own), []);
      });
    }

    test('a body is one event, or a list of 1 to 50', async () => {
      const own = await buildWebsite(app.owner);
      for (const body of [[], 'null', '1', '"x"', Array(51).fill(pageView()), Array(10_000).fill(0)])
        assertProblem(await track(body, own), 422, 'invalid_input', JSON.stringify(body).slice(0, 20));
      assertInvalid(await track([[pageView()]], own), '0');
      assertInvalid(await track([pageView(), null], own), '1');
      assert.deepEqual(await list(own), []);
      await waitForDrops(own, 'invalid', 8);
      const most = Array.from({ length: 50 }, () => pageView());
      assert.equal((await track(most, own)).status, 204);
      assert.equal((await list(own)).length, 50);
    });

    test('a body has at most 65,536 bytes, and is not read further', async () => {
      const own = await buildWebsite(app.owner);
      const filled = (bytes: number) => {
        const text = JSON.stringify(pageView({ filler: '~' }));
        return text.replace('~', 'x'.repeat(bytes - text.length + 1));
      };
      assert.equal((await track(filled(65_536), own)).status, 204);
      assertProblem(await track(filled(65_537), own), 413, 'body_too_large');
      assert.equal((await list(own)).length, 1);
      await waitForDrops(own, 'invalid', 1);
      const port = await listen(app.app.server).catch(() => 0);
      const socket = connectSocket(port, '127.0.0.1').on('error', () => undefined);
      let response = '';
      socket.on('data', (bytes: Buffer) => (response += bytes.toString('latin1')));
      const lines = Object.entries({ host: 'localhost', ...websiteHeaders(own) }).map(
        ([k, v]) => `${k}: ${v}`,
      );
      socket.write(
        `POST /api/track HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n`,
      );
      await waitUntil('the size is refused before the body', async () => response.startsWith('HTTP/1.1 413'));
      socket.destroy();
    });

    test('what PostgreSQL cannot store is replaced', async () => {
      const own = await buildWebsite(app.owner);
      const title = 'nul \0, half a pair \ud83d, a pair 😀';
      assert.equal((await track(pageView({ title, user_id: '\0' }), own)).status, 204);
      const [stored] = await list(own);
      assert.deepEqual(
        [stored!.title, stored!.user_id],
        ['nul \ufffd, half a pair \ufffd, a pair 😀', '\ufffd'],
      );
    });
  });

  suite('an unusual field decides about itself alone', () => {
    const unusual = [
      [undefined, null, '', ' ', true, false, [], {}, [[1]], { a: { toString: 1 } }, ['x']],
      [-1, -0, 0, 1.5, 1e21, 1e-9, 42, '900', '-1', '1,50', 'NaN', '0x10', '~1e400~', '~-1e400~'],
      ['x'.repeat(36), 'é'.repeat(3_000), '😀'.repeat(700), 'x'.repeat(1_023) + '😀'],
      ['\ud83d', '\udc00x', 'a\0b', '\u0007\u001b[31m', '\u202e', '%', '%ff', '#', '?', '//', 'http://'],
      ['yesterday', '2026-13-01T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    ].flat();
    /** Each with the columns that it is read into. */
    const optional = Object.entries({
      timestamp: ['at'],
      event_id: ['id'],
      user_id: ['user_id'],
      collection: ['collection'],
      event: [],
      id: [],
      title: ['title'],
      path: [],
      search: [],
      hash: ['url', 'path'],
      page: ['url', 'path'],
      language: ['language'],
      width: ['width'],
      height: ['height'],
      referrer: ['referrer', 'referrer_host'],
      ctm_aid: [],
      value: [],
    } satisfies Record<string, readonly (keyof StoredVisitorEvent)[]>);
    /** Numbers that JSON has, and JavaScript does not. */
    const toJson = (event: unknown) => JSON.stringify(event).replaceAll(/"~(-?1e400)~"/g, '$1');
    const usual = () =>
      pageView({ timestamp: new Date(Date.now() - 60_000).toISOString(), anonymous_id: randomUUID() });
    const send = async (own: TestWebsite, events: readonly object[]) => {
      for (const event of events)
        assert.equal((await track(toJson(event), own)).status, 204, toJson(event).slice(0, 500));
      return new Map((await list(own)).map((event) => [event.visitor_id, event]));
    };

    test('each of them: the event has all of its other fields', async () => {
      const own = await buildWebsite(app.owner);
      const changes = optional.flatMap(([name, columns]) =>
        unusual.map((value) => ({
          name,
          columns: columns as string[],
          event: { ...usual(), [name]: value },
        })),
      );
      const stored = await send(
        own,
        changes.map(({ event }) => event),
      );
      for (const { name, columns, event } of changes) {
        const found = stored.get(event.anonymous_id);
        assert.ok(found !== undefined, `${name}: ${JSON.stringify(event[name as keyof typeof event])}`);
        const expected = {
          id: event.event_id,
          at: event.timestamp,
          title: 'Shoes',
          url: 'https://shop.example/en/shoes?page=2',
          path: '/en/shoes',
          referrer_host: 'www.google.com',
          language: 'en-GB',
          width: 1_440,
          height: 900,
          user_id: null,
        };
        for (const [column, value] of Object.entries(expected))
          if (!columns.includes(column))
            assert.deepEqual(found[column as keyof typeof found], value, `${name} changes ${column}`);
      }
    });

    test('all at once, of each type', async () => {
      const own = await buildWebsite(app.owner);
      const { pick, chance } = createRandom(Date.now());
      const events = Array.from({ length: 300 }, () => {
        const type = pick(visitorEventTypes);
        const needed = { TRACK: ['event'], IDENTIFY: ['user_id', 'collection'], VIEW_PAGE: [] }[
          type
        ] as string[];
        const drawn = optional.flatMap(([name]) =>
          needed.includes(name) ? [[name, 'people']] : chance(0.7) ? [[name, pick(unusual)]] : [],
        );
        const url = `https://shop.example/${chance(0.5) ? JSON.stringify(pick(unusual)) : ''}`;
        return { ...usual(), ...Object.fromEntries(drawn), type, url };
      });
      const stored = await send(own, events);
      for (const event of events)
        assert.equal(stored.get(event.anonymous_id)?.type, event.type, toJson(event));
      await foldVisits(app.owner, own);
      assert.equal((await list(own)).length, events.length);
    });

    for (const [name, given, taken] of [
      ['title', 'x'.repeat(1_030), 'x'.repeat(1_024)],
      ['title', 'x'.repeat(1_023) + '😀', 'x'.repeat(1_023)],
      ['title', { a: 1 }, null],
      ['language', 'x'.repeat(36), null],
      ['user_id', 42, '42'],
      ['user_id', 'x'.repeat(256), null],
      ['width', 1.5, 2],
      ['width', '900', 900],
      ['width', -1, null],
      ['height', 100_001, null],
      ['url', `https://shop.example/${'x'.repeat(3_000)}`, `https://shop.example/${'x'.repeat(2_027)}`],
      ['url', `https://shop.example/?a=${'x '.repeat(1_500)}&email=ada`, undefined],
      ['referrer', `https://a.example/${'x'.repeat(3_000)}`, `https://a.example/${'x'.repeat(2_030)}`],
    ] as const)
      test(`${name}: ${JSON.stringify(given).slice(0, 30)} becomes ${JSON.stringify(taken)?.slice(0, 30)}`, async () => {
        const own = await buildWebsite(app.owner);
        const event = { ...usual(), [name]: given };
        const found = (await send(own, [event])).get(event.anonymous_id)!;
        if (taken !== undefined) assert.equal(found[name], taken);
        assert.ok(!found.url.includes('email'));
      });

    for (const timestamp of [undefined, 1_700_000_000, '2026-13-01T00:00:00Z'])
      test(`the time ${timestamp} is that of the server, and a repeat counts once`, async () => {
        const own = await buildWebsite(app.owner);
        const event = { ...usual(), timestamp };
        for (let count = 0; count < 2; count++) {
          const started = Date.now();
          const found = (await send(own, [event])).get(event.anonymous_id)!;
          if (count === 0) assert.ok(new Date(found.at).getTime() >= started - 1_000);
          await foldVisits(app.owner, own);
        }
        assert.equal((await list(own)).length, 1);
      });
  });

  suite('what is dropped, and counted', () => {
    test('pages on hosts that are not in the list (TRK-1)', async () => {
      const own = await buildWebsite(app.owner, {
        hosts: ['shop.example', 'localhost:3000', '*.shops.example', 'xn--bcher-kva.example'],
      });
      const stored = [
        'https://shop.example/',
        'https://SHOP.example:443/a',
        'http://shop.example/b',
        'http://localhost:3000/',
        'https://a.b.shops.example/',
        'https://bücher.example/',
      ];
      const dropped = [
        'https://shop.example:8443/',
        'https://www.shop.example/',
        'https://shop.example.evil.example/',
        'https://shop.example@evil.example/',
        'https://shops.example/',
        'https://evilshops.example/',
        'http://localhost/',
        'file:///home/ada/page.html',
        'ftp://shop.example/',
        'app://shop.example/',
        'not an address',
      ];
      for (const url of [...stored, ...dropped])
        assert.equal((await track(pageView({ url }), own)).status, 204, url);
      assert.equal((await list(own)).length, stored.length);
      await waitForDrops(own, 'host', dropped.length);
    });

    test('those of a list are stored without the dropped ones', async () => {
      const own = await buildWebsite(app.owner);
      const elsewhere = pageView({ url: 'https://elsewhere.example/' });
      const here = pageView();
      assert.equal((await track([elsewhere, here, elsewhere], own)).status, 204);
      assertColumn(await list(own), 'id', [here.event_id]);
      await waitForDrops(own, 'host', 2);
    });

    test('a page elsewhere cannot send the address of another', async () => {
      const own = await buildWebsite(app.owner, { hosts: ['shop.example', 'cdn.example'] });
      for (const origin of ['https://evil.example', 'null', 'https://shop.example.evil.example'])
        assert.equal((await track(pageView(), own, { origin })).status, 204);
      assert.deepEqual(await list(own), []);
      await waitForDrops(own, 'host', 3);
      for (const origin of ['https://shop.example', 'https://cdn.example'])
        await track(pageView(), own, { origin });
      assert.equal((await list(own)).length, 2);
    });

    test('websites that are not active', async () => {
      for (const status of ['draft', 'paused', 'archived'] as const) {
        const own = await buildWebsite(app.owner, { status });
        assert.equal((await track([pageView(), pageView()], own)).status, 204);
        assert.deepEqual(await list(own), []);
        await waitForDrops(own, 'inactive', 2);
      }
    });

    test('a reader who asks not to be tracked is counted nowhere (TRK-5)', async () => {
      const own = await buildWebsite(app.owner);
      for (const objection of [{ dnt: '1' }, { 'sec-gpc': '1' }] as Record<string, string>[])
        assert.equal((await track(pageView(), own, objection)).status, 204);
      await track(pageView(), own, { dnt: '0' });
      await track(pageView({ type: 'x' }), own);
      await waitForDrops(own, 'invalid', 1);
      assert.equal((await list(own)).length, 1);
      assert.deepEqual(await listDrops(own), ['invalid 1']);
    });
  });

  suite('what is stored', () => {
    test('a time beyond -24 h and +5 min becomes that of the server (TRK-2)', async () => {
      const own = await buildWebsite(app.owner);
      const minute = 60_000;
      const hour = 60 * minute;
      const year = 365 * 24 * hour;
      const kept = [-24 * hour + minute, -hour, 0, 4 * minute].map(at);
      const replaced = [-24 * hour - minute, 6 * minute, -year, year].map(at);
      const startedAt = Date.now();
      for (const timestamp of [...kept, ...replaced])
        assert.equal((await track(pageView({ timestamp, title: timestamp }), own)).status, 204);
      const endedAt = Date.now();
      const events = await list(own);
      for (const { title, at: time } of events) {
        if (kept.includes(title!)) assert.equal(new Date(time).toISOString(), title);
        else assert.ok(new Date(time).getTime() >= startedAt && new Date(time).getTime() <= endedAt, title!);
      }
      assert.equal(events.length, kept.length + replaced.length);
    });

    test('bots and pages that are fetched ahead are marked', async () => {
      const own = await buildWebsite(app.owner);
      for (const headers of [
        { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
        { 'user-agent': '' },
        { 'sec-purpose': 'prefetch;prerender' },
      ] as Record<string, string>[])
        assert.equal((await track(pageView(), own, headers)).status, 204);
      assertColumn(await list(own), 'is_bot', [true, true, true]);
    });

    test('the country is that of the address behind trusted proxies (INP-5)', async () => {
      const own = await buildWebsite(app.owner);
      const addresses = ['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8', '127.0.0.1', 'unknown'];
      for (const [index, address] of addresses.entries())
        await track(pageView({ timestamp: at(index - 10) }), own, { 'x-forwarded-for': address });
      assertColumn(await list(own), 'country', ['US', 'US', 'US', null, null]);
    });

    test('what may be secret in addresses is not stored (TRK-5)', async () => {
      const own = await buildWebsite(app.owner);
      const canary = 'canary4711';
      await track(
        pageView({
          url: `https://ada:${canary}@shop.example/a?token=${canary}&page=1#${canary}`,
          hash: `#${canary}`,
          search: `?token=${canary}`,
          path: `/${canary}`,
          referrer: `https://mail.example/?session=${canary}`,
          ctm_aid: 'a-1-0123456789012345678901',
          ctm_uid: canary,
        }),
        own,
      );
      const [stored] = await list(own);
      assert.deepEqual(
        [stored!.url, stored!.path, stored!.referrer],
        ['https://shop.example/a?page=1', '/a', 'https://mail.example/'],
      );
      assert.ok(!JSON.stringify(stored).includes(canary));
    });
  });

  suite('forged events', () => {
    test('10,000 names of events cause no mail, and nothing of another organization (TRK-4)', async () => {
      const own = await buildWebsite(app.owner);
      const other = await buildTenant(app.owner);
      const tables = ['jobs', 'deliveries', 'touchpoint_sends', 'content_items'] as const;
      const count = async () =>
        await Promise.all(tables.map(async (table) => (await listRows(app.owner, table, '*')).length));
      const [digest, counts] = [await digestTenant(app.owner, other.organizationId), await count()];
      for (let batch = 0; batch < 202; batch++) {
        const forged = Array.from({ length: 50 }, (_, index) =>
          pageView({
            type: batch < 2 ? 'IDENTIFY' : 'TRACK',
            event: `Forged ${batch} ${index}`,
            anonymous_id: randomUUID(),
            collection: 'contacts',
            user_id: 'contact-1',
            ctm_aid: `1-${batch + 1}-0123456789012345678901`,
            organization_id: other.organizationId,
            touchpoint_id: other.touchpointId,
          }),
        );
        assert.equal((await track(forged, own, { 'x-forwarded-for': `203.0.113.${batch % 2}` })).status, 204);
      }
      const names = new Set((await list(own)).map(({ name }) => name));
      // One stands for those without a name.
      assert.equal(names.size, 10_001);
      assert.deepEqual(
        [await digestTenant(app.owner, other.organizationId), await count()],
        [digest, counts],
      );
    });

    test('a thousand repeats of one event are one event (TRK-2)', async () => {
      const own = await buildWebsite(app.owner);
      const event = pageView();
      const repeats = Array.from({ length: 20 }, () => Array(50).fill(event) as unknown[]);
      for (const { status } of await Promise.all(repeats.map((body) => track(body, own))))
        assert.equal(status, 204);
      assert.equal((await list(own)).length, 1);
    });
  });

  suite('limits (RATE-1)', () => {
    const high = { perMinute: 1_000_000, atOnce: 1_000_000 };
    const roomyRates = {
      website: high,
      conversions: high,
      arrivals: high,
      network: high,
      lookUps: high,
    };

    /** Registers the endpoint with a committer of the test. */
    async function registerBeside(
      t: { after: (work: () => Promise<void>) => void },
      deps: Partial<TrackDeps>,
    ) {
      const added: StoredEvent[] = [];
      const committer: EventCommitter = {
        add: async (...events) => void added.push(...events),
        close: async () => {},
      };
      const made = Fastify({ trustProxy: true });
      await made.register(async (scope) =>
        registerTrack(scope, {
          db: app.services.trackingDb,
          secrets: app.services.secrets,
          committer,
          findMessage: async () => undefined,
          loadCountries: async () => () => null,
          log: createLog('silent'),
          rates: roomyRates,
          ...deps,
        }),
      );
      t.after(() => made.close());
      const send = async (body: object, of: TestWebsite, headers: Record<string, string> = {}) => {
        const response = await made.inject({
          method: 'POST',
          url: '/api/track',
          payload: body,
          headers: { ...websiteHeaders(of), ...headers },
        });
        return {
          status: response.statusCode,
          headers: response.headers,
          body: response.body === '' ? undefined : response.json(),
        } as TestResponse<unknown>;
      };
      return { send, added: added as VisitorEvent[], close: () => made.close() };
    }

    test('a website and a network have limits of events, and get 429 beyond', async (t) => {
      for (const [limit, isForOthers] of [
        ['website', true],
        ['network', false],
      ] as const) {
        const { send, added } = await registerBeside(t, {
          rates: { ...roomyRates, [limit]: { perMinute: 6, atOnce: 100 } },
        });
        const [own, other] = [await buildWebsite(app.owner), await buildWebsite(app.owner)];
        const batch = Array.from({ length: 50 }, () => pageView());
        for (let count = 0; count < 2; count++) assert.equal((await send(batch, own)).status, 204);
        const refused = await send([pageView(), pageView()], own);
        assertProblem(refused, 429, 'too_many_requests');
        assert.ok(Number(refused.headers['retry-after']) > 0);
        assert.equal(refused.headers['access-control-allow-origin'], '*');
        assert.equal(refused.headers['access-control-expose-headers'], 'retry-after');
        assert.equal((await send(batch, other)).status, isForOthers ? 204 : 429);
        // Another network.
        const elsewhere = await send(pageView(), own, { 'x-forwarded-for': '203.0.113.7' });
        assert.equal(elsewhere.status, isForOthers ? 429 : 204);
        assert.equal(added.length, isForOthers ? 150 : 101);
        // A request of a network without any left is not read.
        await waitForDrops(own, 'limit', isForOthers ? 3 : 1);
      }
    });

    const getUse = async ({ touchpointId }: TestWebsite) => {
      const [use] = await listRows(app.owner, 'website_use', ['events', 'bytes'], {
        touchpoint_id: touchpointId,
      });
      return { events: use?.events ?? 0, bytes: use?.bytes ?? 0 };
    };
    const storeUse = (of: TestWebsite, ago: number, events: number, bytes: number) =>
      insertRows(app.owner, 'website_use', {
        organization_id: of.organizationId,
        touchpoint_id: of.touchpointId,
        day: new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
        events,
        bytes,
      });
    const waitForUse = (of: TestWebsite, events: number) =>
      waitUntil(`${events} events are counted`, async () => (await getUse(of)).events === events);
    const limit = (
      { organizationId }: TestWebsite,
      kind: 'website_events' | 'website_megabytes',
      most: number,
    ) => setQuota(app.services.db, organizationId, kind, most);
    const views = (length: number) => Array.from({ length }, () => pageView({ title: 'ü'.repeat(1_000) }));

    test('events beyond the day of their website are dropped, in one request, too', async (t) => {
      for (const quota of ['website_events', 'website_megabytes'] as const) {
        const { send, added } = await registerBeside(t, {});
        const [own, other] = [await buildWebsite(app.owner), await buildWebsite(app.owner)];
        await limit(own, quota, quota === 'website_events' ? 3 : 1);
        if (quota === 'website_megabytes')
          // Room for a little more than three of 2 kB.
          await storeUse(own, 0, 500, 1_000_000 - 8_000);
        assert.equal((await send(views(5), own)).status, 204);
        assert.equal(added.length, 3);
        assert.equal((await send(views(5), own, { 'x-forwarded-for': '203.0.113.7' })).status, 204);
        assert.equal(added.length, 3);
        await waitForDrops(own, 'quota', 7);
        assert.equal((await send(pageView(), other)).status, 204);
        assert.equal(added.length, 4);
      }
    });

    test('the day of a website outlasts a restart, and is over with its day', async (t) => {
      const own = await buildWebsite(app.owner);
      await limit(own, 'website_events', 5);
      await storeUse(own, 1, 5, 1_000);
      const first = await registerBeside(t, {});
      await first.send(views(4), own);
      assert.equal(first.added.length, 4);
      await first.close();
      const { events, bytes } = await getUse(own);
      assert.equal(events, 4);
      assert.ok(bytes > 4 * 2_000 && bytes < 4 * 3_000, `${bytes} bytes`);
      const second = await registerBeside(t, {});
      await second.send(views(4), own);
      assert.equal(second.added.length, 1);
      await second.close();
      assert.equal((await getUse(own)).events, 5);
    });

    test('processes share the day of a website but for what they take within a second', async (t) => {
      const own = await buildWebsite(app.owner);
      await limit(own, 'website_events', 10);
      const [one, other] = [await registerBeside(t, {}), await registerBeside(t, {})];
      await one.send(views(4), own);
      await other.send(views(4), own);
      await waitForUse(own, 8);
      // Each may know only of what it took itself, until it has stored that.
      await Promise.all([one.send(views(1), own), other.send(views(1), own)]);
      await waitForUse(own, 10);
      await Promise.all([one.close(), other.close()]);
      const third = await registerBeside(t, {});
      await third.send(views(3), own);
      assert.deepEqual([one.added.length, other.added.length, third.added.length], [5, 5, 0]);
      await waitForDrops(own, 'quota', 3);
    });

    test('a process learns what others took when it stores its own', async (t) => {
      const own = await buildWebsite(app.owner);
      await limit(own, 'website_events', 10);
      const [one, other] = [await registerBeside(t, {}), await registerBeside(t, {})];
      await one.send(views(1), own);
      await waitForUse(own, 1);
      await other.send(views(8), own);
      await waitForUse(own, 9);
      await one.send(views(1), own);
      await waitForUse(own, 10);
      await waitUntil('it knows', async () => {
        await one.send(views(1), own);
        return (await listDrops(own)).some((drop) => drop.startsWith('quota'));
      });
      assert.ok(one.added.length <= 4, `${one.added.length} events`);
    });

    test('events that could not be stored take nothing of the day', async (t) => {
      const own = await buildWebsite(app.owner);
      await limit(own, 'website_events', 3);
      let isFull = true;
      const added: StoredEvent[] = [];
      const { send, close } = await registerBeside(t, {
        committer: {
          add: async (...events) => {
            if (isFull) throw new QueueFull('full');
            added.push(...events);
          },
          close: async () => {},
        },
      });
      for (let count = 0; count < 3; count++) assert.equal((await send(views(2), own)).status, 503);
      isFull = false;
      assert.equal((await send(views(4), own)).status, 204);
      assert.equal(added.length, 3);
      await close();
      assert.equal((await getUse(own)).events, 3);
    });

    test('conversions beyond the limit of their website are dropped', async (t) => {
      const { send, added } = await registerBeside(t, {
        rates: { ...roomyRates, conversions: { perMinute: 1, atOnce: 3 } },
      });
      const [own, other] = [await buildWebsite(app.owner), await buildWebsite(app.owner)];
      for (const { organizationId, touchpointId } of [own, other])
        await insertRows(app.owner, 'conversion_goals', {
          id: randomUUID(),
          organization_id: organizationId,
          touchpoint_id: touchpointId,
          event: 'Order',
          window_days: 7,
        });
      // No earlier than the goal.
      const timestamp = new Date(Date.now() + 1_000).toISOString();
      const order = () => pageView({ type: 'TRACK', event: 'Order', timestamp });
      const batch = [order(), order(), pageView(), order(), order(), order(), pageView()];
      assert.equal((await send(batch, own)).status, 204);
      assert.equal((await send([order(), pageView()], own)).status, 204);
      const countOf = (isConversion: boolean) =>
        added.filter(({ conversion }) => (conversion !== null) === isConversion).length;
      assert.deepEqual([countOf(true), countOf(false)], [3, 3]);
      await waitForDrops(own, 'limit', 3);
      assert.equal((await send(order(), other)).status, 204);
      assert.equal(countOf(true), 4);
    });

    test('requests that store nothing count for their network, too', async (t) => {
      const own = await buildWebsite(app.owner);
      for (const [status, body, headers] of [
        [204, [pageView(), pageView()], { dnt: '1' }],
        [204, [pageView(), pageView()], { 'sec-gpc': '1' }],
        [422, [], {}],
        [422, [pageView(), pageView({ type: 'x' })], {}],
      ] as [number, object, Record<string, string>][]) {
        const { send } = await registerBeside(t, {
          rates: { ...roomyRates, network: { perMinute: 1, atOnce: 3 } },
        });
        const statuses: number[] = [];
        for (let count = 0; count < 4; count++) statuses.push((await send(body, own, headers)).status);
        assert.deepEqual(statuses, [status, status, status, 429]);
      }
    });

    test('a network looks up few websites that are not in memory', async (t) => {
      const { send } = await registerBeside(t, {
        rates: { ...roomyRates, lookUps: { perMinute: 1, atOnce: 5 } },
      });
      const own = await buildWebsite(app.owner);
      assert.equal((await send(pageView(), own)).status, 204);
      const statuses: number[] = [];
      for (let count = 0; count < 6; count++)
        statuses.push((await send(pageView(), { ...own, id: randomUUID() })).status);
      assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429]);
      // Known ones still work, and an unknown id is looked up once.
      assert.equal((await send(pageView(), own)).status, 204);
    });

    test('events that cannot wait get 503, and are not acknowledged', async (t) => {
      const { send } = await registerBeside(t, {
        committer: { add: () => Promise.reject(new QueueFull('full')), close: async () => {} },
      });
      const refused = await send(pageView(), await buildWebsite(app.owner));
      assertProblem(refused, 503, 'unavailable');
      assert.equal(refused.headers['retry-after'], '5');
      assert.equal(refused.headers['access-control-allow-origin'], '*');
    });

    test('the time of the client is kept beside that of the server', async (t) => {
      const { send, added } = await registerBeside(t, {});
      const own = await buildWebsite(app.owner);
      await send([pageView({ timestamp: '2024-02-29T12:00:00Z' }), pageView()], own);
      assert.deepEqual(
        added.map(({ clientAt }) => clientAt?.toISOString() ?? null),
        ['2024-02-29T12:00:00.000Z', null],
      );
    });

    test('a signed value leads to a message of the same organization', async (t) => {
      const own = await buildWebsite(app.owner);
      const message = { sendId: randomUUID(), seq: 7 };
      const { send, added } = await registerBeside(t, {
        findMessage: async (organizationId, token) =>
          organizationId === own.organizationId && token === 'signed'
            ? { ...message, touchpointId: own.touchpointId }
            : undefined,
      });
      const signed = pageView({ ctm_aid: 'signed' });
      await send(
        [signed, { ...signed, type: 'TRACK', event: 'Order' }, pageView({ ctm_aid: 'forged' }), pageView()],
        own,
      );
      assert.deepEqual(
        added.filter(({ subject }) => subject === 'visitor').map((event) => event.message),
        [message, message, null, null],
      );
    });

    test('a person that a link led to a page visits its message, a bot does not', async (t) => {
      const own = await buildWebsite(app.owner);
      const message = { touchpointId: randomUUID(), sendId: randomUUID(), seq: 7 };
      const { send, added } = await registerBeside(t, {
        findMessage: async (_, token) => (token === 'signed' ? message : undefined),
      });
      const signed = pageView({ ctm_aid: 'signed' });
      await send(
        [signed, { ...signed, type: 'TRACK', event: 'Order' }, pageView({ ctm_aid: 'forged' })],
        own,
      );
      await send(signed, own, { 'user-agent': 'curl/8.0' });
      await send(signed, own, { dnt: '1' });
      const visits = added.filter(({ subject }: StoredEvent) => subject === 'message');
      assert.equal(visits.length, 1);
      const { type, touchpointId, isBot, at: time } = visits[0]!;
      assert.deepEqual(
        [type, touchpointId, isBot, time.toISOString()],
        ['VISIT', message.touchpointId, false, signed.timestamp],
      );
    });
  });
});

const at = (fromNowMs: number) => new Date(Date.now() + fromNowMs).toISOString();
