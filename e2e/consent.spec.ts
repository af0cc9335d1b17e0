import type { Page } from '@playwright/test';
import { addMember, prepareEmail, sendAtOnce, type Api } from './api.ts';
import { expect, test } from './fixtures.ts';
import { drawer, mainNavigation } from './steps.ts';

const ada = 'ada@contacts.example';
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Sends an email of one of two brands to three contacts. */
async function sendOfTwoBrands(api: Api, organizationId: string): Promise<{ otherClientId: string }> {
  const email = await prepareEmail(api, organizationId);
  const client = await api.post<{ id: string }>('/clients', {
    organization_id: organizationId,
    name: 'Südwind Reisen',
  });
  await api.post('/brands', {
    organization_id: organizationId,
    client_id: client.id,
    name: 'Südwind',
    tracking_policy: 'everyone',
  });
  await sendAtOnce(api, email.touchpointId);
  return { otherClientId: client.id };
}

/** Unsubscribes like a recipient, with the link in the message. */
async function unsubscribeByLink(page: Page, api: Api, organizationId: string, address: string) {
  const { items } = await api.get<{ items: { id: string }[] }>(
    `/mailbox?organization_id=${organizationId}&search=${address}`,
  );
  const { links } = await api.get<{ links: { text: string; url: string }[] }>(`/mailbox/${items[0]!.id}`);
  await page.goto(links.find(({ text }) => text === 'Unsubscribe')!.url);
  await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Unsubscribed' })).toBeVisible();
}

