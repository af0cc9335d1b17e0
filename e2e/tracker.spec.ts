import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { prepareEmail } from './api.ts';
import { expect, test as base } from './fixtures.ts';

const websiteId = '0199c0de-0000-7000-8000-000000000001';
const token = 'token-of-the-website';
const signedId = `1x-2y-${'a'.repeat(22)}`;

interface TrackedEvent {
  type: string;
  event_id: string;
  timestamp: string;
  event: string | null;
  path: string;
  search: string | null;
  hash: string | null;
  referrer: string | null;
  [name: string]: unknown;
}

/** What the script calls, with the script of the server. */
interface Collector {
  url: string;
  /** Requests with events. */
  requests: { headers: IncomingMessage['headers']; events: TrackedEvent[]; status: number }[];
  preflights: IncomingMessage['headers'][];
  /** Of the next responses. */
  status: number;
  /** False: the browser is not allowed to send. */
  allowsOrigins: boolean;
  /** What the responses to preflights wait for. */
  preflightsWaitFor: Promise<unknown> | undefined;
}

interface Shop {
  url: string;
  /** Of the script, and what its tag says. */
  tracker: { url: string; websiteId: string; token: string };
  /** Of the script tag, after website and token. */
  attributes: string;
  /** In a script with the nonce of the page, before the script tag. */
  inline: string;
}

