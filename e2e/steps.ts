import { text as readText } from 'node:stream/consumers';
import { expect, type Download, type Locator, type Page, type Response } from '@playwright/test';

/** Chooses an entry of a field whose list opens on a click. */
export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

/** The one form that is open at the side. */
export const drawer = (page: Page): Locator => page.getByRole('dialog');

/** Fills the only field of a form at the side and submits it. */
export async function fillNameDrawer(page: Page, label: string, name: string, submit: string): Promise<void> {
  await drawer(page).getByLabel(label).fill(name);
  await drawer(page).getByRole('button', { name: submit }).click();
}

export const mainNavigation = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

/** Replaces all that stands in the code editor. */
export async function typeIntoCodeEditor(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'MJML source' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** A number of the breakdown, by the words beside it. */
export const breakdownNumber = (page: Page, words: string): Locator =>
  page.locator('dl > div').filter({ hasText: words }).locator('dd');

/** A tile of the statistics: its metric and what stands below. */
export const tile = (page: Page, name: string): Locator =>
  page
    .getByRole('region', { name: 'Email performance' })
    .locator('dl > *')
    .filter({ has: page.locator('dt', { hasText: name }) });

/** What the chart's table adds up to, by column. */
export async function chartTotals(page: Page): Promise<Record<string, number>> {
  const chart = page.getByRole('region', { name: 'Over time' });
  await chart.getByText('Table', { exact: true }).click();
  const rows = await chart
    .getByRole('row')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent)),
    );
  const [heading = [], ...body] = rows;
  return Object.fromEntries(
    heading.slice(1).map((name, index) => [name, body.reduce((sum, row) => sum + Number(row[index + 1]), 0)]),
  );
}

/** In the mailbox of this machine: opens the mail, as soon as it is there. */
export async function openMail(mailbox: Page, recipient: string, subject: string): Promise<void> {
  await mailbox.getByLabel('Search by address or subject').fill(recipient);
  await mailbox.getByRole('row').filter({ hasText: recipient }).getByRole('link', { name: subject }).click();
  await expect(mailbox.getByRole('heading', { level: 1, name: subject })).toBeVisible();
}

/**
 * Goes to another page as the links of the app do, which takes a fraction of the time of loading it anew. It is there
 * afterwards, and nothing of the page before is.
 */
export async function visit(page: Page, path: string): Promise<void> {
  // The app has begun: what it is told before, it does while its first page is still on its way.
  await expect(page.locator('h1').first()).toBeVisible();
  await page.evaluate<void>(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
}

/**
 * Presses the button of a list that makes something new. It is in the head while the list loads, and gives way to that of
 * the empty list: a click just then would be lost.
 */
export async function pressCreate(page: Page, name: string): Promise<void> {
  const button = page.getByRole('main').getByRole('button', { name, exact: true }).first();
  await expect(button).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await button.click();
}

/** To be called before what it waits for: a row goes, and a preference applies, before the server knows. */
export const nextResponse = (page: Page, method: string, path: RegExp): Promise<Response> =>
  page.waitForResponse(
    (response) => response.request().method() === method && path.test(new URL(response.url()).pathname),
  );

/** An entry of the menu of a row. */
export async function chooseInRow(page: Page, row: string, entry: string): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('button', { name: `More actions for ${row}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

export const readDownload = async (download: Download): Promise<string> =>
  await readText(await download.createReadStream());

/** Fills the form of an address. */
export async function fillAddress(
  page: Page,
  address: { line1: string; city: string; country: string },
): Promise<void> {
  await drawer(page).getByLabel('Street and number').fill(address.line1);
  await drawer(page).getByLabel('City').fill(address.city);
  await drawer(page).getByRole('combobox', { name: 'Country' }).fill(address.country);
  await page.getByRole('option', { name: address.country, exact: true }).click();
}

/** In pixels. */
export const highestOf = (rows: Locator): Promise<number> =>
  rows.evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().height)));

/** A real picture to upload: of what the browser shows. */
export async function takeImage(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 48 } });
  return { name: 'picture.png', mimeType: 'image/png', buffer };
}

/** The picture has come, and is one. */
export const expectImage = (image: Locator): Promise<void> =>
  expect
    .poll(
      async () => await image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth),
    )
    .toBeGreaterThan(0);
