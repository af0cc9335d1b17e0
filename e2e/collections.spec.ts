import { expect, test } from './fixtures.ts';
import { choose, chooseInRow, drawer, goTo, pressCreate, readDownload, takeImage, visit } from './steps.ts';

test('items are edited in place without overwriting other changes', async ({ page, api, organization }) => {
  const items = `/content/${organization.id}/items/newsletters`;
  const add = async (title: string, subject: string) => {
    const { data } = await api.post<{ data: { id: string } }>(items, { title, subject });
    return `${items}/${data.id}`;
  };
  const spring = await add('Spring', 'Green');
  const summer = await add('Summer', 'Warm');
  const autumn = await add('Autumn', 'Red');

  await goTo(page, `/o/${organization.id}/collections`);
  await expect(page.getByRole('row').filter({ hasText: 'Newsletters' })).toContainText('3');
  await page.getByRole('link', { name: 'Newsletters' }).click();

  // Arrow keys move from the name of a row to its values.
  const cell = (subject: string) => page.getByRole('button', { name: `Edit Subject: ${subject}` });
  const editor = page.getByRole('dialog', { name: 'Edit Subject' }).getByRole('textbox');
  await page.getByRole('link', { name: 'Spring', exact: true }).focus();
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

  // Moving on while a value is being saved keeps the new focus.
  const leftFor = Promise.withResolvers<void>();
  await page.route(`**/api${spring}`, async (route) => {
    await leftFor.promise;
    await route.continue();
  });
  await cell('Greener').click();
  await editor.fill('Greenest');
  await cell('Warm').click();
  await expect(editor.last()).toBeFocused();
  leftFor.resolve();
  await expect(cell('Greenest')).toBeVisible();
  await expect(editor).toHaveCount(1);
  await expect(editor).toHaveValue('Warm');
  await expect(editor).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(cell('Warm')).toBeFocused();

  // Another user changes another value of the item, then the same one.
  await cell('Red').click();
  await api.patch(autumn, { teaser: 'Leaves' });
  await editor.fill('Redder');
  await page.keyboard.press('Enter');
  // Its editor is closed, too.
  await expect(cell('Redder')).toBeFocused();
  await cell('Warm').click();
  await api.patch(summer, { subject: 'Hot' });
  await editor.fill('Milder');
  await page.keyboard.press('Enter');
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this item' });
  await expect(conflict.getByRole('row').last()).toHaveText(/Subject.*Hot.*Milder/);
  await conflict.getByRole('button', { name: 'Save mine' }).click();
  await expect(cell('Milder')).toBeVisible();

  await chooseInRow(page, 'Spring', 'Duplicate');
  await expect(drawer(page).getByLabel('Subject (optional)')).toHaveValue('Greenest');
  await drawer(page).getByLabel('Title').fill('Spring again');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Spring again', 'Autumn', 'Summer', 'Spring']);
  // The list may be updated before the drawer is closed, which captures all keys.
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
  expect(lines.map((line) => line.split(',')[5])).toEqual(['subject', 'Greenest', 'Greenest']);

  // Deletes all at once; items that another user has deleted meanwhile do not prevent it, and are named.
  const removals: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') removals.push(new URL(request.url()).pathname.slice('/api'.length));
  });
  const deleteBoth = async () => {
    await page.getByRole('button', { name: 'Delete 2' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 2 permanently?' });
    await question.getByRole('button', { name: 'Delete' }).click();
  };
  await page.getByRole('button', { name: 'Filter: 1 condition' }).click();
  await page.getByRole('button', { name: 'Remove filter' }).click();
  // Loaded only after the deletion below, the list without the filter would lack one of the selected rows.
  await expect(page.getByRole('rowheader')).toHaveCount(4);
  for (const name of ['Spring again', 'Spring'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  await api.delete(spring);
  await deleteBoth();
  const failures = page.getByRole('region', { name: 'Selected rows' }).getByRole('alert');
  await expect(failures).toContainText('Done for 1 of 2');
  await expect(failures.getByRole('listitem')).toContainText(/^Spring: /);
  await expect(page.getByRole('rowheader')).toHaveText(['Autumn', 'Summer']);
  expect(removals).toEqual([items, expect.stringContaining(`${items}/`), spring]);
  removals.length = 0;
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await deleteBoth();
  await expect(page.getByText('2 deleted')).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveCount(0);
  expect(removals).toEqual([items]);
});

test('changing a field shows its effect on stored items', async ({ page, api, organization }) => {
  await goTo(page, `/o/${organization.id}/collections`);
  await page.getByRole('button', { name: 'New collection' }).click();
  await drawer(page).getByLabel('Collection name').fill('Products');
  await drawer(page).getByRole('button', { name: 'New collection' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fields' })).toBeVisible();

  const addField = async (name: string, kind: string | RegExp, fill?: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Add field' }).click();
    await drawer(page).getByLabel('Name', { exact: true }).fill(name);
    await choose(page, 'Kind', kind);
    await fill?.();
    await drawer(page).getByRole('button', { name: 'Add field' }).click();
    await expect(drawer(page)).toHaveCount(0);
  };
  await addField('Article number', /^Text$/, () =>
    drawer(page).getByRole('checkbox', { name: 'Unique' }).check(),
  );
  await addField('Color', 'Choice', async () => {
    await drawer(page).getByLabel('Choices').fill('red');
    await page.keyboard.press('Enter');
    await drawer(page).getByLabel('Choices').fill('blue');
    await page.keyboard.press('Enter');
  });
  await expect(page.getByRole('row').filter({ hasText: 'Article number' })).toContainText(
    'article_numberTextUnique',
  );

  const items = `/content/${organization.id}/items/products`;
  await api.post(items, { title: 'Tent', article_number: 'A1', color: 'red' });
  await page.getByRole('link', { name: 'Products' }).click();
  await page.getByRole('button', { name: 'Add item' }).click();
  await drawer(page).getByLabel('Title').fill('Boat');
  await drawer(page).getByLabel('Article number (optional)').fill('a1');
  await choose(page, 'Color (optional)', 'blue');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  // The error is shown at its field, and the input is kept.
  await expect(drawer(page).getByLabel('Article number (optional)')).toBeFocused();
  await expect(drawer(page).getByText('Another item already has this value.')).toBeVisible();
  await drawer(page).getByLabel('Article number (optional)').fill('A2');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Boat', 'Tent']);

  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Fields' }).click();
  await page.getByRole('button', { name: 'Color', exact: true }).click();
  await choose(page, 'Kind', /^Whole number$/);
  await expect(drawer(page).getByText('2 items have a value here.')).toBeVisible();
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await expect(drawer(page).getByText('Affected items: 2.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();

  await chooseInRow(page, 'Color', 'Move up');
  await expect(page.getByRole('rowheader')).toHaveText(['Title', 'Color', 'Article number']);
  await chooseInRow(page, 'Color', 'Delete');
  const question = page.getByRole('dialog', { name: 'Delete the field “Color” permanently?' });
  await expect(question).toContainText('Its values in 2 items are deleted, too.');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Title', 'Article number']);

  await visit(page, `/o/${organization.id}/collections`);
  await chooseInRow(page, 'Products', 'Delete collection');
  const farewell = page.getByRole('dialog', { name: 'Delete the collection “Products” permanently?' });
  await expect(farewell).toContainText('Its 2 items are deleted with it.');
  await farewell.getByRole('button', { name: 'Delete collection' }).click();
  await expect(page.getByText('Collection deleted')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Products' })).toHaveCount(0);
});

test('a shared view restores filter, order and columns', async ({ page, api, organization }) => {
  const items = `/content/${organization.id}/items/newsletters`;
  for (const [title, subject] of [
    ['Spring', 'Green'],
    ['Summer', 'Warm'],
    ['Autumn', 'Red'],
  ])
    await api.post(items, { title, subject });
  const filter = JSON.stringify({ _and: [{ subject: { _neq: 'Warm' } }] });
  await goTo(
    page,
    `/o/${organization.id}/collections/newsletters?order=title.asc&filter=${encodeURIComponent(filter)}`,
  );
  await expect(page.getByRole('rowheader')).toHaveText(['Autumn', 'Spring']);
  await page.getByRole('button', { name: 'All items' }).click();
  await page.getByRole('menuitem', { name: 'Save as new view' }).click();
  await drawer(page).getByLabel('View name').fill('Not in summer');
  await drawer(page)
    .getByRole('checkbox', { name: /^Share with the team/ })
    .check();
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  const view = page.getByRole('button', { name: 'Not in summer' });
  await expect(view).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Teaser' }).click();
  await page.keyboard.press('Escape');
  await expect(view).toContainText('(changed)');
  await view.click();
  await page.getByRole('menuitem', { name: 'Save changes to “Not in summer”' }).click();
  await expect(view).not.toContainText('(changed)');

  await goTo(page, `/o/${organization.id}/collections/newsletters`);
  await expect(page.getByRole('columnheader', { name: 'Teaser' })).toBeVisible();
  await page.getByRole('button', { name: 'All items' }).click();
  await page.getByRole('menuitem', { name: 'Not in summer' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Autumn', 'Spring']);
  await expect(page.getByRole('columnheader', { name: 'Teaser' })).toHaveCount(0);
  await view.click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  const question = page.getByRole('dialog', { name: 'Delete the view “Not in summer”?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Autumn', 'Summer', 'Spring']);
});

test('an uploaded file becomes an item’s image until deleted', async ({ page, api, organization }) => {
  const field = { field: 'picture', label: 'Picture', type: 'uuid', interface: 'image' };
  await api.post(`/content/${organization.id}/fields/newsletters`, field);
  await goTo(page, `/o/${organization.id}/collections`);
  await page.getByRole('link', { name: 'Files' }).click();
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
  const image = await takeImage(page);
  const tooLarge = { name: 'film.mov', mimeType: 'video/quicktime', buffer: Buffer.alloc(10_000_001) };
  const chosen = page.waitForEvent('filechooser');
  await pressCreate(page, 'Upload files');
  await (await chosen).setFiles([image, tooLarge]);
  await expect(page.getByRole('alert')).toHaveText(/1 file was not uploaded.*film\.mov: .*larger than 10 MB/);
  await expect(page.getByRole('rowheader')).toHaveText(['picture.png']);
  await chooseInRow(page, 'picture.png', 'Rename');
  await drawer(page).getByLabel('Name').fill('Harbor.png');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(['Harbor.png']);
  await chooseInRow(page, 'Harbor.png', 'Public address');
  const publishing = page.getByRole('dialog', { name: 'Public address' });
  await publishing.getByRole('button', { name: 'Create public address' }).click();
  const address = publishing.getByLabel('Address', { exact: true });
  await expect(address).toHaveValue(/^http/);
  const publicAddress = await address.inputValue();
  // It is drawn anew, without what a camera wrote into it.
  expect((await fetch(publicAddress)).headers.get('content-type')).toBe('image/png');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('cell', { name: 'Everyone' })).toBeVisible();

  await goTo(page, `/o/${organization.id}/collections/newsletters`);
  await pressCreate(page, 'Add item');
  await drawer(page).getByLabel('Title').fill('Spring');
  const picture = page.getByRole('group', { name: 'Picture (optional)' });
  await picture.getByRole('button', { name: 'Choose from files' }).click();
  const picker = page.getByRole('dialog', { name: 'Choose from files' });
  await picker.getByRole('button', { name: 'Harbor.png' }).click();
  const preview = picture.getByRole('img', { name: 'Harbor.png' });
  await expect(preview).toHaveJSProperty('naturalWidth', 64);
  const again = page.waitForEvent('filechooser');
  await picture.getByRole('button', { name: 'Upload image' }).click();
  await (await again).setFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await expect(picture.getByText('This file can’t be used as an image.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByRole('link', { name: 'Spring', exact: true }).click();
  await expect(preview).toBeVisible();
  // It has an address of its own, beside the list, which is left only with its changes.
  const form = page.getByRole('region', { name: 'Edit item' });
  await page.reload();
  await expect(page.getByRole('rowheader')).toHaveText(['Spring']);
  await expect(form.getByLabel('Title')).toHaveValue('Spring');
  await form.getByLabel('Title').fill('Late spring');
  await form.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  // A search of the list drops nothing.
  await page.getByRole('searchbox').fill('no such item');
  await expect(page.getByRole('rowheader')).toHaveCount(0);
  await page.getByRole('searchbox').fill('');
  await expect(form.getByLabel('Title')).toHaveValue('Late spring');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('rowheader')).toHaveText(['Late spring']);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: 'Late spring' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Edit item' })).toBeVisible();
  await expect(form.getByLabel('Title')).toHaveValue('Late spring');
  await expect(page.getByRole('table')).toBeHidden();
  await page.goBack();
  await expect(page.getByRole('rowheader')).toHaveText(['Late spring']);
  await page.setViewportSize({ width: 1280, height: 720 });
  await goTo(page, `/o/${organization.id}/files`);
  await chooseInRow(page, 'Harbor.png', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
  await goTo(page, `/o/${organization.id}/collections/newsletters`);
  const box = page.getByRole('row', { name: 'Late spring' }).getByRole('checkbox').first();
  await box.check();
  await page.getByRole('link', { name: 'Late spring', exact: true }).click();
  await expect(picture.getByText('This file was deleted.')).toBeVisible();
  await expect(box).toBeChecked();

  // Once its item is deleted, the form closes, whatever was typed into it.
  await form.getByLabel('Title').fill('Not saved');
  await chooseInRow(page, 'Late spring', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/\/collections\/newsletters(\?|$)/);
});