/** The website of a customer, on another origin than the server, with a policy that allows nothing else. */
const test = base.extend<{ collector: Collector; shop: Shop }>({
  collector: async ({ server }, use) => {
    const script = await (await fetch(`${server.url}/tracker.js`)).text();
    const collector: Collector = {
      url: '',
      requests: [],
      preflights: [],
      status: 204,
      allowsOrigins: true,
      preflightsWaitFor: undefined,
    };
    const stop = await serve(
      collector,
      (request, response) => void respond(collector, script, request, response),
    );
    await use(collector);
    await stop();
  },
  shop: async ({ collector }, use) => {
    const shop: Shop = {
      url: '',
      tracker: { url: collector.url, websiteId, token },
      attributes: '',
      inline: '',
    };
    const stop = await serve(shop, (_request, response) => {
      const { tracker } = shop;
      const policy = `default-src 'none'; script-src 'nonce-n0' ${tracker.url}; connect-src ${tracker.url}`;
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': `${policy}; require-trusted-types-for 'script'`,
      });
      response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8">
        <script nonce="n0">${shop.inline}</script>
        <script async src="${tracker.url}/tracker.js" data-website-id="${tracker.websiteId}" data-token="${tracker.token}" ${shop.attributes}></script>
        <title>Shop</title></head><body><h1>Shop</h1></body></html>`);
    });
    await use(shop);
    await stop();
  },
});

async function serve(
  target: { url: string },
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<() => Promise<void>> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
}

async function respond(
  collector: Collector,
  script: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url === '/tracker.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    return;
  }
  const headers = collector.allowsOrigins ? { 'access-control-allow-origin': '*' } : {};
  if (request.method === 'OPTIONS') {
    collector.preflights.push(request.headers);
    await collector.preflightsWaitFor;
    response.writeHead(204, {
      ...headers,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type, x-website-id',
    });
    response.end();
    return;
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { status } = collector;
  collector.requests.push({ headers: request.headers, events: JSON.parse(body) as TrackedEvent[], status });
  response.writeHead(status, headers).end();
}

/** Events that were acknowledged, in the order of their arrival, each once, as the server counts them. */
const stored = ({ requests }: Collector) => {
  const events = requests.filter(({ status }) => status === 204).flatMap((request) => request.events);
  return [...new Map(events.map((event) => [event.event_id, event])).values()];
};
const typesAndNames = (collector: Collector) =>
  stored(collector).map(({ type, event }) => (event === null ? type : event));

const call = (page: Page, ...args: unknown[]) => page.evaluate(`reachout.push(${JSON.stringify(args)})`);
const readQueue = (page: Page) => page.evaluate(() => Object.keys(localStorage));
const cookieNames = async (context: BrowserContext) =>
  (await context.cookies()).map(({ name }) => name).toSorted();

test('a view is counted from a page of another origin with a strict policy', async ({
  page,
  context,
  collector,
  shop,
}) => {
  shop.inline = `(window.reachout ||= []).push(['track', 'early']);`;
  await page.goto(`${shop.url}/spring?size=4%20l#top`);
  await expect.poll(() => typesAndNames(collector).toSorted()).toEqual(['VIEW_PAGE', 'early']);
  const [{ headers }] = collector.requests as [Collector['requests'][number]];
  expect(headers).toMatchObject({
    authorization: `Bearer ${token}`,
    'x-website-id': websiteId,
    'content-type': 'application/json',
    origin: shop.url,
  });
  expect(headers.cookie).toBeUndefined();
  expect(collector.preflights).toHaveLength(1);
  const view = stored(collector).find(({ type }) => type === 'VIEW_PAGE')!;
  const viewport = page.viewportSize()!;
  expect(view).toEqual({
    type: 'VIEW_PAGE',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    event_id: expect.stringMatching(/^[\da-f-]{36}$/),
    anonymous_id: expect.stringMatching(/^[\da-f-]{36}$/),
    event: null,
    title: 'Shop',
    url: `${shop.url}/spring?size=4%20l#top`,
    path: '/spring',
    search: '?size=4%20l',
    hash: '#top',
    language: 'en-US',
    ...viewport,
    referrer: null,
  });
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({
    name: 'ctm_anonymous_id',
    value: view['anonymous_id'],
    sameSite: 'Strict',
    secure: true,
    path: '/',
  });
  await expect.poll(() => readQueue(page)).toEqual([]);
});

test('an identified visitor stays so, in cookies of the website alone (SES-2)', async ({
  page,
  context,
  collector,
  shop,
}) => {
  await page.goto(shop.url);
  await expect.poll(() => stored(collector).length).toBe(1);
  await call(page, 'identify', 'customers', 'Zoë; 7');
  await expect.poll(() => stored(collector).length).toBe(2);
  await page.reload();
  await expect.poll(() => typesAndNames(collector)).toEqual(['VIEW_PAGE', 'IDENTIFY', 'VIEW_PAGE']);
  const who = stored(collector).map(({ collection = null, user_id = null }) => [collection, user_id]);
  expect(who).toEqual([
    [null, null],
    ['customers', 'Zoë; 7'],
    ['customers', 'Zoë; 7'],
  ]);
  expect(new Set(stored(collector).map(({ anonymous_id }) => anonymous_id)).size).toBe(1);
  expect(await cookieNames(context)).toEqual(['ctm_anonymous_id', 'ctm_user_collection', 'ctm_user_id']);
});

test('a visitor is one on the hosts of a domain, and in tabs that open at once', async ({
  page,
  context,
  collector,
  shop,
}) => {
  const { port } = new URL(shop.url);
  const visitors = () => new Set(stored(collector).map(({ anonymous_id }) => anonymous_id)).size;
  await page.goto(`http://www.shop.localhost:${port}/`);
  await expect.poll(() => stored(collector).length).toBe(1);
  await page.goto(`http://pay.shop.localhost:${port}/`);
  await expect.poll(() => stored(collector).length).toBe(2);
  expect(visitors()).toBe(1);
  expect((await context.cookies()).map(({ name, domain }) => [name, domain])).toEqual([
    ['ctm_anonymous_id', '.shop.localhost'],
  ]);

  // As a tab that has looked for the cookie first, and has not set it yet.
  await context.clearCookies();
  collector.requests.length = 0;
  shop.attributes = 'data-auto="off"';
  await page.goto(shop.url);
  await page.evaluate(
    `new Promise((got) => navigator.locks.request('ctm_anonymous_id', () => { got(); return new Promise((free) => { window.free = free }) }))`,
  );
  const other = await context.newPage();
  shop.attributes = '';
  await other.goto(shop.url);
  const known = '0199c0de-0000-7000-8000-00000000000a';
  await page.evaluate(
    `document.cookie = 'ctm_anonymous_id=${known}; Path=/; SameSite=Strict; Secure'; free()`,
  );
  await expect.poll(() => stored(collector).map(({ anonymous_id }) => anonymous_id)).toEqual([known]);
});

test('long names of a visitor stay small cookies', async ({ page, context, collector, shop }) => {
  const sizes = async () =>
    (await context.cookies()).map(({ name, value }) => `${name} ${value.length}`).toSorted();
  const anonymous = 'ctm_anonymous_id 36';
  await page.goto(`${shop.url}/?ctm_uid=${'x'.repeat(4_000)}&ctm_ucn=${'y'.repeat(65)}`);
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect.poll(() => typesAndNames(collector)).toEqual(['VIEW_PAGE']);
  expect(await sizes()).toEqual([anonymous]);

  for (const [user, length, encoded] of [
    ['x'.repeat(4_000), 255, 255],
    ['я'.repeat(4_000), 85, 510],
    ['😀'.repeat(4_000), 84, 504],
  ] as const) {
    await call(page, 'identify', 'customers', user);
    await expect.poll(() => stored(collector).at(-1)!['user_id']).toBe(user.slice(0, length));
    expect(await sizes()).toEqual([anonymous, 'ctm_user_collection 9', `ctm_user_id ${encoded}`]);
  }
});

test('what an address says about a visitor is kept for the session', async ({
  page,
  context,
  collector,
  shop,
}) => {
  const lasting = async () =>
    (await context.cookies()).filter(({ expires }) => expires > 0).map(({ name }) => name);
  await page.goto(`${shop.url}/?ctm_uid=7&ctm_ucn=customers`);
  await expect.poll(() => typesAndNames(collector)).toEqual(['IDENTIFY', 'VIEW_PAGE']);
  expect(await cookieNames(context)).toEqual(['ctm_anonymous_id', 'ctm_user_collection', 'ctm_user_id']);
  expect(await lasting()).toEqual(['ctm_anonymous_id']);
  await call(page, 'identify', 'customers', '8');
  await expect.poll(async () => (await lasting()).length).toBe(3);
});

test('a page works on when the browser may not send', async ({ page, collector, shop }) => {
  collector.allowsOrigins = false;
  await page.goto(shop.url);
  await expect.poll(() => collector.preflights.length).toBeGreaterThan(0);
  await call(page, 'track', 'kept');
  await call(page, 'track', '');
  await call(page, 'unknown');
  await expect.poll(() => readQueue(page)).toHaveLength(2);
  expect(collector.requests).toEqual([]);
  collector.allowsOrigins = true;
  await call(page, 'viewPage');
  await expect.poll(() => typesAndNames(collector)).toEqual(['VIEW_PAGE', 'kept', 'VIEW_PAGE']);
});

test('events wait while the browser is offline', async ({ page, context, collector, shop }) => {
  await page.goto(shop.url);
  await expect.poll(() => stored(collector).length).toBe(1);
  await context.setOffline(true);
  const before = Date.now();
  for (const name of ['one', 'two']) await call(page, 'track', name);
  await expect.poll(() => readQueue(page)).toHaveLength(2);
  const after = Date.now();
  await context.setOffline(false);
  await expect.poll(() => typesAndNames(collector)).toEqual(['VIEW_PAGE', 'one', 'two']);
  for (const { timestamp } of stored(collector).slice(1)) {
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(timestamp)).toBeLessThanOrEqual(after);
  }
});

