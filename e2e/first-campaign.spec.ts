import type { Page } from '@playwright/test';
import { mjmlWithLink, newPerson } from './api.ts';
import { endWaitingTime, runSql } from './database.ts';
import { expect, signUp, test } from './fixtures.ts';
import {
  breakdownNumber,
  chartTotals,
  choose,
  drawer,
  fillNameDrawer,
  goTo,
  mainNavigation,
  pressCreate,
  tile,
  typeIntoCodeEditor,
} from './steps.ts';
import { startWebsite } from './web-server.ts';

/** Six contacts; lines 4, 6 and 8 are invalid. Two are from Germany, one of them has unsubscribed. */
const contactsCsv = [
  'email,first_name,country,birthday,unsubscribed',
  'ada@contacts.example,Ada,GB,1990-12-10,false',
  'konrad@contacts.example,Konrad,DE,22.06.1985,false',
  ',Nobody,DE,,false',
  'emmy@contacts.example,Emmy,DE,1982-03-23,false',
  'lise@contacts.example,Lise,DE,someday,false',
  'carl@contacts.example,Carl,DE,1977-04-30,true',
  'not-an-address,Max,DE,,false',
  'maria@contacts.example,Maria,DE,,no',
].join('\r\n');

test('a new user can sign up, send an email and read its results', async ({ page, server }) => {
  test.setTimeout(300_000);
  const shop = await startWebsite();

  await test.step('sign up and create an organization', async () => {
    await signUp(page, server, newPerson('Robin Tester'));
    await expect(
      page.getByRole('heading', { level: 1, name: 'Your organization', exact: true }),
    ).toBeVisible();
    await page.getByLabel('Organization name').fill('Rotkehlchen agency');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Invite your team' })).toBeVisible();
    await page.getByRole('button', { name: 'Skip' }).click();
    await expect(page.getByText('Get ready to send')).toBeVisible();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page.getByText('Get ready to send')).toBeVisible();
  });

  await test.step('add a client and a brand', async () => {
    await mainNavigation(page).getByRole('link', { name: 'Clients' }).click();
    await pressCreate(page, 'New client');
    await fillNameDrawer(page, 'Client name', 'Nordwind Outdoor', 'New client');
    await expect(page.getByRole('heading', { level: 1, name: 'Nordwind Outdoor' })).toBeVisible();
    await pressCreate(page, 'New brand');
    await drawer(page).getByRole('radio', { name: 'Everyone' }).click();
    await fillNameDrawer(page, 'Brand name', 'Nordwind', 'New brand');
    await page.getByRole('link', { name: 'Nordwind', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Nordwind', exact: true })).toBeVisible();
  });

  await test.step('create a campaign and an email in it', async () => {
    await pressCreate(page, 'New campaign');
    await fillNameDrawer(page, 'Campaign name', 'Spring 2027', 'New campaign');
    await expect(page.getByRole('heading', { level: 1, name: 'Spring 2027' })).toBeVisible();
    await pressCreate(page, 'Add touchpoint');
    await fillNameDrawer(page, 'Touchpoint name', 'Spring newsletter', 'Create touchpoint');
    await expect(page.getByRole('heading', { level: 1, name: 'Spring newsletter' })).toBeVisible();
  });
  const workspace = page.url().replace(/\/email$/, '');

  await test.step('import contacts; bad rows are told with line and reason, good ones are kept', async () => {
    await mainNavigation(page).getByRole('link', { name: 'Contacts' }).click();
    // Wait: the empty list, which has the same button, replaces the toolbar.
    await expect(page.getByText('No contacts yet')).toBeVisible();
    await page.getByRole('link', { name: 'Import' }).click();
    await page
      .getByLabel('Drop a CSV or JSON file here, or click to choose one')
      .setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(contactsCsv) });
    await expect(page.getByRole('cell', { name: 'ada@contacts.example' }).first()).toBeVisible();
    // What is still open is above the visible part of the page.
    await page.getByRole('button', { name: 'Check file' }).click();
    await expect(page.getByRole('combobox', { name: 'Whose contacts are these?' })).toBeFocused();
    await choose(page, 'Whose contacts are these?', 'Shared by all clients');
    await expect(page.getByRole('combobox', { name: 'Maps to: first_name' })).toHaveValue('first_name');
    await page
      .getByRole('combobox', { name: 'If a value can’t be read: birthday' })
      .selectOption('Reject the row');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: 'Import 5 rows' }).click();
    await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible();
    await expect(metric(page, 'New')).toHaveText('5');
    await expect(metric(page, 'Rejected')).toHaveText('3');
    const rejected = page.locator('section').filter({ hasText: 'Rejected rows' }).getByRole('row');
    await expect(rejected).toHaveText([
      /Reason/,
      /^Birthday.*1Line 6: someday$/,
      /^Email.*not an email address.*1Line 8: not-an-address$/,
      /^Email.*required.*1Line 4$/,
    ]);
    await page.getByRole('link', { name: 'View Contacts' }).click();
    await expect(page.getByRole('link', { name: 'maria@contacts.example' })).toBeVisible();
    await expect(page.getByText('lise@contacts.example')).toBeHidden();
  });

  await test.step('write a template; the preview follows, and a mistake is told with its line', async () => {
    await mainNavigation(page).getByRole('link', { name: 'Templates' }).click();
    await pressCreate(page, 'New template');
    await fillNameDrawer(page, 'Title', 'Spring letter', 'New template');
    await expect(page.getByRole('heading', { level: 1, name: 'Spring letter' })).toBeVisible();
    const shown = page.frameLocator('iframe[title="Template preview"]');
    await typeIntoCodeEditor(page, mjmlWithLink(`${shop.url}/spring`).replace('brand.name }}', 'brand.name'));
    await expect(page.getByRole('alert').filter({ hasText: '1 error' })).toContainText('Line 5:');
    await typeIntoCodeEditor(page, mjmlWithLink(`${shop.url}/spring`));
    await expect(shown.getByText('Hello there, this is')).toBeVisible();
    await choose(page, 'Preview as', 'emmy@contacts.example');
    await expect(shown.getByText('Hello Emmy, this is')).toBeVisible();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(/^Saved \d/)).toBeVisible();
  });

  await test.step('save an audience; its size is counted while the rule is written', async () => {
    await mainNavigation(page).getByRole('link', { name: 'Audiences' }).click();
    await pressCreate(page, 'New audience');
    await expect(breakdownNumber(page, 'Matching contacts')).toHaveText('5');
    await page.getByLabel('Audience name').fill('Germany');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('combobox', { name: 'Field', exact: true }).selectOption('country');
    await page.getByRole('textbox', { name: 'Value' }).fill('DE');
    await expect(breakdownNumber(page, 'Matching contacts')).toHaveText('4');
    await expect(breakdownNumber(page, 'unsubscribed')).toHaveText('−1');
    await expect(breakdownNumber(page, 'Will receive the email')).toHaveText('3');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Germany' })).toBeVisible();
  });

  await test.step('write subject and sender, choose a start and an audience', async () => {
    await goTo(page, `${workspace}/email`);
    await page.getByLabel('Subject', { exact: true }).fill('{{ contact.first_name }}, spring is here');
    await page.getByLabel('Preview text').fill('Light jackets and long evenings');
    // What stands above the editor does not move it under the caret.
    const keepAsTemplate = page.getByRole('button', { name: 'Save as template' });
    await page.getByRole('textbox', { name: 'MJML source' }).press('x');
    await expect(keepAsTemplate).toBeVisible();
    const choice = page.getByRole('button', { name: 'Choose a start' });
    await expect(choice).toBeVisible();
    await page.keyboard.press('Backspace');
    await expect(keepAsTemplate).toHaveCount(0);
    await choice.click();
    const starts = page.getByRole('dialog', { name: 'Start from' });
    await starts.getByRole('button', { name: /^Spring letter/ }).click();
    await expect(starts).toBeHidden();
    await expect(page.getByRole('treeitem', { name: /^Text: Hello/ })).toBeVisible();
    await page.getByLabel('Sender address').fill('news@nordwind.example');
    await expect(page.getByText('from news@nordwind.example')).toBeVisible();
    await expect(
      page.frameLocator('iframe[title="Live preview"]').getByText('this is Nordwind'),
    ).toBeVisible();
    await choose(page, 'Audience', 'Germany');
    await expect(breakdownNumber(page, 'Will receive the email').first()).toHaveText('3');
  });

  await test.step('see it as one of the recipients', async () => {
    await choose(page, 'Preview as', 'emmy@contacts.example');
    await expect(page.getByRole('region', { name: 'Inbox preview' })).toContainText('Emmy, spring is here');
    const frame = page.frameLocator('iframe[title="Live preview"]');
    await expect(frame.getByText('Hello Emmy, this is Nordwind.')).toBeVisible();
    await page.getByRole('radiogroup', { name: 'Device' }).getByText('Text', { exact: true }).click();
    await expect(page.locator('pre')).toContainText('[Unsubscribe link]');
    await page.getByRole('button', { name: 'Send me a test' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Test to' })).toContainText('Sent');
  });

  await test.step('review and send', async () => {
    await expect(page.getByText('3 recipients in “Germany”')).toBeVisible();
    await expect(page.getByText('Ready to send, with 1 point to check')).toBeVisible();
    await page.getByRole('button', { name: 'Send now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to 3 recipients for Nordwind?' });
    await expect(dialog).toContainText('spring is here');
    await expect(dialog).toContainText('news@nordwind.example');
    await expect(dialog).toContainText('Germany');
    await expect(dialog.getByRole('alert')).toHaveText('Still to check: Postal address and imprint.');
    await expect(dialog.getByText('Starts in one minute. You can cancel until then.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Not yet' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Send to 3 recipients' }).click();
    await page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
    await expect(page.getByText(/^Starts in \d+ seconds?$/)).toBeVisible();
  });
  const sendUrl = page.url();
  const sendId = sendUrl.split('/').at(-1)!;

  await test.step('watch it go out', async () => {
    await endWaitingTime(server.databaseUrl, sendId);
    await expect(page.getByText('Sent: 3 of 3').first()).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
    await expect(
      page.getByRole('table', { name: 'Recipients' }).getByText('Sent', { exact: true }),
    ).toHaveCount(3);
  });

  await test.step('see why a contact got nothing', async () => {
    await page.getByLabel('Search by address or contact ID').fill('carl@');
    const rows = page.getByRole('table', { name: 'Recipients' }).locator('tbody').getByRole('row');
    await expect(rows).toHaveText([/^carl@contacts\.example.*Excluded.*unsubscribed/]);
  });

  await test.step('read a message in the mailbox, open it, follow its link', async () => {
    await page.getByRole('link', { name: 'Open test inbox' }).click();
    await expect(page.getByRole('link', { name: /spring is here$/ })).toHaveCount(3);
    await page.getByRole('link', { name: 'Emmy, spring is here' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Emmy, spring is here' })).toBeVisible();
    const frame = page.locator('iframe[title="Message"]');
    await expect(frame).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
    await expect(frame.contentFrame().getByText('Hello Emmy, this is Nordwind.')).toBeVisible();
    await page.getByRole('button', { name: 'Count as opened' }).click();
    await expect(page.getByRole('button', { name: 'Counted as opened' })).toBeVisible();
    const followed = page.waitForEvent('popup');
    await page.getByRole('link', { name: /^Read the offer/ }).click();
    const offer = await followed;
    await expect(offer.getByRole('heading', { name: 'Spring offer' })).toBeVisible();
    expect(offer.url()).toBe(`${shop.url}/spring`);
    await offer.close();
  });
  const messageUrl = page.url();

  await test.step('see the numbers, the same everywhere', async () => {
    await goTo(page, `${workspace}/statistics`);
    await expect(metricOf(tile(page, 'Delivered'))).toHaveText('3');
    await expect(tile(page, 'Delivered')).toContainText('of 3 attempted');
    await expect(tile(page, 'Click rate')).toContainText('1 person clicked');
    await expect(tile(page, 'Opens (approx.)')).toContainText('1 person opened');
    await expect(metricOf(tile(page, 'Click rate'))).toHaveText('33.3%');
    await expect(metricOf(tile(page, 'Unsubscribed'))).toHaveText('0');
    // The email was sent minutes ago by now, which the chart needs.
    await runSql(
      server.databaseUrl,
      `update touchpoint_sends set send_date = send_date - interval '10 minutes' where id = $1`,
      [sendId],
    );
    await page.reload();
    await expect.poll(async () => await chartTotals(page)).toEqual({ Clicked: 1, Opened: 1 });
    const links = page.getByRole('row').filter({ hasText: `${shop.url}/spring` });
    await expect(links.getByRole('cell')).toHaveText(['100%', '1', '1', '0']);
  });

  await test.step('unsubscribe: looking changes nothing, the button does', async () => {
    await page.goto(messageUrl);
    const followed = page.waitForEvent('popup');
    await page.getByRole('link', { name: /^Unsubscribe/ }).click();
    const leaving = await followed;
    await expect(leaving.getByRole('heading', { name: 'Stop emails from Nordwind?' })).toBeVisible();
    await expect(leaving.getByText('emmy@contacts.example')).toBeHidden();
    await leaving.reload();
    await expect(leaving.getByRole('button', { name: 'Unsubscribe', exact: true })).toBeVisible();
    await goTo(page, `${workspace}/statistics`);
    await expect(metricOf(tile(page, 'Unsubscribed'))).toHaveText('0');
    await leaving.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    await expect(leaving.getByRole('heading', { name: 'Unsubscribed' })).toBeVisible();
    await leaving.close();
    await page.reload();
    await expect(metricOf(tile(page, 'Unsubscribed'))).toHaveText('1');
  });

  await test.step('who unsubscribed is left out from now on', async () => {
    await mainNavigation(page).getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('link', { name: 'Spring 2027' }).click();
    await pressCreate(page, 'Add touchpoint');
    await fillNameDrawer(page, 'Touchpoint name', 'Summer newsletter', 'Create touchpoint');
    await expect(page.getByRole('heading', { level: 1, name: 'Summer newsletter' })).toBeVisible();
    await choose(page, 'Audience', 'Germany');
    await expect(breakdownNumber(page, 'Matching contacts').first()).toHaveText('4');
    await expect(breakdownNumber(page, 'Will receive the email').first()).toHaveText('2');
  });

  await shop.stop();
});

/** A number of the import's result, by its label. */
const metric = (page: Page, name: string) =>
  page
    .locator('dl > *')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');

const metricOf = (where: ReturnType<typeof tile>) => where.locator('dd').first();
