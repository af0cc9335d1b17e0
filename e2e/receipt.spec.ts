import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { prepareEmail, sendAtOnce, threeContacts, type Contact } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';

// The test inbox rejects these addresses as unknown.
const unknown = (name: string): Contact => ({ email: `nouser-${name}@bounce.test`, first_name: name });

const recipients = (page: Page) =>
  page.getByRole('table', { name: 'Recipients' }).locator('tbody').getByRole('row');

test('a partly failed send lists exactly the missing recipients', async ({
  page,
  api,
  organization,
  server,
}) => {
  const contacts = [...threeContacts, unknown('Lost'), unknown('Gone')];
  const { touchpointId } = await prepareEmail(api, organization.id, { contacts });
  const sendId = await sendAtOnce(api, touchpointId);
  const workspace = `/o/${organization.id}/touchpoints/${touchpointId}`;

  await page.goto(`${workspace}/sends/${sendId}`);
  const main = page.getByRole('main');
  await expect(main.getByText('Partly sent: 3 of 5').first()).toBeVisible();
  await expect(recipients(page)).toHaveCount(5);
  await page.getByRole('link', { name: 'See why' }).click();
  await expect(recipients(page)).toHaveText([1, 2].map(() => /^nouser-(Lost|Gone)@.*Bounced.*5\.1\.1/));
  await expect(page).toHaveURL(/state=not_sent/);
  await expect(page.getByLabel('Status')).toHaveValue('not_sent');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^nouser-(Lost|Gone)@.*,bounced,/),
    expect.stringMatching(/^nouser-(Lost|Gone)@.*,bounced,/),
    '',
  ]);
  await expect(main.getByRole('listitem').filter({ hasText: 'Bounced' })).toHaveText('Bounced2');
  for (const words of [/not sent/i, /refused/i, /completed/i, /will receive/i])
    await expect(main.getByText(words)).toHaveCount(0);

  // A number links to the counted recipients.
  await page.goto(`${workspace}/statistics`);
  await main.getByRole('link', { name: '2', exact: true }).click();
  await expect(page).toHaveURL(/state=bounced/);
  await expect(recipients(page)).toHaveCount(2);

  await page.goto(`${workspace}/sends`);
  const sends = page.getByRole('table', { name: 'Sends' });
  await expect(sends).toContainText('Partly sent');
  await sends.getByRole('button', { name: 'Recipients' }).click();
  await expect(page).toHaveURL(/order=recipients_total_count\.desc/);
  await expect(sends).toContainText('Partly sent');
  await sends.getByRole('cell', { name: 'Partly sent' }).click();
  await expect(page).toHaveURL(new RegExp(`/sends/${sendId}`));
  // Shown in the dashboard's touchpoints and sends, and in each list of touchpoints.
  await page.goto(`/o/${organization.id}`);
  await expect(main.getByText('Partly sent')).toHaveCount(2);
  await page.goto(`/o/${organization.id}/touchpoints`);
  await expect(main.getByRole('row').filter({ hasText: 'Nordwind news' })).toContainText('Partly sent');
  await page.getByRole('link', { name: 'Nordwind spring' }).click();
  await expect(page.getByRole('table', { name: 'Touchpoints' })).toContainText('Partly sent');

  // Few bounces among many recipients are normal.
  await runSql(
    server.databaseUrl,
    `with others as (
      insert into delivery_results
      select (jsonb_populate_record(one, jsonb_build_object('seq', n))).*
      from (select r from delivery_results r where send_id = $1 and state = 'sent' limit 1) s(one), generate_series(6, 1161) n
    )
    update touchpoint_sends
    set recipients_total_count = 1161, recipients_total_sent_count = 1159, recipients_accepted_count = 1159
    where id = $1`,
    [sendId],
  );
  await page.goto(`${workspace}/sends`);
  const calm = page.locator('.status-badge[data-tone=green]');
  await expect(calm.filter({ hasText: 'Sent · 2 not delivered' })).toHaveCount(2);
  await page.goto(`/o/${organization.id}/touchpoints`);
  await expect(calm.filter({ hasText: 'Sent · 2 not delivered' })).toHaveCount(1);
  await api.patch('/me/preferences', { preferences: { language: 'de' } });
  await page.goto(`${workspace}/sends/${sendId}`);
  await expect(main.getByText('Gesendet: 1.159 von 1.161').first()).toBeVisible();
  await expect(calm.filter({ hasText: 'Gesendet · 2 nicht zugestellt' }).first()).toBeVisible();
});