test('events that were not acknowledged are sent again after a reload', async ({ page, collector, shop }) => {
  collector.status = 503;
  await page.goto(shop.url);
  await call(page, 'track', 'before');
  await expect.poll(() => collector.requests.length).toBeGreaterThan(0);
  const [first] = collector.requests[0]!.events;
  collector.status = 204;
  await page.reload();
  await expect.poll(() => typesAndNames(collector).toSorted()).toEqual(['VIEW_PAGE', 'VIEW_PAGE', 'before']);
  await expect.poll(() => readQueue(page)).toEqual([]);
  const again = stored(collector).find(({ event_id }) => event_id === first!.event_id);
  expect(again).toEqual(first);
});

test('what is counted right before a page is left arrives', async ({ page, collector, shop }) => {
  shop.attributes = 'data-auto="off"';
  await page.goto(shop.url);
  await call(page, 'track', 'first');
  await expect.poll(() => typesAndNames(collector)).toEqual(['first']);
  // They are not sent on their own, since a request has just been made.
  await page.evaluate(
    `for (const name of ['add-to-cart', 'check-out']) reachout.track(name); location.href = 'about:blank'`,
  );
  await expect.poll(() => typesAndNames(collector)).toEqual(['first', 'add-to-cart', 'check-out']);
});

