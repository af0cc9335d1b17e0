import { findAccessibilityFaults } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { addRecords, bounceDomain, spfInclude } from './server.ts';
import { visit } from './steps.ts';

/** No other test asks about its records. */
const domain = `nordwind-${crypto.randomUUID()}.example`;

interface Details {
  records: { purpose: string; name: string; value: string }[];
}

test('a domain is added, its records are mended and verified, and a campaign uses it', async ({
  page,
  context,
  api,
  server,
  organization: { id: organization_id },
}) => {
  const client = await api.post<{ id: string }>('/clients', { organization_id, name: 'Nordwind' });
  const brand = await api.post<{ id: string }>('/brands', {
    organization_id,
    client_id: client.id,
    name: 'Nordwind Outdoor',
    tracking_policy: 'everyone',
  });
  const campaign = await api.post<{ id: string }>('/campaigns', {
    organization_id,
    brand_id: brand.id,
    name: 'Spring',
  });
  const dkimName = `r1._domainkey.${domain}`;
  await addRecords(server, {
    [dkimName]: { TXT: ['v=DKIM1; k=rsa; p=b2xk'] },
    [domain]: { TXT: [`v=spf1 include:${spfInclude} ~all`] },
    [`bounce.${domain}`]: { CNAME: bounceDomain },
    [`_dmarc.${domain}`]: { TXT: [`v=DMARC1; p=reject; rua=mailto:reports@${domain}`] },
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);

  await page.goto(`/o/${organization_id}/campaigns/${campaign.id}`);
  await expect(page.getByText('No verified domain can be used by this brand yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Set up a domain' }).click();
  await expect(page.getByRole('heading', { name: 'Send from your client’s own domain' })).toBeVisible();
  await page.getByRole('button', { name: 'Add domain' }).click();
  // Asked for from a campaign of this client.
  await expect(page.getByRole('combobox', { name: 'Belongs to' })).toHaveValue('Nordwind (all brands)');
  const name = page.getByRole('textbox', { name: 'Domain' });
  await name.fill('gmail.com');
  await page.getByRole('button', { name: 'Add domain' }).click();
  await expect(page.getByText('This domain belongs to a provider of free mailboxes')).toBeVisible();
  await name.fill(` ${domain.toUpperCase()} `);
  await page.getByRole('button', { name: 'Add domain' }).click();

  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible();
  const card = (title: string) => page.getByRole('region', { name: title, exact: true });
  const state = (title: string) => card(title).getByRole('status');
  await expect(state('DKIM')).toHaveText('Found but different');
  await expect(card('DKIM').getByRole('definition').locator('mark')).not.toHaveCount(0);
  await expect(card('DKIM')).toContainText(`The key at ${dkimName} differs from ours. Copy the value again.`);
  for (const title of ['SPF', 'Return path', 'DMARC']) await expect(state(title)).toHaveText('Verified');
  await expect(card('Return path')).toContainText(`Returned messages go to ${bounceDomain} (192.0.2.25).`);
  await expect(state('Tracking')).toHaveText('Not possible yet');
  await expect(page.getByText('Missing settings: PUBLIC_URL.')).toBeVisible();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);

  const id = page.url().split('/').at(-1)!;
  const { records } = await api.get<Details>(`/domains/${id}`);
  const dkim = records.filter(({ purpose }) => purpose === 'dkim');
  await card('DKIM')
    .getByRole('button', { name: /^Copy: Value v=DKIM1/ })
    .first()
    .click();
  await expect(card('DKIM').getByRole('button', { name: /^Copied: Value v=DKIM1/ })).toBeVisible();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toBe(dkim.find((record) => record.name === dkimName)!.value);

  await page.getByRole('group', { name: 'Copy for your administrator' }).getByText('Deutsch').click();
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toContain(
      `Bitte legen Sie diese DNS-Einträge für ${domain} an:\n\nTXT r1._domainkey.${domain}\n${copied}\n\n`,
    );

  await addRecords(server, Object.fromEntries(dkim.map(({ name: at, value }) => [at, { TXT: [value] }])));
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(state('DKIM')).toHaveText('Verified');
  await expect(page.getByText(`Addresses at ${domain} can be used as senders`)).toBeVisible();
  await page.getByRole('link', { name: 'To the campaigns' }).click();
  await page.getByRole('link', { name: 'Spring' }).click();
  await expect(page.getByText(`All verified domains of the brand can be used: ${domain}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Choose domains' }).click();
  await page.getByRole('dialog').getByLabel(domain).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('main').getByRole('link', { name: domain })).toBeVisible();

  await visit(page, `/o/${organization_id}/domains`);
  await expect(page.getByRole('row', { name: domain })).toContainText('DKIM: Verified');
});
