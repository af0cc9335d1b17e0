import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { APIRequestContext, Page, Response } from '@playwright/test';
import sharp from 'sharp';
import { apiOf, prepareEmail } from './api.ts';
import { makeAllScreens, type AllScreens } from './all-screens.ts';
import { deferAll, runSql, setSendStatus } from './database.ts';
import { expect, test as base } from './fixtures.ts';
import { changeLook, type Look } from './look.ts';
import { expectShown, openScreen } from './open-screen.ts';
import type { Server } from './server.ts';
import { listTextFaults } from './text-faults.ts';

/** Made once for all tests of a worker. */
const test = base.extend<object, { visit: AllScreens }>({
  visit: [
    async ({ server, browser }, use) => use(await makeAllScreens(server, browser)),
    { scope: 'worker' },
  ],
});

test.describe.configure({ mode: 'parallel' });

const widths = { desktop: 1_440, tablet: 1_024, phone: 390 } as const;

/** What the browser complains about while a page is open. */
function watchConsole(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    // A record that is not there answers 404, as it should, and a link that was used 410.
    if (message.type() === 'error' && !/\b(404|410)\b/.test(message.text())) said.push(message.text());
    if (/missingKey/i.test(message.text())) said.push(message.text());
  });
  return said;
}

/** Runs in the page. */
const inspectPage = `(() => {
  const faults = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1);
    faults.push('scrolls sideways: ' + root.scrollWidth + ' px, ' + wide.slice(-1).map((element) => element.outerHTML.slice(0, 120)));
  }
  if (document.title.trim() === '') faults.push('no title');
  if (document.querySelectorAll('h1').length !== 1) faults.push(document.querySelectorAll('h1').length + ' h1');
  // Buttons of rows lie free.
  for (const button of document.querySelectorAll('main tbody td:last-child button')) {
    button.scrollIntoView({ block: 'center', inline: 'center' });
    const { left, top, width, height } = button.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!button.contains(there)) faults.push('covered: ' + button.outerHTML.slice(0, 120));
  }
  scrollTo(0, 0);
  const text = document.body.innerText;
  const key = /\\b(?:common|shell|auth|organizations|dashboard|clients|campaigns|touchpoints|sends|statistics|templates|audiences|collections|mailbox|settings|account|invitations|contactDetails):[a-z]\\w*|\\{\\{\\s*(?:count|number|name|what|max)\\s*\\}\\}|\\[object Object\\]|\\bundefined\\b|\\bNaN\\b|Invalid Date/.exec(text);
  if (key) faults.push('shows ' + key[0]);
  return faults;
})()`;

/** Every width in both languages. The theme changes colors only, so that each width and language sees both once. */
const looks: readonly Look[] = [
  { width: widths.desktop, language: 'en', theme: 'light' },
  { width: widths.desktop, language: 'de', theme: 'dark' },
  { width: widths.tablet, language: 'de', theme: 'light' },
  { width: widths.tablet, language: 'en', theme: 'dark' },
  { width: widths.phone, language: 'en', theme: 'light' },
  { width: widths.phone, language: 'de', theme: 'dark' },
  // Twice as large letters (WCAG 1.4.4), with the longer words. Wider screens look like phones then: their breakpoints are in em.
  { width: widths.phone, language: 'de', theme: 'dark', textSize: 200 },
];

/** Words differ between the languages, colors between the themes; the rest of accessibility depends on neither. */
const isAudited = ({ language, theme, width, textSize }: Look): boolean =>
  language === 'en'
    ? theme === 'light' && width === widths.desktop
    : theme === 'dark' && width === widths.phone && textSize === undefined;

const groups = {
  signedOut: 'before signing in',
  account: 'of the account',
  settings: 'of the settings',
  clients: 'of clients and campaigns',
  touchpoints: 'of touchpoints',
  content: 'of templates, audiences and contacts',
} as const satisfies Partial<Record<keyof AllScreens, string>>;
const groupNames = Object.keys(groups) as (keyof typeof groups)[];

for (const group of groupNames) {
  test(`every screen ${groups[group]} fits, is accessible, and the browser has nothing to complain about`, async ({
    page,
    visit,
    context,
  }) => {
    test.setTimeout(300_000);
    const said = watchConsole(page);
    if (group !== 'signedOut') await context.addCookies(visit.cookies);
    for (const [index, screen] of visit[group].entries()) {
      await openScreen(page, screen);
      const faults: string[] = [];
      // Back and forth, so that screens are loaded in both languages and themes.
      for (const look of index % 2 === 0 ? looks : looks.toReversed()) {
        const size = look.textSize === undefined ? '' : `, letters of ${look.textSize} %`;
        const where = `at ${look.width} px, ${look.language}, ${look.theme}${size}`;
        const found = await changeLook(page, look);
        found.push(...(await page.evaluate<string[]>(inspectPage)));
        if (look.textSize !== undefined) found.push(...(await page.evaluate<string[]>(listTextFaults)));
        if (isAudited(look)) found.push(...(await findAccessibilityFaults(page, index === 0)));
        faults.push(...found.map((fault) => `${where}: ${fault}`));
      }
      faults.push(...said.splice(0));
      expect.soft(faults, screen.path).toEqual([]);
    }
  });
}

