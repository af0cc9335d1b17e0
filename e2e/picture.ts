import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { AllScreens, Screen } from './all-screens.ts';
import { expect } from './fixtures.ts';
import type { Look } from './look.ts';

// Screenshots of some screens in both themes and both languages, on a desktop and on a phone. They are compared with those
// in `pictures`, which `npm run pictures` updates after an intended change.

/** The time of all screenshots; all data was created an hour before. */
const moment = Date.parse('2026-03-12T10:00:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Screens by the names of their screenshots. */
const pictured: Record<string, (visit: AllScreens) => Screen | undefined> = {
  'sign-in': ({ signedOut }) => signedOut.find(({ path }) => path === '/sign-in'),
  dashboard: ({ clients }) => clients[0],
  clients: ({ clients }) => clients.find(({ path }) => path.endsWith('/clients')),
  'brand-kit': ({ clients }) => clients.find(({ path }) => path.endsWith('/kit')),
  campaigns: ({ clients }) => clients.find(({ path }) => /^.o.[^/]+.campaigns$/.test(path)),
  roles: ({ settings }) => settings.find(({ path }) => path.endsWith('/roles/owner')),
  touchpoints: ({ touchpoints }) => touchpoints[0],
  'new-email': ({ touchpoints }) => touchpoints.find(({ path }) => path.endsWith('/email')),
  receipt: ({ touchpoints }) => touchpoints.find(({ path }) => path.endsWith('/receipt')),
  contacts: ({ content }) => content.find(({ path }) => path.endsWith('/contacts')),
  contact: ({ content }) => content.find(({ path }) => /.contacts.[^/]+$/.test(path)),
  audience: ({ content }) => content.find(({ path }) => /.audiences.[^?/]+$/.test(path)),
};

/** @returns the name of the screen's screenshots; undefined for a screen without any */
export function pictureOf(screen: Screen, visit: AllScreens): string | undefined {
  return Object.keys(pictured).find((name) => pictured[name]?.(visit)?.path === screen.path);
}

/** Text at another size, and tablets, have no pictures. */
export const isPictured = ({ width, textSize }: Look): boolean => textSize === undefined && width !== 1_024;

/** Compares the page, which shows the fixed moment, with its screenshot. */
export async function expectPicture(page: Page, name: string, look: Look): Promise<void> {
  const { width, theme, language } = look;
  // Emails are rendered with the machine's fonts, so they are masked.
  await expect.soft(page).toHaveScreenshot(`${name}-${width}-${theme}-${language}.png`, {
    mask: [page.locator('iframe')],
    maskColor: '#808791',
  });
}

/** Opens a page whose clock is fixed, with the times in the server's responses shifted accordingly. */
export async function openMoment(
  browser: Browser,
  {
    url,
    cookies,
    madeAt,
  }: { url: string; cookies: Parameters<BrowserContext['addCookies']>[0]; madeAt: number },
): Promise<Page> {
  // All pages of a context have one clock.
  const context = await browser.newContext({ baseURL: url });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.clock.setFixedTime(moment);
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    if (!/json/.test(response.headers()['content-type'] ?? '')) return await route.fulfill({ response });
    const body = await response.text();
    const moved = body.replaceAll(
      /(?<=")\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|\+00:00)(?=")/g,
      (time) => new Date(moveTime(Date.parse(time), madeAt)).toISOString(),
    );
    await route.fulfill({ response, body: moved });
  });
  return page;
}

/** Maps times of the same hour to one, so that screenshots do not depend on the machine's speed. Dates stay at midnight. */
function moveTime(time: number, madeAt: number): number {
  const startOfDay = (at: number) => at - (at % dayMs);
  if (time % dayMs === 0) return time + startOfDay(moment) - startOfDay(madeAt);
  return moment - hourMs + Math.floor((time - madeAt) / hourMs) * hourMs;
}
