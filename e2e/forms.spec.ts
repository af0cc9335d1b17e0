import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';
import { drawer, mainNavigation, typeIntoCodeEditor, visit } from './steps.ts';

test('forms keep what was typed until it is discarded', async ({ page, api, organization }) => {
  await test.step('input in a drawer is discarded only on confirmation', async () => {
    await page.goto(`/o/${organization.id}/clients`);
    // Wait: the button of the empty list replaces the one in the header.
    await expect(page.getByText('Add your first client')).toBeVisible();
    const open = page.getByRole('main').getByRole('button', { name: 'New client' }).first();
    const form = page.getByRole('dialog', { name: 'New client' });
    const name = form.getByLabel('Client name');
    const cancel = form.getByRole('button', { name: 'Cancel' });
    const question = page.getByRole('dialog', { name: 'You have unsaved changes' });
    const keep = question.getByRole('button', { name: 'Keep editing' });

    await open.click();
    await expect(name).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    // Reverted input is no change either.
    await open.click();
    await name.fill('Changed my mind');
    await name.fill('');
    await cancel.click();
    await expect(form).toBeHidden();
    await expect(question).toHaveCount(0);

    await open.click();
    await name.fill('Half typed');
    await page.keyboard.press('Escape');
    await expect(keep).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(name).toHaveValue('Half typed');
    await expect(name).toBeFocused();
    for (const leave of [
      () => cancel.click(),
      () => form.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(10, 300),
    ]) {
      await leave();
      await keep.click();
      await expect(question).toBeHidden();
      await expect(name).toHaveValue('Half typed');
    }
    await cancel.click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(form).toBeHidden();
    await open.click();
    await expect(name).toHaveValue('');
  });

  await test.step('a text says how much room is left shortly before its limit', async () => {
    await page.goto(`/o/${organization.id}/clients`);
    await page.getByRole('main').getByRole('button', { name: 'New client' }).first().click();
    const form = page.getByRole('dialog', { name: 'New client' });
    const name = form.getByLabel('Client name');
    const live = form.locator('[aria-live=polite]').last();
    await name.fill('x'.repeat(107));
    await expect(form.getByText('Characters left')).toHaveCount(0);
    await name.fill('x'.repeat(115));
    await expect(form.getByText('Characters left: 5').first()).toBeVisible();
    await expect(live).toHaveText('Characters left: 5');
    await name.fill('x'.repeat(121));
    await expect(live).toHaveText('Characters too many: 1');
    await form.getByRole('button', { name: 'New client' }).click();
    await expect(form.getByText('Use at most 120 characters.')).toBeVisible();
    await name.fill('');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await expect(form).toBeHidden();
  });

  await test.step('addresses still being typed are included', async () => {
    await page.goto(`/o/${organization.id}/settings/members`);
    await page.getByRole('button', { name: 'Invite people' }).click();
    await drawer(page).getByLabel('Email addresses').fill('mina@people.example');
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'You have unsaved changes' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await expect(drawer(page).getByText('mina@people.example')).toBeVisible();
  });

  await test.step('an unknown page keeps the navigation and links home', async () => {
    await page.goto(`/o/${organization.id}/nonsense/of/some/kind`);
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expect(page).toHaveTitle(`Not found · ${organization.name}`);
    await expect(mainNavigation(page)).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  });

  const email = await prepareEmail(api, organization.id, { contacts: [] });

  await test.step('only a page with changes asks before it is left', async () => {
    const home = `/o/${organization.id}`;
    const question = page.getByRole('dialog', { name: 'You have unsaved changes' });
    const title = page.getByRole('heading', { level: 1 });
    const leave = () => mainNavigation(page).getByRole('link', { name: 'Clients' }).click();
    await page.goto(`${home}/clients`);
    for (const [path, name] of [
      [`brands/${email.brandId}/kit`, 'Nordwind'],
      [`audiences/${email.filterId}`, 'Everybody at Nordwind'],
      [`touchpoints/${email.touchpointId}/email`, 'Nordwind news'],
      ['settings/general', 'General'],
      [`templates/${email.templateId}`, 'Nordwind letter'],
    ] as const) {
      await visit(page, `${home}/${path}`);
      await expect(title).toHaveText(name);
      const field = page.getByRole('main').getByRole('textbox').or(page.getByRole('treeitem'));
      await expect(field.first()).toBeVisible();
      await leave();
      await expect(title).toHaveText('Clients');
      await expect(question).toHaveCount(0);
    }
    await visit(page, `${home}/templates/${email.templateId}`);
    await typeIntoCodeEditor(page, '<mjml><mj-body></mj-body></mjml>');
    await leave();
    await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('.cm-content')).toHaveText('<mjml><mj-body></mj-body></mjml>');
    await leave();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(title).toHaveText('Clients');
  });

  await test.step('a save bar appears with changes and can revert them', async () => {
    const { clientId, filterId } = email;
    // A rule that the editor would serialize differently is no change.
    await api.patch(`/filters/${filterId}`, { rule: { country: { _eq: 'Germany' } } });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    for (const [path, label, stored] of [
      [`clients/${clientId}/settings`, 'Client name', 'Nordwind Outdoor'],
      ['settings/general', 'Name', organization.name],
      [`audiences/${filterId}`, 'Audience name', 'Everybody at Nordwind'],
    ] as const) {
      await test.step(path, async () => {
        await page.goto(`/o/${organization.id}/${path}`);
        const field = page.getByLabel(label, { exact: true });
        await expect(field).toHaveValue(stored);
        await expect(save).toHaveCount(0);
        await field.fill('Thrown away');
        await expect(page.getByText('1 unsaved change')).toBeVisible();
        await page.getByRole('button', { name: 'Discard', exact: true }).click();
        await expect(field).toHaveValue(stored);
        await expect(save).toHaveCount(0);
        await field.fill('Südwind');
        await field.press('ControlOrMeta+s');
        await expect(page.getByText(/^Saved \d/)).toBeVisible();
        await expect(save).toHaveCount(0);
        await expect(field).toHaveValue('Südwind');
      });
    }
  });
});
