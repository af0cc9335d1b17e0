import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { breakdownNumber, expectImage, goTo, pressCreate, readDownload, takeImage, visit } from './steps.ts';

test('an organization connects, uses and disconnects its Directus', async ({
  page,
  api,
  server,
  organization: { id: organization_id },
}) => {
  // The content API of another organization is compatible with Directus.
  const cms = await api.post<{ id: string }>('/organizations', { name: 'Their CMS' });
  await api.post(`/content/${cms.id}/items/contacts`, { email: 'there@cms.example', first_name: 'Thea' });
  await api.post(`/content/${organization_id}/items/contacts`, { email: 'here@built-in.example' });
  await api.post(`/content/${cms.id}/presets`, {
    collection: 'contacts',
    bookmark: 'Nobody called Thea',
    is_shared: true,
    filter: { _and: [{ first_name: { _neq: 'Thea' } }] },
  });
  const { secret } = await api.post<{ secret: string }>(`/organizations/${cms.id}/api_keys`, {
    name: 'Reachout',
    scopes: ['content:read', 'content:write'],
  });
  const endpoint = `${server.url}/content/${cms.id}`;

  await goTo(page, `/o/${organization_id}/settings/content-backend`);
  await expect(page.getByRole('heading', { name: 'Built-in content backend' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect Directus' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Directus' });
  await expect(dialog.getByText('2 built-in collections are hidden and kept unchanged.')).toBeVisible();
  await dialog.getByLabel('Address').fill('https://10.0.0.1');
  await dialog.getByLabel('Access token').fill(`${secret}x`);
  await dialog.getByRole('button', { name: 'Connect Directus' }).click();
  await expect(dialog.getByText('This address is in a private network.')).toBeVisible();
  await dialog.getByLabel('Address').fill(endpoint);
  await dialog.getByRole('button', { name: 'Connect Directus' }).click();
  await expect(dialog.getByText('The Directus doesn’t accept the token.')).toBeVisible();
  await dialog.getByLabel('Access token').fill(secret);
  await dialog.getByRole('button', { name: 'Connect Directus' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByText(endpoint)).toBeVisible();
  await expect(page.getByText(`Set, ends in ${secret.slice(-4)}`)).toBeVisible();
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('Checked just now')).toBeVisible();

  await visit(page, `/o/${organization_id}/collections/contacts`);
  await expect(page.getByText('there@cms.example')).toBeVisible();
  await expect(page.getByText('here@built-in.example')).toBeHidden();
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV file' }).click();
  expect(await readDownload(await download)).toContain('there@cms.example');
  await page.getByRole('button', { name: 'All contacts' }).click();
  await expect(page.getByRole('menuitem', { name: 'Nobody called Thea' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Save as new view' })).toBeHidden();
  await page.getByRole('menuitem', { name: 'Nobody called Thea' }).click();
  await expect(page.getByRole('heading', { name: 'No contacts match these filters.' })).toBeVisible();
  await visit(page, `/o/${organization_id}/files`);
  await expect(page.getByText('Files of your Directus.')).toBeVisible();
  const image = await takeImage(page);
  const chosen = page.waitForEvent('filechooser');
  await pressCreate(page, 'Upload files');
  await (await chosen).setFiles(image);
  await expect(page.getByRole('rowheader')).toHaveText(['picture.png']);
  await expectImage(page.getByRole('rowheader').locator('img'));
  await expect(page.getByRole('columnheader', { name: 'Visible to' })).toHaveCount(0);
  // Features of the built-in backend only are explained.
  await visit(page, `/o/${organization_id}/collections/newsletters/fields`);
  await expect(page.getByText('These fields belong to your Directus and are changed there.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add field' })).toHaveAttribute('aria-disabled', 'true');
  await visit(page, `/o/${organization_id}/collections/contacts/import`);
  await page.locator('input[type="file"]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email,first_name,town\nthere@cms.example,Theodora,Rome\nnew@cms.example,Neo,Oslo\n'),
  });
  await expect(page.getByLabel('Maps to: town').getByText('First name')).toHaveCount(1);
  await expect(page.getByLabel('Maps to: town').getByText('New field')).toHaveCount(0);
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible();
  await page.getByRole('link', { name: 'View Contacts' }).click();
  await expect(page.getByText('new@cms.example')).toBeVisible();
  await expect(page.getByText('Theodora')).toBeVisible();

  // This key can only change contacts: a campaign is still saved here.
  const client = await api.post<{ id: string }>('/clients', { organization_id, name: 'Acme' });
  const brand = await api.post<{ id: string }>('/brands', {
    organization_id,
    client_id: client.id,
    name: 'Shoes',
    tracking_policy: 'everyone',
  });
  const campaign = await api.post<{ id: string }>('/campaigns', {
    organization_id,
    brand_id: brand.id,
    name: 'Spring',
  });
  const notSynced = page.getByText('“Spring” is saved here, but could not be synced to the content backend.');
  await visit(page, `/o/${organization_id}/campaigns/${campaign.id}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Spring' })).toBeVisible();
    await expect(notSynced).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await visit(page, `/o/${organization_id}/settings/content-backend`);
  await expect(page.getByRole('row', { name: 'Spring Campaign · Waiting' })).toBeVisible();
  await visit(page, `/o/${organization_id}/campaigns/${campaign.id}`);
  const sync = page.getByRole('button', { name: 'Sync now' });
  await expect(sync).toBeVisible();
  await runSql(server.databaseUrl, `update api_keys set scopes = scopes || $2 where organization_id = $1`, [
    cms.id,
    ['clients:read', 'clients:write', 'campaigns:read', 'campaigns:write'],
  ]);
  // At once, before the server retries by itself.
  await sync.click();
  await expect(page.getByText('Synced to the content backend')).toBeVisible();
  await expect(notSynced).toBeHidden();

  // While it cannot be used, entries that would only lead to an error say so.
  const scopes = 'update api_keys set scopes = $2 where organization_id = $1';
  await runSql(server.databaseUrl, scopes, [cms.id, []]);
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Contacts/ });
  // Again, since a request that has begun before may answer after the one that fails.
  await expect(async () => {
    await goTo(page, `/o/${organization_id}/contacts`);
    await expect(entry).toHaveAttribute('aria-disabled', 'true', { timeout: 5_000 });
  }).toPass();
  await expect(entry).toContainText('Directus');
  await runSql(server.databaseUrl, scopes, [cms.id, ['content:read', 'content:write']]);
  // Again, since a request that has begun before is not repeated.
  await expect(async () => {
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await expect(entry).toHaveAttribute('href', `/o/${organization_id}/contacts`, { timeout: 2_000 });
  }).toPass();

  await visit(page, `/o/${organization_id}/settings/content-backend`);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('heading', { name: 'Built-in content backend' })).toBeVisible();
  await visit(page, `/o/${organization_id}/collections/contacts`);
  await expect(page.getByText('here@built-in.example')).toBeVisible();

  // An incomplete setup reports its progress and keeps the input.
  await visit(page, `/o/${organization_id}/settings/content-backend`);
  await page.getByRole('button', { name: 'Set up Directus' }).click();
  const form = page.getByRole('dialog', { name: 'Set up Directus' });
  await form.getByLabel('Address').fill(endpoint);
  const readOnly = await api.post<{ secret: string }>(`/organizations/${cms.id}/api_keys`, {
    name: 'Not for setups',
    scopes: ['content:read'],
  });
  await form.getByLabel('Admin token').fill(readOnly.secret);
  await form.getByRole('button', { name: 'Set up Directus' }).click();
  const notice = form.getByRole('status').filter({ hasText: 'The setup stopped partway' });
  await expect(notice).toContainText('Not created, or not confirmed:');
  await expect(notice.getByRole('listitem')).toHaveText(['Collection reachout_clients']);
  await expect(form.getByLabel('Admin token')).toHaveValue(readOnly.secret);
});

test('Directus audience counts show their age and refresh', async ({
  page,
  api,
  server,
  organization: { id: organization_id },
}) => {
  const cms = await api.post<{ id: string }>('/organizations', { name: 'Their CMS' });
  const addThere = (person: object) => api.post(`/content/${cms.id}/items/contacts`, person);
  await addThere({ email: 'ada@cms.example' });
  await addThere({ email: 'out@cms.example', unsubscribed: true });
  const { secret } = await api.post<{ secret: string }>(`/organizations/${cms.id}/api_keys`, {
    name: 'Reachout',
    scopes: ['content:read'],
  });
  const endpoint = `${server.url}/content/${cms.id}`;
  await api.put(`/organizations/${organization_id}/content_backend`, { endpoint, access_token: secret });
  const { id } = await api.post<{ id: string }>('/filters', { organization_id, name: 'Everybody' });

  await goTo(page, `/o/${organization_id}/audiences/${id}`);
  const will = breakdownNumber(page, 'Will receive the email');
  await expect(will).toHaveText('up to 2');
  await expect(page.getByText('Who is excluded shows once the contacts have been read')).toBeVisible();
  await page.getByRole('button', { name: 'Read contacts' }).click();
  await expect(page.getByText('Counted now.')).toBeVisible();
  await expect(will).toHaveText('1');

  await addThere({ email: 'ben@cms.example' });
  await runSql(
    server.databaseUrl,
    `update audience_readings set began_at = now() - interval '20 minutes' where organization_id = $1`,
    [organization_id],
  );
  await page.reload();
  await expect(page.getByText('Counted 20 minutes ago. 3 contacts match now.')).toBeVisible();
  await expect(will).toHaveText('1');
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(page.getByText('Counted now.')).toBeVisible();
  await expect(will).toHaveText('2');
});
