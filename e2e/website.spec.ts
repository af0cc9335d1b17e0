import { prepareEmail } from './api.ts';
import { storeDrops, storePageView, storeUse } from './database.ts';
import { expect, test } from './fixtures.ts';
import { drawer, goTo, mainNavigation } from './steps.ts';

test('a website can be created, renamed, archived and deleted', async ({ page, api, organization }) => {
  const email = await prepareEmail(api, organization.id, { contacts: [] });
  const main = page.getByRole('main');
  await goTo(page, `/o/${organization.id}/campaigns/${email.campaignId}`);
  await main.getByRole('button', { name: 'Add touchpoint' }).click();
  await expect(drawer(page).getByRole('radio', { name: 'Email' })).toBeChecked();
  await drawer(page).getByRole('radio', { name: 'Website' }).click();
  await drawer(page).getByLabel('Touchpoint name').fill('Spring shop');
  await drawer(page).getByRole('button', { name: 'Create touchpoint' }).click();

  await test.step('it opens with the pages that a website has', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Spring shop' })).toBeVisible();
    await expect(page).toHaveURL(/\/touchpoints\/[^/]+\/overview$/);
    const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    await expect(tabs).toHaveText(['Overview', 'Statistics', 'Settings']);
    await expect(main).not.toContainText('no sender yet');
    for (const tab of ['email', 'sends']) {
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
      await goTo(page, `/o/${organization.id}/${list}`);
      await page.getByRole('main').getByRole('link', { name: 'Spring shop' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Spring shop' })).toBeVisible();
      await expect(page).toHaveURL(/\/overview$/);
    }
  });

  await test.step('it is renamed, archived and unarchived', async () => {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click();
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
    await goTo(page, `/o/${organization.id}/brands/${email.brandId}/touchpoints`);
    await expect(page.getByRole('link', { name: 'Nordwind news' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Summer shop' })).toHaveCount(0);
    await goTo(page, settings);
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

test('a website is set up, started, and shows what arrives', async ({ page, api, organization, server }) => {
  const email = await prepareEmail(api, organization.id, { contacts: [] });
  const main = page.getByRole('main');
  const check = main.getByRole('status', { name: 'Live check' });
  await goTo(page, `/o/${organization.id}/campaigns/${email.campaignId}`);
  await main.getByRole('button', { name: 'Add touchpoint' }).click();
  await drawer(page).getByRole('radio', { name: 'Website' }).click();
  await drawer(page).getByLabel('Touchpoint name').fill('Shop');
  await drawer(page).getByLabel('Host', { exact: true }).fill('no host');
  await drawer(page).getByRole('button', { name: 'Create touchpoint' }).click();
  await expect(drawer(page).getByLabel('Host', { exact: true })).toHaveAccessibleDescription(
    /Enter a host such as shop.example/,
  );
  await drawer(page).getByLabel('Host', { exact: true }).fill('https://shop.example/');
  await drawer(page).getByRole('button', { name: 'Create touchpoint' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible();
  const [, touchpointId = ''] = /touchpoints\/([^/]+)/.exec(page.url()) ?? [];

  const view = (path: string) =>
    storePageView(server.databaseUrl, organization.id, touchpointId, `https://shop.example${path}`);

  await test.step('hosts are edited', async () => {
    const hosts = main.getByLabel('Hosts, one per line');
    await expect(hosts).toHaveValue('shop.example');
    await hosts.fill('shop.example\nnonsense');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(hosts).toHaveAccessibleDescription(/“nonsense” is not a host/);
    await hosts.fill('shop.example\n*.müller.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Hosts saved')).toBeVisible();
    await page.reload();
    await expect(hosts).toHaveValue('shop.example\n*.müller.example');
  });

  await test.step('it is started, and the first event is noticed', async () => {
    await expect(check).toContainText('Not started yet');
    await main.getByRole('button', { name: 'Start' }).click();
    await expect(check).toContainText('Waiting for the first event');
    await expect(main.getByText('No events yet.')).toBeVisible();
    await view('/first');
    await expect(check).toContainText('from shop.example/first');
    const events = main.getByLabel('Live events');
    await expect(events.getByRole('row').nth(1)).toContainText('/first');
    await expect(events.getByRole('row').nth(1)).toContainText('Germany');
    await main.getByRole('button', { name: 'Pause list' }).click();
    await expect(main.getByText('The list is paused.')).toBeVisible();
    await view('/second');
    await main.getByRole('button', { name: 'Resume list' }).click();
    await expect(events.getByRole('row').nth(1)).toContainText('/second');
  });

  await test.step('what it stores in a day is shown, with what to do before the end', async () => {
    await storeUse(server.databaseUrl, organization.id, touchpointId, {
      events: 1_650_000,
      bytes: 640_000_000,
    });
    await page.reload();
    await expect(main.getByText('1,650,000 of 2,000,000')).toBeVisible();
    await expect(main.getByText('640 of 1,000')).toBeVisible();
    await expect(main.getByText(/almost reached.*Send fewer custom events/)).toBeVisible();
    await expect(main.getByRole('progressbar', { name: 'Events' })).toBeVisible();
  });

  await test.step('dropped events are explained', async () => {
    await storeDrops(server.databaseUrl, organization.id, touchpointId);
    await page.reload();
    await expect(check).toContainText('7 events from other hosts were dropped');
    await expect(main.getByRole('row').filter({ hasText: 'Other host' })).toContainText('7');
  });

  await test.step('the snippet is the one of this website', async () => {
    const website = await api.get<{ id: string; token: string }>(`/touchpoints/${touchpointId}/website`);
    await expect(main.getByLabel('Install', { exact: true })).toHaveText(
      `<script async src="${server.url}/tracker.js" data-website-id="${website.id}" data-token="${website.token}" data-hosts="shop.example *.xn--mller-kva.example"></script>`,
    );
    await main.getByLabel('How your website is built').selectOption('React');
    await expect(main.getByLabel('Install', { exact: true })).toContainText(
      `token: '${website.token}',\n  hosts: ['shop.example', '*.xn--mller-kva.example'],`,
    );
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click();
    await main.getByRole('button', { name: 'Replace token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace token' }).click();
    await expect(page.getByText('Token replaced')).toBeVisible();
    await expect(main.getByText(website.token)).toHaveCount(0);
  });

  await test.step('it is paused', async () => {
    await main.getByRole('button', { name: 'Pause' }).click();
    await expect(main.getByRole('button', { name: 'Resume' })).toBeVisible();
  });
});
