import { prepareEmail, sendAtOnce } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { drawer, goTo, highestOf, mainNavigation, nextResponse, readDownload } from './steps.ts';

const ada = 'ada@contacts.example';

test('a contact’s page shows fields, tags, notes and messages', async ({
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

  await goTo(page, `/o/${organization.id}`);
  await mainNavigation(page).getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('columnheader')).toContainText([
    'Email',
    'Subscription',
    'First name',
    'Last name',
    'Company',
    'Added',
  ]);
  // Sorted by latest first, which the header indicates.
  await expect(page.getByRole('columnheader', { name: 'Added' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Columns' }).click();
  const saved = nextResponse(page, 'PATCH', /preferences/);
  await page.getByRole('checkbox', { name: 'Country' }).check();
  await saved;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Country' })).toBeVisible();
  await expect.poll(() => highestOf(page.getByRole('row'))).toBeLessThanOrEqual(46);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Country' })).toBeVisible();

  await page.getByRole('row').filter({ hasText: ada }).getByText('GB').click();
  await expect(page.getByRole('heading', { level: 2, name: 'Ada' })).toBeVisible();
  const messages = page.locator('section').filter({ hasText: 'Nordwind news' }).getByRole('listitem').first();
  await expect(messages).toContainText('Sent');
  await expect(messages).toContainText('Nordwind Outdoor › Nordwind › Nordwind spring');
  await expect(messages).toContainText(/Opened · /);

  await page.getByRole('button', { name: 'Edit contact' }).click();
  await drawer(page).getByLabel('Last name (optional)').fill('Lovelace');
  await drawer(page).getByLabel('Tags (optional)').fill('Press');
  await page.keyboard.press('Enter');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Ada Lovelace' })).toBeVisible();
  await page.getByRole('link', { name: 'Full page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible();
  await expect(page.locator('#main').getByText('Press', { exact: true })).toBeVisible();

  await page.getByLabel('New note').fill('Prefers letters');
  await page.getByRole('button', { name: 'Add note' }).click();
  const note = page.getByRole('listitem').filter({ hasText: 'Prefers letters' });
  await expect(note).toContainText(person.name);
  await note.getByRole('button', { name: 'Delete this note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No notes yet.')).toBeVisible();
});

test('an import previews, creates fields and returns rejected rows', async ({ page, api, organization }) => {
  await api.post(`/content/${organization.id}/items/contacts`, { email: ada, first_name: 'Ada' });
  await goTo(page, `/o/${organization.id}/collections/contacts/import`);
  await page.getByLabel('Drop a CSV or JSON file here, or click to choose one').setInputFiles({
    name: 'Kundschaft.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'E-Mail;Vorname;Kunde seit;Geburtstag;VIP',
        `${ada};Ada;10.12.2015;10.12.1990;ja`,
        'joerg;Jörg;1.1.2020;;',
        'konrad@contacts.example;Konrad;22.6.2019;31.02.1980;',
        'emmy@contacts.example;Emmy;23.3.2018;23.3.1982;vielleicht',
        'lise@contacts.example;Lise;7.11.2017;7.11.1978;nein',
        'lise@contacts.example;Lise;7.11.2017;7.11.1978;ja',
      ].join('\r\n'),
      'latin1',
    ),
  });
  const target = page.getByRole('combobox', { name: 'Maps to: Kunde seit' });
  const skipped = page.getByRole('alert').filter({ hasText: 'imported' });
  await expect(skipped).toHaveText('This column won’t be imported: Kunde seit.');
  await target.selectOption({ label: 'New field “Kunde seit”' });
  await expect(skipped).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Type: Kunde seit' })).toHaveValue('date');
  await page.getByRole('combobox', { name: 'Maps to: VIP' }).selectOption('vip');
  await page
    .getByRole('combobox', { name: 'If a value can’t be read: Geburtstag' })
    .selectOption('Reject the row');
  await page.getByRole('button', { name: 'Check file' }).click();

  await expect(page.getByRole('heading', { name: 'What this import will change' })).toBeVisible();
  const numbers = page.locator('dl dd');
  await expect(numbers).toHaveText(['2', '1', '0', '2']);
  const sum = page.getByText('6 rows = 2 new + 1 updated + 0 unchanged + 1 merged + 2 rejected');
  await expect(sum).toBeVisible();
  await expect(page.getByText('1 duplicate row in the file is merged with the one before it')).toBeVisible();
  await expect(page.getByText('New fields: Kunde seit.')).toBeVisible();
  const reasons = page.locator('section').filter({ hasText: 'Rejected rows' }).getByRole('row');
  await expect(reasons).toHaveText([
    /Reason/,
    /^Birthday.*This date does not exist\.1Line 4: 31\.02\.1980$/,
    /^Email.*This is not an email address\.1Line 3: joerg$/,
  ]);
  const leftOut = page.locator('section').filter({ hasText: 'Values left out' }).getByRole('row');
  await expect(leftOut.nth(1)).toContainText('Use one of these words: true, 1, yes');
  const { meta } = await api.get<{ meta: { total_count: number } }>(
    `/content/${organization.id}/items/contacts`,
  );
  expect(meta.total_count).toBe(1);

  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible();
  await expect(numbers).toHaveText(['2', '1', '0', '2']);
  await expect(sum).toBeVisible();
  // Every step is marked as completed, including the last one.
  await expect(page.locator('[data-completed="true"].mantine-Stepper-step')).toHaveCount(4);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download rejected rows' }).click();
  expect((await download).suggestedFilename()).toBe('Kundschaft – rejected rows.csv');
  expect(await readDownload(await download)).toContain(
    'konrad@contacts.example;Konrad;22.6.2019;31.02.1980;;4;Geburtstag;This date does not exist.',
  );
  const other = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download rows with values left out' }).click();
  expect(await readDownload(await other)).toContain(
    'emmy@contacts.example;Emmy;23.3.2018;23.3.1982;vielleicht;5;VIP;',
  );
  await page.getByRole('link', { name: 'View Contacts' }).click();
  // Contacts of the same millisecond have no order.
  const listed = async () => (await page.getByRole('rowheader').allTextContents()).toSorted();
  const expected = ['lise@contacts.example', 'emmy@contacts.example', ada].toSorted();
  await expect.poll(listed).toEqual(expected);
  await page.getByRole('link', { name: ada }).click();
  await expect(page.getByText('Kunde seit')).toBeVisible();

  // Rows that are rejected for one reason are one line.
  await goTo(page, `/o/${organization.id}/collections/contacts/import`);
  await page.getByLabel('Drop a CSV or JSON file here, or click to choose one').setInputFiles({
    name: 'bad.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`email\r\n${'nobody\r\n'.repeat(21)}`),
  });
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(reasons).toHaveText([/Reason/, /not an email address\.21Line 2: nobody.*and 18 more$/]);
  await expect(page.getByRole('button', { name: 'Import 0 rows' })).toBeDisabled();
});

test('a search beyond the counting limit still pages to the end', async ({ page, server, organization }) => {
  await runSql(
    server.databaseUrl,
    `with crowd as (
      insert into content_items (organization_id, collection, id, data)
      select $1, 'contacts', 'crowd-' || i, jsonb_build_object('email', 'crowd' || i || '@contacts.example')
      from generate_series(1, 10002) i
      returning organization_id, collection, id
    ),
    counted as (
      update content_collections set items_count = 10002 where organization_id = $1 and collection = 'contacts'
    )
    insert into content_search_queue (organization_id, collection, item_ids)
    select organization_id, collection, array_agg(id) from crowd group by 1, 2`,
    [organization.id],
  );
  await goTo(page, `/o/${organization.id}/contacts?search=crowd&page=100`);
  await expect(page.getByRole('status').getByText('More than 2,000 results')).toBeVisible();
  await expect(page.getByText('1,981–2,000 of more than 2,000')).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('2,001–2,020 of more than 2,020')).toBeVisible();
  await goTo(page, `/o/${organization.id}/contacts?search=crowd&page=501`);
  await expect(page.getByText('10,001–10,002 of 10,002')).toBeVisible();
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('crowd200');
  await expect(page.getByText('1–11 of 11')).toBeVisible();
});

test('a contact is shared by a link that asks for its password', async ({
  page,
  api,
  organization,
  newVisitor,
}) => {
  await prepareEmail(api, organization.id);
  await goTo(page, `/o/${organization.id}/contacts?search=${ada}`);
  await page.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'New link' }).click();
  const form = page.getByRole('dialog', { name: 'New link' });
  await form.getByRole('combobox', { name: 'Role of the readers' }).click();
  await expect(page.getByRole('option')).toHaveText(['Editor', 'Analyst']);
  await page.keyboard.press('Escape');
  await form.getByLabel('Password (optional)').fill('horse battery');
  await form.getByRole('button', { name: 'Create link' }).click();
  const links = page.getByRole('list', { name: 'Links to this item' });
  const url = await links.getByRole('textbox').inputValue();

  const visitor = await newVisitor();
  await visitor.goto(new URL(url).pathname);
  await visitor.getByLabel('Password', { exact: true }).fill('wrong');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByText('The password is wrong, or the link doesn’t work any more.')).toBeVisible();
  await visitor.getByLabel('Password', { exact: true }).fill('horse battery');
  await visitor.keyboard.press('Enter');
  await expect(visitor.locator('dl').getByText(ada)).toBeVisible();
  await expect(visitor.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, nofollow');

  await links.getByRole('button', { name: 'End share' }).click();
  await page
    .getByRole('dialog', { name: /^End the share/ })
    .getByRole('button', { name: 'End share' })
    .click();
  await expect(page.getByText('This item has no links yet.')).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
});
