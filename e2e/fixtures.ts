import { randomUUID } from 'node:crypto';
import { test as base, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { apiOf, createPerson, newPerson, readMail, type Api, type Person } from './api.ts';
import { forgetAttempts } from './database.ts';
import { sharedServer, type Server } from './server.ts';

interface Fixtures {
  /** Whom the browser is signed in as: a new person. */
  person: Person;
  /** The API as that person. */
  api: Api;
  /** A new organization of that person, with nothing in it. */
  organization: { id: string; name: string };
  /** Another browser with its own person; closed after the test. */
  newBrowser: (name?: string) => Promise<OtherBrowser>;
  /** Every test fails on an error that no code caught, and on anything the content security policy held back. */
  cleanRun: void;
  /** What malicious content tries is held back, and the browser says so: that alone is no failure then. */
  isMalicious: boolean;
}

/** Somebody else, signed in, at another machine. */
export interface OtherBrowser {
  context: BrowserContext;
  page: Page;
  api: Api;
  person: Person;
}

/** All tests share one server, which the global set-up starts; each has its own people and organizations. */
export const test = base.extend<Fixtures, { server: Server }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner reads which fixtures are needed from the pattern
  server: [async ({}, use) => await use(sharedServer()), { scope: 'worker' }],
  baseURL: async ({ server }, use) => use(server.url),
  isMalicious: [false, { option: true }],
  cleanRun: [
    async ({ context, isMalicious }, use) => {
      const problems: string[] = [];
      context.on('weberror', (event) => problems.push(String(event.error())));
      context.on('console', (message) => {
        if (!isMalicious && /content security policy/i.test(message.text())) problems.push(message.text());
      });
      await use();
      expect(problems, 'errors that nobody caught').toEqual([]);
    },
    { auto: true },
  ],
  person: async ({ page, server }, use) => use(await createPerson(page.request, server)),
  api: async ({ page, server, person: _signedIn }, use) => use(apiOf(page.request, server.url)),
  organization: async ({ api }, use) => {
    const name = `Agency ${randomUUID().slice(0, 8)}`;
    const { id } = await api.post<{ id: string }>('/organizations', { name });
    await use({ id, name });
  },
  newBrowser: async ({ browser, server }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (name) => {
      const context = await openContext(browser, server);
      opened.push(context);
      return {
        context,
        page: await context.newPage(),
        api: apiOf(context.request, server.url),
        person: await createPerson(context.request, server, name),
      };
    });
    for (const context of opened) await context.close();
  },
});

export const { expect } = test;

/** A browser in which nobody is signed in. */
export const openContext = (browser: Browser, { url }: Server): Promise<BrowserContext> =>
  browser.newContext({ baseURL: url });

/** Signs up on screen and opens the link of the mail. */
export async function signUp(page: Page, server: Server, person = newPerson()): Promise<Person> {
  await forgetAttempts(server.databaseUrl);
  await page.goto('/sign-up');
  await fillSignUp(page, person);
  await expect(page.getByRole('heading', { level: 1, name: 'Check your inbox' })).toBeVisible();
  const { links } = await readMail(page.request, server, person.email, 'Confirm your email address');
  await page.goto(links[0]!);
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-up'));
  return person;
}

export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Your name').fill(person.name);
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
}
