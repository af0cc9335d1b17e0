import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { en } from '../apps/web/src/i18n/en/all.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import type { AllScreens } from './all-screens.ts';
import { expect } from './fixtures.ts';
import { isEmpty } from './kept-contexts.ts';
import { changeLook, type Look } from './look.ts';
import { expectShown, openScreen } from './open-screen.ts';
import { expectPicture, isPictured, openMoment, pictureOf } from './picture.ts';
import { test } from './screens-fixture.ts';
import { visit as navigate } from './steps.ts';
import { listTextFaults } from './text-faults.ts';

test.describe.configure({ mode: 'parallel' });
// A time zone without daylight saving time: in pictures, days begin at the same time all year.
test.use({ timezoneId: 'UTC' });

const widths = { desktop: 1_440, tablet: 1_024, phone: 390 } as const;

/** Collects errors in the console while a page is open. */
function watchConsole(page: Page, { hasFixedClock = false } = {}): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    // A fixed clock is a script, also in the frames of emails.
    if (hasFixedClock && /^Blocked script execution in 'about:(srcdoc|blank)'/.test(message.text())) return;
    // Expected responses: 404 for missing records, 410 for used links, and 503 for a busy server, which is retried.
    if (message.type() === 'error' && !/\b(404|410|503)\b/.test(message.text())) said.push(message.text());
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
  const key = /\\b(?:${Object.keys(en).join('|')}):[a-z]\\w*|\\{\\{\\s*(?:count|number|name|what|max)\\s*\\}\\}|\\[object Object\\]|\\bundefined\\b|\\bNaN\\b|Invalid Date/.exec(text);
  if (key) faults.push('shows ' + key[0]);
  return faults;
})()`;

const desktop: Look = { width: widths.desktop, language: 'en', theme: 'light' };
const germanPhone: Look = { width: widths.phone, language: 'de', theme: 'dark' };
const germanTablet: Look = { ...germanPhone, width: widths.tablet };
/** Text at 200 % (WCAG 1.4.4), with the longer words. Wider screens then look like phones: breakpoints are in em. */
const largeText: Look = { ...germanPhone, textSize: 200 };

/**
 * Every width in both languages and both themes, which change only colors. The order minimizes changes between consecutive
 * looks: another language renders the whole page again, and another theme all its colors.
 */
const allLooks: readonly Look[] = [
  desktop,
  { ...desktop, width: widths.tablet },
  { ...desktop, width: widths.phone },
  germanPhone,
  largeText,
  germanTablet,
  { ...germanPhone, width: widths.desktop },
];

/** Of screens that are laid out like others: each width, language and theme, the longer words where there is least room. */
const fewLooks: readonly Look[] = [desktop, germanTablet, largeText];

/** Languages differ in words and themes in colors; the rest of accessibility depends on neither. */
const isAudited = (look: Look, looks: readonly Look[]): boolean =>
  look === desktop || look === (looks === allLooks ? germanPhone : largeText);

/** Unknown and invalid search parameters, which every screen must ignore. Paths with search parameters keep theirs. */
const nonsense =
  'page=-1&order=drop.table&search=%5B%5D&status=%7B%22a%22%3A1%7D&period=x&new=maybe&run=&send=1';
const withNonsense = (path: string): string => (path.includes('?') ? path : `${path}?${nonsense}`);

const groups = {
  signedOut: 'before signing in',
  account: 'of the account',
  settings: 'of the settings',
  clients: 'of clients and campaigns',
  touchpoints: 'of touchpoints',
  content: 'of templates, audiences and contacts',
  operator: 'of operators',
} as const satisfies Partial<Record<keyof AllScreens, string>>;
const groupNames = Object.keys(groups) as (keyof typeof groups)[];

for (const group of groupNames) {
  test(`screens ${groups[group]} fit, are accessible, log no errors and look as pictured`, async ({
    page,
    visit,
    context,
    browser,
    server: { url },
  }) => {
    test.setTimeout(300_000);
    const cookies = group === 'signedOut' ? [] : group === 'operator' ? visit.operatorCookies : visit.cookies;
    await context.addCookies(cookies);
    const saidByPage = watchConsole(page);
    for (const [index, screen] of visit[group].entries()) {
      const path = group === 'signedOut' ? screen.path : withNonsense(screen.path);
      const picture = pictureOf(screen, visit);
      const shown = picture === undefined ? page : await openMoment(browser, { ...visit, url, cookies });
      const said = picture === undefined ? saidByPage : watchConsole(shown, { hasFixedClock: true });
      const isExample = picture !== undefined || screen.layout !== undefined;
      // From link to link takes a fraction of a load. People come to the first group from outside.
      if (isExample || group === 'signedOut' || isEmpty(page)) await openScreen(shown, { ...screen, path });
      else {
        await navigate(page, path);
        await expectShown(page, screen);
      }
      const looks = isExample ? allLooks : fewLooks;
      const faults: string[] = [];
      // Alternates the order, so that screens are loaded in both languages and themes.
      for (const look of index % 2 === 0 ? looks : looks.toReversed()) {
        const size = look.textSize === undefined ? '' : `, letters of ${look.textSize} %`;
        const where = `at ${look.width} px, ${look.language}, ${look.theme}${size}`;
        const inspections = look.textSize === undefined ? [inspectPage] : [inspectPage, listTextFaults];
        const found = await changeLook(shown, look, inspections);
        if (picture !== undefined && isPictured(look)) await expectPicture(shown, picture, look);
        if (isAudited(look, looks)) found.push(...(await findAccessibilityFaults(shown, index === 0)));
        faults.push(...found.map((fault) => `${where}: ${fault}`));
      }
      faults.push(...said.splice(0));
      expect.soft(faults, path).toEqual([]);
      if (shown === page) continue;
      await shown.unrouteAll({ behavior: 'ignoreErrors' });
      await shown.context().close();
    }
  });
}

test('every route is in the screen sweep', async ({ visit }) => {
  const tree = await readFile('apps/web/src/routeTree.gen.ts', 'utf8');
  const [, union = ''] = /fileRoutesByTo: FileRoutesByTo\s+to:((?:\s*\| '[^']*')+)/.exec(tree) ?? [];
  const routes = [...union.matchAll(/'([^']+)'/g)].map(([, route]) => route!);
  expect(routes.length).toBeGreaterThan(50);
  const visited = groupNames.flatMap((group) => visit[group]).map(({ path }) => path.split('?')[0]!);
  const isVisited = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`);
    return visited.some((path) => pattern.test(path));
  };
  // These redirect to another screen.
  const leading = [
    '/',
    '/me',
    '/operator',
    '/welcome',
    '/o/$orgId/settings',
    '/o/$orgId/clients/$clientId',
    '/o/$orgId/brands/$brandId',
    '/o/$orgId/touchpoints/$touchpointId',
  ];
  expect(routes.filter((route) => !isVisited(route) && !leading.includes(route))).toEqual([]);
});

