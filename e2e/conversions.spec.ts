import { randomUUID } from 'node:crypto';
import { prepareEmail, sendAtOnce, untilServed } from './api.ts';
import { foldMessages } from './database.ts';
import { expect, test } from './fixtures.ts';
import { chooseInRow, drawer, goTo, tile } from './steps.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('an order after a click counts for the email, until its goal is removed', async ({
  page,
  api,
  organization,
  server,
}) => {
  const { touchpointId, campaignId } = await prepareEmail(api, organization.id);
  const sendId = await sendAtOnce(api, touchpointId);
  const site = await api.post<{ id: string }>('/touchpoints', {
    organization_id: organization.id,
    campaign_id: campaignId,
    name: 'Nordwind shop',
    type: 'website',
    website: { hosts: ['shop.example'] },
  });
  await api.post(`/touchpoints/${site.id}/website/start`, {});
  const at = `/o/${organization.id}`;
  const main = page.getByRole('main');

  await test.step('an event becomes a goal', async () => {
    await goTo(page, `${at}/touchpoints/${site.id}/settings`);
    await main.getByRole('button', { name: 'Add goal' }).click();
    await drawer(page).getByRole('button', { name: 'Add goal' }).click();
    await expect(drawer(page).getByRole('combobox', { name: 'Event' })).toHaveAccessibleDescription(
      /Enter the name of an event/,
    );
    await drawer(page).getByRole('combobox', { name: 'Event' }).fill('order');
    await drawer(page).getByLabel('Value').fill('49.90');
    await drawer(page).getByRole('button', { name: 'Add goal' }).click();
    await expect(main.getByRole('row').filter({ hasText: 'order' })).toContainText('€49.90');
  });

  await test.step('a recipient follows a link, and orders', async () => {
    const { items } = await api.get<{ items: { id: string }[] }>(
      `/mailbox?organization_id=${organization.id}&send_id=${sendId}`,
    );
    const { links } = await api.get<{ links: { url: string }[] }>(`/mailbox/${items[0]!.id}`);
    const link = links.find(({ url }) => url.includes('/t/c/'))!;
    const followed = await page.request.get(link.url, {
      maxRedirects: 0,
      headers: { 'user-agent': firefox },
    });
    const url = followed.headers()['location']!;
    const { id, token } = await api.get<{ id: string; token: string }>(`/touchpoints/${site.id}/website`);
    const event = (more: object) => ({
      timestamp: new Date().toISOString(),
      event_id: randomUUID(),
      anonymous_id: visitor,
      url,
      ...more,
    });
    const visitor = randomUUID();
    const visit = event({ type: 'VIEW_PAGE', ctm_aid: new URL(url).searchParams.get('ctm_aid') });
    const stored = await untilServed(() =>
      page.request.post(`${server.url}/api/track`, {
        headers: { authorization: `Bearer ${token}`, 'x-website-id': id, 'user-agent': firefox },
        data: [visit, event({ type: 'TRACK', event: 'order' }), event({ type: 'TRACK', event: 'order' })],
      }),
    );
    expect(stored.status()).toBe(204);
    await foldMessages(server.databaseUrl);
  });

  await test.step('page, campaign and list show the same', async () => {
    await goTo(page, `${at}/touchpoints/${touchpointId}/statistics`);
    await expect(tile(page, 'Converted')).toContainText('33.3% of the measured messages');
    await expect(tile(page, 'Converted')).toContainText('€99.80');
    for (const path of [`touchpoints/${touchpointId}/statistics`, `campaigns/${campaignId}`]) {
      await goTo(page, `${at}/${path}`);
      const funnel = main.getByRole('region', { name: 'From delivery to conversion' });
      await expect(funnel.getByRole('listitem')).toHaveText([
        /^Delivered3/,
        /^Clicked1.*33\.3%/,
        /^Visited the website1.*100\.0% of the step before · 33\.3% of the measured/,
        /^Converted1.*100\.0% of the step before · 33\.3% of the measured/,
      ]);
      await expect(funnel).toContainText('€99.80');
    }
    const rows = main.getByRole('table', { name: 'Touchpoints' }).getByRole('row');
    await expect(rows.filter({ hasText: 'Nordwind news' })).toContainText(/133\.3%/);
  });

  await test.step('any period is shown, with the one before', async () => {
    await goTo(page, `${at}/touchpoints/${touchpointId}/statistics`);
    await main.getByLabel('Period', { exact: true }).selectOption('Yesterday');
    await expect(tile(page, 'Delivered')).toContainText(/^Delivered0before: 0/);
    await expect(page).toHaveURL(/period=-1day/);
    await main.getByLabel('Period', { exact: true }).selectOption('Today');
    await expect(tile(page, 'Converted')).toContainText(/^Converted1before: 0/);
  });

  await test.step('without its goal, the orders no longer count', async () => {
    await goTo(page, `${at}/touchpoints/${site.id}/settings`);
    await chooseInRow(page, 'order', 'Remove goal');
    await expect(drawer(page)).toContainText('The 2 conversions that it counted disappear');
    await drawer(page).getByRole('button', { name: 'Remove goal' }).click();
    await expect(main.getByText('No goals yet.')).toBeVisible();
    await goTo(page, `${at}/touchpoints/${touchpointId}/statistics`);
    await expect(tile(page, 'Converted')).toContainText(/^Converted0/);
  });
});
