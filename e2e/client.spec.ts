import type { Locator, Page } from '@playwright/test';
import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';
import {
  choose,
  chooseInRow,
  drawer,
  expectImage,
  fillAddress,
  goTo,
  mainNavigation,
  pressCreate,
  takeImage,
} from './steps.ts';

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click();

test('a client has logos, people and addresses, and is renamed, deleted and restored', async ({
  page,
  api,
  organization,
}) => {
  const { clientId, brandId } = await prepareEmail(api, organization.id, { contacts: [] });

  await test.step('client and brand logos appear in the client list', async () => {
    const image = await takeImage(page);
    const at = `/o/${organization.id}`;
    for (const [path, name] of [
      [`clients/${clientId}/settings`, 'Logo'],
      [`brands/${brandId}/kit`, 'Logo for light backgrounds'],
    ] as const) {
      await goTo(page, `${at}/${path}`);
      const logo = page.getByRole('group', { name });
      await logo.locator('input[type=file]').setInputFiles(image);
      await expect(logo.locator('img')).toHaveAttribute('src', /^\/api\/storage\/logos\//);
    }
    await goTo(page, `${at}/clients`);
    const marks = page.getByRole('main').locator('img[src*="/logos/"]');
    await expect(marks).toHaveCount(2);
    for (const mark of await marks.all()) await expectImage(mark);
    await goTo(page, `${at}/clients/${clientId}/settings`);
    await page.getByRole('group', { name: 'Logo' }).getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('group', { name: 'Logo' }).locator('img')).toHaveCount(0);
    await goTo(page, `${at}/clients`);
    await expect(page.getByRole('link', { name: 'Nordwind Outdoor' })).toBeVisible();
    await expect(marks).toHaveCount(1);
  });

  await test.step('a client has contacts by purpose, addresses and links', async () => {
    await goTo(page, `/o/${organization.id}/clients/${clientId}`);
    await expect(page).toHaveURL(/\/overview$/);
    // The logo is vertically centered with the name.
    const middleOf = async (one: Locator) => {
      const box = await one.boundingBox();
      return box!.y + box!.height / 2;
    };
    await expect
      .poll(async () => {
        const heading = page.getByRole('rowheader');
        return Math.abs((await middleOf(heading)) - (await middleOf(heading.getByRole('link'))));
      })
      .toBeLessThanOrEqual(1);
    // The bold current tab does not move the other tabs.
    const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    const places = () =>
      tabs.evaluateAll((links) => links.map((one) => (one as unknown as { offsetLeft: number }).offsetLeft));
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    // Its letters are a little wider than those of the font before.
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const before = await places();

    await tab(page, 'Contact people');
    await expect(tabs.filter({ hasText: 'Contact people' })).toHaveAttribute('aria-current', 'page');
    await expect.poll(places).toEqual(before);
    for (const [name, type, email] of [
      ['Zoe Approver', 'Approval', 'zoe@nordwind.example'],
      ['Bill Payer', 'Billing', 'bill@nordwind.example'],
    ] as const) {
      await pressCreate(page, 'Add contact person');
      await drawer(page).getByLabel('Name').fill(name);
      await choose(page, 'Responsible for', type);
      await drawer(page).getByLabel('Email').fill('nobody@');
      await drawer(page).getByRole('button', { name: 'Add contact person' }).click();
      await expect(drawer(page).getByLabel('Email')).toHaveAccessibleDescription(/such as name@example\.com/);
      await drawer(page).getByLabel('Email').fill(email);
      await drawer(page).getByRole('button', { name: 'Add contact person' }).click();
      await expect(page.getByRole('row').filter({ hasText: name })).toContainText(type);
      // Wait until it is closed: its button has the same name as the one that opens the next.
      await expect(drawer(page)).toHaveCount(0);
    }
    // Sorted by type, not by name.
    const rows = page.getByRole('table', { name: 'Contact people' }).getByRole('row');
    await expect(rows.nth(1)).toContainText('Zoe Approver');
    await expect(rows.nth(2)).toContainText('Bill Payer');
    await expect(page.getByRole('link', { name: 'bill@nordwind.example' })).toHaveAttribute(
      'href',
      'mailto:bill@nordwind.example',
    );
    await chooseInRow(page, 'Zoe Approver', 'Delete');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await expect(rows).toHaveCount(3);
    await page.reload();
    await expect(rows.nth(1)).toContainText('Zoe Approver');

    await tab(page, 'Addresses');
    await pressCreate(page, 'Add address');
    await fillAddress(page, { line1: 'Kai 7', city: 'Hamburg', country: 'Germany' });
    await drawer(page).getByRole('button', { name: 'Add address' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Kai 7' })).toContainText('Hamburg');

    await tab(page, 'Links');
    await pressCreate(page, 'Add link');
    await drawer(page).getByLabel('URL').fill('javascript:alert(1)');
    await drawer(page).getByRole('button', { name: 'Add link' }).click();
    await expect(drawer(page).getByLabel('URL')).toHaveAccessibleDescription(/such as https/);
    await drawer(page).getByLabel('URL').fill('https://nordwind.example/');
    await drawer(page).getByRole('button', { name: 'Add link' }).click();
    await expect(page.getByRole('link', { name: /^https:\/\/nordwind\.example\// })).toBeVisible();
  });

  await test.step('restoring a client restores its brands and campaigns', async () => {
    await goTo(page, `/o/${organization.id}/clients`);
    // The list of campaigns is requested before the client is deleted, and its response arrives later.
    let goOn = () => {};
    const listed = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(/\/api\/clients\/[^/]+$/, async (route) => {
      await listed;
      await route.continue();
    });
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.route(
      /\/api\/campaigns\?/,
      async (route) => {
        const response = await route.fetch();
        goOn();
        await deleted;
        await route.fulfill({ response }).catch(() => undefined);
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'More actions for Nordwind Outdoor' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByText('Nordwind Outdoor deleted')).toBeVisible();
    await mainNavigation(page).getByRole('link', { name: 'Campaigns' }).click();
    await expect(page.getByText('No campaigns yet')).toBeVisible();
    await expect(page.getByText('Nordwind spring')).toHaveCount(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    await goTo(page, `/o/${organization.id}/settings/trash`);
    const row = page.getByRole('row').filter({ hasText: 'Nordwind Outdoor' });
    await expect(row).toContainText('Client');
    await row.getByRole('button', { name: 'Restore Nordwind Outdoor' }).click();
    await expect(page.getByText('The trash is empty')).toBeVisible();
    await mainNavigation(page).getByRole('link', { name: 'Clients' }).click();
    await expect(page.getByRole('link', { name: 'Nordwind', exact: true })).toBeVisible();
    await mainNavigation(page).getByRole('link', { name: 'Campaigns' }).click();
    await expect(page.getByRole('link', { name: 'Nordwind spring' })).toBeVisible();
  });

  await test.step('a client can be renamed, deleted and restored', async () => {
    await goTo(page, `/o/${organization.id}/clients/${clientId}/settings`);
    await page.getByLabel('Client name').fill('Südwind Outdoor');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Südwind Outdoor' })).toBeVisible();
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByText('Client “Südwind Outdoor” deleted.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Südwind Outdoor' })).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Client name')).toHaveValue('Südwind Outdoor');
  });
});