test('a loading page has its final layout', async ({ page, visit, context }) => {
  await context.addCookies(visit.cookies);
  await page.setViewportSize({ width: widths.desktop, height: 900 });
  await openScreen(page, visit.clients[0]!);
  const inShape = /\/(email|receipt)$|\/(?:sends|templates|audiences|contacts)\/[^/?]{36}$/;
  const screens = [...visit.touchpoints, ...visit.content].filter(({ path }) => inShape.test(path));
  expect(screens).toHaveLength(6);
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
    // The columns are below the title and, on some pages, a notice.
    expect.soft(Math.abs((columns[0]?.top ?? 0) - (shown[0]?.top ?? 0)), screen.path).toBeLessThan(100);
  }
});

test('screens of operators that fail to load can be retried in place', async ({ page, visit, context }) => {
  await context.addCookies(visit.operatorCookies);
  const calls = /\/api\/(?:jobs|operator)\b/;
  for (const screen of visit.operator) {
    await page.route(calls, (route) =>
      route.fulfill({ status: 500, json: { status: 500, code: 'internal' } }),
    );
    await page.goto(screen.path);
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await expect(retry.first()).toBeVisible();
    expect.soft(await findAccessibilityFaults(page, false), screen.path).toEqual([]);
    await page.unroute(calls);
    // The page of jobs has two lists.
    await expect
      .poll(async () => {
        if ((await retry.count()) > 0) await retry.first().click();
        return await retry.count();
      })
      .toBe(0);
    await expectShown(page, screen);
  }
});

interface Column {
  left: number;
  right: number;
  top: number;
}

/** Runs in the page. @returns the positions of its first columns */
const readColumns = `(() => {
  const isGrid = (element) =>
    getComputedStyle(element).display === 'grid' && element.children.length > 1 && element.clientWidth > 600;
  const grid = [...document.querySelectorAll('main *')].find(isGrid);
  return [...(grid?.children ?? [])].map((column) => {
    const { left, right, top } = column.getBoundingClientRect();
    return { left: Math.round(left), right: Math.round(right), top: Math.round(top) };
  });
})()`;

/** Runs in the page: opens a path like back navigation, without reloading the app. */
const changeAddress = `(path) => new Promise((resolve) => {
  const stop = __TSR_ROUTER__.subscribe('onRendered', () => resolve(stop()));
  history.pushState(null, '', path);
})`;

test('a page number beyond the list opens its first page', async ({ page, visit, context }) => {
  await context.addCookies(visit.cookies);
  for (const list of visit.clients.filter(({ path }) => /\/(clients|campaigns)$/.test(path))) {
    await openScreen(page, { ...list, path: `${list.path}?page=9999` });
    await expect(page).toHaveURL(new RegExp(`${list.path}(\\?page=1)?$`));
  }
});
