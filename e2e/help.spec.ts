import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findAccessibilityFaults } from './accessibility.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { helpOperatorEmail } from './server.ts';
import { mainNavigation } from './steps.ts';

interface Category {
  faqs: { title: string; screens: string[] }[];
}

test('anybody can read and search the help in both languages', async ({ page }) => {
  await page.goto('/help/faq');
  await expect(page).toHaveURL(/\/help#questions$/);
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('SPF record');
  await expect(page.getByRole('status').filter({ hasText: /match/ })).toBeVisible();
  await page.getByRole('button', { name: 'I already have an SPF record' }).click();
  await expect(page.getByText('two of them make both invalid')).toBeVisible();

  await page.getByRole('link', { name: 'Sending domains' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sending domains' })).toBeVisible();
  await expect(page).toHaveTitle('Sending domains · Reachout');
  await expect(page.getByRole('main')).toContainText('signs your messages');
  await page.getByText('Deutsch', { exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Versanddomains' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');

  await page.goto('/help/nobody-wrote-this');
  await expect(page.getByRole('heading', { level: 1, name: 'Nicht gefunden' })).toBeVisible();
  // The privacy notice is a draft until the operator completes it.
  await page.goto('/help/privacy');
  await expect(page.getByRole('heading', { level: 1, name: 'Nicht gefunden' })).toBeVisible();
});

test('the help beside a screen lists what is asked there and stays open', async ({
  page,
  api,
  organization,
}) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  const categories = await api.get<Category[]>('/faq_categories?locale=en');
  const listed = (screen: string) =>
    categories.flatMap(({ faqs }) => faqs.filter(({ screens }) => screens.includes(screen)));
  const panel = page.getByRole('complementary', { name: 'Help' });
  const questions = panel.getByRole('region', { name: 'About this screen' }).locator('h4');
  const expectListed = (screen: string) =>
    expect(questions).toHaveText(listed(screen).map(({ title }) => title));

  await page.goto(`/o/${organization.id}/contacts`);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await expect(panel.getByRole('searchbox')).toBeFocused();
  await expectListed('contacts');
  expect(await findAccessibilityFaults(page, true)).toEqual([]);
  await mainNavigation(page).getByRole('link', { name: 'Domains' }).click();
  await expectListed('domains');

  // A page of the help opens in place.
  await panel.getByRole('searchbox').fill('several machines');
  await panel
    .getByRole('region', { name: 'Pages' })
    .getByRole('button', { name: 'Running on several machines' })
    .click();
  await expect(panel.getByRole('heading', { level: 3, name: 'Running on several machines' })).toBeVisible();
  await expect(page).toHaveURL(/\/domains$/);

  await page.reload();
  await expectListed('domains');

  // Without room beside the page it waits until it is asked for; once shown, it stays.
  const button = page.getByRole('button', { name: 'Help', exact: true });
  await page.setViewportSize({ width: 1_200, height: 900 });
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
  await page.reload();
  await expect(mainNavigation(page)).toBeVisible();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.reload();
  await expectListed('domains');
  await panel.getByRole('searchbox').press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeFocused();
});

test('an operator writes in both languages, and readers see what is published', async ({
  page,
  person,
  server,
  newBrowser,
}) => {
  await runSql(server.databaseUrl, 'update users set email = $1 where email = $2', [
    helpOperatorEmail,
    person.email,
  ]);
  const name = `note-${randomUUID().slice(0, 8)}`;
  await page.goto('/operator/help');
  await page.getByRole('button', { name: 'New page' }).click();
  await page.getByRole('dialog').getByLabel('Name in the address').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();

  const english = page.getByRole('group', { name: 'English' });
  const german = page.getByRole('group', { name: 'Deutsch' });
  await english.getByLabel('Title').fill(`Notes ${name}`);
  await english
    .getByLabel('Text')
    .fill('Some **bold** words, <b>markup</b> and [a link](javascript:alert(1)).');
  await expect(english.getByRole('region').locator('strong')).toHaveText('bold');
  await expect(english.getByRole('region')).toContainText('<b>markup</b> and a link.');
  await expect(english.getByRole('region').getByRole('link')).toHaveCount(0);
  await german.getByLabel('Title').fill(`Notizen ${name}`);
  await german.getByLabel('Text').fill('Noch nicht fertig.');
  await english.getByLabel('Draft').uncheck();
  expect(await findAccessibilityFaults(page, true)).toEqual([]);
  await saveAll(page);

  // The German text is a draft: German readers get the English one, which says so.
  const { page: reader, context } = await newBrowser();
  await context.clearCookies();
  await reader.goto(`/help/${name}`);
  await expect(reader.getByRole('heading', { level: 1, name: `Notes ${name}` })).toBeVisible();
  await reader.getByText('Deutsch', { exact: true }).click();
  await expect(reader.getByText('Diesen Text gibt es bisher nur auf Englisch.')).toBeVisible();
  await expect(reader.locator('[lang=en]').filter({ hasText: 'bold' })).toBeVisible();
  await german.getByLabel('Draft').uncheck();
  await saveAll(page);
  await reader.reload();
  await expect(reader.getByRole('heading', { level: 1, name: `Notizen ${name}` })).toBeVisible();

  // What was typed stays when somebody else has saved meanwhile.
  await german.getByLabel('Title').fill('Mein Titel');
  await runSql(
    server.databaseUrl,
    `update contents set title = 'Anderer Titel', updated_at = now() where name = $1 and locale = 'de'`,
    [name],
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Somebody else has changed this meanwhile')).toBeVisible();
  await expect(german.getByLabel('Title')).toHaveValue('Mein Titel');
  await page.getByRole('button', { name: 'Load the other version' }).click();
  await expect(german.getByLabel('Title')).toHaveValue('Anderer Titel');

  await page.getByRole('link', { name: 'All of the help' }).click();
  const up = page.getByRole('button', { name: `Move Notes ${name} up` });
  await up.press('Enter');
  await expect(page.getByText(new RegExp(`^Notes ${name} is number \\d+ of \\d+\\.$`))).toBeAttached();
  await expect(up).toBeFocused();
  await page.getByRole('button', { name: `More actions for Notes ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: `Notes ${name}` })).toHaveCount(0);

  // A released entry that an operator has changed can be reset.
  await page.goto('/operator/help/imprint');
  await english.getByLabel('Title').fill('Our imprint');
  await saveAll(page);
  await page.getByRole('link', { name: 'All of the help' }).click();
  const imprint = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Our imprint' }) });
  await expect(imprint).toContainText('Changed');
  await imprint.getByRole('button', { name: 'More actions for Our imprint' }).click();
  await page.getByRole('menuitem', { name: 'Reset' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByRole('link', { name: 'Our imprint' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Imprint', exact: true })).toBeVisible();

  await page.goto('/operator/help/no-category/no-question');
  await expect(page).toHaveTitle(/^Not found · /);
  await reader.reload();
  await expect(reader.getByRole('heading', { level: 1, name: 'Nicht gefunden' })).toBeVisible();
});

/** Saves the form, and waits until nothing is unsaved. */
async function saveAll(page: Page): Promise<void> {
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(save).toHaveCount(0);
}
