import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { apiOf, createPerson, prepareEmail, sendAtOnce, type Api } from './api.ts';
import { buildBusyOrganization } from './busy-organization.ts';
import { expect, openContext, test as base } from './fixtures.ts';

/** A first load has an empty cache. */
const test = base.extend({
  context: async ({ browser, server }, use) => {
    const context = await openContext(browser, server);
    await context.newPage();
    await use(context);
    await context.close();
  },
});

/** Limits of a page's first load; scripts in kB, compressed. */
const budgets = {
  'sign-in': { scripts: 205, requests: 18 },
  dashboard: { scripts: 244, requests: 18 },
  /** The dashboard of an organization with running sends. */
  sending: { scripts: 253, requests: 18 },
} as const;

/** @returns the id of an organization with one sent email and one draft */
async function buildOrganization(api: Api): Promise<string> {
  const { id } = await api.post<{ id: string }>('/organizations', { name: 'Rotkehlchen' });
  const { touchpointId } = await prepareEmail(api, id);
  await prepareEmail(api, id, { contacts: [], brand: 'Südwind' });
  await sendAtOnce(api, touchpointId);
  return id;
}

/** Texts depend only on the language, and the layout on the width. The longer texts are combined with the wider screen. */
const browsers = [
  { locale: 'en', viewport: { width: 390, height: 844 } },
  { locale: 'de', viewport: { width: 1_440, height: 900 } },
] as const;

for (const { locale, viewport } of browsers) {
  test.describe(`in ${locale} at ${viewport.width} px`, () => {
    test.use({ locale, viewport });

    test('sign-in and dashboard load within their budgets', async ({ page, server }) => {
      const signIn = await measureLoad(page, '/sign-in');
      await createPerson(page.request, server);
      const api = apiOf(page.request, server.url);
      await api.patch('/me/preferences', { preferences: { language: locale } });
      const dashboard = await measureLoad(page, `/o/${await buildOrganization(api)}`);
      const sending = await measureLoad(page, `/o/${await buildBusyOrganization(page.request, server)}`);
      await expect(page.getByRole('main').getByRole('link', { name: 'Harbor news' }).first()).toBeVisible();
      const marks = page.getByRole('main').locator('[data-brand-color] img[src^="data:"]');
      await expect(marks.first()).toBeVisible();
      for (const [name, load] of Object.entries({ 'sign-in': signIn, dashboard, sending })) {
        const budget = budgets[name as keyof typeof budgets];
        console.log(JSON.stringify({ firstLoad: name, locale, width: viewport.width, ...load, budget }));
        expect.soft(load.scripts, `kB of ${name}`).toBeLessThanOrEqual(budget.scripts);
        expect.soft(load.requests, `requests of ${name}`).toBeLessThanOrEqual(budget.requests);
      }
    });
  });
}

interface Load {
  /** Compressed, in kB. */
  scripts: number;
  requests: number;
}

/**
 * Measures the first load of a page: all requests until it is complete and none is pending. The chunks that the app preloads
 * for later clicks (`load-later.ts`) start after a mark in the browser's timeline and are excluded.
 */
async function measureLoad(page: Page, path: string): Promise<Load> {
  const responses: Response[] = [];
  const collect = (response: Response) => responses.push(response);
  // Ends all requests of the previous page.
  await page.goto('about:blank');
  page.on('response', collect);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  // A page that asks again and again is never idle on a busy machine; it marks the end itself.
  await page
    .waitForLoadState('networkidle')
    .catch(async () => await expect.poll(() => page.evaluate<string[]>(listMarks)).not.toEqual([]));
  page.off('response', collect);
  const complete = responses.filter(isTimed).map((response) => response.url());
  await expect.poll(() => page.evaluate(`(${listUntimed})(${JSON.stringify(complete)})`)).toEqual([]);
  const later = new Set(await page.evaluate<string[]>(listLater));
  const first = responses.filter((response) => !later.has(response.url()));
  const scripts = first.filter((response) => response.request().resourceType() === 'script');
  const sizes = await Promise.all(scripts.map((response) => weigh(page, response.url())));
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000;
  // Detects a page whose scripts are not measured.
  expect(size).toBeGreaterThan(100);
  // Polled URLs count once: on a busy machine, polling starts before the page is complete.
  const requests = new Set(first.map((response) => response.url())).size;
  return { scripts: Number(size.toFixed(1)), requests };
}

/** Whether the page's timeline includes a request: it does not include the page itself and open event streams. */
const isTimed = (response: Response) =>
  response.request().resourceType() !== 'document' &&
  response.headers()['content-type']?.startsWith('text/event-stream') !== true;

/** Runs in the page, whose timeline includes a request when its response is complete. */
const listUntimed = `(urls) => urls.filter((url) => performance.getEntriesByName(url, 'resource').length === 0)`;

/** Runs in the page. */
const listMarks = `performance.getEntriesByName('reachout.first-load').map(({ name }) => name)`;

/** Runs in the page, where the times of requests and mark use one clock. @returns URLs requested only after the mark */
const listLater = `(() => {
  const end = performance.getEntriesByName('reachout.first-load')[0]?.startTime ?? Infinity;
  const requests = performance.getEntriesByType('resource');
  const first = new Set(requests.filter(({ startTime }) => startTime < end).map(({ name }) => name));
  return requests.map(({ name }) => name).filter((name) => !first.has(name));
})()`;

/** @returns the compressed bytes of a file; requests it again, since the browser may have discarded the response */
async function weigh(page: Page, url: string): Promise<number> {
  const response = await page.request.get(url);
  expect(response.status(), url).toBe(200);
  const body = await response.body();
  // What draws maps is loaded with the first of them.
  expect(body.includes('geojson-file.json'), url).toBe(false);
  return gzipSync(body).length;
}

test('the page frame appears before slow scripts and styles', async ({ page, organization }) => {
  const arrived = Promise.withResolvers<void>();
  const requested: string[] = [];
  await page.route(/\/(assets|api)\//, async (route) => {
    requested.push(new URL(route.request().url()).pathname);
    await arrived.promise;
    await route.continue();
  });
  await page.goto(`/o/${organization.id}`, { waitUntil: 'commit' });
  const frame = page.locator('.frame');
  await expect(frame).toBeVisible();
  // It is painted while the style sheet is loading.
  await expect.poll(() => page.evaluate(`performance.getEntriesByName('first-paint').length`)).toBe(1);
  // The page itself requests data and files of the dashboard, which its scripts name later.
  await expect.poll(() => requested.some((path) => path.startsWith('/assets/app-'))).toBe(true);
  await expect.poll(() => requested).toContain('/api/start');
  await page.evaluate(`new MutationObserver(() => {
    const { children } = document.getElementById('root');
    window.__wasBlank ||= children.length === 0 || document.getElementById('root').innerText.trim() === '' && !document.querySelector('.frame');
  }).observe(document.body, { childList: true, subtree: true })`);
  arrived.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(frame).toHaveCount(0);
  expect(await page.evaluate('window.__wasBlank')).toBe(false);
});
