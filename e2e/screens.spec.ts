import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { apiOf, prepareEmail, sendAtOnce, signUpThroughApi } from './api.ts';
import { expect, test as base } from './fixtures.ts';

interface Screen {
  path: string;
  /** What tells that the screen has its content: a piece of data, the same in every language. */
  shows: string;
}

interface Visit {
  screens: Screen[];
  /** Cookies of the person whose organization it is. */
  cookies: Parameters<ReturnType<Page['context']>['addCookies']>[0];
}

/** One organization with something on every screen, made once for all tests of a worker. */
const test = base.extend<object, { visit: Visit }>({
  visit: [
    async ({ server, browser }, use) => {
      const context = await browser.newContext();
      await signUpThroughApi(context.request, server.url);
      const api = apiOf(context.request, server.url);
      const { id } = await api.post<{ id: string }>('/organizations', { name: 'Rotkehlchen' });
      const email = await prepareEmail(api, id);
      const sendId = await sendAtOnce(api, email.touchpointId);
      const { items } = await api.get<{ items: { id: string; subject: string }[] }>(
        `/mailbox?organization_id=${id}`,
      );
      const message = await api.get<{ pixel_url: string }>(`/mailbox/${items[0]!.id}`);
      await context.request.get(message.pixel_url);
      const draft = await prepareEmail(api, id, { contacts: [], brand: 'Südwind', subject: 'Entwurf' });
      const at = `/o/${id}`;
      const sent = `${at}/touchpoints/${email.touchpointId}`;
      const writing = `${at}/touchpoints/${draft.touchpointId}`;
      const screens: Screen[] = [
        { path: '/organizations', shows: 'Rotkehlchen' },
        { path: at, shows: 'Nordwind news' },
        { path: `${at}/clients`, shows: 'Nordwind Outdoor' },
        { path: `${at}/clients/${email.clientId}`, shows: 'Nordwind' },
        { path: `${at}/brands/${email.brandId}`, shows: 'Nordwind spring' },
        { path: `${at}/campaigns`, shows: 'Nordwind spring' },
        { path: `${at}/campaigns/${email.campaignId}`, shows: 'Nordwind news' },
        { path: `${at}/touchpoints`, shows: 'Nordwind news' },
        { path: `${writing}/design`, shows: 'Südwind letter' },
        { path: `${writing}/audience`, shows: 'ada@contacts.example' },
        { path: `${writing}/preview`, shows: 'news@nordwind.example' },
        { path: `${writing}/schedule`, shows: 'Entwurf' },
        { path: `${writing}/settings`, shows: 'Südwind news' },
        { path: `${sent}/sends`, shows: '3' },
        { path: `${sent}/sends/${sendId}`, shows: 'ada@contacts.example' },
        { path: `${sent}/statistics`, shows: '@contacts.example' },
        { path: `${writing}/statistics`, shows: 'Südwind news' },
        { path: `${at}/templates`, shows: 'Nordwind letter' },
        { path: `${at}/templates/${email.templateId}`, shows: 'Nordwind letter' },
        { path: `${at}/audiences`, shows: 'Everybody at Nordwind' },
        { path: `${at}/audiences?new=true`, shows: 'ada@contacts.example' },
        { path: `${at}/audiences/${email.filterId}`, shows: 'ada@contacts.example' },
        { path: `${at}/collections`, shows: '3' },
        { path: `${at}/collections/contacts`, shows: 'ada@contacts.example' },
        { path: `${at}/collections/contacts/import`, shows: 'CSV' },
        { path: `${at}/mailbox`, shows: 'News' },
        { path: `${at}/mailbox/${items[0]!.id}`, shows: 'News' },
        { path: `${at}/campaigns/${crypto.randomUUID()}`, shows: '' },
      ];
      const cookies = await context.cookies();
      await context.close();
      await use({ screens, cookies });
    },
    { scope: 'worker' },
  ],
});

test.describe.configure({ mode: 'parallel' });

const widths = { desktop: 1440, tablet: 1024, phone: 390 } as const;

const publicScreens: Screen[] = [
  { path: '/sign-in', shows: 'Reachout' },
  { path: '/sign-up', shows: 'Reachout' },
];