test('an event brings the value that the page gives it', async ({ page, collector, shop }) => {
  shop.attributes = 'data-auto="off"';
  await page.goto(shop.url);
  await page.evaluate(`
    reachout.track('order', { value: 59.9 });
    reachout.track('lead', null);
    reachout.push(['track', 'gift', { value: 0 }]);
  `);
  const values = () => stored(collector).map(({ event, value }) => [event, value]);
  await expect.poll(values).toEqual([
    ['order', 59.9],
    ['lead', undefined],
    ['gift', 0],
  ]);
});

test('it arrives also if the browser first asks whether it may send', async ({ page, collector, shop }) => {
  shop.attributes = 'data-auto="off"';
  await page.goto(shop.url);
  const gone = Promise.withResolvers<void>();
  collector.preflightsWaitFor = gone.promise;
  await page.evaluate(`reachout.track('good-bye'); location.href = 'about:blank'`);
  await page.waitForURL('about:blank');
  await expect.poll(() => collector.preflights.length).toBe(1);
  gone.resolve();
  await expect.poll(() => typesAndNames(collector)).toEqual(['good-bye']);
});

test('navigation within a page is counted once it has settled', async ({ page, collector, shop }) => {
  await page.goto(`${shop.url}/a`);
  await expect.poll(() => stored(collector).length).toBe(1);
  const paths = () =>
    stored(collector).map(({ path, search, hash, referrer }) => [
      path + (search ?? '') + (hash ?? ''),
      referrer?.slice(shop.url.length),
    ]);
  const views: (string | undefined)[][] = [['/a', undefined]];
  const navigate = async (code: string, path: string, referrer: string) => {
    await page.evaluate(code);
    views.push([path, referrer]);
    await expect.poll(paths).toEqual(views);
  };
  await navigate(
    `history.pushState({}, '', '/loading'); history.replaceState({}, '', '/b?x=1'); document.title = 'B'`,
    '/b?x=1',
    '/a',
  );
  expect(stored(collector).at(-1)!['title']).toBe('B');
  // None of these leads to another page.
  await page.evaluate(`
    history.replaceState({ scrolled: 1 }, '', location.href);
    location.hash = 'part';
    history.replaceState({}, '', '/b?q=1');
    history.pushState({}, '', '/b/?q=2#12/48.1/11.5');
  `);
  await navigate(`location.hash = '/pricing'`, '/b/?q=2#/pricing', '/b?x=1');
  await navigate(
    `navigation.addEventListener('navigate', (event) => event.intercept(), { once: true }); navigation.navigate('/c')`,
    '/c',
    '/b/?q=2#/pricing',
  );
  await navigate(`History.prototype.pushState.call(history, {}, '', '/d')`, '/d', '/c');
  await navigate('history.go(-2)', '/b/?q=2#/pricing', '/d');
  // As from the back/forward cache, which test browsers do not have.
  await navigate(
    `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`,
    '/b/?q=2#/pricing',
    '/d',
  );
});

