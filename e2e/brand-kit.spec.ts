import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';
import { goTo, takeImage } from './steps.ts';

test('the brand kit previews changes and applies to every email', async ({ page, api, organization }) => {
  const { brandId, touchpointId } = await prepareEmail(api, organization.id, {});
  const at = `/o/${organization.id}`;
  await goTo(page, `${at}/touchpoints/${touchpointId}/email`);
  const start = page.getByRole('dialog', { name: 'Start over' });
  const pictureOf = (name: RegExp) => start.getByRole('button', { name }).frameLocator('iframe');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(pictureOf(/^Nordwind letter/).getByText('this is Nordwind.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Fix: Postal address and imprint' }).click();
  await expect(page).toHaveURL(`${at}/brands/${brandId}/kit#legal`);

  // Each color has a name as text; both themes are shown.
  await expect(page.getByRole('radiogroup', { name: 'Color' }).getByRole('radio')).toHaveCount(12);
  await page.getByRole('radio', { name: 'Magenta' }).check();
  await page.getByLabel('Brand name').fill('Nordwind Sea');
  await page.getByLabel('Postal address').fill('Nordwind GmbH\n20457 Hamburg');
  await page.getByLabel('Imprint link').fill('nordwind');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Nordwind GmbH · 20457 Hamburg')).toHaveCount(2);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a web address').first()).toBeVisible();
  await page.getByLabel('Imprint link').fill('https://nordwind.example/imprint');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^Saved/)).toBeVisible();
  const dark = page.getByRole('group', { name: 'Logo for dark backgrounds' });
  await dark.locator('input[type=file]').setInputFiles(await takeImage(page));
  await expect(dark.locator('img')).toHaveAttribute('src', /^\/api\/storage\/logos\//);

  // Thumbnails that were shown before are drawn anew.
  await page.goBack();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(pictureOf(/^Nordwind letter/).getByText('this is Nordwind Sea')).toBeVisible();

  const edge = page.locator('#page-crumbs [data-brand-color=magenta]');
  await goTo(page, `${at}/touchpoints/${touchpointId}/email`);
  await expect(page.getByText('The brand has a postal address and an imprint.')).toBeVisible();
  await expect(page.getByText('Add {{ brand.postal_address }} to its content.')).toBeVisible();
  await expect(edge).toBeVisible();
  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toContainText('Nordwind');
  const send = dialog.getByRole('button', { name: /^Send to/ });
  await expect(send).toHaveCSS('background-color', 'rgb(177, 27, 156)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(send).toHaveCSS('background-color', 'rgb(238, 122, 215)');
  await expect(send).toHaveCSS('color', 'rgb(18, 22, 29)');
});
