import { expect, test } from './fixtures.ts';
import { goTo } from './steps.ts';

test('contacts of another client cannot be chosen for an email', async ({
  page,
  api,
  organization: { id: organization_id },
}) => {
  const branch = async (name: string) => {
    const { id: client_id } = await api.post<{ id: string }>('/clients', { organization_id, name });
    const brand = { organization_id, client_id, name: `${name} brand`, tracking_policy: 'everyone' };
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
  await goTo(page, `/o/${organization_id}/contacts?client=${north.client_id}`);
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New list' }).click();
  const dialog = page.getByRole('dialog', { name: 'New list' });
  await expect(dialog.getByRole('combobox', { name: 'Belongs to' })).toHaveValue('North (all brands)');
  await dialog.getByLabel('List name').fill('Regulars of North');
  await dialog.getByRole('button', { name: 'New list' }).click();
  await expect(page).toHaveURL(/collection=contacts_regulars_of_north/);
  await api.post(`/content/${organization_id}/items/contacts_regulars_of_north`, {
    email: 'ada@north.example',
  });
  const emmy = await api.post<{ data: { id: string } }>(`/content/${organization_id}/items/contacts`, {
    email: 'emmy@shared.example',
  });

  // Only the list that is shown is requested.
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await goTo(page, `/o/${organization_id}/contacts?client=${north.client_id}`);
  await expect(page.getByRole('rowheader')).toHaveText(['ada@north.example']);
  expect(requested.filter((path) => /^\/api\/content\/.*\/contacts$/.test(path))).toEqual([]);

  // A Directus may have no list of contacts.
  const lists = `**/api/content/${organization_id}/collections?*`;
  await page.route(lists, async (route) => {
    const { data, meta } = (await (await route.fetch()).json()) as { data: object[]; meta: object };
    await route.fulfill({ json: { data: data.map((list) => ({ ...list, has_contacts: false })), meta } });
  });
  await page.reload();
  await expect(page.getByText('There are no lists of contacts that you can see.')).toBeVisible();
  expect(requested.filter((path) => /^\/api\/content\/.*\/contacts$/.test(path))).toEqual([]);
  await page.unroute(lists);

  // The way back from a contact leads to the list that it is in.
  await goTo(page, `/o/${organization_id}/contacts/${emmy.data.id}?client=${north.client_id}`);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['emmy@shared.example']);

  // While the lists are loading, saving is disabled, so that it cannot affect the wrong one.
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(`**/api/content/${organization_id}/collections`, async (route) => {
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  await goTo(page, `/o/${organization_id}/touchpoints/${north.email}/email`);
  await asked.promise;
  await expect(page.getByText('Loading audience')).toBeAttached();
  await expect(page.getByLabel('Audience name')).toHaveCount(0);
  answer.resolve();
  await page.getByRole('combobox', { name: 'Contacts from' }).click();
  await expect(page.getByRole('option')).toHaveText(['Regulars of North', 'Contacts']);
  await goTo(page, `/o/${organization_id}/touchpoints/${south.email}/email`);
  await expect(page.getByText('South has no contacts yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create audience' }).click();
  await expect(page.getByText('All contacts in “Contacts”')).toBeVisible();
  await expect(page.getByText('All of your clients share the contacts of “Contacts”.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Contacts from' })).toHaveCount(0);

  // A list in use by an audience cannot be deleted.
  const { id: audience } = await api.post<{ id: string }>('/filters', {
    organization_id,
    client_id: north.client_id,
    name: 'All regulars',
    collection: 'contacts_regulars_of_north',
  });
  await goTo(page, `/o/${organization_id}/contacts?collection=contacts_regulars_of_north`);
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete list' }).click();
  const question = page.getByRole('dialog', { name: 'Delete the list “Regulars of North” permanently?' });
  await expect(question).toContainText('Its 1 contact is deleted with it.');
  await question.getByRole('button', { name: 'Delete list' }).click();
  await expect(question.getByRole('alert')).toContainText(
    'Audiences use this list. Delete those first. In use by 1: “All regulars”.',
  );
  await api.delete(`/filters/${audience}`);
  await question.getByRole('button', { name: 'Delete list' }).click();
  await expect(page.getByText('List deleted')).toBeVisible();
  await expect(page.getByText('emmy@shared.example')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'List', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Edit list' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Delete list' })).toHaveCount(0);
});
