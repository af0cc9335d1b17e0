import type { Page } from '@playwright/test';
import { addMember, prepareEmail, sendAtOnce } from './api.ts';
import { extendWaitingTime } from './database.ts';
import { expect, test } from './fixtures.ts';
import { chooseInRow, drawer, highestOf, nextResponse, visit } from './steps.ts';
import { listTextFaults } from './text-faults.ts';

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('a list is opened, walked through and changed by pointer and keyboard', async ({
  page,
  api,
  organization,
  context,
  server,
}) => {
  const organization_id = organization.id;

  await test.step('the header action stays usable while an empty list loads', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/campaigns?*', async (route) => {
      await held;
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'New campaign' });
    const empty = page.getByText('No campaigns yet');
    await page.goto(`/o/${organization.id}/campaigns`);
    // Measures the right edge, since the button is a little wider once its font has loaded.
    const place = async () => {
      const { x, y, width, height } = (await button.boundingBox())!;
      return { right: Math.round(x + width), y, height };
    };
    const { right, y, height } = await place();
    await page.mouse.move(right - 20, y + height / 2);
    await page.mouse.down();
    answer();
    await expect(empty).toBeVisible();
    await page.mouse.up();
    await expect(drawer(page).getByLabel('Campaign name')).toBeVisible();
    await drawer(page).getByRole('button', { name: 'Cancel' }).click();

    // Focus that returns to it is not lost either.
    await expect(button).toBeFocused();
    await page.mouse.move(0, 0);
    await expect(button).toBeFocused();
    await expect.poll(place).toEqual({ right, y, height });

    // When the user is not about to click it, the empty list has the button.
    await page.reload();
    await expect.poll(async () => (await button.boundingBox())?.y).toBeGreaterThan(y + height);
    await page.unrouteAll();
  });

  await test.step('the phone navigation opens from its button and returns the focus', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`/o/${organization.id}/clients`);
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    await expect(drawer(page).getByRole('link', { name: 'Campaigns' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer(page)).toBeHidden();
    await expect(menu).toBeFocused();
    await menu.click();
    await drawer(page).getByRole('link', { name: 'Campaigns' }).click();
    await expect(title(page)).toHaveText('Campaigns');
    await expect(drawer(page)).toBeHidden();
  });

  const {
    brandId: brand_id,
    campaignId,
    templateId,
    touchpointId,
  } = await prepareEmail(api, organization_id);
  await page.setViewportSize({ width: 1_680, height: 800 });

  await test.step('a whole row opens its record and its text can be selected', async () => {
    const list = `/o/${organization.id}/campaigns`;
    const record = new RegExp(`/campaigns/${campaignId}$`);
    await page.goto(list);
    const row = page.getByRole('row').filter({ hasText: 'Nordwind spring' });
    const status = row.getByRole('cell', { name: 'Draft' });

    const inCorner = { position: { x: 2, y: 4 } };
    for (const openApart of [
      () => status.click({ ...inCorner, button: 'middle' }),
      () => status.click({ ...inCorner, modifiers: ['ControlOrMeta'] }),
    ]) {
      const opened = context.waitForEvent('page');
      await openApart();
      const other = await opened;
      await expect(other).toHaveURL(record);
      await other.close();
      await expect(page).toHaveURL(list);
    }

    // Drags from within a text to the left.
    const client = (await row.getByText('Nordwind Outdoor').boundingBox())!;
    await page.mouse.move(client.x + client.width - 2, client.y + client.height / 2);
    await page.mouse.down();
    await page.mouse.move(client.x + 2, client.y + client.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.evaluate(`getSelection().toString()`)).not.toBe('');
    await expect(page).toHaveURL(list);

    await page.getByRole('button', { name: 'More actions for Nordwind spring' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(page).toHaveURL(list);
    await page.mouse.click(5, 5);
    await status.click(inCorner);
    await expect(page).toHaveURL(record);
    await expect(title(page)).toHaveText('Nordwind spring');
  });

  await page.setViewportSize({ width: 1_280, height: 720 });
  await test.step('keyboard shortcuts move through rows and pages', async () => {
    await page.goto(`/o/${organization.id}/campaigns`);
    const row = page.getByRole('link', { name: 'Nordwind spring' });
    await expect(row).toBeVisible();
    // A row is visible shortly before it handles keys.
    await expect(async () => {
      await page.keyboard.press('j');
      await expect(row).toBeFocused({ timeout: 1_000 });
    }).toPass();
    await page.keyboard.press('k');
    await expect(row).toBeFocused();
    await expect(page.getByRole('textbox', { name: 'Find a client' })).toHaveCount(0);

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help.getByText('Next or previous row')).toBeVisible();
    const places = help.getByText('Go to').locator('xpath=..').getByRole('term');
    await expect(places).toHaveText([
      'Dashboard',
      'Clients',
      'Campaigns',
      'Touchpoints',
      'Event graph',
      'Calendar',
      'Templates',
      'Audiences',
      'Contacts',
      'Collections',
      'Domains',
      'Test inbox',
      'Settings',
    ]);
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await expect(title(page)).toHaveText('Contacts');
    await page.getByRole('button', { name: 'Your account, language and theme' }).click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(help).toBeVisible();
  });

  await test.step('a campaign lists its newest email first', async () => {
    for (const name of ['A first copy', 'Z second copy'])
      await api.post(`/touchpoints/${touchpointId}/duplicate`, { name });
    await page.goto(`/o/${organization.id}/campaigns/${campaignId}`);
    await expect(page.getByRole('rowheader').getByRole('link')).toHaveText([
      'Z second copy',
      'A first copy',
      'Nordwind news',
    ]);
  });

  await test.step('permanent deletion asks for confirmation', async () => {
    await page.route(`**/templates/${templateId}`, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    const main = page.getByRole('main');
    await page.goto(`/o/${organization_id}/templates`);
    await chooseInRow(page, 'Nordwind letter', 'Duplicate');
    await expect(title(page)).toHaveText('Copy of Nordwind letter');
    await visit(page, `/o/${organization_id}/templates`);
    const rows = main.getByRole('rowheader');
    await expect(rows).toHaveCount(2);
    await main.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByRole('button', { name: 'Delete 2' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 2 permanently?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await bar.getByRole('button', { name: 'Delete 2' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(bar.getByRole('alert')).toContainText('Done for 1 of 2');
    await expect(bar.getByRole('alert').getByRole('listitem')).toContainText(/^Nordwind letter: /);
    await expect(rows).toHaveText(['Nordwind letter']);

    await visit(page, `/o/${organization_id}/touchpoints`);
    await chooseInRow(page, 'Nordwind news', 'Archive');
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await undo.hover();
    const row = main.getByRole('row').filter({ hasText: 'Nordwind news' });
    await expect(row).toContainText('Archived');
    await undo.click();
    await expect(row).toContainText('Draft');
    await page.unrouteAll();
  });

  await test.step('bulk actions can be undone and name the skipped rows', async () => {
    const { id } = await api.post<{ id: string }>(`/touchpoints/${touchpointId}/sends`, {});
    await extendWaitingTime(server.databaseUrl, id);
    for (const name of ['Winter', 'Autumn', 'Summer'])
      await api.post('/campaigns', { organization_id, brand_id, name });
    await page.goto(`/o/${organization_id}/campaigns`);
    const main = page.getByRole('main');
    const bar = page.getByRole('region', { name: 'Selected rows' });
    const box = (name: string) => main.getByRole('checkbox', { name: `Select ${name}` });
    const inState = (status: string) => main.getByRole('cell', { name: status, exact: true });
    await box('Winter').check();
    await box('Summer').click({ modifiers: ['Shift'] });
    await expect(bar.getByRole('status')).toHaveText('3 selected');
    await main.getByRole('link', { name: 'Autumn' }).focus();
    await page.keyboard.press('x');
    await expect(bar.getByRole('status')).toHaveText('2 selected');
    await main.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(bar.getByRole('button', { name: 'Unarchive' })).toHaveAttribute('aria-disabled', 'true');

    // The campaign with a scheduled send cannot be archived.
    await bar.getByRole('button', { name: 'Archive 3' }).click();
    // The undo notification stays while it is hovered.
    const offer = page.getByRole('status').filter({ hasText: '3 archived' });
    await offer.hover();
    await expect(inState('Archived')).toHaveCount(3);
    await expect(bar).toBeHidden();
    await offer.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('3 restored')).toBeVisible();
    await expect(inState('Draft')).toHaveCount(3);

    await main.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bar.getByRole('button', { name: 'Delete 4' }).click();
    await expect(bar.getByRole('alert')).toContainText('Done for 3 of 4');
    await expect(bar.getByRole('alert').getByRole('listitem')).toContainText(/^Nordwind spring: .*scheduled/);
    await expect(bar.getByRole('status')).toHaveText('1 selected');
    await expect(main.getByRole('rowheader')).toHaveCount(1);
    await main
      .getByRole('row')
      .filter({ hasText: '3 deleted' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect(main.getByRole('rowheader')).toHaveCount(4);
  });

  await test.step('a list shows its title once and keeps its header visible', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Campaign ${index}`);
    for (const name of names) await api.post('/campaigns', { organization_id, brand_id, name });
    await page.setViewportSize({ width: 1_280, height: 420 });
    await page.goto(`/o/${organization.id}/campaigns`);
    await expect(page.getByRole('row')).toHaveCount(17);
    const inBar = page.getByRole('banner').getByText('Campaigns', { exact: true });
    await expect(title(page)).toHaveText('Campaigns');
    await expect(inBar).toHaveCount(0);
    await page.getByRole('row').last().scrollIntoViewIfNeeded();
    await expect(inBar).toBeVisible();
    await expect
      .poll(async () => {
        const bar = (await page.getByRole('banner').boundingBox())!;
        const header = (await page.getByRole('columnheader').first().boundingBox())!;
        return header.y - (bar.y + bar.height);
      })
      .toBe(0);
  });
});

test('lists show results in columns that fit', async ({ page, api, organization, person, newBrowser }) => {
  const organization_id = organization.id;
  const { clientId, brandId: brand_id, campaignId, touchpointId } = await prepareEmail(api, organization_id);
  await sendAtOnce(api, touchpointId);
  await api.post('/campaigns', { organization_id, brand_id, name: 'Autumn' });

  await test.step('sorting by a hidden column falls back to the default', async () => {
    const { role } = await api.post<{ role: string }>(`/organizations/${organization_id}/roles`, {
      name: 'Copywriter',
      rules: ['Organization', 'Client', 'Brand', 'Campaign', 'Touchpoint'].map((subject) => ({
        action: 'read',
        subject,
      })),
    });
    const reader = await newBrowser();
    await addMember(api, organization_id, reader, role);
    const rows = reader.page.getByRole('rowheader').getByRole('link');
    for (const [path, names] of [
      ['campaigns', ['Autumn', 'Nordwind spring']],
      ['touchpoints', ['Autumn', 'Nordwind spring', 'Nordwind news']],
      ['clients', ['Nordwind Outdoor', 'Nordwind']],
      [`brands/${brand_id}/campaigns`, ['Autumn', 'Nordwind spring']],
    ] as const) {
      await reader.page.goto(`/o/${organization_id}/${path}?order=opened.desc`);
      await expect(rows).toHaveText(names);
      await expect(reader.page.getByRole('columnheader', { name: 'Delivered' })).toBeVisible();
      await expect(reader.page.getByRole('columnheader', { name: 'Opens' })).toHaveCount(0);
    }
  });

  await test.step('a row and the bulk bar offer what the brand of a record permits', async () => {
    const own = await api.post<{ id: string }>('/brands', {
      organization_id,
      client_id: clientId,
      name: 'Own',
      tracking_policy: 'everyone',
    });
    await api.post('/campaigns', { organization_id, brand_id: own.id, name: 'Own campaign' });
    const { role } = await api.post<{ role: string }>(`/organizations/${organization_id}/roles`, {
      name: 'Brand manager',
      rules: [
        ...['Organization', 'Client', 'Brand', 'Campaign', 'Touchpoint'].map((subject) => ({
          action: 'read',
          subject,
        })),
        { action: 'update', subject: 'Campaign', conditions: { brand_id: { $in: [own.id] } } },
      ],
    });
    const manager = await newBrowser();
    await addMember(api, organization_id, manager, role);
    const at = manager.page;
    await at.goto(`/o/${organization_id}/campaigns`);
    const row = (name: string) => at.getByRole('row').filter({ hasText: name });
    await expect(row('Own campaign').getByRole('button', { name: /^More actions/ })).toBeVisible();
    await expect(row('Autumn')).toBeVisible();
    await expect(row('Autumn').getByRole('button', { name: /^More actions/ })).toHaveCount(0);
    await expect(row('Autumn').getByRole('checkbox')).toHaveCount(0);
    await row('Own campaign').getByRole('checkbox').check();
    await expect(at.getByRole('button', { name: 'Archive 1', exact: true })).toBeVisible();
    await expect(at.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
    await api.delete(`/brands/${own.id}`);
  });

  await test.step('lists sort by results and remember chosen columns', async () => {
    const header = (name: string) => page.getByRole('columnheader', { name });
    const rows = page.getByRole('rowheader').getByRole('link');
    const figures = /Nordwind.*3.*3.*Sent, (now|\d+ minutes? ago).*Robin Tester/;

    for (const [list, names] of [
      ['campaigns', ['Nordwind spring', 'Autumn']],
      ['touchpoints', ['Nordwind spring', 'Nordwind news', 'Autumn']],
      ['clients', ['Nordwind Outdoor', 'Nordwind']],
    ] as const) {
      await page.goto(`/o/${organization_id}/${list}`);
      await header('Recipients').getByRole('button').click();
      await expect(page).toHaveURL(/order=recipients\.desc/);
      await expect(header('Recipients')).toHaveAttribute('aria-sort', 'descending');
      await expect(rows).toHaveText(names);
      await expect(page.getByRole('row').filter({ hasText: names[0] }).first()).toContainText(figures);
    }

    await page.goto(`/o/${organization_id}/campaigns?order=recipients.asc`);
    await expect(rows).toHaveText(['Autumn', 'Nordwind spring']);
    const saved = nextResponse(page, 'PATCH', /preferences/);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Sent by' }).uncheck();
    await expect(header('Sent by')).toHaveCount(0);
    expect((await saved).ok()).toBe(true);
    await page.evaluate(`localStorage.clear()`);
    await page.reload();
    await expect(header('Send date')).toBeVisible();
    await expect(header('Sent by')).toHaveCount(0);
    expect(person.name).toBe('Robin Tester');

    // Each row has one line at every width, as long as the list shows rows.
    await api.patch(`/touchpoints/${touchpointId}`, {
      name: 'A name that is far too long for its column '.repeat(2),
    });
    await page.setViewportSize({ width: 1_024, height: 700 });
    for (const list of ['campaigns', 'touchpoints', 'clients']) {
      await page.goto(`/o/${organization_id}/${list}`);
      await expect(rows.first()).toBeVisible();
      await expect.poll(() => highestOf(page.getByRole('row')), { message: list }).toBeLessThanOrEqual(46);
      await expect(page.locator('[data-fits]')).toHaveAttribute('data-fits', 'true');
    }
  });

  await test.step('names of long words fit', async () => {
    const name = 'Kundenzufriedenheitsbefragung'.repeat(5).slice(0, 120);
    for (const path of [`clients/${clientId}`, `brands/${brand_id}`, `campaigns/${campaignId}`])
      await api.patch(`/${path}`, { name });
    await api.patch(`/touchpoints/${touchpointId}`, { name });
    const owned = { name, client_id: clientId };
    await api.post('/filters', { ...owned, organization_id, collection: 'contacts' });
    await api.post(`/content/${organization_id}/collections`, owned);
    await api.patch(`/organizations/${organization_id}`, { name });
    const at = `/o/${organization_id}`;
    const lists = ['clients', 'campaigns', 'touchpoints', 'results', 'audiences', 'collections'];
    for (const path of [...lists.map((list) => `${at}/${list}`), at, '/organizations']) {
      await page.goto(path);
      await expect(page.getByRole('main').getByText(name).first()).toBeVisible();
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      for (const width of [1_440, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(() => page.evaluate(listOverflows), { message: `${path} at ${width}` }).toEqual([]);
        // A table and a chart are drawn anew at another width.
        await expect
          .poll(() => page.evaluate(listTextFaults), { message: `${path} at ${width}` })
          .toEqual([]);
      }
    }
  });
});

/** Runs in the page: what does not fit in its table. */
const measureTable = `(() => {
  const table = document.querySelector('main table');
  const faults = [];
  for (const name of table.querySelectorAll('tbody th')) {
    const { width } = name.getBoundingClientRect();
    if (width < 240) faults.push('a name of ' + width + ' px: ' + name.textContent);
  }
  const { right } = table.parentElement.getBoundingClientRect();
  for (const button of table.querySelectorAll('tbody td:last-child button')) {
    const edge = button.getBoundingClientRect().right;
    if (edge > right || edge > innerWidth) faults.push('a row menu at ' + edge + ' of ' + right + ' px');
  }
  for (const cell of table.querySelectorAll('tbody :is(th, td) *'))
    if (cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflow === 'hidden' &&
      cell.closest('[title]') === null && cell.querySelector('[title]') === null)
      faults.push('cut off without a way to read it: ' + cell.textContent);
  scrollTo(0, document.scrollingElement.scrollHeight);
  const { top, height } = table.querySelector('thead th').getBoundingClientRect();
  const isLong = document.scrollingElement.scrollHeight - innerHeight > 300;
  // A table above what is shown, such as the emails of a campaign above its results, takes its header along.
  const isAbove = table.getBoundingClientRect().bottom < 56 + height;
  if (isLong && !isAbove && Math.round(top) !== 56) faults.push('a header at ' + top + ' px');
  scrollTo(0, 0);
  return faults;
})()`;

test('German lists show names, row menus and their header', async ({ page, api, organization }) => {
  const organization_id = organization.id;
  const prepared = await prepareEmail(api, organization_id, { brand: 'Nordwind Öffentlichkeitsarbeit' });
  const { brandId: brand_id, campaignId, touchpointId } = prepared;
  await sendAtOnce(api, touchpointId);
  for (let index = 0; index < 14; index += 1)
    await api.post('/campaigns', {
      organization_id,
      brand_id,
      name: `Sommerliche Wanderungen durch die Alpen ${index}`,
    });
  await api.post(`/content/${organization_id}/items/contacts`, {
    email: 'maximiliane.von-und-zu-wolkenstein@oeffentlichkeitsarbeit.contacts.example',
    first_name: 'Maximiliane Charlotte',
    last_name: 'von und zu Wolkenstein-Rodenegg',
    company: 'Gesellschaft für außergewöhnliche Öffentlichkeitsarbeit',
  });
  await api.patch('/me/preferences', { preferences: { language: 'de' } });
  await page.setViewportSize({ width: 1_440, height: 420 });
  for (const list of ['campaigns', 'touchpoints', `campaigns/${campaignId}`, 'clients', 'contacts']) {
    await page.goto(`/o/${organization_id}/${list}`);
    await expect(page.getByRole('rowheader').first()).toBeVisible();
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    await expect.poll(() => page.evaluate(measureTable), { message: list }).toEqual([]);
    // A status never takes a second line.
    for (const status of await page.locator('td .status-badge > *').all())
      await expect(status).toHaveCSS('white-space', 'nowrap');
  }
});

/** Runs in the page: what makes the page, or a table on it, scroll sideways. */
const listOverflows = `[
  ...(document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : []),
  ...[...document.querySelectorAll('[data-fits=false]')].map((table) => table.getAttribute('aria-label')),
]`;

test('lists of contacts suit phones, and show one beside them', async ({ page, api, organization }) => {
  await test.step('phones show filters on request and contacts in two lines', async () => {
    for (let index = 0; index < 12; index += 1)
      await api.post(`/content/${organization.id}/items/contacts`, {
        email: `ada.lovelace.${index}@contacts.example`,
        first_name: 'Ada',
        last_name: 'Lovelace',
      });
    await page.setViewportSize({ width: 390, height: 800 });
    const shown = Promise.withResolvers<void>();
    await page.route(/\/consent\/contacts\?/, async (route) => {
      await shown.promise;
      await route.continue();
    });
    await page.goto(`/o/${organization.id}/contacts`);
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await expect(rows).toHaveCount(12);
    // Also while the subscriptions are loading.
    await expect.poll(() => highestOf(rows)).toBeLessThanOrEqual(72);
    shown.resolve();
    await expect(rows.getByText('No opt-out')).toHaveCount(12);
    await expect.poll(() => highestOf(rows)).toBeLessThanOrEqual(72);
    const isWhole = `[...document.querySelectorAll('main tbody tr')]
      .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`;
    await expect.poll(() => page.evaluate<number>(isWhole)).toBeGreaterThanOrEqual(5);

    const adjust = page.getByRole('button', { name: 'Filter and sort' });
    for (const control of [page.getByLabel('Sort by'), page.getByRole('button', { name: 'Columns' })])
      await expect(control).toBeHidden();
    await adjust.click();
    await expect(adjust).toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();
    await page.getByLabel('Sort by').selectOption({ label: 'First name' });
    await expect(page).toHaveURL(/order=first_name\.asc/);
  });

  await page.unrouteAll();
  await test.step('a contact opens beside its list, which stays as it is', async () => {
    for (let index = 10; index < 36; index += 1)
      await api.post(`/content/${organization.id}/items/contacts`, {
        email: `zoe.${index}@contacts.example`,
      });
    await page.setViewportSize({ width: 1_440, height: 700 });
    await page.goto(`/o/${organization.id}/contacts`);
    const rowOf = (index: number) => page.getByRole('row').filter({ hasText: `zoe.${index}@` });
    const contact = page.getByRole('region', { name: 'Contact', exact: true });
    const nameOf = (index: number) => contact.getByRole('heading', { name: `zoe.${index}@contacts.example` });
    await page.getByRole('searchbox').fill('zoe');
    await expect(page).toHaveURL(/search=zoe/);
    await rowOf(17).getByRole('checkbox').check();
    await rowOf(16).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await expect(nameOf(16)).toBeInViewport();
    await expect(page).toHaveTitle(/^zoe\.16@/);
    await expect(rowOf(16).getByRole('link')).toBeFocused();
    await expect(rowOf(17).getByRole('checkbox')).toBeChecked();
    await expect(page.getByRole('searchbox')).toHaveValue('zoe');
    await expect(rowOf(16)).toBeInViewport();

    // What was typed for it outlives a search, and is not left without being asked.
    const note = contact.getByLabel('New note');
    await note.fill('Prefers letters');
    await note.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await note.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).press('Enter');
    await expect(note).toBeFocused();
    await page.getByRole('searchbox').fill('zoe.2');
    await expect(rowOf(16)).toBeHidden();
    await expect(note).toHaveValue('Prefers letters');
    for (const leave of [
      () => rowOf(20).getByRole('link').click(),
      () => contact.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await leave();
      await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
      await expect(note).toHaveValue('Prefers letters');
    }
    await rowOf(20).getByRole('link').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await expect(nameOf(20)).toBeVisible();
    await expect(note).toHaveValue('');
    await page.reload();
    await expect(nameOf(20)).toBeVisible();
    await expect(page.getByRole('rowheader')).toHaveCount(10);
    await note.press('Escape');
    await expect(contact).toBeHidden();
    await expect(page).toHaveTitle(/^Contacts · /);
    await expect(rowOf(20).getByRole('link')).toBeFocused();
    await page.goBack();
    await expect(nameOf(20)).toBeVisible();
    await page.setViewportSize({ width: 390, height: 700 });
    await expect(title(page)).toHaveText('zoe.20@contacts.example');
    await expect(page.getByRole('table')).toBeHidden();
    const alone = page.getByLabel('New note');
    await alone.focus();
    await page.setViewportSize({ width: 1_440, height: 700 });
    await expect(rowOf(20)).toBeVisible();
    await expect(alone).toBeFocused();
  });
});
