import type { Page } from '@playwright/test';
import type { Screen } from './all-screens.ts';
import { expect } from './fixtures.ts';

export async function openScreen(page: Page, screen: Screen): Promise<void> {
  await page.goto(screen.path);
  await expectShown(page, screen);
}

/** Waits until the screen has its content and is not loading. */
export async function expectShown(page: Page, { path, shows }: Screen): Promise<void> {
  expect(await page.evaluate<string[]>(`(${waitUntilShown})(${JSON.stringify(shows)})`), path).toEqual([]);
}

/**
 * Runs in the page, which detects at once that it is complete; the test runner would poll with growing delays. Includes
 * the values of fields. @returns what is missing
 */
const waitUntilShown = `async (shows) => {
  const findMissing = () => {
    const headings = document.querySelectorAll('h1').length;
    const main = document.querySelector('main');
    const text = [main?.innerText ?? '', ...[...main?.querySelectorAll('input') ?? []].map((input) => input.value)].join(' ');
    const busy = document.querySelector('[aria-busy=true]');
    return [
      ...(headings === 1 ? [] : ['it has ' + headings + ' h1']),
      ...(text.includes(shows) ? [] : ['it shows no “' + shows + '” but: ' + text.slice(0, 300)]),
      ...(busy === null ? [] : ['still loads: ' + busy.outerHTML.slice(0, 100)]),
    ];
  };
  const start = performance.now();
  let missing = findMissing();
  while (missing.length > 0 && performance.now() - start < 40_000) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    missing = findMissing();
  }
  return missing;
}`;
