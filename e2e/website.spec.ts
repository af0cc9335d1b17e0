import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';
import { drawer, mainNavigation } from './steps.ts';

test('a website can be created, renamed, archived and deleted', async ({ page, api, organization }) => {
  const email = await prepareEmail(api, organization.id, { contacts: [] });
  const main = page.getByRole('main');
  await page.goto(`/o/${organization.id}/campaigns/${email.campaignId}`);
  await main.getByRole('button', { name: 'Add touchpoint' }).click();
  await expect(drawer(page).getByRole('radio', { name: 'Email' })).toBeChecked();
  await drawer(page).getByRole('radio', { name: 'Website' }).click();
  await drawer(page).getByLabel('Touchpoint name').fill('Spring shop');
  await drawer(page).getByRole('button', { name: 'Create touchpoint' }).click();

  await test.step('it opens with the pages that a website has', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Spring shop' })).toBeVisible();
    await expect(page).toHaveURL(/\/touchpoints\/[^/]+\/settings$/);
    const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    await expect(tabs).toHaveText(['Settings']);
    await expect(main).not.toContainText('no sender yet');
    for (const tab of ['email', 'statistics', 'sends']) {
      await page.goto(page.url().replace(/[^/]+$/, tab));
      await expect(main.getByRole('heading', { level: 2, name: 'Not found' })).toBeVisible();
    }
  });

  await test.step('it is listed beside the email of its campaign and of its brand', async () => {
    await mainNavigation(page).getByRole('link', { name: 'Touchpoints' }).click();
    // Listed below the row of their campaign, the email with an image.
    const rows = page.getByRole('table', { name: 'Touchpoints' }).getByRole('rowheader');
    await expect(rows.getByRole('link')).toHaveCount(3);
    await expect(rows.getByRole('img', { name: 'Website' })).toHaveCount(1);
    for (const list of [`brands/${email.brandId}/touchpoints`, '']) {
      await page.goto(`/o/${organization.id}/${list}`);
      await page.getByRole('main').getByRole('link', { name: 'Spring shop' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Spring shop' })).toBeVisible();
      await expect(page).toHaveURL(/\/settings$/);
    }
  });

  await test.step('it is renamed, archived and unarchived', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Summer shop');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Summer shop' })).toBeVisible();
    const archive = page.getByRole('button', { name: 'Archive', exact: true });
    const offer = page.getByRole('status').filter({ hasText: /^Archived/ });
    await archive.click();
    await expect(offer).toHaveCSS('animation-name', 'none', { pseudo: 'after' });
    await offer.getByRole('button', { name: 'Undo' }).click();
    await expect(archive).toBeVisible();
    await expect(offer).toHaveCount(0);
    // The remaining time of an undo notification is animated, unless reduced motion is preferred.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await archive.click();
    await expect(offer).toHaveCSS('animation-name', /run-out/, { pseudo: 'after' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(page.getByRole('button', { name: 'Unarchive' })).toBeVisible();
    const settings = page.url();
    await page.goto(`/o/${organization.id}/brands/${email.brandId}/touchpoints`);
    await expect(page.getByRole('link', { name: 'Nordwind news' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Summer shop' })).toHaveCount(0);
    await page.goto(settings);
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await expect(page.getByRole('button', { name: 'Archive', exact: true })).toBeVisible();
  });

  await test.step('it is deleted, and comes back', async () => {
    await page.getByRole('button', { name: 'Delete touchpoint' }).click();
    await expect(page.getByText('Touchpoint “Summer shop” deleted.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Summer shop' })).toBeVisible();
  });
});
