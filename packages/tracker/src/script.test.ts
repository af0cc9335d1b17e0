import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createBrowser } from './testing/tracked-browser.ts';

// What the built script does on the pages of a website. e2e/tracker.spec.ts has what only a real browser shows: policies, cookies of
// domains, requests that outlive their page, and the Navigation API.

const script = readFileSync(join(import.meta.dirname, '../dist/script.js'), 'utf8');
const origin = 'https://shop.example';
const signedId = `1x-2y-${'a'.repeat(22)}`;

interface SentEvent {
  type: string;
  event_id: string;
  event: string | null;
  [name: string]: unknown;
}

interface Page {
  /** Query and fragment, too. */
  path?: string;
  dataset?: Record<string, string>;
}

/** Opens a page of a website, and what its server gets. */
function openShop({ path = '/', dataset = {} }: Page = {}) {
  const requests: { events: SentEvent[]; status: number }[] = [];
  const shop = { status: 204, inline: '' };
  const browser = createBrowser({
    start: Date.now(),
    script,
    dataset: { websiteId: 'website', token: 'token', ...dataset },
    inline: () => shop.inline,
    hasNavigation: true,
    send: (_origin, _headers, body) => {
      requests.push({ events: JSON.parse(body) as SentEvent[], status: shop.status });
      return Promise.resolve({ status: shop.status, body: '' });
    },
  });
  const [tab] = browser.open(origin + path);
  /** Acknowledged, in the order of their arrival, each once, as the server counts them. */
  const stored = () => {
    const events = requests.filter(({ status }) => status === 204).flatMap((request) => request.events);
    return [...new Map(events.map((event) => [event.event_id, event])).values()];
  };
  return Object.assign(shop, {
    tab: tab!,
    requests,
    stored,
    typesAndNames: () => stored().map(({ type, event }) => event ?? type),
    call: (...args: unknown[]) => tab!.run(`reachout.push(${JSON.stringify(args)})`),
    /** Until a request is made. */
    request: () => browser.wait(1_000),
    /** Until everything is sent, also what failed once or twice before. */
    arrival: () => browser.wait(20_000),
    queue: () => Object.keys(browser.storage(origin)),
    cookies: browser.cookies,
    cookieNames: () =>
      browser
        .cookies()
        .map(({ name }) => name)
        .toSorted(),
  });
}

const ownCookies = ['ctm_anonymous_id', 'ctm_user_collection', 'ctm_user_id'];

