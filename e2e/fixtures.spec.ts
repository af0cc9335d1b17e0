import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { isEmpty, resetFailures } from './kept-contexts.ts';
import type { Server } from './server.ts';

// One after the other in one worker.
test.describe.configure({ mode: 'serial' });

/** The browser context of the test before. */
let before: BrowserContext | undefined;
/** Requests that the listeners of the first test have heard. */
let heard = 0;

const emptyPage = '/favicon.svg';

/** Runs in an empty page. */
const listStored = `Promise.all([
  Object.keys(localStorage), Object.keys(sessionStorage), document.cookie, name, matchMedia('(prefers-color-scheme: dark)').matches,
  navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
])`;

const nothing = [[], [], '', '', false, 'prompt'];

test('a test leaves much in its browser', async ({ page, context, person, organization }) => {
  expect(person.email).not.toBe('');
  await page.goto(emptyPage);
  await page.goto(`/o/${organization.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.evaluate(`localStorage.left = sessionStorage.left = document.cookie = name = 'left=yes'`);
  await context.grantPermissions(['geolocation']);
  for (const left of [page, context]) {
    await left.route('**/*', (route) => route.abort());
    left.on('request', () => (heard += 1));
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await context.newPage();
  await context.setOffline(true);
  before = context;
});

test('the next test has its browser, and finds nothing in it', async ({ page, context }) => {
  const heardBefore = heard;
  expect(context, resetFailures.join('\n')).toBe(before);
  expect(context.pages()).toEqual([page]);
  expect(isEmpty(page)).toBe(true);
  expect(await context.storageState()).toEqual({ cookies: [], origins: [] });
  expect(page.viewportSize()).toEqual({ width: 1280, height: 720 });
  await page.goto(emptyPage);
  expect(await page.evaluate(listStored)).toEqual(nothing);
  expect(await page.goBack()).toBeNull();
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  expect(heard).toBe(heardBefore);
});

const leftovers: Record<string, (page: Page, server: Server) => Promise<unknown>> = {
  'a clock': (page) => page.clock.setFixedTime(0),
  'a script': (page) => page.addInitScript(`name = 'left'`),
  'a database': (page) =>
    page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('left');
      opening.onupgradeneeded = () => opening.result.createObjectStore('left');
      opening.onsuccess = resolve;
    }).then(() => undefined)`),
  'what another origin stored': async (page, { issuer }) => {
    await page.goto(issuer);
    await page.evaluate(`localStorage.left = 'yes'`);
  },
};

for (const [name, leave] of Object.entries(leftovers)) {
  test(`a test leaves ${name}`, async ({ page, context, server }) => {
    await page.goto(emptyPage);
    await leave(page, server);
    before = context;
  });

  test(`after ${name}, the next test has a new browser`, async ({ page, context }) => {
    expect(context).not.toBe(before);
    await page.goto(emptyPage);
    expect(await page.evaluate(listStored)).toEqual(nothing);
    expect(await page.evaluate('Date.now()')).toBeGreaterThan(0);
  });
}
