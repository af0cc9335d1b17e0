import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { test as base, type Browser, type BrowserContext, type Page, type Request } from '@playwright/test';
import { readBrowserChildrenCpuMs } from '../scripts/tree-cpu.ts';
import { apiOf, createPerson, newPerson, readMail, type Api, type Person } from './api.ts';
import { forgetAttempts } from './database.ts';
import { keepContexts, stopIntercepting, type KeptContexts } from './kept-contexts.ts';
import { sharedServer, type Server } from './server.ts';

interface Fixtures {
  /** The new user that the browser is signed in as. */
  person: Person;
  /** The API as that user. */
  api: Api;
  /** A new, empty organization of that user. */
  organization: { id: string; name: string };
  /** Opens another browser with its own user. */
  newBrowser: (name?: string) => Promise<OtherBrowser>;
  /** Opens another browser without a session. */
  newVisitor: () => Promise<Page>;
  /** Opens a browser context with a page; given back after the test. */
  openBrowser: () => Promise<BrowserContext>;
  /** Fails every test on uncaught errors and on violations of the content security policy. */
  cleanRun: void;
  /** Allows the content security policy violations that malicious content is expected to cause. */
  isMalicious: boolean;
}

/** Another signed-in user in another browser. */
export interface OtherBrowser {
  context: BrowserContext;
  page: Page;
  api: Api;
  person: Person;
}

/** All tests share one server, which the global set-up starts; each has its own users and organizations. */
export const test = base.extend<Fixtures, { server: Server; browserCpu: void; keptContexts: KeptContexts }>({
  browserCpu: [
    async ({ browser: _running }, use) => {
      await use();
      const file = process.env['BROWSER_CPU_FILE'];
      if (file !== undefined) await appendFile(file, `${readBrowserChildrenCpuMs(process.pid)}\n`);
    },
    { scope: 'worker', auto: true },
  ],
  // oxlint-disable-next-line no-empty-pattern -- the test runner reads which fixtures are needed from the pattern
  server: [async ({}, use) => await use(sharedServer()), { scope: 'worker' }],
  keptContexts: [
    async ({ browser, server }, use) => use(keepContexts(browser, server.url)),
    { scope: 'worker' },
  ],
  openBrowser: async ({ keptContexts, locale, timezoneId, viewport }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await keptContexts.open({ locale, timezoneId, viewport });
      opened.push(context);
      return context;
    });
    for (const context of opened) await keptContexts.giveBack(context);
  },
  context: async ({ openBrowser }, use) => use(await openBrowser()),
  page: async ({ context }, use) => use(context.pages()[0]!),
  baseURL: async ({ server }, use) => use(server.url),
  isMalicious: [false, { option: true }],
  cleanRun: [
    async ({ context, isMalicious }, use, testInfo) => {
      const problems: string[] = [];
      const describeCalls = watchCalls(context);
      context.on('weberror', (event) => problems.push(String(event.error())));
      context.on('console', (message) => {
        if (!isMalicious && /content security policy/i.test(message.text())) problems.push(message.text());
      });
      await use();
      await stopIntercepting(context);
      if (testInfo.status !== testInfo.expectedStatus)
        await testInfo.attach('unanswered and refused calls', {
          body: describeCalls(),
          contentType: 'text/plain',
        });
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
  newBrowser: async ({ openBrowser, server }, use) =>
    use(async (name) => {
      const context = await openBrowser();
      return {
        context,
        page: context.pages()[0]!,
        api: apiOf(context.request, server.url),
        person: await createPerson(context.request, server, name),
      };
    }),
  newVisitor: async ({ openBrowser }, use) => use(async () => (await openBrowser()).pages()[0]!),
});

export const { expect } = test;

/** Tracks the requests of a browser. @returns describes unanswered and rejected requests, to explain a failed test */
function watchCalls(context: BrowserContext): () => string {
  const waiting = new Map<Request, number>();
  const refused: string[] = [];
  const name = (request: Request) => `${request.method()} ${new URL(request.url()).pathname}`;
  context.on('request', (request) => waiting.set(request, performance.now()));
  context.on('requestfailed', (request) => waiting.delete(request));
  context.on('requestfinished', (request) => waiting.delete(request));
  context.on('response', (response) => {
    const since = performance.now() - waiting.get(response.request())!;
    if (response.status() >= 429)
      refused.push(`${name(response.request())}: ${response.status()} after ${Math.round(since)} ms`);
  });
  return () => {
    const now = performance.now();
    const unanswered = [...waiting].map(
      ([request, since]) => `${name(request)}: nothing for ${Math.round(now - since)} ms`,
    );
    return [...unanswered, ...refused].join('\n');
  };
}

/** Opens a new browser context: with an empty cache, and for tests that have set what cannot be reset. */
export const openContext = (browser: Browser, { url }: Server): Promise<BrowserContext> =>
  browser.newContext({ baseURL: url });

/** Signs up in the UI and opens the link in the email. */
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
