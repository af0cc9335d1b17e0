import type { Page } from '@playwright/test';
import type { Screen } from './all-screens.ts';
import { expect } from './fixtures.ts';

export async function openScreen(page: Page, screen: Screen): Promise<void> {
  await page.goto(screen.path);
  await expectShown(page, screen);
}

/** Waits until it has its content, and nothing of it is still on its way. */
export async function expectShown(page: Page, { path, shows }: Screen): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect
    .poll(async () => await page.evaluate(readPage), { message: `${path} shows ${shows}` })
    .toContain(shows);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** Runs in the page: what can be read there, values of fields included. */
const readPage = `(document.querySelector('main')?.innerText ?? '')
  + [...document.querySelectorAll('main input')].map((input) => ' ' + input.value).join('')`;
