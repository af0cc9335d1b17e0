import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { mjmlWithLink, prepareEmail, sendAtOnce } from './api.ts';
import { expect, test as base } from './fixtures.ts';
import { tile } from './steps.ts';

const websiteId = '0199c0de-0000-7000-8000-000000000001';
const token = 'token-of-the-website';

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
  /** Below its heading. */
  body: string;
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
      body: '',
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
        <title>Shop</title></head><body><h1>Shop</h1>${shop.body}</body></html>`);
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

  await test.step('an element that is named like the current script is not taken for it', async () => {
    const { length } = collector.requests;
    shop.inline = `
      const form = document.createElement('form');
      // That of an image would be requested, which the policy of the page forbids.
      Object.assign(form, { name: 'currentScript', src: '${collector.url}' });
      document.head.append(form);`;
    await page.goto(shop.url);
    expect(await page.evaluate('document.currentScript.tagName')).toBe('FORM');
    expect(await page.evaluate('typeof reachout')).toBe('undefined');
    expect(collector.requests).toHaveLength(length);
  });
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
  await page.evaluate(`document.cookie = 'ctm_anonymous_id=${known}; Path=/; SameSite=Strict; Secure'`);
  // Processes of the browser learn about cookies and locks in any order.
  await expect.poll(() => other.evaluate('document.cookie')).toContain(known);
  await page.evaluate('free()');
  await expect.poll(() => stored(collector).map(({ anonymous_id }) => anonymous_id)).toEqual([known]);
});

test('a page works on, and its events wait, while the browser may not or cannot send', async ({
  page,
  context,
  collector,
  shop,
}) => {
  await test.step('the server does not allow its origin', async () => {
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

  await test.step('it is offline', async () => {
    await context.setOffline(true);
    const before = Date.now();
    for (const name of ['one', 'two']) await call(page, 'track', name);
    await expect.poll(() => readQueue(page)).toHaveLength(2);
    const after = Date.now();
    await context.setOffline(false);
    await expect.poll(() => typesAndNames(collector).slice(3)).toEqual(['one', 'two']);
    for (const { timestamp } of stored(collector).slice(3)) {
      expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(timestamp)).toBeLessThanOrEqual(after);
    }
  });
});

test('what is counted right before a page is left arrives', async ({ page, collector, shop }) => {
  shop.attributes = 'data-auto="off"';
  await page.goto(shop.url);
  await test.step('if the browser first asks whether it may send', async () => {
    const gone = Promise.withResolvers<void>();
    collector.preflightsWaitFor = gone.promise;
    await page.evaluate(`reachout.track('good-bye'); location.href = 'about:blank'`);
    await page.waitForURL('about:blank');
    await expect.poll(() => collector.preflights.length).toBe(1);
    gone.resolve();
    await expect.poll(() => typesAndNames(collector)).toEqual(['good-bye']);
  });

  await test.step('if a request has just been made', async () => {
    await page.goto(shop.url);
    await call(page, 'track', 'first');
    await expect.poll(() => typesAndNames(collector)).toEqual(['good-bye', 'first']);
    // They are not sent on their own, since a request has just been made.
    await page.evaluate(
      `for (const name of ['add-to-cart', 'check-out']) reachout.track(name); location.href = 'about:blank'`,
    );
    await expect
      .poll(() => typesAndNames(collector))
      .toEqual(['good-bye', 'first', 'add-to-cart', 'check-out']);
  });
});

test('navigation within a page is counted once it has settled', async ({ page, collector, shop }) => {
  // All views stay in the queue, where they can be read without a wait for the next request.
  collector.status = 503;
  await page.goto(`${shop.url}/a`);
  const waiting = () =>
    page.evaluate(() =>
      Object.keys(localStorage)
        .toSorted()
        .map((key) => JSON.parse(localStorage.getItem(key)!) as TrackedEvent),
    );
  const pathsOf = (events: TrackedEvent[]) =>
    events.map(({ path, search, hash, referrer }) => [
      path + (search ?? '') + (hash ?? ''),
      referrer?.slice(shop.url.length),
    ]);
  const paths = async () => pathsOf(await waiting());
  const views: (string | undefined)[][] = [['/a', undefined]];
  await expect.poll(paths).toEqual(views);
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
  expect((await waiting()).at(-1)!['title']).toBe('B');
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
  collector.status = 204;
  await call(page, 'viewPage');
  await expect.poll(() => pathsOf(stored(collector))).toEqual([...views, ['/b/?q=2#/pricing', '/d']]);
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

test.describe('on hosts without a common domain', () => {
  // Those of test browsers are taken for bots, whose orders do not count.
  test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' });

  test('a visitor who follows links and forms is one, and the order counts for the email', async ({
    page,
    context,
    api,
    organization,
    server,
    shop,
  }) => {
    const { port } = new URL(shop.url);
    const [shopHost, checkoutHost] = [`www.shop.localhost:${port}`, `pay.checkout.localhost:${port}`];
    const checkout = `http://${checkoutHost}`;
    const { campaignId, touchpointId } = await prepareEmail(api, organization.id, {
      mjml: mjmlWithLink(`http://${shopHost}/`),
    });
    const site = await api.post<{ id: string }>('/touchpoints', {
      organization_id: organization.id,
      campaign_id: campaignId,
      type: 'website',
      name: 'Shop',
      website: { hosts: [shopHost, checkoutHost] },
    });
    const path = `/touchpoints/${site.id}/website`;
    await api.post(`${path}/goals`, { event: 'order' });
    const website = await api.post<{ id: string; token: string; linked_hosts: string[] }>(
      `${path}/start`,
      {},
    );
    shop.tracker = { url: server.url, websiteId: website.id, token: website.token };
    shop.attributes = `data-hosts="${website.linked_hosts.join(' ')}"`;
    shop.body = `<a href="${checkout}/link?a=1#b">Link</a>
      <a href="${checkout}/tab" target="_blank">Tab</a>
      <form action="${checkout}/post" method="post"><button>Post</button></form>`;
    // Tells when the tracker has read a response.
    await page.addInitScript(`{
      const { json } = Response.prototype;
      Response.prototype.json = async function () {
        const body = await json.call(this);
        document.documentElement.dataset.answers = JSON.stringify(body);
        return body;
      };
    }`);
    const sendId = await sendAtOnce(api, touchpointId);
    const { items } = await api.get<{ items: { id: string }[] }>(
      `/mailbox?organization_id=${organization.id}&send_id=${sendId}`,
    );
    const { links } = await api.get<{ links: { url: string }[] }>(`/mailbox/${items[0]!.id}`);
    await page.goto(links.find(({ url }) => url.includes('/t/c/'))!.url);
    await expect(page).toHaveURL(`http://${shopHost}/`);

    type Shown = { name: string | null; path: string; visitor: string };
    const events = async () => (await api.get<Shown[]>(`${path}/events`)).toReversed();
    const untilStored = (...names: string[]) =>
      expect.poll(async () => (await events()).map(({ name, path: at }) => name ?? at)).toEqual(names);
    const pointAt = async (name: string) => {
      const element = page.getByRole(['Link', 'Tab'].includes(name) ? 'link' : 'button', { name });
      await element.hover();
      await expect(page.locator('html')).toHaveAttribute('data-answers', /"ctm_vid":"/);
      return element;
    };
    /** On a host where the visitor is not known. */
    const startAgain = async () => {
      await context.clearCookies({ domain: /checkout/ });
      await page.goto(`http://${shopHost}/`);
    };

    await untilStored('/');
    await (await pointAt('Link')).click();
    await expect(page).toHaveURL(`${checkout}/link?a=1#b`);
    await page.evaluate(`reachout.track('order')`);
    await untilStored('/', '/link', 'order');

    await startAgain();
    await untilStored('/', '/link', 'order', '/');
    const link = await pointAt('Tab');
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await expect(tab).toHaveURL(`${checkout}/tab`);
    // What is copied now has no mark.
    await expect(link).toHaveAttribute('href', `${checkout}/tab`);
    await untilStored('/', '/link', 'order', '/', '/tab');

    await startAgain();
    await (await pointAt('Post')).click();
    await expect(page).toHaveURL(`${checkout}/post`);
    await untilStored('/', '/link', 'order', '/', '/tab', '/', '/post');
    expect(new Set((await events()).map(({ visitor }) => visitor)).size).toBe(1);

    await page.goto(`${server.url}/o/${organization.id}/touchpoints/${touchpointId}/statistics`);
    await expect(tile(page, 'Converted')).toContainText(/^Converted1/);
  });
});
