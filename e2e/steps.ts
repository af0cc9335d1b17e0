import { text as readText } from 'node:stream/consumers';
import { expect, type Download, type Locator, type Page, type Response } from '@playwright/test';
import { isEmpty } from './kept-contexts.ts';

/** Chooses an option of a select field. */
export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

/** The only open drawer. */
export const drawer = (page: Page): Locator => page.getByRole('dialog');

/** Fills the only field of a drawer and submits it. */
export async function fillNameDrawer(page: Page, label: string, name: string, submit: string): Promise<void> {
  await drawer(page).getByLabel(label).fill(name);
  await drawer(page).getByRole('button', { name: submit }).click();
}

export const mainNavigation = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

/** Replaces the content of the code editor. */
export async function typeIntoCodeEditor(page: Page, text: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Code', { exact: true }).click();
  await page.getByRole('textbox', { name: 'MJML source' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** A number of the audience breakdown, by its label. */
export const breakdownNumber = (page: Page, words: string): Locator =>
  page.locator('dl > div').filter({ hasText: words }).locator('dd');

/** A tile of the statistics, with its metric and the details below. */
export const tile = (page: Page, name: string): Locator =>
  page
    .getByRole('region', { name: 'Email performance' })
    .locator('dl > *')
    .filter({ has: page.locator('dt', { hasText: name }) });

/** @returns the last row of the chart's table, by column: the totals since the email was sent */
export async function chartTotals(page: Page): Promise<Record<string, number>> {
  const chart = page.getByRole('region', { name: 'Over time' });
  await chart.getByText('Table', { exact: true }).click();
  const rows = await chart
    .getByRole('row')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent)),
    );
  const [heading = [], ...body] = rows;
  return Object.fromEntries(heading.slice(1).map((name, index) => [name, Number(body.at(-1)?.[index + 1])]));
}

/** Opens an email in the system mailbox, as soon as it has arrived. */
export async function openMail(mailbox: Page, recipient: string, subject: string): Promise<void> {
  await mailbox.getByLabel('Search by address or subject').fill(recipient);
  await mailbox.getByRole('row').filter({ hasText: recipient }).getByRole('link', { name: subject }).click();
  await expect(mailbox.getByRole('heading', { level: 1, name: subject })).toBeVisible();
}

/**
 * Navigates to another page as the app's links do, which takes a fraction of the time of a page load. Resolves when the
 * new page has replaced the previous one.
 */
export async function visit(page: Page, path: string): Promise<void> {
  // Waits for the app to start: an earlier navigation would run while its first page is still loading.
  await expect(page.locator('h1').first()).toBeVisible();
  await page.evaluate<void>(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
}

/**
 * Opens a page with all its data read again, as a load does. Where the app runs and shows another page, it is not started again:
 * that would take twice the CPU time. A form with unsaved changes would ask about them, and keep the page.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  if (isEmpty(page) || new URL(path, page.url()).pathname === new URL(page.url()).pathname)
    await page.goto(path);
  else {
    await expect(page.locator('h1').first()).toBeVisible();
    await page.evaluate<void>(`(async () => {
      const { queryClient } = __TSR_ROUTER__.options.context;
      queryClient.removeQueries({ type: 'inactive' });
      await queryClient.invalidateQueries();
      await __TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} });
    })()`);
  }
}

/**
 * Clicks the create button of a list. While the list loads, the button is in the header; that of the empty list can
 * replace it, and a click at that time would be lost.
 */
export async function pressCreate(page: Page, name: string): Promise<void> {
  const button = page.getByRole('main').getByRole('button', { name, exact: true }).first();
  await expect(button).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await button.click();
}

/** Call before the action: rows disappear, and preferences apply, before the server responds. */
export const nextResponse = (page: Page, method: string, path: RegExp): Promise<Response> =>
  page.waitForResponse(
    (response) => response.request().method() === method && path.test(new URL(response.url()).pathname),
  );

/** Chooses an entry in the menu of a row. */
export async function chooseInRow(page: Page, row: string, entry: string): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('button', { name: `More actions for ${row}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

export const readDownload = async (download: Download): Promise<string> =>
  await readText(await download.createReadStream());

/** Fills the address form. */
export async function fillAddress(
  page: Page,
  address: { line1: string; city: string; country: string },
): Promise<void> {
  await drawer(page).getByLabel('Street and number').fill(address.line1);
  await drawer(page).getByLabel('City').fill(address.city);
  await drawer(page).getByRole('combobox', { name: 'Country' }).fill(address.country);
  await page.getByRole('option', { name: address.country, exact: true }).click();
}

/** @returns the maximum height in pixels */
export const highestOf = (rows: Locator): Promise<number> =>
  rows.evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().height)));

/** @returns a real image to upload: a screenshot of the page */
export async function takeImage(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 48 } });
  return { name: 'picture.png', mimeType: 'image/png', buffer };
}

/** Waits until the image is loaded and decoded. */
export const expectImage = (image: Locator): Promise<void> =>
  expect
    .poll(
      async () => await image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth),
    )
    .toBeGreaterThan(0);
