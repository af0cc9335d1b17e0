import type { Page } from '@playwright/test';
import { newPerson } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import {
  choose,
  chooseInRow,
  drawer,
  expectImage,
  fillAddress,
  nextResponse,
  pressCreate,
  readDownload,
  takeImage,
} from './steps.ts';

test('the profile has a photo, addresses and links', async ({ page, person, organization }) => {
  await test.step('the profile saves together, and a photo can be removed', async () => {
    await page.goto('/me/profile');
    const name = page.getByLabel('Full name');
    await expect(name).toHaveValue(person.name);
    await name.fill('Mina Harker');
    await page.getByLabel('Website').fill('not a web address');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByLabel('Website')).toHaveAccessibleDescription(
      /Enter a web address such as https:\/\/example\.com\./,
    );
    await expect(page.getByLabel('Website')).toBeFocused();
    await page.getByLabel('Website').fill('https://harker.example');
    await page.getByLabel('Phone').fill('+49 30 901820');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(/^Saved \d/)).toBeVisible();

    const photo = page.getByRole('group', { name: 'Photo' });
    const shown = photo.locator('img');
    await expect(shown).toHaveCount(0);
    await photo
      .locator('input[type=file]')
      .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('This is no image') });
    await expect(photo.getByRole('alert')).toContainText('This file can’t be used as an image.');
    await photo.locator('input[type=file]').setInputFiles(await takeImage(page));
    await expect(shown).toHaveAttribute('src', /^\/api\/storage\/avatars\//);
    // The account menu shows it as well.
    const account = page.getByRole('button', { name: 'Your account, language and theme' });
    await expect(account.locator('img')).toBeVisible();
    await page.reload();
    await expect(name).toHaveValue('Mina Harker');
    await expect(page.getByLabel('Phone')).toHaveValue('+49 30 901820');
    await expectImage(shown);
    const address = await shown.getAttribute('src');

    await photo.getByRole('button', { name: 'Remove' }).click();
    await expect(shown).toHaveCount(0);
    await expect(account.locator('img')).toHaveCount(0);
    expect((await page.request.get(address!)).status()).toBe(404);
  });

  await test.step('addresses and links can be added, changed, deleted and restored', async () => {
    await page.goto('/me/addresses');
    await expect(page.getByText('No addresses yet')).toBeVisible();
    await page.getByRole('button', { name: 'Add address' }).click();
    await drawer(page).getByRole('button', { name: 'Add address' }).click();
    await expect(drawer(page).getByLabel('Street and number')).toHaveAccessibleDescription(/Required\./);
    await fillAddress(page, { line1: 'Unter den Linden 1', city: 'Berlin', country: 'Germany' });
    await drawer(page).getByRole('button', { name: 'Add address' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Unter den Linden 1' });
    await expect(row).toContainText('Germany');
    await page.getByRole('button', { name: 'Unter den Linden 1', exact: true }).click();
    await drawer(page).getByLabel('Street and number').fill('Unter den Linden 2');
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    const changed = page.getByRole('row').filter({ hasText: 'Unter den Linden 2' });
    await expect(changed).toBeVisible();
    await chooseInRow(page, 'Unter den Linden 2', 'Delete');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await page.reload();
    await expect(changed).toContainText('Berlin');
    const addressDeleted = nextResponse(page, 'DELETE', /addresses/);
    await chooseInRow(page, 'Unter den Linden 2', 'Delete');
    await expect(page.getByText('Address “Unter den Linden 2” deleted')).toBeVisible();
    await addressDeleted;
    await page.reload();
    await expect(page.getByText('No addresses yet')).toBeVisible();

    await page.getByRole('link', { name: 'Links' }).click();
    await pressCreate(page, 'Add link');
    await choose(page, 'Platform', 'Mastodon');
    await drawer(page).getByLabel('URL').fill('https://social.example/@mina');
    await drawer(page).getByRole('button', { name: 'Add link' }).click();
    const link = page.getByRole('link', { name: /^https:\/\/social\.example\/@mina/ });
    await expect(link).toHaveAttribute('rel', /noopener/);
    const linkDeleted = nextResponse(page, 'DELETE', /socials/);
    await chooseInRow(page, 'Mastodon', 'Delete');
    await linkDeleted;
    await page.reload();
    await expect(page.getByText('No links yet')).toBeVisible();
  });

  await test.step('pictures are cached for a day and cleared on sign-out (TEN-12)', async () => {
    await page.goto(`/o/${organization.id}/settings`);
    const logo = page.getByRole('group', { name: 'Logo' }).locator('img');
    await page.locator('input[type=file]').setInputFiles(await takeImage(page));
    await expect(logo).toHaveAttribute('src', /^\/api\/storage\/logos\//);
    await expectImage(logo);
    const address = (await logo.getAttribute('src')) ?? '';
    await page.reload();
    await expectImage(logo);
    const bytesFromServer = () =>
      page.evaluate(
        (url) =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => name.endsWith(url))
            .map((entry) => (entry as unknown as { transferSize: number }).transferSize),
        address,
      );
    await expect.poll(async () => Math.max(...(await bytesFromServer()))).toBe(0);

    await page.getByRole('button', { name: 'Your account, language and theme' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    expect(await page.evaluate(async (url) => (await fetch(url)).status, address)).toBe(401);
  });
});

/** Signs in with an existing account, in this browser. */
async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/sign-in?next=/me/sessions');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/me/sessions');
}

