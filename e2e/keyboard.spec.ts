import { findAccessibilityFaults } from './accessibility.ts';
import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';

test('the app works by keyboard with visible focus', async ({ page, api, organization }) => {
  for (const name of ['Nordwind', 'Südwind'])
    await api.post('/clients', { organization_id: organization.id, name });
  await page.goto(`/o/${organization.id}/clients`);
  await expect(page.getByRole('link', { name: 'Nordwind' })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  // The focused element is in the viewport and has a visible focus indicator.
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab');
    await expect.poll(async () => await page.evaluate(inspectFocus)).toBe('');
  }

  // A menu starts at its first item.
  const more = page.getByRole('button', { name: 'More actions for Nordwind' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();

  const create = page.getByRole('button', { name: 'New client' });
  await create.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Client name')).toBeFocused();
  // The focus ring of a field does not cover the label above it.
  await expect.poll(() => page.evaluate(reachOfRing)).toBeLessThanOrEqual(0);
  // The focus stays inside the dialog.
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('Tab');
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(create).toBeFocused();
});

test('the palette opens records, pages and actions by keyboard', async ({ page, api, organization }) => {
  const { clientId } = await prepareEmail(api, organization.id, { subject: 'Harbor news' });
  await page.goto(`/o/${organization.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const palette = page.getByRole('combobox', { name: 'Search pages, records and actions' });
  const selected = palette.page().getByRole('option', { selected: true });
  const search = async (text: string) => {
    await page.keyboard.press('Control+k');
    await palette.fill(text);
  };

  // More entries than fit are scrolled by the arrow keys.
  await page.keyboard.press('Control+k');
  await expect(selected).toHaveText('New email');
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await page.keyboard.press('ArrowUp');
  await expect(selected).toBeInViewport();
  await page.keyboard.press('Escape');

  // The selected option is the one that screen readers announce, also after the arrow keys.
  await search('nord');
  await expect(selected).toHaveText(/^Nordwind/);
  await expect(page.getByRole('status').filter({ hasText: /results?$/ })).toBeVisible();
  expect(await findAccessibilityFaults(page, true)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expect(palette).toHaveAttribute('aria-activedescendant', /^palette-brands-/);
  await page.keyboard.press('ArrowUp');
  await expect(palette).toHaveAttribute('aria-activedescendant', `palette-clients-${clientId}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/clients/${clientId}`));

  await search('ada@contacts');
  await expect(selected).toHaveText(/ada@contacts\.example/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/contacts\//);

  await search('api k');
  await expect(selected).toHaveText(/^API keys/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();

  await search('new email');
  await expect(selected).toHaveText('New email');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New email' })).toBeVisible();

  await search('zzyzx');
  await expect(page.getByText('Nothing matches “zzyzx”.')).toBeVisible();
  await palette.fill('zzyzx '.repeat(40));
  await expect(page.getByRole('alert').filter({ hasText: 'at most 200 characters' })).toBeVisible();
  await expect(page.getByText('Some results could not be loaded.')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});

/** Runs in the page. @returns the problem with the focus indicator, or an empty text */
const inspectFocus = `(() => {
  const element = document.activeElement;
  if (element === document.body) return '';
  const box = element.getBoundingClientRect();
  const name = element.outerHTML.slice(0, 100);
  if (box.width === 0 || box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) return 'off screen: ' + name;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const shown = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none' || element.tagName === 'INPUT';
  return shown ? '' : 'not visible: ' + name;
})()`;

/** Runs in the page. @returns how far the ring of the focused field extends beyond its box, in pixels */
const reachOfRing = `(() => {
  const { outlineWidth, outlineOffset } = getComputedStyle(document.activeElement);
  return parseFloat(outlineWidth) + parseFloat(outlineOffset);
})()`;
