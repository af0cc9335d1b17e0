import type { Page } from '@playwright/test';
import type { AllScreens, Screen } from './all-screens.ts';
import { expect } from './fixtures.ts';
import { changeLook, type Look } from './look.ts';
import { openScreen } from './open-screen.ts';
import { test } from './screens-fixture.ts';

// Screenshots in both themes and both languages, on a desktop and on a phone. They are compared with those in `pictures`,
// which `npm run pictures` updates after an intended change.

test.describe.configure({ mode: 'parallel' });
// A time zone without daylight saving time: days begin at the same time all year.
test.use({ timezoneId: 'UTC' });

/** The time of all screenshots; all data was created an hour before. */
const moment = Date.parse('2026-03-12T10:00:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Screens by the names of their screenshots; paths of an organization are relative to it. */
const groups: Record<string, Record<string, (visit: AllScreens) => Screen | undefined>> = {
  overview: {
    'sign-in': ({ signedOut }) => signedOut.find(({ path }) => path === '/sign-in'),
    dashboard: ({ clients }) => clients[0],
    clients: ({ clients }) => clients.find(({ path }) => path.endsWith('/clients')),
    'brand-kit': ({ clients }) => clients.find(({ path }) => path.endsWith('/kit')),
    campaigns: ({ clients }) => clients.find(({ path }) => /^.o.[^/]+.campaigns$/.test(path)),
    roles: ({ settings }) => settings.find(({ path }) => path.endsWith('/roles/owner')),
  },
  work: {
    touchpoints: ({ touchpoints }) => touchpoints[0],
    'new-email': ({ touchpoints }) => touchpoints.find(({ path }) => path.includes('/emails/new?email=')),
    receipt: ({ touchpoints }) => touchpoints.find(({ path }) => path.endsWith('/receipt')),
    contacts: ({ content }) => content.find(({ path }) => path.endsWith('/contacts')),
    contact: ({ content }) => content.find(({ path }) => /.contacts.[^/]+$/.test(path)),
    audience: ({ content }) => content.find(({ path }) => /.audiences.[^?/]+$/.test(path)),
  },
};

const looks = [1_440, 390].flatMap((width) =>
  (['en', 'de'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((theme): Look => ({ width, language, theme })),
  ),
);

for (const [group, screens] of Object.entries(groups)) {
  test(`pictures of screens are as they were: ${group}`, async ({ page, visit, context }) => {
    await showMoment(page, visit.madeAt);
    for (const [name, find] of Object.entries(screens)) {
      const screen = find(visit)!;
      if (name !== 'sign-in') await context.addCookies(visit.cookies);
      await openScreen(page, screen);
      for (const look of looks) {
        // A low viewport keeps files small: all of them together are 6 MB.
        await page.setViewportSize({ width: look.width, height: 720 });
        expect.soft(await changeLook(page, look), name).toEqual([]);
        await page.evaluate('scrollTo(0, 0)');
        const { width, theme, language } = look;
        // Emails are rendered with the machine's fonts, so they are masked.
        await expect.soft(page).toHaveScreenshot(`${name}-${width}-${theme}-${language}.png`, {
          mask: [page.locator('iframe')],
          maskColor: '#808791',
        });
      }
    }
  });
}

/** Fixes the clock of the page, and shifts the times in the server's responses accordingly. */
async function showMoment(page: Page, madeAt: number): Promise<void> {
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
}

/** Maps times of the same hour to one, so that screenshots do not depend on the machine's speed. Dates stay at midnight. */
function moveTime(time: number, madeAt: number): number {
  const startOfDay = (at: number) => at - (at % dayMs);
  if (time % dayMs === 0) return time + startOfDay(moment) - startOfDay(madeAt);
  return moment - hourMs + Math.floor((time - madeAt) / hourMs) * hourMs;
}