test('a website says which fragments and parameters are pages', async ({ page, collector, shop }) => {
  shop.attributes = 'data-hash data-search="q" data-page="pageOf"';
  shop.inline = `function pageOf({ pathname }) { return pathname === '/x' ? '/named' : undefined }`;
  await page.goto(`${shop.url}/a?q=1#b`);
  const pages = () => stored(collector).map((event) => event['page']);
  const views: string[] = ['/a?q=1#b'];
  await expect.poll(pages).toEqual(views);
  for (const [code, view] of [
    [`location.hash = 'c'`, '/a?q=1#c'],
    [`history.replaceState({}, '', '/a?q=2&p=3')`, '/a?q=2'],
    [`history.pushState({}, '', '/a?q=2&p=4'); history.pushState({}, '', '/x')`, '/named'],
  ] as const) {
    await page.evaluate(code);
    views.push(view);
    await expect.poll(pages).toEqual(views);
  }
});

test('without automatic views, pages say what to count', async ({ page, collector, shop }) => {
  shop.attributes = 'data-auto="off"';
  await page.goto(shop.url);
  await call(page, 'track', 'first');
  await page.evaluate(`history.pushState({}, '', '/b')`);
  await call(page, 'viewPage');
  await expect.poll(() => typesAndNames(collector)).toEqual(['first', 'VIEW_PAGE']);
});

test('without consent, nothing is stored or sent', async ({ page, context, collector, shop }) => {
  shop.attributes = 'data-consent="Required"';
  await page.goto(`${shop.url}/?ctm_aid=${signedId}&ctm_uid=7&ctm_ucn=customers`);
  await expect(page).toHaveURL(`${shop.url}/`);
  await call(page, 'track', 'unseen');
  await call(page, 'identify', 'customers', '8');
  await call(page, 'viewPage');
  expect([await cookieNames(context), await readQueue(page)]).toEqual([[], []]);

  await test.step('granted', async () => {
    await call(page, 'setConsent', true);
    await expect.poll(() => typesAndNames(collector)).toEqual(['IDENTIFY', 'VIEW_PAGE']);
    expect(stored(collector)[0]!['user_id']).toBe('7');
    expect(await cookieNames(context)).toEqual(['ctm_anonymous_id', 'ctm_user_collection', 'ctm_user_id']);
  });

  await test.step('withdrawn', async () => {
    collector.status = 503;
    const { length } = collector.requests;
    await call(page, 'track', 'deleted');
    await expect.poll(() => collector.requests.length).toBeGreaterThan(length);
    await call(page, 'setConsent', false);
    expect([await cookieNames(context), await readQueue(page)]).toEqual([[], []]);
    await call(page, 'track', 'unseen');
    expect(await readQueue(page)).toEqual([]);
    collector.status = 204;
  });

  await test.step('granted again, the visitor is another one', async () => {
    await call(page, 'setConsent', true);
    await expect.poll(() => stored(collector).length).toBe(4);
    expect(typesAndNames(collector)).not.toContain('deleted');
    expect(typesAndNames(collector)).not.toContain('unseen');
    expect(new Set(stored(collector).map(({ anonymous_id }) => anonymous_id)).size).toBe(2);
  });
});

for (const signal of ['globalPrivacyControl', 'doNotTrack']) {
  test(`nothing is stored or sent for browsers that set ${signal}`, async ({
    page,
    context,
    collector,
    shop,
  }) => {
    await page.goto(shop.url);
    await expect.poll(() => stored(collector).length).toBe(1);
    await page.addInitScript(
      ([name]) =>
        Object.defineProperty(navigator, name!, {
          value: name === 'doNotTrack' ? '1' : true,
          configurable: true,
        }),
      [signal],
    );
    await page.reload();
    await expect.poll(() => cookieNames(context)).toEqual([]);
    await call(page, 'setConsent', true);
    await call(page, 'track', 'unseen');
    expect([await cookieNames(context), await readQueue(page)]).toEqual([[], []]);
    expect(collector.requests).toHaveLength(1);
  });
}

