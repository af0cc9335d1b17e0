import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import type { WebsiteBreakdown, WebsiteOverview } from '@reachout/contract/statistics.ts';
import {
  createBrowser,
  type BrowserOptions,
  type Tab,
} from '../../../../../packages/tracker/src/testing/tracked-browser.ts';
import { newId } from '../../platform/ids.ts';
import { createRandom } from '../../platform/random.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildWebsite, websiteHeaders, type TestWebsite } from '../../testing/tracked-website.ts';
import { foldVisits } from '../../sample/events.ts';

// What docs/visits.md says, a second time: which page an address is of, and what is counted when somebody goes there.

/** Addresses with the page that they are of. */
const pages: readonly (readonly [address: string, page: string])[] = [
  ['/', '/'],
  ['/?utm_source=news', '/'],
  ['/index.html', '/'],
  ['/#top', '/'],
  ['/#/', '/'],
  ['/#/pricing', '/#/pricing'],
  ['/#/pricing/', '/#/pricing'],
  ['/#/pricing?tab=2', '/#/pricing'],
  ['/#/about', '/#/about'],
  ['/#!/shoes', '/#!/shoes'],
  ['/?p=12', '/?p=12'],
  ['/?lang=de&p=12', '/?p=12'],
  ['/?p=13', '/?p=13'],
  ['/?p=13#comments', '/?p=13'],
  ['/about', '/about'],
  ['/about/', '/about'],
  ['/about#team', '/about'],
  ['/about?q=ada', '/about'],
  ['/%C3%BCber', '/über'],
  ['/%c3%bcber/', '/über'],
  ['/map', '/map'],
  ['/map?lat=48.1&zoom=12', '/map'],
  ['/map#12/48.1/11.5', '/map'],
  ['/product.php?id=7', '/product.php?id=7'],
];
/** Links to these are on each page. */
const fragments: readonly (readonly [fragment: string, page: string])[] = [
  ['#top', ''],
  ['#/pricing', '#/pricing'],
  ['#/about', '#/about'],
];
const pageOf = (address: string | URL): string => {
  const { pathname, search, hash } = new URL(address, 'https://x.example');
  const find = (wanted: string) => pages.find(([known]) => known === wanted)?.[1];
  const page = find(pathname + search + hash);
  if (page !== undefined) return page;
  return find(pathname + search)! + fragments.find(([fragment]) => fragment === hash)![1];
};
/** Without its query. */
const pathOf = (page: string): string => page.replace(/\?[^#]*/, '');

/** Hosts of a website; those of one group have one registrant. Links between groups take the visitor along. */
const hostGroups = [
  ['www.shop.example', 'pay.shop.example', 'shop.example'],
  ['shop.co.uk', 'www.shop.co.uk'],
  ['shop.github.io'],
];
const groupOf = (host: string) => hostGroups.findIndex((group) => group.includes(host));

const pauseMs = 30 * 60_000;

interface Counted {
  at: number;
  visitor: string;
  /** With its host; null for an order. */
  page: string | null;
}

suite('visits are counted as docs/visits.md says', () => {
  const app = useSharedApp();
  const script = readFileSync(
    join(import.meta.dirname, '../../../../../packages/tracker/dist/script.js'),
    'utf8',
  );
  let website: TestWebsite;
  let person: Person;

  before(async () => {
    website = await buildWebsite(app.owner, { hosts: hostGroups.flat() });
    person = await app.signInMember(website.organizationId, 'analyst');
  });

  const buildSite = async (hosts = hostGroups.flat()) => {
    website = await buildWebsite(app.owner, { organization_id: website.organizationId, hosts });
    await insertRows(app.owner, 'conversion_goals', {
      id: newId(),
      organization_id: website.organizationId,
      touchpoint_id: website.touchpointId,
      event: 'order',
      window_days: 7,
      created_at: new Date(Date.now() - 2 * 86_400_000).toISOString(),
    });
  };
  const send: BrowserOptions['send'] = async (origin, headers, body) => {
    const { statusCode: status, body: text } = await app.app.inject({
      method: 'POST',
      url: '/api/track',
      headers: { ...websiteHeaders(website), ...headers, origin },
      body,
    });
    return { status, body: text };
  };
  const visit = (given: Partial<BrowserOptions> = {}) =>
    createBrowser({
      start: Date.now() - 20 * 3_600_000,
      script,
      hasNavigation: true,
      send,
      ...given,
      dataset: {
        websiteId: website.id,
        token: website.token,
        hosts: hostGroups.flat().join(' '),
        ...given.dataset,
      },
    });
  const read = async <T>(what: string, query: Record<string, string> = {}) => {
    await foldVisits(app.owner, website);
    const path = `/api/content/${website.organizationId}/reachout/touchpoint_websites/${what}`;
    const parameters = new URLSearchParams({ touchpoint: website.touchpointId, period: '7day', ...query });
    return (await person.ok<{ data: T }>('GET', `${path}?${parameters.toString()}`)).data;
  };
  const listValues = async (dimension: string) =>
    Object.fromEntries(
      (await read<WebsiteBreakdown>('breakdown', { dimension, limit: '500' })).rows.map(
        ({ value, count }) => [value, count],
      ),
    );
  const countAll = async () => {
    const { visitors, sessions, page_views, events, conversions } = (await read<WebsiteOverview>('overview'))
      .total;
    return { visitors, sessions, page_views, events, conversions };
  };

  /** What a person does on the website, and what of it counts. */
  async function visitAtRandom(seed: number): Promise<Counted[]> {
    const { pick, below, chance } = createRandom(seed);
    const hasNavigation = chance(0.5);
    const browser = visit({ hasNavigation });
    const counted: Counted[] = [];
    const hosts = pick(hostGroups);
    /** Of each group. */
    const visitors = hostGroups.map((_, group) => `${seed} ${group}`);
    const count = (host: string, page: string | null) =>
      counted.push({ at: browser.now(), visitor: visitors[groupOf(host)]!, page: page && host + page });
    const drawHost = () => (chance(0.8) ? pick(hosts) : pick(hostGroups.flat()));
    const draw = () => `https://${drawHost()}${pick(pages)[0]}`;
    /** In the document of a tab: its page, as far as it is known. */
    const places = new Map<Tab, string>();
    const arrive = (tab: Tab) => {
      places.set(tab, pageOf(tab.address));
      count(tab.address.host, pageOf(tab.address));
    };
    const open = async (...addresses: string[]) => {
      for (const tab of browser.open(...addresses)) arrive(tab);
      await browser.wait(0);
    };
    // Both tabs are of the same host: they are opened from one page.
    const first = draw();
    const second = new URL(pick(pages)[0], first).href;
    await open(...(chance(0.5) ? [first, second] : [first]));
    for (let step = 0; step < 40; step += 1) {
      const tab = pick([...places.keys()]);
      const { host } = tab.address;
      // Before a document is left, its page has settled.
      switch (below(9)) {
        case 0:
          await open(draw());
          break;
        case 1:
          tab.load(chance(0.4) ? tab.address.href : draw());
          arrive(tab);
          break;
        case 3: {
          const to = draw();
          visitors[groupOf(new URL(to).host)] = visitors[groupOf(host)]!;
          await tab.click(to);
          assert.ok(!tab.address.href.includes('ctm_'), tab.address.href);
          arrive(tab);
          break;
        }
        case 2:
          tab.track('order');
          count(host, null);
          break;
        default: {
          // Changes without a pause are one.
          let isPending = false;
          for (let changes = chance(0.2) ? 2 : 1; changes > 0; changes -= 1) {
            const left = pageOf(tab.address);
            const isReplaced = move(tab);
            const reached = pageOf(tab.address);
            const isOther = isReplaced ? pathOf(left) !== pathOf(reached) : left !== reached;
            if (isOther) isPending = true;
            else if (!isPending) places.set(tab, reached);
          }
          await browser.wait(300);
          const page = pageOf(tab.address);
          if (isPending && places.get(tab) !== page) count(host, page);
          places.set(tab, page);
        }
      }
      await browser.wait(1_000 * (chance(0.1) ? 60 * (20 + below(20)) : 1 + below(90)));
    }
    return counted;

    /** @returns whether the address was replaced */
    function move(tab: Tab): boolean {
      const [address] = pick(pages);
      switch (below(hasNavigation ? 5 : 4)) {
        case 0:
          tab.replace(address);
          return true;
        case 1:
          tab.follow(pick(fragments)[0]);
          return false;
        case 2:
          tab.back();
          return false;
        case 3:
          tab.push(address);
          return false;
        default:
          tab.pushUnseen(address);
          return false;
      }
    }
  }

  test('of random visits with anchors, routes, reloads, tabs, hosts and links between them', async () => {
    await buildSite();
    const seed = Date.now() % 100_000;
    const counted: Counted[] = [];
    for (let visitor = 0; visitor < 12; visitor += 1) counted.push(...(await visitAtRandom(seed + visitor)));
    const expected = expectedOf(counted);
    assert.deepEqual(await listValues('path'), expected.pages, `seed ${seed}`);
    assert.deepEqual(await listValues('host'), expected.hosts, `seed ${seed}`);
    assert.deepEqual(await countAll(), expected.totals, `seed ${seed}`);
  });

  test('an order with an id counts once, however often its page is loaded', async () => {
    await buildSite();
    const thank = (tab: Tab, id: string | number) =>
      tab.run(`reachout.track('order', { id: ${JSON.stringify(id)}, value: 20 })`);
    for (let visitor = 0; visitor < 2; visitor += 1) {
      const browser = visit({ start: Date.now() - (20 - visitor) * 3_600_000 });
      const [tab, second] = browser.open('https://shop.example/thanks', 'https://shop.example/thanks');
      thank(tab!, 1_017);
      thank(second!, '1017');
      tab!.load('https://shop.example/thanks');
      thank(tab!, 1_017);
      await browser.wait(5_000);
      if (visitor === 0) await foldVisits(app.owner, website);
      else thank(tab!, 1_018);
      await browser.wait(5_000);
    }
    const { events, conversions, conversion_value, converted_visitors } = (
      await read<WebsiteOverview>('overview')
    ).total;
    assert.deepEqual([events, conversions, conversion_value, converted_visitors], [7, 2, 40, 2]);
  });

  suite('a visitor who follows a link to another host', () => {
    const shop = 'https://shop.example/';
    const checkout = 'https://shop.github.io/';
    const countSome = async () => {
      const { visitors, page_views, conversions } = await countAll();
      return { visitors, page_views, conversions };
    };
    const isArrival = (body: string) => body.includes('"ARRIVE"');

    test('is another one if the server does not say who it is, and no event is lost or counted twice', async () => {
      for (const answer of [
        { status: 503, body: '{"code":"unavailable"}' },
        { status: 502, body: '<html>' },
        { status: 200, body: '{"anonymous_id":null}' },
        { status: 200, body: '{"anonymous_id":"x"}' },
        undefined,
      ])
        for (const isLeft of [false, true]) {
          await buildSite();
          const browser = visit({
            send: async (...request) => (isArrival(request[2]) ? answer : await send(...request)),
          });
          const [tab] = browser.open(shop);
          await browser.wait(1_000);
          await tab!.click(`${checkout}about`);
          tab!.track('order');
          if (isLeft) tab!.load(checkout);
          await browser.wait(2_000);
          tab!.track('order');
          await browser.wait(5_000);
          const at = JSON.stringify([answer, isLeft]);
          assert.deepEqual(
            await countSome(),
            { visitors: 2, page_views: isLeft ? 3 : 2, conversions: 2 },
            at,
          );
        }
    });

    test('is the same one in all tabs of the host that were opened meanwhile', async () => {
      await buildSite();
      const browser = visit();
      const [tab, other] = browser.open(shop, shop);
      await browser.wait(1_000);
      await Promise.all([tab!.click(checkout), other!.click(`${checkout}about`)]);
      const [typed] = browser.open(`${checkout}map`);
      await browser.wait(1_000);
      typed!.track('order');
      await browser.wait(5_000);
      assert.deepEqual(await countSome(), { visitors: 1, page_views: 5, conversions: 1 });
    });

    test('is the one of the page before from the first event on, where it had been another one', async () => {
      await buildSite();
      const browser = visit();
      const [tab] = browser.open(checkout);
      await browser.wait(2 * pauseMs);
      tab!.load(shop);
      await browser.wait(1_000);
      await tab!.click(`${checkout}about`);
      await browser.wait(5_000);
      const { visitors, sessions, page_views } = await countAll();
      assert.deepEqual([visitors, sessions, page_views], [2, 2, 3]);
    });

    test('is not that of a link from elsewhere, whatever pages come before consent', async () => {
      await buildSite();
      const dataset = { consent: 'required' };
      let mark = '';
      const sender = visit({
        dataset,
        send: async (...request) => {
          const response = await send(...request);
          if (request[2].startsWith('{"type":"LINK"'))
            ({ ctm_vid: mark } = JSON.parse(response!.body) as { ctm_vid: string });
          return response;
        },
      });
      const [tab] = sender.open(shop);
      tab!.run('reachout.setConsent(true)');
      await sender.wait(5_000);
      await tab!.click(checkout);
      assert.notEqual(mark, '');
      const reader = visit({ dataset });
      const [other] = reader.open('https://mail.example/');
      other!.load(`${checkout}?ctm_vid=${mark}`);
      for (const page of ['/a', '/b']) {
        other!.push(page);
        await reader.wait(1_000);
      }
      other!.run('reachout.setConsent(true)');
      await reader.wait(5_000);
      assert.deepEqual(await countSome(), { visitors: 2, page_views: 2, conversions: 0 });
    });

    test('is taken along with consent alone, whenever it is given', async () => {
      await buildSite();
      const asked: string[] = [];
      const browser = visit({
        dataset: { consent: 'required' },
        send: async (...request) => {
          if (!request[2].startsWith('[')) asked.push(request[2].slice(0, 16));
          return await send(...request);
        },
      });
      const agree = (tab: Tab, granted: boolean) => tab.run(`reachout.setConsent(${granted})`);
      const [tab] = browser.open(shop);
      await tab!.click(checkout);
      agree(tab!, true);
      await browser.wait(1_000);
      assert.deepEqual(asked, []);
      await tab!.click(shop);
      agree(tab!, false);
      await browser.wait(1_000);
      assert.deepEqual(asked, ['{"type":"LINK","']);
      agree(tab!, true);
      await browser.wait(1_000);
      assert.deepEqual(asked.slice(1), ['{"type":"ARRIVE"']);
      assert.deepEqual(await countSome(), { visitors: 1, page_views: 2, conversions: 0 });

      await tab!.click(checkout);
      // The request is under way.
      agree(tab!, true);
      agree(tab!, false);
      await browser.wait(1_000);
      agree(tab!, true);
      await browser.wait(5_000);
      assert.deepEqual(await countSome(), { visitors: 2, page_views: 3, conversions: 0 });
    });
  });

  test('odd cookies and arguments of a page cost no event', async () => {
    await buildSite();
    const browser = visit();
    const [tab] = browser.open('https://shop.example/');
    await browser.wait(2_000);
    tab!.run(`document.cookie = 'ctm_user_id=%E0%'; document.cookie = 'ctm_user_collection=%';`);
    tab!.load('https://shop.example/about');
    for (const more of ['null', '{ value: 10n }', '{ value: NaN }', '{ value: "5" }', '{ value: {} }'])
      tab!.run(`reachout.track('order', ${more})`);
    await browser.wait(5_000);
    const { page_views, events, conversions, conversion_value } = (await read<WebsiteOverview>('overview'))
      .total;
    assert.deepEqual([page_views, events, conversions, conversion_value], [2, 5, 5, 15]);
  });
});

function expectedOf(counted: readonly Counted[]) {
  const views = counted.filter(({ page }) => page !== null).map(({ page }) => page!);
  const countBy = (values: readonly string[]) =>
    Object.fromEntries(
      [...new Set(values)].map((value) => [value, values.filter((other) => other === value).length]),
    );
  const visitors = [...new Set(counted.map(({ visitor }) => visitor))];
  const sessions = visitors.map((visitor) => {
    const times = counted.filter((event) => event.visitor === visitor).map(({ at }) => at);
    times.sort((a, b) => a - b);
    return times.filter((time, index) => index === 0 || time - times[index - 1]! > pauseMs).length;
  });
  const orders = counted.length - views.length;
  return {
    pages: countBy(views),
    hosts: countBy(views.map((page) => page.slice(0, page.indexOf('/')))),
    totals: {
      visitors: visitors.length,
      sessions: sessions.reduce((sum, number) => sum + number, 0),
      page_views: views.length,
      events: orders,
      conversions: orders,
    },
  };
}
