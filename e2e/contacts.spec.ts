import { prepareEmail, sendAtOnce } from './api.ts';
import { expect, test } from './fixtures.ts';
import { drawer, mainNavigation } from './steps.ts';

const ada = 'ada@contacts.example';

test('a contact is a person with a page: fields by their labels, tags, notes, and each message with its opens', async ({
  page,
  api,
  organization,
  person,
}) => {
  const email = await prepareEmail(api, organization.id);
  await sendAtOnce(api, email.touchpointId);
  const { items } = await api.get<{ items: { id: string }[] }>(
    `/mailbox?organization_id=${organization.id}&search=${ada}`,
  );
  const { pixel_url } = await api.get<{ pixel_url: string }>(`/mailbox/${items[0]!.id}`);
  await page.request.get(pixel_url);

  await page.goto(`/o/${organization.id}`);
  await mainNavigation(page).getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('columnheader')).toContainText([
    'Email',
    'Subscription',
    'First name',
    'Last name',
    'Company',
    'Added',
  ]);
  // The latest come first, and the header says so.
  await expect(page.getByRole('columnheader', { name: 'Added' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Country' }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Country' })).toBeVisible();
  const heights = await page
    .getByRole('row')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(46);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Country' })).toBeVisible();

  await page.getByRole('row').filter({ hasText: ada }).getByText('GB').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ada' })).toBeVisible();
  const messages = page.locator('section').filter({ hasText: 'Nordwind news' }).getByRole('listitem').first();
  await expect(messages).toContainText('Sent');
  await expect(messages).toContainText('Nordwind Outdoor › Nordwind › Nordwind spring');
  await expect(messages).toContainText(/Opened · /);

  await page.getByRole('button', { name: 'Edit contact' }).click();
  await drawer(page).getByLabel('Last name (optional)').fill('Lovelace');
  await drawer(page).getByLabel('Tags (optional)').fill('Press');
  await page.keyboard.press('Enter');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible();
  await expect(page.getByText('Press', { exact: true })).toBeVisible();

  await page.getByLabel('New note').fill('Prefers letters');
  await page.getByRole('button', { name: 'Add note' }).click();
  const note = page.getByRole('listitem').filter({ hasText: 'Prefers letters' });
  await expect(note).toContainText(person.name);
  await note.getByRole('button', { name: 'Delete this note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No notes yet.')).toBeVisible();
});