test('marks of links are read from the address and removed from it', async ({
  page,
  context,
  collector,
  shop,
}) => {
  collector.status = 503;
  await page.goto(`${shop.url}/p?a=%20b&ctm_aid=${signedId}&ctm_uid=7&ctm_ucn=customers&c#d`);
  await expect(page).toHaveURL(`${shop.url}/p?a=%20b&c#d`);
  expect(await page.evaluate('history.length')).toBe(2);
  await expect.poll(() => collector.requests.length).toBeGreaterThan(0);
  await call(page, 'track', 'before');
  collector.status = 204;
  await expect.poll(() => typesAndNames(collector)).toEqual(['IDENTIFY', 'VIEW_PAGE', 'before']);
  await call(page, 'track', 'after');
  await expect.poll(() => stored(collector).length).toBe(4);
  const events = stored(collector);
  expect(events.map(({ ctm_aid }) => ctm_aid)).toEqual([signedId, signedId, signedId, undefined]);
  expect(events.map(({ user_id }) => user_id)).toEqual(['7', '7', '7', '7']);
  for (const { ctm_aid: _signed, ...rest } of events) expect(JSON.stringify(rest)).not.toMatch(/ctm_|a{22}/);
  expect(JSON.stringify(await context.cookies())).not.toContain(signedId);

  await page.goto(`${shop.url}/?ctm_aid=forged`);
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect.poll(() => stored(collector).length).toBe(5);
  expect(JSON.stringify(stored(collector).at(-1))).not.toContain('forged');

  // Routers of applications may put the address back that they have read before.
  await page.evaluate(`history.replaceState({}, '', '/?x=1&ctm_aid=${signedId}')`);
  await call(page, 'viewPage');
  await expect.poll(() => stored(collector).length).toBe(6);
  expect(stored(collector).at(-1)).toMatchObject({ url: `${shop.url}/?x=1`, search: '?x=1' });
});

test('an element that is named like the current script is not taken for it', async ({
  page,
  collector,
  shop,
}) => {
  shop.inline = `
    const form = document.createElement('form');
    // That of an image would be requested, which the policy of the page forbids.
    Object.assign(form, { name: 'currentScript', src: '${collector.url}' });
    document.head.append(form);`;
  await page.goto(shop.url);
  expect(await page.evaluate('document.currentScript.tagName')).toBe('FORM');
  expect(await page.evaluate('typeof reachout')).toBe('undefined');
  expect(collector.requests).toEqual([]);
});

test('a second tag of the same page counts nothing twice', async ({ page, collector, shop }) => {
  await page.goto(shop.url);
  await expect.poll(() => stored(collector).length).toBe(1);
  await page.evaluate(`new Promise((done) => {
    const tag = document.querySelector('script[src]');
    const copy = document.createElement('script');
    Object.assign(copy.dataset, tag.dataset);
    copy.src = trustedTypes.createPolicy('copy', { createScriptURL: (url) => url }).createScriptURL(tag.src);
    copy.addEventListener('load', done);
    document.head.append(copy);
  }).then(() => undefined)`);
  await call(page, 'track', 'once');
  await expect.poll(() => typesAndNames(collector)).toEqual(['VIEW_PAGE', 'once']);
});

test('the server stores what a page of the website sends', async ({
  page,
  api,
  organization,
  server,
  shop,
}) => {
  const { campaignId } = await prepareEmail(api, organization.id, { contacts: [] });
  const touchpoint = await api.post<{ id: string }>('/touchpoints', {
    organization_id: organization.id,
    campaign_id: campaignId,
    type: 'website',
    name: 'Shop',
  });
  const path = `/touchpoints/${touchpoint.id}/website`;
  await api.patch(path, { hosts: [new URL(shop.url).host] });
  const website = await api.post<{ id: string; token: string }>(`${path}/start`, {});
  shop.tracker = { url: server.url, websiteId: website.id, token: website.token };
  await page.goto(`${shop.url}/spring?size=4#top`);
  await call(page, 'identify', 'contacts', '7');
  await call(page, 'track', 'sign-up');
  const events = () => api.get<{ type: string; name: string | null; path: string }[]>(`${path}/events`);
  await expect
    .poll(async () => (await events()).map(({ type, name, path: at }) => [type, name, at]))
    .toEqual([
      ['TRACK', 'sign-up', '/spring'],
      ['IDENTIFY', null, '/spring'],
      ['VIEW_PAGE', null, '/spring'],
    ]);
  await expect.poll(() => readQueue(page)).toEqual([]);
});