suite('the script on a page', () => {
  test('an identified visitor stays so, in cookies of the website (SES-2)', async () => {
    const shop = openShop();
    await shop.arrival();
    assert.equal(shop.stored().length, 1);
    shop.call('identify', 'customers', 'Zoë; 7');
    await shop.arrival();
    shop.tab.load(`${origin}/`);
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['VIEW_PAGE', 'IDENTIFY', 'VIEW_PAGE']);
    const who = shop.stored().map(({ collection = null, user_id = null }) => [collection, user_id]);
    assert.deepEqual(who, [
      [null, null],
      ['customers', 'Zoë; 7'],
      ['customers', 'Zoë; 7'],
    ]);
    assert.equal(new Set(shop.stored().map(({ anonymous_id }) => anonymous_id)).size, 1);
    assert.deepEqual(shop.cookieNames(), ownCookies);
  });

  test('long names of a visitor stay small cookies', async () => {
    const shop = openShop({ path: `/?ctm_uid=${'x'.repeat(4_000)}&ctm_ucn=${'y'.repeat(129)}` });
    const sizes = () =>
      shop
        .cookies()
        .map(({ name, value }) => `${name} ${value.length}`)
        .toSorted();
    const anonymous = 'ctm_anonymous_id 36';
    assert.equal(shop.tab.address.href, `${origin}/`);
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['VIEW_PAGE']);
    assert.deepEqual(sizes(), [anonymous]);

    for (const [user, length, encoded] of [
      ['x'.repeat(4_000), 255, 255],
      ['я'.repeat(4_000), 85, 510],
      ['😀'.repeat(4_000), 84, 504],
    ] as const) {
      shop.call('identify', 'customers', user);
      await shop.arrival();
      assert.equal(shop.stored().at(-1)!['user_id'], user.slice(0, length));
      assert.deepEqual(sizes(), [anonymous, 'ctm_user_collection 9', `ctm_user_id ${encoded}`]);
    }
  });

  test('what an address says about a visitor is kept for the session', async () => {
    const shop = openShop({ path: '/?ctm_uid=7&ctm_ucn=customers' });
    const lasting = () => shop.cookies().flatMap(({ name, isLasting }) => (isLasting ? [name] : []));
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['IDENTIFY', 'VIEW_PAGE']);
    assert.deepEqual(shop.cookieNames(), ownCookies);
    assert.deepEqual(lasting(), ['ctm_anonymous_id']);
    shop.call('identify', 'customers', '8');
    await shop.arrival();
    assert.equal(lasting().length, 3);
  });

  test('events that were not acknowledged are sent again after a reload', async () => {
    const shop = openShop();
    shop.status = 503;
    shop.call('track', 'before');
    await shop.request();
    const [first] = shop.requests[0]!.events;
    assert.deepEqual(shop.stored(), []);
    shop.status = 204;
    shop.tab.load(`${origin}/`);
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames().toSorted(), ['VIEW_PAGE', 'VIEW_PAGE', 'before']);
    assert.deepEqual(shop.queue(), []);
    const again = shop.stored().find(({ event_id }) => event_id === first!.event_id);
    assert.deepEqual(again, first);
  });

  test('an event brings the value that the page gives it', async () => {
    const shop = openShop({ dataset: { auto: 'off' } });
    shop.tab.run(`
      reachout.track('order', { value: 59.9 });
      reachout.track('lead', null);
      reachout.push(['track', 'gift', { value: 0 }]);
    `);
    await shop.arrival();
    assert.deepEqual(
      shop.stored().map(({ event, value }) => [event, value]),
      [
        ['order', 59.9],
        ['lead', undefined],
        ['gift', 0],
      ],
    );
  });

  test('a website says which fragments and parameters are pages', async () => {
    const shop = openShop({ path: '/a?q=1#b', dataset: { hash: '', search: 'q', page: 'pageOf' } });
    shop.tab.run(`function pageOf({ pathname }) { return pathname === '/x' ? '/named' : undefined }`);
    const views = ['/a?q=1#b'];
    const changes: [change: () => void, view: string][] = [
      [() => shop.tab.follow('#c'), '/a?q=1#c'],
      [() => shop.tab.replace('/a?q=2&p=3'), '/a?q=2'],
      [() => ['/a?q=2&p=4', '/x'].forEach(shop.tab.push), '/named'],
    ];
    for (const [change, view] of [[() => {}, ''] as const, ...changes]) {
      change();
      if (view !== '') views.push(view);
      await shop.arrival();
      assert.deepEqual(
        shop.stored().map((event) => event['page']),
        views,
      );
    }
  });

  test('without automatic views, pages say what to count', async () => {
    const shop = openShop({ dataset: { auto: 'off' } });
    shop.call('track', 'first');
    shop.tab.push('/b');
    shop.call('viewPage');
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['first', 'VIEW_PAGE']);
  });

  test('without consent, nothing is stored or sent', async () => {
    const shop = openShop({
      path: `/?ctm_aid=${signedId}&ctm_uid=7&ctm_ucn=customers`,
      dataset: { consent: 'Required' },
    });
    assert.equal(shop.tab.address.href, `${origin}/`);
    shop.call('track', 'unseen');
    shop.call('identify', 'customers', '8');
    shop.call('viewPage');
    await shop.arrival();
    assert.deepEqual([shop.cookies(), shop.queue(), shop.requests], [[], [], []]);

    // Granted.
    shop.call('setConsent', true);
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['IDENTIFY', 'VIEW_PAGE']);
    assert.equal(shop.stored()[0]!['user_id'], '7');
    assert.deepEqual(shop.cookieNames(), ownCookies);

    // Withdrawn while an event waits to be sent again.
    shop.status = 503;
    const { length } = shop.requests;
    shop.call('track', 'deleted');
    await shop.request();
    assert.ok(shop.requests.length > length);
    shop.call('setConsent', false);
    assert.deepEqual([shop.cookies(), shop.queue()], [[], []]);
    shop.call('track', 'unseen');
    assert.deepEqual(shop.queue(), []);
    shop.status = 204;

    // Granted again, the visitor is another one.
    shop.call('setConsent', true);
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['IDENTIFY', 'VIEW_PAGE', 'IDENTIFY', 'VIEW_PAGE']);
    assert.equal(new Set(shop.stored().map(({ anonymous_id }) => anonymous_id)).size, 2);
  });

  for (const signal of ['globalPrivacyControl = true', `doNotTrack = '1'`]) {
    test(`nothing is stored or sent for browsers with ${signal}`, async () => {
      const shop = openShop();
      await shop.arrival();
      assert.equal(shop.stored().length, 1);
      shop.inline = `navigator.${signal}`;
      shop.tab.load(`${origin}/?ctm_vid=mark`);
      assert.deepEqual(shop.cookies(), []);
      shop.call('setConsent', true);
      shop.call('track', 'unseen');
      await shop.arrival();
      assert.deepEqual([shop.cookies(), shop.queue()], [[], []]);
      assert.equal(shop.requests.length, 1);
    });
  }

  test('marks of links are read from the address and removed from it', async () => {
    const shop = openShop({ path: `/p?a=%20b&ctm_aid=${signedId}&ctm_uid=7&ctm_ucn=customers&c#d` });
    shop.status = 503;
    assert.equal(shop.tab.address.href, `${origin}/p?a=%20b&c#d`);
    assert.equal(shop.tab.run('history.length'), 1);
    await shop.request();
    assert.ok(shop.requests.length > 0);
    shop.call('track', 'before');
    shop.status = 204;
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['IDENTIFY', 'VIEW_PAGE', 'before']);
    shop.call('track', 'after');
    await shop.arrival();
    const events = shop.stored();
    assert.deepEqual(
      events.map(({ ctm_aid }) => ctm_aid),
      [signedId, signedId, signedId, undefined],
    );
    assert.deepEqual(
      events.map(({ user_id }) => user_id),
      ['7', '7', '7', '7'],
    );
    for (const { ctm_aid: _signed, ...rest } of events)
      assert.doesNotMatch(JSON.stringify(rest), /ctm_|a{22}/);
    assert.ok(!JSON.stringify(shop.cookies()).includes(signedId));

    shop.tab.load(`${origin}/?ctm_aid=forged`);
    assert.equal(shop.tab.address.href, `${origin}/`);
    await shop.arrival();
    assert.equal(shop.stored().length, 5);
    assert.ok(!JSON.stringify(shop.stored().at(-1)).includes('forged'));

    // Routers of applications may put the address back that they have read before.
    shop.tab.replace(`/?x=1&ctm_aid=${signedId}`);
    shop.call('viewPage');
    await shop.arrival();
    assert.equal(shop.stored().length, 6);
    const { url, search } = shop.stored().at(-1)!;
    assert.deepEqual([url, search], [`${origin}/?x=1`, '?x=1']);
  });

  test('a second tag of the same page counts nothing twice', async () => {
    const shop = openShop();
    await shop.arrival();
    assert.equal(shop.stored().length, 1);
    shop.tab.run(script);
    shop.call('track', 'once');
    await shop.arrival();
    assert.deepEqual(shop.typesAndNames(), ['VIEW_PAGE', 'once']);
  });
});
