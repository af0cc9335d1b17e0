import { expect, test } from './fixtures.ts';
import { chooseInRow, drawer, readDownload } from './steps.ts';

test('items are filtered, edited where they stand, copied, exported and deleted, and nobody overwrites another', async ({
  page,
  api,
  organization,
}) => {
  const items = `/content/${organization.id}/items/newsletters`;
  const add = async (title: string, subject: string) => {
    const { data } = await api.post<{ data: { id: string } }>(items, { data: { title, subject } });
    return `${items}/${data.id}`;
  };
  await add('Spring', 'Green');
  const summer = await add('Summer', 'Warm');
  const autumn = await add('Autumn', 'Red');

  await page.goto(`/o/${organization.id}/collections`);
  await expect(page.getByRole('row').filter({ hasText: 'Newsletters' })).toContainText('3');
  await page.getByRole('link', { name: 'Newsletters' }).click();

  // The arrow keys lead from the name of a row to its values.
  const cell = (subject: string) => page.getByRole('button', { name: `Edit Subject: ${subject}` });
  const editor = page.getByRole('dialog', { name: 'Edit Subject' }).getByRole('textbox');
  await page.getByRole('button', { name: 'Spring', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell('Green')).toBeFocused();
  await page.keyboard.press('Enter');
  await editor.fill('Greener');
  await page.keyboard.press('Enter');
  await expect(cell('Greener')).toBeFocused();
  await page.keyboard.press('Enter');
  await editor.fill('thrown away');
  await page.keyboard.press('Escape');
  await expect(cell('Greener')).toBeFocused();

  // Somebody else changes another value of the item, then the same one.
  await cell('Red').click();
  await api.patch(autumn, { data: { teaser: 'Leaves' } });
  await editor.fill('Redder');
  await page.keyboard.press('Enter');
  await expect(cell('Redder')).toBeVisible();
  await cell('Warm').click();
  await api.patch(summer, { data: { subject: 'Hot' } });
  await editor.fill('Milder');
  await page.keyboard.press('Enter');
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this item' });
  await expect(conflict.getByRole('row').last()).toHaveText(/Subject.*Hot.*Milder/);
  await conflict.getByRole('button', { name: 'Save mine' }).click();
  await expect(cell('Milder')).toBeVisible();

  await chooseInRow(page, 'Spring', 'Duplicate');
  await expect(drawer(page).getByLabel('Subject (optional)')).toHaveValue('Greener');
  await drawer(page).getByLabel('Title').fill('Spring again');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Spring again', 'Autumn', 'Summer', 'Spring']);
  // The list can be there before the form is gone, which takes all keys.
  await expect(drawer(page)).toHaveCount(0);

  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Subject' });
  await page.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'starts with' });
  await page.getByRole('textbox', { name: 'Value' }).fill('green');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect(page.getByText('2 results')).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveText(['Spring again', 'Spring']);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Filter: 1 condition' })).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('2 items')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV file' }).click();
  expect((await download).suggestedFilename()).toBe('newsletters.csv');
  const lines = (await readDownload(await download)).trim().split('\r\n');
  expect(lines.map((line) => line.split(',')[5])).toEqual(['subject', 'Greener', 'Greener']);

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Delete 2' }).click();
  const question = page.getByRole('dialog', { name: 'Delete 2 permanently?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'No items match this filter.' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Autumn', 'Summer']);
});
