import { prepareEmail } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';

test.use({ timezoneId: 'Europe/Berlin' });

test('rules use the times and empty values shown in the editor', async ({
  page,
  api,
  server,
  organization,
}) => {
  const { id } = organization;
  const { filterId } = await prepareEmail(api, id, { contacts: [] });
  for (const field of [
    { label: 'Since', type: 'timestamp' },
    { label: 'Friend', type: 'boolean' },
  ])
    await api.post(`/content/${id}/fields/contacts`, { field: field.label.toLowerCase(), ...field });
  await runSql(
    server.databaseUrl,
    `insert into content_items (organization_id, collection, id, data)
      select $1, 'contacts', gen_random_uuid(), jsonb_build_object('email', email, 'since', since, 'friend', friend)
      from (values ('late@contacts.example', '2026-03-28T22:59:00.000Z', true), ('early@contacts.example', '2026-03-28T23:30:00.000Z', false),
        ('empty@contacts.example', '2026-03-29T09:00:00.000Z', null)) as c(email, since, friend)`,
    [id],
  );
  const audience = `/o/${id}/audiences/${filterId}`;
  const recipients = page.getByRole('region', { name: 'Recipients' });
  await page.goto(audience);
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption('Since');
  await page.getByLabel('Value', { exact: true }).fill('2026-03-29T00:00');
  await expect(page.getByText('Time zone: Europe/Berlin')).toBeVisible();
  await expect(recipients).toContainText('early@contacts.example');
  await expect(recipients).toContainText('empty@contacts.example');
  await expect(recipients).not.toContainText('late@contacts.example');

  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByLabel('Field', { exact: true }).last().selectOption('Friend');
  await page.getByLabel('Value', { exact: true }).last().selectOption('no');
  await expect(recipients).not.toContainText('empty@contacts.example');
  await page.getByRole('checkbox', { name: 'or empty (1 without a value)' }).check();
  await expect(recipients).toContainText('empty@contacts.example');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^Saved \d/)).toBeVisible();

  await page.reload();
  await expect(page.getByLabel('Value', { exact: true }).first()).toHaveValue('2026-03-29T00:00');
  await expect(page.getByRole('checkbox', { name: 'or empty (1 without a value)' })).toBeChecked();
  const { rule } = await api.get<{ rule: unknown }>(`/filters/${filterId}`);
  expect(rule).toEqual({
    _and: [
      { since: { _gte: '2026-03-29T00:00:00+01:00[Europe/Berlin]' } },
      { _or: [{ friend: { _eq: false } }, { friend: { _null: true } }] },
    ],
  });
});
