import { expect, test } from './fixtures.ts';

test('contacts of one client cannot be chosen for an email of another', async ({
  page,
  api,
  organization: { id: organization_id },
}) => {
  const branch = async (name: string) => {
    const { id: client_id } = await api.post<{ id: string }>('/clients', { organization_id, name });
    const brand = { organization_id, client_id, name: `${name} brand` };
    const { id: brand_id } = await api.post<{ id: string }>('/brands', brand);
    const campaign = { organization_id, brand_id, name: `${name} spring` };
    const { id: campaign_id } = await api.post<{ id: string }>('/campaigns', campaign);
    const email = { organization_id, campaign_id, name: `${name} news`, type: 'email' };
    const { id } = await api.post<{ id: string }>('/touchpoints', email);
    return { client_id, email: id };
  };
  const north = await branch('North');
  const south = await branch('South');

  // A list made while a client is chosen belongs to this client.
  await page.goto(`/o/${organization_id}/contacts?client=${north.client_id}`);
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await page.getByRole('menuitem', { name: 'New list' }).click();
  const dialog = page.getByRole('dialog', { name: 'New list' });
  await expect(dialog.getByRole('combobox', { name: 'Belongs to' })).toHaveValue('North (all brands)');
  await dialog.getByLabel('List name').fill('Regulars of North');
  await dialog.getByRole('button', { name: 'New list' }).click();
  await expect(page).toHaveURL(/collection=contacts_regulars_of_north/);
  await api.post(`/content/${organization_id}/items/contacts_regulars_of_north`, {
    email: 'ada@north.example',
  });
  await api.post(`/content/${organization_id}/items/contacts`, { email: 'emmy@shared.example' });

  const offered = async (email: string) => {
    await page.goto(`/o/${organization_id}/touchpoints/${email}/audience`);
    await page
      .getByRole('combobox', { name: 'Contacts from' })
      .or(page.getByText('All contacts in “Contacts”'))
      .first()
      .waitFor();
    const choice = page.getByRole('combobox', { name: 'Contacts from' });
    if ((await choice.count()) === 0) return [];
    await choice.click();
    return await page.getByRole('option').allTextContents();
  };
  expect(await offered(north.email)).toEqual(['Regulars of North', 'Contacts']);
  expect(await offered(south.email)).toEqual([]);
});