test('no route is left out here', async ({ visit }) => {
  const tree = await readFile('apps/web/src/routeTree.gen.ts', 'utf8');
  const [, union = ''] = /fileRoutesByTo: FileRoutesByTo\s+to:((?:\s*\| '[^']*')+)/.exec(tree) ?? [];
  const routes = [...union.matchAll(/'([^']+)'/g)].map(([, route]) => route!);
  expect(routes.length).toBeGreaterThan(50);
  const visited = groupNames.flatMap((group) => visit[group]).map(({ path }) => path.split('?')[0]!);
  const isVisited = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`);
    return visited.some((path) => pattern.test(path));
  };
  // These lead on to another one.
  const leading = [
    '/',
    '/me',
    '/welcome',
    '/o/$orgId/settings',
    '/o/$orgId/clients/$clientId',
    '/o/$orgId/brands/$brandId',
    '/o/$orgId/touchpoints/$touchpointId',
  ];
  expect(routes.filter((route) => !isVisited(route) && !leading.includes(route))).toEqual([]);
});

/** Of what a page loads when it is opened for the first time; scripts in kB, compressed. */
const budgets = {
  'sign-in': { scripts: 200, requests: 18 },
  dashboard: { scripts: 240, requests: 18 },
  /** A dashboard on which one send runs, and another has paused itself and says why; six brands and the organization have a logo. */
  sending: { scripts: 240, requests: 18 },
} as const;

/** @returns the id of an organization with such a dashboard */
async function buildBusyOrganization(request: APIRequestContext, server: Server): Promise<string> {
  const { url, databaseUrl } = server;
  const api = apiOf(request, url);
  type Made = { id: string };
  const { id } = await api.post<Made>('/organizations', { name: 'Zaunkönig' });
  const emails = [
    await prepareEmail(api, id),
    await prepareEmail(api, id, { contacts: [], brand: 'Harbor' }),
  ];
  const brandIds = emails.map(({ brandId }) => brandId);
  for (const name of ['Morrow', 'Lindgrün', 'Fjord', 'Kestrel']) {
    const { clientId } = emails[brandIds.length % 2]!;
    const brand = await api.post<Made>('/brands', { organization_id: id, client_id: clientId, name });
    await api.post('/campaigns', { organization_id: id, brand_id: brand.id, name: `${name} autumn` });
    brandIds.push(brand.id);
  }
  const logo = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  for (const target of [`organizations/${id}`, ...brandIds.map((brandId) => `brands/${brandId}`)]) {
    const headers = { origin: url, 'content-type': 'image/png' };
    const uploaded = await request.post(`${url}/api/storage/logos/${target}`, { headers, data: logo });
    expect(uploaded.status(), await uploaded.text()).toBe(201);
  }
  // Once they are made small: a first response does not wait for that however long it takes.
  await expect
    .poll(async () => {
      const { logos } = await api.get<{ logos: object }>(`/dashboard?organization_id=${id}`);
      return Object.keys(logos).length;
    })
    .toBe(brandIds.length);
  for (const [index, { touchpointId }] of emails.entries()) {
    const send = await api.post<{ id: string }>(`/touchpoints/${touchpointId}/sends`, {});
    await deferAll(databaseUrl, send.id, ['ada@contacts.example']);
    if (index === 0) continue;
    await setSendStatus(databaseUrl, send.id, 'paused');
    await runSql(databaseUrl, `update touchpoint_sends set error = $2 where id = $1`, [
      send.id,
      { code: 'overdue', values: {} },
    ]);
  }
  return id;
}

for (const language of ['en', 'de'] as const) {
  test(`sign-in and dashboard load within their budgets in ${language}`, async ({
    browser,
    server,
    visit,
  }) => {
    let busy: string | undefined;
    for (const [width, height] of [[widths.desktop, 900] as const, [widths.phone, 844] as const]) {
      const context = await browser.newContext({
        baseURL: server.url,
        locale: language,
        viewport: { width, height },
      });
      const page = await context.newPage();
      const signIn = await measureLoad(page, '/sign-in');
      await context.addCookies(visit.cookies);
      await apiOf(context.request, server.url).patch('/me/preferences', { preferences: { language } });
      const dashboard = await measureLoad(page, `/o/${visit.organizationId}`);
      busy ??= await buildBusyOrganization(context.request, server);
      const sending = await measureLoad(page, `/o/${busy}`);
      await expect(page.getByRole('main').getByRole('link', { name: 'Harbor news' }).first()).toBeVisible();
      const marks = page.getByRole('main').locator('[data-brand-color] img[src^="data:"]');
      await expect(marks.first()).toBeVisible();
      for (const [name, load] of Object.entries({ 'sign-in': signIn, dashboard, sending })) {
        const budget = budgets[name as keyof typeof budgets];
        console.log(JSON.stringify({ firstLoad: name, language, width, ...load, budget }));
        expect.soft(load.scripts, `kB of ${name}`).toBeLessThanOrEqual(budget.scripts);
        expect.soft(load.requests, `requests of ${name}`).toBeLessThanOrEqual(budget.requests);
      }
      await context.close();
    }
  });
}

interface Load {
  /** Compressed, in kB. */
  scripts: number;
  requests: number;
}

/**
 * What a page loads when it is opened for the first time: all that it asks for until it is complete and nothing is on its way.
 * What the app loads for later clicks (`load-later.ts`) starts after a mark in the browser's timeline, and is no part of it.
 */
async function measureLoad(page: Page, path: string): Promise<Load> {
  const responses: Response[] = [];
  const collect = (response: Response) => responses.push(response);
  page.on('response', collect);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  page.off('response', collect);
  const end = await page.evaluate<number>(
    `performance.timeOrigin + (performance.getEntriesByName('reachout.first-load')[0]?.startTime ?? Infinity)`,
  );
  const first = responses.filter((response) => response.request().timing().startTime < end);
  const scripts = first.filter((response) => response.request().resourceType() === 'script');
  const sizes = await Promise.all(scripts.map((response) => weigh(page, response.url())));
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000;
  // So that a page that loads otherwise does not pass by weighing nothing.
  expect(size).toBeGreaterThan(100);
  // What a page asks for again and again counts once: on a busy machine that begins before it is complete.
  const requests = new Set(first.map((response) => response.url())).size;
  return { scripts: Number(size.toFixed(1)), requests };
}

/** @returns the bytes of a file, compressed; asked for again, since a browser may drop what it has received already */
async function weigh(page: Page, url: string): Promise<number> {
  const response = await page.request.get(url);
  expect(response.status(), url).toBe(200);
  return gzipSync(await response.body()).length;
}

test('until the first page is there its frame is, however slow scripts and styles come', async ({
  page,
  organization,
}) => {
  const arrived = Promise.withResolvers<void>();
  await page.route(/\/(assets|api)\//, async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.goto(`/o/${organization.id}`, { waitUntil: 'commit' });
  const frame = page.locator('.frame');
  await expect(frame).toBeVisible();
  // It is painted while the style sheet is on its way.
  await expect.poll(() => page.evaluate(`performance.getEntriesByName('first-paint').length`)).toBe(1);
  await page.evaluate(`new MutationObserver(() => {
    const { children } = document.getElementById('root');
    window.__wasBlank ||= children.length === 0 || document.getElementById('root').innerText.trim() === '' && !document.querySelector('.frame');
  }).observe(document.body, { childList: true, subtree: true })`);
  arrived.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(frame).toHaveCount(0);
  expect(await page.evaluate('window.__wasBlank')).toBe(false);
});

test('a page that is loading has the shape that it gets', async ({ page, visit, context }) => {
  await context.addCookies(visit.cookies);
  await page.setViewportSize({ width: widths.desktop, height: 900 });
  await openScreen(page, visit.clients[0]!);
  const inShape = /\/(design|schedule|receipt)$|\/(?:sends|templates|audiences|contacts)\/[^/?]{36}$/;
  const screens = [...visit.touchpoints, ...visit.content].filter(({ path }) => inShape.test(path));
  expect(screens).toHaveLength(7);
  for (const screen of screens) {
    const arrived = Promise.withResolvers<void>();
    await page.route('**/api/**', async (route) => {
      await arrived.promise;
      await route.continue();
    });
    await page.evaluate(`(${changeAddress})(${JSON.stringify(screen.path)})`);
    await expect(page.locator('main [aria-busy=true]').first()).toBeVisible();
    const columns = await page.evaluate<Column[]>(readColumns);
    arrived.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await expectShown(page, screen);
    const shown = await page.evaluate<Column[]>(readColumns);
    const edges = (of: Column[]) => of.map(({ left, right }) => [left, right]);
    expect.soft(edges(columns), screen.path).toEqual(edges(shown));
    // Below the title and, on some pages, a notice.
    expect.soft(Math.abs((columns[0]?.top ?? 0) - (shown[0]?.top ?? 0)), screen.path).toBeLessThan(100);
  }
});

interface Column {
  left: number;
  right: number;
  top: number;
}

/** Runs in the page: where the columns are that it begins with. */
const readColumns = `(() => {
  const isGrid = (element) =>
    getComputedStyle(element).display === 'grid' && element.children.length > 1 && element.clientWidth > 600;
  const grid = [...document.querySelectorAll('main *')].find(isGrid);
  return [...(grid?.children ?? [])].map((column) => {
    const { left, right, top } = column.getBoundingClientRect();
    return { left: Math.round(left), right: Math.round(right), top: Math.round(top) };
  });
})()`;

const axeSource = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Injects axe once for each page that was loaded: it is half a megabyte to send and to compile. */
async function findAccessibilityFaults(page: Page, isFirst: boolean): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource);
  return await page.evaluate<string[]>(`(${audit})(${isFirst})`);
}

/**
 * Runs in the page. What stands in a previewed email is its author's. The rule about turned screens reads all style
 * sheets, which takes as long as the rest, and all pages have the same one.
 */
const audit = `async (isFirst) => {
  const { violations } = await axe.run({ exclude: [['iframe']] }, {
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    rules: { 'css-orientation-lock': { enabled: isFirst } },
    preload: isFirst,
    resultTypes: ['violations'],
  });
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'color-contrast')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | '));
}`;

test('with the keyboard alone: skip link, visible focus, dialogs that give the focus back', async ({
  page,
  visit,
  context,
  server,
}) => {
  await context.addCookies(visit.cookies);
  const clients = visit.clients.find(({ path }) => path.endsWith('/clients'))!;
  await apiOf(context.request, server.url).patch('/me/preferences', { preferences: { language: 'en' } });
  await openScreen(page, clients);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  // Whatever has the focus is on screen and shows it.
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab');
    await expect.poll(async () => await page.evaluate(inspectFocus), { timeout: 2_000 }).toBe('');
  }

  const create = page.getByRole('button', { name: 'New client' });
  await create.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Client name')).toBeFocused();
  // The ring of a field covers nothing of the label above it.
  expect(await page.evaluate(reachOfRing)).toBeLessThanOrEqual(0);
  // The focus stays inside.
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('Tab');
  expect(await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(create).toBeFocused();
});

/** Runs in the page: what is wrong with how the focus is shown. */
const inspectFocus = `(() => {
  const element = document.activeElement;
  if (element === document.body) return '';
  const box = element.getBoundingClientRect();
  const name = element.outerHTML.slice(0, 100);
  if (box.width === 0 || box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) return 'off screen: ' + name;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const shown = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none' || element.tagName === 'INPUT';
  return shown ? '' : 'not visible: ' + name;
})()`;

/** Runs in the page: how far the ring of the field that has the focus goes beyond its box, in pixels. */
const reachOfRing = `(() => {
  const { outlineWidth, outlineOffset } = getComputedStyle(document.activeElement);
  return parseFloat(outlineWidth) + parseFloat(outlineOffset);
})()`;

/** Runs in the page: opens an address as going back to it would, without loading the app anew. */
const changeAddress = `(path) => new Promise((resolve) => {
  const stop = __TSR_ROUTER__.subscribe('onRendered', () => resolve(stop()));
  history.pushState(null, '', path);
})`;

test('an address with nonsense in it opens its screen as if it were not there', async ({
  page,
  visit,
  context,
}) => {
  test.setTimeout(150_000);
  await context.addCookies(visit.cookies);
  const said = watchConsole(page);
  const nonsense =
    'page=-1&order=drop.table&search=%5B%5D&status=%7B%22a%22%3A1%7D&period=x&new=maybe&run=&send=1';
  const screens = groupNames
    .flatMap((group) => (group === 'signedOut' ? [] : visit[group]))
    .filter(({ path }) => !path.includes('?'));
  await openScreen(page, { ...screens[0]!, path: `${screens[0]!.path}?${nonsense}` });
  for (const screen of screens.slice(1)) {
    await page.evaluate(`(${changeAddress})(${JSON.stringify(`${screen.path}?${nonsense}`)})`);
    await expectShown(page, screen);
  }
  for (const list of visit.clients.filter(({ path }) => /\/(clients|campaigns)$/.test(path))) {
    await openScreen(page, { ...list, path: `${list.path}?page=9999` });
    await expect(page).toHaveURL(new RegExp(`${list.path}(\\?page=1)?$`));
  }
  expect(said).toEqual([]);
});
