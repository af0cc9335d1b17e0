import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';
import { breakdownNumber, choose } from './steps.ts';

const people = [
  'E-Mail;Newsletter',
  'pia@bergwerk.example;ja',
  'paul@bergwerk.example;nein',
  'peter@bergwerk.example;',
].join('\r\n');

test('the emails of a second client go to its own people', async ({ page, api, organization }) => {
  const { id: organization_id } = organization;
  // People of the first client, in the list that all clients share.
  await prepareEmail(api, organization_id);
  const client = await api.post<{ id: string }>('/clients', { organization_id, name: 'Bergwerk' });
  const { id: brand } = await api.post<{ id: string }>('/brands', {
    organization_id,
    client_id: client.id,
    name: 'Bergwerk Pils',
    tracking_policy: 'everyone',
  });
  const audience = page.getByRole('combobox', { name: 'Audience', exact: true });
  const startEmail = async () => {
    await page.goto(`/o/${organization_id}/emails/new?brand=${brand}`);
    await page.getByRole('button', { name: /^Newsletter/ }).click();
  };

  await test.step('what clients share is offered and not chosen', async () => {
    await startEmail();
    await expect(page.getByText('Bergwerk has no contacts yet')).toBeVisible();
    await expect(audience).toHaveValue('');
    await page.getByLabel('Subject', { exact: true }).fill('The winter beer');
    await page.getByLabel('Sender address').fill('news@bergwerk.example');
    await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
  });

  await test.step('an import from the email is for its client', async () => {
    await page.getByRole('link', { name: 'Import contacts' }).click();
    await expect(page.getByRole('combobox', { name: 'Whose contacts are these?' })).toHaveValue('Bergwerk');
    await page
      .getByLabel('Drop a CSV or JSON file here, or click to choose one')
      .setInputFiles({ name: 'pils.csv', mimeType: 'text/csv', buffer: Buffer.from(people) });
    const target = page.getByRole('combobox', { name: 'Maps to: Newsletter' });
    await expect(target).toHaveValue('unsubscribed');
    await expect(page.getByText('1 person wants no email and is imported as unsubscribed.')).toBeVisible();
    await target.selectOption('Don’t import');
    await expect(page.getByRole('alert')).toContainText(
      'According to “Newsletter”, 1 person wants no email.',
    );
    await target.selectOption('unsubscribed');
    await page
      .getByRole('combobox', { name: 'If a value can’t be read: Newsletter' })
      .selectOption('Import as unsubscribed');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to the email' }).click();
  });

  await test.step('its people are the audience, without those who said no', async () => {
    await expect(page.getByLabel('Audience name')).toHaveValue('All contacts of Bergwerk');
    await expect(breakdownNumber(page, 'Will receive the email')).toHaveText('1');
    await page.getByRole('button', { name: 'Save and use audience' }).click();
    await expect(audience).toHaveValue('All contacts of Bergwerk');
    await expect(page.getByText('which all of your clients share')).toHaveCount(0);
  });

  await test.step('the review names people whom clients share', async () => {
    await choose(page, 'Audience', 'Everybody at Nordwind');
    const warning = 'The audience selects from “Contacts”, which all of your clients share.';
    await expect(page.getByText(warning)).toBeVisible();
    await page.getByRole('button', { name: 'Send now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to 3 recipients for Bergwerk Pils?' });
    await expect(dialog).toContainText(warning);
    await dialog.getByRole('button', { name: 'Not yet' }).click();
  });

  await test.step('the next email begins with its people', async () => {
    await startEmail();
    await expect(audience).toHaveValue('All contacts of Bergwerk');
    await expect(breakdownNumber(page, 'Will receive the email').first()).toHaveText('1');
  });
});