test('preferences and sessions hold in every browser', async ({
  page,
  person,
  api,
  organization,
  newVisitor,
}) => {
  const other = await newVisitor();
  const changed = { ...person, password: `another ${person.password}` };

  await test.step('a new password or a click ends other sessions', async () => {
    await signIn(other, person);
    const others = other.getByRole('heading', { level: 1, name: 'Sessions' });
    await expect(others).toBeVisible();

    await page.goto('/me/password');
    const current = page.getByLabel('Current password');
    await current.fill('not the password');
    await page.getByLabel('New password', { exact: true }).fill(changed.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(current).toHaveAccessibleDescription('This is not your current password.');
    await expect(current).toBeFocused();
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue(changed.password);
    await current.fill(person.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Your password has been changed.')).toBeVisible();
    await expect(page.getByText('You were signed out of 1 other session.')).toBeVisible();
    await other.reload();
    await expect(other).toHaveURL(/\/sign-in\?next=/);

    await signIn(other, changed);
    await expect(others).toBeVisible();
    await page.getByRole('link', { name: 'Sessions' }).click();
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await expect(rows).toHaveCount(3);
    await expect(rows.filter({ hasText: 'This session' })).toHaveCount(1);
    await rows
      .filter({ hasNotText: 'This session' })
      .getByRole('button', { name: /^More actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(rows).toHaveCount(2);
    await other.reload();
    await expect(other).toHaveURL(/\/sign-in\?next=/);
    await page.reload();
    await expect(rows).toHaveCount(2);
  });

  await test.step('preferences apply at once in every browser', async () => {
    const html = page.locator('html');
    await page.goto('/me/preferences');
    await expect(html).toHaveAttribute('lang', 'en');
    await page.evaluate('window.__loadedOnce = true');
    const pick = async (group: string, choice: string) =>
      await page.getByRole('radiogroup', { name: group }).getByText(choice, { exact: true }).click();
    await pick('Theme', 'Dark');
    await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await pick('Density', 'Compact');
    await expect(html).toHaveAttribute('data-density', 'compact');
    await pick('Language', 'Deutsch');
    await expect(page.getByRole('heading', { level: 1, name: 'Persönliche Einstellungen' })).toBeVisible();
    await expect(html).toHaveAttribute('lang', 'de');
    expect(await page.evaluate('window.__loadedOnce'), 'without loading the page anew').toBe(true);
    await expect
      .poll(() => api.get('/me/preferences'))
      .toMatchObject({ language: 'de', theme: 'dark', density: 'compact' });

    await signIn(other, changed);
    for (const where of [page, other]) {
      await where.goto(`/o/${organization.id}/clients`);
      await expect(where.getByRole('heading', { level: 1, name: 'Kunden' })).toBeVisible();
      await expect(where.locator('html')).toHaveAttribute('lang', 'de');
      await expect(where.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
      await expect(where.locator('html')).toHaveAttribute('data-density', 'compact');
    }
  });
});

test('personal data can be downloaded, and the account deleted', async ({
  page,
  person,
  api,
  organization,
  server,
}) => {
  await test.step('sensitive actions need a fresh sign-in and then continue', async () => {
    await page.goto('/me/data');
    await expect(page.getByRole('heading', { name: 'Download your data' })).toBeVisible();
    await runSql(
      server.databaseUrl,
      `update sessions set created_at = now() - interval '61 minutes'
        where user_id = (select id from users where email = $1)`,
      [person.email],
    );
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await dialog.getByLabel('Password', { exact: true }).fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    expect(await readDownload(await download)).toContain(person.email);
  });

  await test.step('personal data can be downloaded and the account deleted', async () => {
    await page.goto('/me/data');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const stored = await readDownload(await download);
    expect(() => JSON.parse(stored) as unknown).not.toThrow();
    expect(stored).toContain(person.email);
    expect(stored).toContain(organization.name);

    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account permanently?' });
    const typed = dialog.getByRole('textbox');
    await typed.fill(newPerson().email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(typed).toHaveAccessibleDescription(/This is not your email address\./);
    await typed.fill(person.email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(dialog.getByRole('alert')).toContainText('You are the last owner');
    await expect(dialog.getByRole('link', { name: organization.name })).toBeVisible();

    await api.delete(`/organizations/${organization.id}`);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByText('Your account and your personal data have been deleted.')).toBeVisible();
    await page.getByLabel('Email address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toContainText('Email and password don’t match.');
  });
});