/** What the browser complains about while a page is open. */
function watchConsole(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    // A record that is not there answers 404, as it should.
    if (message.type() === 'error' && !message.text().includes('404')) said.push(message.text());
    if (/missingKey/i.test(message.text())) said.push(message.text());
  });
  return said;
}

async function open(page: Page, { path, shows }: Screen): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect
    .poll(async () => await page.evaluate(readPage), { message: `${path} shows ${shows}` })
    .toContain(shows);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** Runs in the page: what can be read there, values of fields included. */
const readPage = `document.querySelector('main').innerText
  + [...document.querySelectorAll('main input')].map((input) => ' ' + input.value).join('')`;

/** All that is wrong with the open page, in words. */
async function findFaults(page: Page, language: string): Promise<string[]> {
  // A chart is drawn anew for another width, which takes it a moment.
  await expect
    .poll(async () => await page.evaluate('document.scrollingElement.scrollWidth - innerWidth'), {
      timeout: 2_000,
    })
    .toBeLessThanOrEqual(0)
    .catch(() => undefined);
  const faults = (await page.evaluate(inspectPage)) as string[];
  const lang = await page.locator('html').getAttribute('lang');
  if (lang !== language) faults.push(`the language is ${lang}`);
  return faults;
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
  const text = document.body.innerText;
  const key = /\\b(?:common|shell|session|organizations|dashboard|clients|campaigns|touchpoints|sends|statistics|templates|audiences|collections|mailbox):[a-z]\\w*|\\{\\{\\s*(?:count|number|name|what|max)\\s*\\}\\}|\\[object Object\\]|\\bundefined\\b|\\bNaN\\b|Invalid Date/.exec(text);
  if (key) faults.push('shows ' + key[0]);
  return faults;
})()`;

for (const language of ['en', 'de'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`in ${language}, ${colorScheme}`, () => {
      test.use({ locale: language === 'en' ? 'en-US' : 'de-DE', colorScheme });

      test('every screen fits, is accessible, and the browser has nothing to complain about', async ({
        page,
        visit,
        context,
      }) => {
        test.setTimeout(150_000);
        const said = watchConsole(page);
        const look = async (screen: Screen) => {
          await open(page, screen);
          const faults: string[] = [];
          for (const [device, width] of Object.entries(widths)) {
            await page.setViewportSize({ width, height: 900 });
            faults.push(...(await findFaults(page, language)).map((fault) => `on a ${device}: ${fault}`));
          }
          // The words differ between the languages; what accessibility depends on does not.
          if ((language === 'en') === (colorScheme === 'light')) {
            const width = colorScheme === 'light' ? widths.desktop : widths.phone;
            await page.setViewportSize({ width, height: 900 });
            faults.push(...(await findAccessibilityFaults(page)));
          }
          faults.push(...said.splice(0));
          expect.soft(faults, screen.path).toEqual([]);
        };
        for (const screen of publicScreens) await look(screen);
        await context.addCookies(visit.cookies);
        for (const screen of visit.screens) await look(screen);
      });
    });
  }
}

async function findAccessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // What stands in a previewed email is its author's.
    .exclude('iframe')
    .analyze();
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'color-contrast')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 160))
          .join(' | ')}`,
    );
}

test('with the keyboard alone: skip link, visible focus, dialogs that give the focus back', async ({
  page,
  visit,
  context,
}) => {
  await context.addCookies(visit.cookies);
  const clients = visit.screens.find(({ path }) => path.endsWith('/clients'))!;
  await open(page, clients);
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
  await expect(page.getByLabel('Name of the client')).toBeFocused();
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

test('an address with nonsense in it opens its screen as if it were not there', async ({
  page,
  visit,
  context,
}) => {
  await context.addCookies(visit.cookies);
  const said = watchConsole(page);
  const nonsense =
    'page=-1&order=drop.table&search=%5B%5D&status=%7B%22a%22%3A1%7D&period=x&new=maybe&run=&send=1';
  for (const screen of visit.screens.filter(({ path }) => !path.includes('?')))
    await open(page, { ...screen, path: `${screen.path.split('?')[0]}?${nonsense}` });
  expect(said).toEqual([]);
});