test('an opt-out is shown to those who read it, and is undone with a reason', async ({
  page,
  api,
  organization,
  person,
  newBrowser,
}) => {
  const { otherClientId } = await sendOfTwoBrands(api, organization.id);
  await unsubscribeByLink(page, api, organization.id, ada);

  await test.step('members without consent rights read it for their brands', async () => {
    const reader = await newBrowser('Mina Murray');
    await addMember(api, organization.id, reader, 'analyst');
    const { page: other } = reader;
    await other.goto(`/o/${organization.id}/contacts`);
    await other.getByRole('link', { name: ada }).click();
    const panel = other.getByRole('region', { name: 'Subscription' });
    await expect(panel).toContainText('by the link in “Nordwind news”');
    await expect(other.locator('[aria-busy=true]')).toHaveCount(0);
    await expect(panel.getByRole('button', { name: 'What this contact has chosen' })).toHaveCount(2);
    await expect(panel.getByRole('button', { name: /subscribe/i })).toHaveCount(0);

    // While a client is selected, the status is that of its brands.
    await other.goto(`/o/${organization.id}/contacts?client=${otherClientId}`);
    await expect(rowOf(other, ada)).toContainText('No opt-out');
    await other.getByRole('link', { name: ada }).click();
    await expect(panel.getByRole('listitem')).toHaveText([
      'All brands',
      'Only the brands of Südwind Reisen:',
      /^SüdwindNo opt-out storedTopics, pause and measuring$/,
    ]);
  });

  await test.step('resubscribing a contact needs a reason', async () => {
    await page.goto(`/o/${organization.id}`);
    await mainNavigation(page).getByRole('link', { name: 'Contacts' }).click();
    await expect(rowOf(page, ada)).toContainText('No mail from 1 of 2 brands');
    await expect(rowOf(page, 'grace@contacts.example')).toContainText('No opt-out');
    await expect(page.getByRole('columnheader', { name: 'unsubscribed' })).toHaveCount(0);

    await page.getByRole('link', { name: ada }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Ada' })).toBeVisible();
    const panel = page.getByRole('region', { name: 'Subscription' });
    const brand = panel.getByRole('listitem').filter({ hasText: 'Nordwind Outdoor › Nordwind' });
    await expect(brand).toContainText('Unsubscribed');
    await expect(brand).toContainText('by the link in “Nordwind news”');
    await expect(panel.getByRole('listitem').filter({ hasText: 'Südwind Reisen › Südwind' })).toContainText(
      'No opt-out stored',
    );
    await page.getByRole('button', { name: 'Edit contact' }).click();
    await expect(drawer(page).getByLabel('Email', { exact: true })).toHaveValue(ada);
    await expect(drawer(page).getByRole('checkbox', { name: /unsubscribed/i })).toHaveCount(0);
    await drawer(page).getByRole('button', { name: 'Cancel' }).click();

    const dialog = (name: string) => page.getByRole('dialog', { name });
    const stop = `Unsubscribe ${ada} from all brands?`;
    await panel.getByRole('button', { name: 'Unsubscribe from all brands' }).click();
    await expect(dialog(stop)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(stop)).toBeHidden();
    await expect(panel).toBeVisible();
    await panel.getByRole('button', { name: 'Unsubscribe from all brands' }).click();
    await dialog(stop).getByLabel('Note').fill('Called us');
    await dialog(stop).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    const all = panel.getByRole('listitem').filter({ hasText: 'All brands' }).first();
    await expect(all).toContainText(`by ${person.name} · “Called us”`);
    await expect(brand).toContainText('by the link in “Nordwind news”');

    const again = `Resubscribe ${ada} to all brands?`;
    await panel.getByRole('button', { name: 'Resubscribe to all brands' }).click();
    await expect(dialog(again)).toContainText('Remains unsubscribed from: Nordwind.');
    await dialog(again).getByRole('button', { name: 'Resubscribe', exact: true }).click();
    await expect(dialog(again)).toContainText('Required.');
    await dialog(again).getByLabel('What allows you').fill('Signed up at the fair');
    await dialog(again).getByRole('button', { name: 'Resubscribe', exact: true }).click();
    await expect(all).toContainText(`by ${person.name}: “Signed up at the fair”`);
    await mainNavigation(page).getByRole('link', { name: 'Contacts' }).click();
    await expect(rowOf(page, ada)).toContainText('No mail from 1 of 2 brands');
  });
});

test('a guest needs a client, and learns whom to ask', async ({
  page,
  api,
  organization,
  person,
  newBrowser,
}) => {
  const client = await api.post<{ id: string }>('/clients', {
    organization_id: organization.id,
    name: 'Nordwind Outdoor',
  });
  await page.goto(`/o/${organization.id}/settings/members`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  await drawer(page).getByLabel('Email addresses').fill('guest@people.example');
  await drawer(page).getByRole('radio', { name: 'Guest' }).check();
  await drawer(page).getByRole('button', { name: 'Send invitations' }).click();
  await expect(drawer(page).getByText('Choose at least one client.')).toBeVisible();

  const guest = await newBrowser('Mina Murray');
  await addMember(api, organization.id, guest, 'guest', [client.id]);
  await page.reload();
  await expect(rowOf(page, guest.person.email)).toContainText('Only Nordwind Outdoor');
  await guest.page.goto(`/o/${organization.id}`);
  await expect(mainNavigation(guest.page).getByRole('link', { name: 'Campaigns' })).toBeVisible();

  const { items } = await api.get<{ items: { user_id: string; user: { email: string } }[] }>(
    `/organizations/${organization.id}/members`,
  );
  const { user_id } = items.find(({ user }) => user.email === guest.person.email)!;
  await api.put(`/organizations/${organization.id}/members/${user_id}`, { role: 'guest', client_ids: [] });
  await page.reload();
  await expect(rowOf(page, guest.person.email)).toContainText('No clients, sees nothing');
  await guest.page.reload();
  const main = guest.page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'You have no client yet' })).toBeVisible();
  await expect(main.getByText(`Ask ${person.name}.`)).toBeVisible();
  await expect(main.getByText('You don’t have access to this')).toHaveCount(0);
  await expect(mainNavigation(guest.page).getByRole('link')).toHaveText(['Dashboard', 'Settings']);
});
