import { startSmtpSink } from '../apps/server/src/testing/smtp-sink.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { prepareEmail, sendAtOnce, threeContacts, type Api } from './api.ts';
import { expect, test } from './fixtures.ts';
import { addRecords, bounceDomain, spfInclude, type Server } from './server.ts';
import { choose, visit } from './steps.ts';

test('a brand sends by its own mail server, which the receipt names', async ({
  page,
  api,
  person,
  server,
  organization: { id: organization_id },
}) => {
  const account = { username: 'relay', password: 'only for this test' };
  const sink = await startSmtpSink({ account });
  try {
    const { brandId, touchpointId } = await prepareEmail(api, organization_id);
    const from_email = `news@${await verifyDomain(api, server, organization_id)}`;
    await api.patch(`/touchpoints/${touchpointId}/email`, { from_email });

    await page.goto(`/o/${organization_id}/settings/transports`);
    await page.getByRole('button', { name: 'Add transport' }).click();
    const form = page.getByRole('dialog', { name: 'Add transport' });
    await form.getByLabel('Name', { exact: true }).fill('Own relay');
    await choose(page, 'Service', 'Brevo');
    await expect(form.getByLabel('Host')).toHaveValue('smtp-relay.brevo.com');
    await form.getByLabel('Host').fill('localhost');
    await form.getByLabel('Port').fill(new URL(sink.url).port);
    await form.getByLabel('User name').fill(account.username);
    await form.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await form.getByRole('button', { name: 'Add transport' }).click();
    await expect(form.getByRole('alert')).toContainText('535');
    expect(await findAccessibilityFaults(page, false)).toEqual([]);
    // What was typed has stayed.
    await form.getByRole('textbox', { name: 'Password' }).fill(account.password);
    await form.getByRole('button', { name: 'Add transport' }).click();
    await expect(form).toBeHidden();
    const row = page.getByRole('row', { name: 'Own relay' });
    await expect(row).toContainText('Works');

    await row.getByRole('button', { name: 'More actions for Own relay' }).click();
    await page.getByRole('menuitem', { name: 'Send me a test' }).click();
    await page.getByRole('dialog').getByLabel('Sender address').fill(from_email);
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText(`Test sent to ${person.email}`)).toBeVisible();
    expect(sink.taken.map(({ recipient }) => recipient)).toEqual([person.email]);

    await row.getByRole('button', { name: 'Own relay', exact: true }).click();
    const change = page.getByRole('dialog', { name: 'Change transport' });
    await expect(change.getByText('Leave empty to keep what is stored.')).toBeVisible();
    // The password is not used with another account.
    await change.getByLabel('User name').fill('another');
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(change.getByText('Required.')).toBeVisible();
    await change.getByLabel('User name').fill(account.username);
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(change).toBeHidden();

    await visit(page, `/o/${organization_id}/brands/${brandId}/kit`);
    await choose(page, 'Transport', 'Own relay');
    const question = page.getByRole('dialog', { name: 'Send by “Own relay”?' });
    await expect(question).toContainText('Sends in progress go on by it within seconds.');
    await question.getByRole('button', { name: 'Change transport' }).click();
    await expect(page.getByRole('combobox', { name: 'Transport' })).toHaveValue('Own relay');

    const sendId = await sendAtOnce(api, touchpointId);
    expect(sink.taken.slice(1).map(({ recipient }) => recipient)).toEqual(
      expect.arrayContaining(threeContacts.map(({ email }) => email)),
    );
    await visit(page, `/o/${organization_id}/touchpoints/${touchpointId}/receipt`);
    await expect(page.getByRole('definition').filter({ hasText: 'Own relay' })).toBeVisible();
    await visit(page, `/o/${organization_id}/touchpoints/${touchpointId}/sends/${sendId}`);
    await expect(page.getByText('by Own relay')).toHaveCount(3);

    await visit(page, `/o/${organization_id}/settings/transports`);
    await expect(row).toContainText('Nordwind');
    await row.getByRole('button', { name: 'More actions for Own relay' }).click();
    await expect(page.getByRole('menuitem', { name: /^Delete/ })).toBeDisabled();
  } finally {
    await sink.close();
  }
});

/** @returns a domain of the organization that messages may be sent from */
async function verifyDomain(api: Api, server: Server, organization_id: string): Promise<string> {
  const domain = `relay-${crypto.randomUUID()}.example`;
  const { id, records } = await api.post<{
    id: string;
    records: { purpose: string; name: string; value: string }[];
  }>('/domains', { organization_id, client_id: null, brand_id: null, domain });
  const keys = records.filter(({ purpose }) => purpose === 'dkim');
  await addRecords(server, {
    ...Object.fromEntries(keys.map(({ name, value }) => [name, { TXT: [value] }])),
    [domain]: { TXT: [`v=spf1 include:${spfInclude} ~all`] },
    [`bounce.${domain}`]: { CNAME: bounceDomain },
    [`_dmarc.${domain}`]: { TXT: [`v=DMARC1; p=reject; rua=mailto:reports@${domain}`] },
  });
  for (const check of ['dkim', 'spf', 'dmarc']) await api.get(`/domains/${check}/${id}`);
  const { status } = await api.get<{ status: string }>(`/domains/${id}`);
  expect(status).toBe('verified');
  return domain;
}
