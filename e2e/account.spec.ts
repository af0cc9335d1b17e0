import { readMail } from './api.ts';
import { expect, openContext, test } from './fixtures.ts';

test('somebody whose session has ended signs in over the page, and what was typed is still there', async ({
  page,
  context,
  person,
}) => {
  await page.goto('/me/profile');
  await page.getByLabel('Company (optional)').fill('Nordwind');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog).toContainText(person.email);
  await dialog.getByLabel('Password', { exact: true }).fill('not the password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog.getByRole('alert')).toContainText('This password is not right.');
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Company (optional)')).toHaveValue('Nordwind');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Profile saved' })).toBeVisible();
});

test('a sign-out empties every tab of the browser (TEN-12)', async ({ page, context, person }) => {
  const second = await context.newPage();
  await page.goto('/me/profile');
  await second.goto('/me/profile');
  await expect(second.getByText(person.email)).toBeVisible();
  await page.getByRole('button', { name: 'Your account, language and theme' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  for (const tab of [page, second]) {
    await expect(tab.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await expect(tab.getByText(person.email)).toHaveCount(0);
  }
});

test('a tab starts anew when another account signs in beside it (TEN-12)', async ({
  page,
  context,
  person,
  newBrowser,
}) => {
  const { person: other } = await newBrowser();
  await page.goto('/me/profile');
  await expect(page.getByText(person.email)).toBeVisible();
  await context.clearCookies();
  const second = await context.newPage();
  await second.goto('/sign-in');
  await second.getByLabel('Email address').fill(other.email);
  await second.getByLabel('Password', { exact: true }).fill(other.password);
  await second.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/organizations');
  await page.getByRole('button', { name: 'Your account, language and theme' }).click();
  await expect(page.getByText(other.email)).toBeVisible();
  await expect(page.getByText(person.email)).toHaveCount(0);
});

test('preferences apply at once, and in the next browser', async ({ page, browser, server, person }) => {
  await page.goto('/me/preferences');
  await page.getByText('Deutsch', { exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible();
  await page.getByText('Dunkel', { exact: true }).click();
  await page.getByText('Kompakt', { exact: true }).click();
  const scheme = (shown: typeof page) =>
    shown.locator('html[data-mantine-color-scheme=dark][data-density=compact]');
  await expect(scheme(page)).toHaveCount(1);

  const context = await openContext(browser, server);
  const elsewhere = await context.newPage();
  await elsewhere.goto('/sign-in?next=%2Fme%2Fpreferences');
  await elsewhere.getByLabel('Email address').fill(person.email);
  await elsewhere.getByLabel('Password', { exact: true }).fill(person.password);
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible();
  await expect(scheme(elsewhere)).toHaveCount(1);
  await context.close();
});

test('a code from the mailbox of this machine signs in', async ({ page, context, person, server }) => {
  await context.clearCookies();
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(person.email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible();
  const { text } = await readMail(page.request, server, person.email, 'Your sign-in code');
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
  await page.keyboard.type(code === '000000' ? '000001' : '000000');
  await expect(page.getByRole('alert')).toContainText('This is not the code.');
  await page.keyboard.type(code);
  await expect(page.getByRole('heading', { level: 1, name: 'Your organizations' })).toBeVisible();
});
