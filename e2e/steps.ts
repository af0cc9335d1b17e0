import type { Locator, Page } from '@playwright/test';

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
  await page.getByRole('textbox', { name: 'MJML source of this template' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** A number of the funnel, by the words beside it. */
export const funnelNumber = (page: Page, words: string): Locator =>
  page.locator('dl > div').filter({ hasText: words }).locator('dd');

/** A tile of the statistics: its figure and what stands below. */
export const tile = (page: Page, name: string): Locator =>
  page
    .getByRole('region', { name: 'Numbers of this email' })
    .locator('dl > *')
    .filter({ has: page.locator('dt', { hasText: name }) });
