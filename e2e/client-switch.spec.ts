import { findAccessibilityFaults } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { mainNavigation, nextResponse } from './steps.ts';

test('a client can be chosen and pinned by keyboard', async ({
  page,
  api,
  organization: { id: organization_id },
}) => {
  for (const name of ['Nordwind', 'Südwind']) {
    const client = await api.post<{ id: string }>('/clients', { organization_id, name });
    const brand = await api.post<{ id: string }>('/brands', {
      organization_id,
      client_id: client.id,
      name,
      tracking_policy: 'everyone',
    });
    await api.post('/campaigns', { organization_id, brand_id: brand.id, name: `${name} spring` });
  }
  await page.goto(`/o/${organization_id}/campaigns`);
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(3);
  const client = page.getByRole('button', { name: /^Client: / });
  await expect(client).toHaveAccessibleName('Client: All clients. Switch client');

  await page.keyboard.press('c');
  const search = page.getByRole('textbox', { name: 'Find a client' });
  await expect(search).toBeFocused();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await search.fill('wind');
  await expect(page.getByRole('menuitem', { name: 'All clients' })).toHaveCount(0);
  await search.fill('nord');
  await expect(page.getByRole('menuitem', { name: 'Südwind', exact: true })).toHaveCount(0);
  await expect(page.getByRole('menuitem', { name: 'Nordwind', exact: true })).toBeVisible();
  await search.press('Enter');
  await expect(client).toHaveAccessibleName('Client: Nordwind. Switch client');
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'Nordwind spring' })).toBeVisible();
  await expect(page).toHaveURL(/\?client=[\w-]+$/);

  // Links and changes of a page's own search parameters keep it.
  await mainNavigation(page).getByRole('link', { name: 'Clients' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Nordwind' }).first()).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Südwind' })).toHaveCount(0);
  await mainNavigation(page).getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('radiogroup').getByText('Draft').click();
  await expect(page).toHaveURL(/client=.*status=draft|status=draft.*client=/);
  await page.getByRole('link', { name: 'Nordwind spring' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Nordwind spring' })).toBeVisible();

  // On the page of a record, switching the client leads to the list.
  await client.click();
  const pinned = nextResponse(page, 'PATCH', /preferences/);
  await page.getByRole('menuitem', { name: 'Pin Südwind', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Unpin Südwind' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Südwind', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Südwind spring' })).toBeVisible();
  await pinned;
  await page.reload();
  await expect(client).toHaveAccessibleName('Client: Südwind. Switch client');
  await client.click();
  await expect(page.getByText('Pinned', { exact: true })).toBeVisible();
  await page.getByRole('menuitem', { name: 'All clients' }).click();
  await expect(rows).toHaveCount(3);
  await expect(page).toHaveURL(/\/campaigns$/);
});
