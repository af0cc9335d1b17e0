import { prepareEmail } from './api.ts';
import { storePageView, storePageViews } from './database.ts';
import { expect, test } from './fixtures.ts';
import { chartTotals, readDownload } from './steps.ts';

test('the statistics of a website are read by period, as a table, and as a file', async ({
  page,
  api,
  organization,
  server,
}) => {
  const email = await prepareEmail(api, organization.id, { contacts: [] });
  const { id } = await api.post<{ id: string }>('/touchpoints', {
    organization_id: organization.id,
    campaign_id: email.campaignId,
    name: 'Shop',
    type: 'website',
    website: { hosts: ['shop.example'] },
  });
  const main = page.getByRole('main');
  const tile = (name: string) =>
    main
      .getByRole('region', { name: 'Visits of the website' })
      .locator('dl > *')
      .filter({ has: page.locator('dt', { hasText: name }) })
      .getByRole('definition');
  await page.goto(`/o/${organization.id}/touchpoints/${id}/statistics`);

  await test.step('before the first event, it leads to the setup', async () => {
    await main.getByRole('link', { name: 'Set up the website' }).click();
    await expect(page).toHaveURL(/\/overview$/);
  });

  await storePageViews(server.databaseUrl, organization.id, id, 'https://shop.example');

  await test.step('a period is compared with the one before', async () => {
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Statistics' })
      .click();
    await expect(tile('Page views').first()).toHaveText('79');
    await main.getByLabel('Period', { exact: true }).selectOption('Last 24 hours');
    await expect(page).toHaveURL(/\?period=24hour$/);
    await expect(tile('Page views').first()).toHaveText('78');
    await expect(tile('Page views').last()).toHaveText('– before: 0');
  });

  await test.step('own dates are checked', async () => {
    await main.getByLabel('Period', { exact: true }).selectOption('Own dates');
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    await main.getByLabel('First day').fill(day(2));
    await main.getByLabel('Last day').fill(day(4));
    await main.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(main.getByLabel('Last day')).toHaveAccessibleDescription(
      'The last day is before the first.',
    );
    await main.getByLabel('First day').fill(day(4));
    await main.getByLabel('Last day').fill(day(2));
    await main.getByLabel('Last day').press('Enter');
    await expect(page).toHaveURL(new RegExp(`period=${day(4)}(::|%3A%3A)${day(2)}$`));
    await expect(tile('Page views').first()).toHaveText('1');
    await page.goBack();
    await expect(main.getByLabel('Period', { exact: true })).toHaveValue('24hour');
    await expect(tile('Page views').first()).toHaveText('78');
  });

  await test.step('all values are shown, and the chart as a table', async () => {
    const pages = main.getByRole('region', { name: 'Pages', exact: true });
    await expect(pages.getByRole('row')).toHaveCount(11);
    await expect(pages.getByRole('row').nth(1)).toHaveText('/page-121215.4%0');
    await pages.getByRole('button', { name: 'Show all 12' }).click();
    await expect(pages.getByRole('row')).toHaveCount(13);
    await expect.poll(async () => Object.keys(await chartTotals(page))).toEqual(['Page views', 'Sessions']);
    const download = page.waitForEvent('download');
    await pages.getByRole('link', { name: 'Export CSV' }).click();
    expect(await readDownload(await download)).toMatch(/^"?\/page-12"?,.*\b12\b/m);
  });

  await test.step('who is there now appears by itself', async () => {
    await expect(main.getByRole('link', { name: '0 visitors now' })).toBeVisible();
    await storePageView(server.databaseUrl, organization.id, id, 'https://shop.example/now');
    await expect(main.getByRole('link', { name: '1 visitor now' })).toBeVisible();
    await expect(main.getByRole('region', { name: 'Right now' }).getByRole('row').nth(1)).toHaveText('/now1');
  });

  await test.step('without goals, it leads to where they are added', async () => {
    await main.getByRole('link', { name: 'Add a goal' }).click();
    await expect(page).toHaveURL(/\/settings$/);
  });
});
