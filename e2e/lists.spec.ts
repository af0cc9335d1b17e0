import type { Page } from '@playwright/test';
import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';
import { drawer } from './steps.ts';

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('a row opens as a whole, as its link does, and its text can be selected', async ({
  page,
  api,
  organization,
  context,
}) => {
  const { campaignId } = await prepareEmail(api, organization.id, { contacts: [] });
  const list = `/o/${organization.id}/campaigns`;
  const record = new RegExp(`/campaigns/${campaignId}$`);
  await page.goto(list);
  const status = page.getByRole('row').filter({ hasText: 'Nordwind spring' }).getByRole('cell').first();

  const inCorner = { position: { x: 2, y: 4 } };
  for (const openApart of [
    () => status.click({ ...inCorner, button: 'middle' }),
    () => status.click({ ...inCorner, modifiers: ['ControlOrMeta'] }),
  ]) {
    const opened = context.waitForEvent('page');
    await openApart();
    const other = await opened;
    await expect(other).toHaveURL(record);
    await other.close();
    await expect(page).toHaveURL(list);
  }

  // From within the last cell of text to the left.
  const time = (await page.getByRole('row').locator('time').boundingBox())!;
  await page.mouse.move(time.x + time.width - 2, time.y + time.height / 2);
  await page.mouse.down();
  await page.mouse.move(time.x + 2, time.y + time.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(`getSelection().toString()`)).not.toBe('');
  await expect(page).toHaveURL(list);

  await page.getByRole('button', { name: 'More actions for Nordwind spring' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(list);
  await page.mouse.click(5, 5);
  await status.click(inCorner);
  await expect(page).toHaveURL(record);
  await expect(title(page)).toHaveText('Nordwind spring');
});

test('the title stands once, and stays in sight with the header of the table', async ({
  page,
  api,
  organization,
}) => {
  const { brandId: brand_id } = await prepareEmail(api, organization.id, { contacts: [] });
  const names = Array.from({ length: 12 }, (_, index) => `Campaign ${index}`);
  const organization_id = organization.id;
  await Promise.all(names.map((name) => api.post('/campaigns', { organization_id, brand_id, name })));
  await page.setViewportSize({ width: 1_280, height: 420 });
  await page.goto(`/o/${organization.id}/campaigns`);
  await expect(page.getByRole('row')).toHaveCount(14);
  const inBar = page.getByRole('banner').getByText('Campaigns', { exact: true });
  await expect(title(page)).toHaveText('Campaigns');
  await expect(inBar).toHaveCount(0);
  await page.getByRole('row').last().scrollIntoViewIfNeeded();
  await expect(inBar).toBeVisible();
  const bar = (await page.getByRole('banner').boundingBox())!;
  await expect
    .poll(async () => (await page.getByRole('columnheader').first().boundingBox())!.y)
    .toBe(bar.y + bar.height);
});

test('keys go through rows and pages, and a list of them says which', async ({ page, api, organization }) => {
  await prepareEmail(api, organization.id, { contacts: [] });
  await page.goto(`/o/${organization.id}/campaigns`);
  const row = page.getByRole('link', { name: 'Nordwind spring' });
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  await page.keyboard.press('k');
  await expect(row).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Find a client' })).toHaveCount(0);

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Next or previous row')).toBeVisible();
  const places = help.getByText('Go to').locator('xpath=..').getByRole('term');
  await expect(places).toHaveText([
    'Dashboard',
    'Clients',
    'Campaigns',
    'Touchpoints',
    'Templates',
    'Audiences',
    'Contacts',
    'Collections',
    'Test inbox',
    'Settings',
  ]);
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await expect(title(page)).toHaveText('Contacts');
  await page.getByRole('button', { name: 'Your account, language and theme' }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(help).toBeVisible();
});

test('on a phone the navigation opens from its button, and gives the focus back', async ({
  page,
  organization,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/o/${organization.id}/clients`);
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await expect(drawer(page).getByRole('link', { name: 'Campaigns' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer(page)).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.click();
  await drawer(page).getByRole('link', { name: 'Campaigns' }).click();
  await expect(title(page)).toHaveText('Campaigns');
  await expect(drawer(page)).toBeHidden();
});