test('a send without a delivered message is not a success', async ({ page, api, organization }) => {
  const contacts = [unknown('Lost'), unknown('Gone')];
  const { touchpointId } = await prepareEmail(api, organization.id, { contacts });
  const sendId = await sendAtOnce(api, touchpointId);
  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/sends/${sendId}`);
  await expect(page.getByText('Nothing sent: 0 of 2').first()).toBeVisible();
  const badges = page.getByRole('main').locator('.status-badge[data-tone=green]');
  await expect(badges).toHaveCount(0);
  await expect(page.getByRole('main').getByText('Nothing sent', { exact: true })).toHaveCount(2);
});

test('a sent email opens its results and has a receipt', async ({ page, api, organization, person }) => {
  const { touchpointId, campaignId, templateId } = await prepareEmail(api, organization.id, {
    subject: 'News for {{ contact.first_name }}',
  });
  await sendAtOnce(api, touchpointId);
  // Later changes are not part of the send.
  await api.patch(`/content/${organization.id}/templates/${templateId}`, { title: 'Autumn letter' });
  await api.post(`/content/${organization.id}/items/contacts`, {
    email: 'late@contacts.example',
    first_name: 'Late',
  });
  const workspace = `/o/${organization.id}/touchpoints/${touchpointId}`;

  await page.goto(`/o/${organization.id}/campaigns/${campaignId}`);
  const table = page.getByRole('table', { name: 'Touchpoints' });
  await table.getByRole('link', { name: 'Nordwind news', exact: true }).click();
  await expect(page).toHaveURL(`${workspace}/statistics`);
  const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  await expect(tabs).toHaveText(['Statistics', 'Receipt', 'Sends', 'Settings']);

  await page.goto(`${workspace}/email`);
  await expect(page).toHaveURL(`${workspace}/statistics`);
  await tabs.filter({ hasText: 'Receipt' }).click();
  const main = page.getByRole('main');
  await expect(main.getByText('Sent: 3 of 3').first()).toBeVisible();
  await expect(main.getByText(new RegExp(` by ${person.name}$`))).toBeVisible();
  // As the recipient read it; the source is its tooltip.
  await expect(main.getByTitle('News for {{ contact.first_name }}')).toHaveText(
    /^News for (Ada|Grace|Konrad)$/,
  );
  await expect(main.getByText('Nordwind <news@nordwind.example>')).toBeVisible();
  const shown = page.frameLocator('iframe[title^="News for "]');
  await expect(shown.getByText(/^Hello (Ada|Grace|Konrad), this is Nordwind\.$/)).toBeVisible();
  await expect(main.getByText('Matching contacts').locator('..')).toContainText('3');
  await expect(main.getByText(/will receive/i)).toHaveCount(0);
  await expect(main.getByRole('textbox')).toHaveCount(0);
  await expect(main.getByRole('button', { name: 'Send now' })).toHaveCount(0);
});

test('engine messages are translated, mail server replies are not', async ({
  page,
  api,
  organization,
  server,
}) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const sendId = await sendAtOnce(api, touchpointId);
  const reply = '550 5.7.1 Sender rejected';
  await runSql(
    server.databaseUrl,
    `update touchpoint_sends set error = jsonb_build_object('code', 'sender_rejected', 'values', jsonb_build_object('reply', $2::text))
      where id = $1`,
    [sendId, reply],
  );
  await runSql(
    server.databaseUrl,
    `update delivery_results set reply = null, error = '{"code": "message_too_large", "values": {"megabytes": 10.5}}'
      where send_id = $1 and seq = 1`,
    [sendId],
  );
  await api.patch('/me/preferences', { preferences: { language: 'de' } });
  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/sends/${sendId}`);
  await expect(page.getByRole('alert').filter({ hasText: reply })).toHaveText(
    `Der Mailserver lehnt diesen Absender ab: ${reply}. Bitten Sie den Betreiber dieser Installation, die Absenderadresse auf dem Mailserver freizugeben. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.`,
  );
  await expect(page.getByText('Die Nachricht ist größer als 10,5 MB.')).toBeVisible();
});
