import { mjmlWithLink, newPerson, prepareEmail, readMail } from './api.ts';
import { countingHand } from './counting-hand.ts';
import { endWaitingTime, forgetAttempts } from './database.ts';
import { expect, test } from './fixtures.ts';
import { breakdownNumber, goTo, mainNavigation, pressCreate, typeIntoCodeEditor } from './steps.ts';

const contactsCsv = ['email,first_name', 'ada@contacts.example,Ada', 'emmy@contacts.example,Emmy'].join(
  '\r\n',
);

test('a first email with own words takes at most 31 interactions', async ({ page, server }) => {
  const hand = countingHand();
  const person = newPerson('Robin Tester');
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  await forgetAttempts(server.databaseUrl);
  await page.goto('/sign-up');
  await hand.fill(page.getByLabel('Your name'), person.name);
  await hand.fill(page.getByLabel('Email address'), person.email);
  await hand.fill(page.getByLabel('Password', { exact: true }), person.password);
  await hand.click(button('Create account'));
  await expect(page.getByRole('heading', { level: 1, name: 'Check your inbox' })).toBeVisible();
  const { links } = await readMail(page.request, server, person.email, 'Confirm your email address');
  hand.done.push('click the link of the mail');
  await page.goto(links[0]!);
  await hand.fill(page.getByLabel('Organization name'), 'Rotkehlchen agency');
  await hand.click(button('Continue'));
  await hand.click(button('Skip'));
  await hand.click(page.getByRole('link', { name: 'Write your first email' }));

  await expect(page.getByRole('heading', { level: 1, name: 'New email' })).toBeVisible();
  await hand.fill(page.getByLabel('Client name'), 'Nordwind');
  await hand.click(page.getByRole('radio', { name: 'Everyone' }));
  await hand.click(button('Add brand'));
  await hand.click(button(/^Blank/));
  await expect(page.getByRole('heading', { level: 1, name: /^Blank, / })).toBeVisible();
  const preview = page.frameLocator('iframe[title="Live preview"]');
  await expect(preview.getByText('Hello there,')).toBeVisible();
  // Empty fields are incomplete, not errors.
  await expect(page.getByText(/^\d+ errors?$/)).toHaveCount(0);
  await hand.fill(
    page.getByLabel('Subject', { exact: true }),
    '{{ contact.first_name }}, here is what is new',
  );
  await expect(page.getByRole('treeitem', { name: 'Button: Read more' })).toBeVisible();
  await hand.press(page, 'Tab');
  await expect(page.getByRole('textbox', { name: 'Heading', exact: true })).toBeFocused();
  await hand.press(page, 'Tab');
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toBeFocused();
  await hand.type(page, 'We have moved to the harbor.');
  await hand.press(page, 'Enter');
  await hand.type(page, 'Come and see us.');
  await hand.press(page, 'Tab');
  await expect(page.getByRole('textbox', { name: 'Button', exact: true })).toBeFocused();
  await hand.type(page, 'Find the way');
  await hand.fill(page.getByLabel('Link address'), 'https://nordwind.example/harbor');
  await expect(preview.getByText('Come and see us.')).toBeVisible();
  await hand.fill(page.getByLabel('Sender address'), 'news@nordwind.example');
  await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
  // The email is called by its subject, and its sender can become that of the brand.
  await expect(
    page.getByRole('heading', { level: 1, name: 'here is what is new', exact: true }),
  ).toBeVisible();
  const keep = button('Use as the default sender of Nordwind');
  await keep.click();
  await expect(keep).toHaveCount(0);

  await hand.click(page.getByRole('link', { name: 'Import contacts' }));
  await hand.chooseFile(page.getByLabel('Drop a CSV or JSON file here, or click to choose one'), {
    name: 'contacts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(contactsCsv),
  });
  await hand.click(button('Check file'));
  // Nothing is imported yet, so the way back is not the primary action.
  await expect(button('Import 2 rows')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to the email' })).toHaveAttribute(
    'data-variant',
    'default',
  );
  await hand.click(button('Import 2 rows'));
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible();
  await hand.click(page.getByRole('link', { name: 'Back to the email' }));

  await expect(breakdownNumber(page, 'Will receive the email')).toHaveText('2');
  await hand.click(button('Save and use audience'));
  await expect(preview.getByText(/^Hello (Ada|Emmy),$/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Inbox preview' })).toContainText(
    /(Ada|Emmy), here is what is new/,
  );
  // All that is to be checked is counted, and delivery to the test inbox is none of it.
  const toCheck = page.locator('.status-badge').filter({ hasText: /^Check$/ });
  await expect(page.getByText('Ready to send, with 2 points to check')).toBeVisible();
  await expect(toCheck).toHaveCount(2);
  await hand.click(button('Send now'));
  const dialog = page.getByRole('dialog', { name: 'Send to 2 recipients for Nordwind?' });
  await expect(dialog).toContainText('All contacts');
  await expect(dialog).toContainText(/(Ada|Emmy), here is what is new/);
  await hand.click(dialog.getByRole('button', { name: 'Send to 2 recipients' }));
  await page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
  await endWaitingTime(server.databaseUrl, page.url().split('/').at(-1)!);
  await expect(page.getByText('Sent: 2 of 2').first()).toBeVisible();

  expect(hand.done.length, hand.done.join('\n')).toBeLessThanOrEqual(31);
});

test('starting points of an email are shown as pictures', async ({ page, api, organization }) => {
  const { brandId, templateId } = await prepareEmail(api, organization.id);
  await api.patch(`/brands/${brandId}`, { name: 'Lighthouse' });
  const pictureOn = (name: RegExp) =>
    page.getByRole('button', { name }).frameLocator('iframe').getByText('this is Lighthouse');
  await goTo(page, `/o/${organization.id}/emails/new?brand=${brandId}`);
  await expect(pictureOn(/^Nordwind news/)).toBeVisible();
  // The template is shared: here it is previewed with the brand's name.
  await expect(pictureOn(/^Nordwind letter/)).toBeVisible();
  // Brands are also found by the name of their client.
  const brand = page.getByRole('combobox', { name: 'Brand' });
  await brand.fill('outdoor');
  await expect(page.getByRole('option', { name: 'Lighthouse' })).toBeVisible();
  await brand.fill('elsewhere');
  await expect(page.getByText('No brands found')).toBeVisible();

  await goTo(page, `/o/${organization.id}/templates`);
  const row = page.getByRole('row', { name: /Nordwind letter/ });
  const picture = row.frameLocator('iframe');
  await expect(picture.getByText('this is Brand')).toBeVisible();

  // A picture begins with the headline.
  const section = (content: string) => `<mj-section><mj-column>${content}</mj-column></mj-section>`;
  await api.patch(`/content/${organization.id}/templates/${templateId}`, {
    mjml: `<mjml><mj-body>${section('<mj-text>View in browser</mj-text>')}
      ${section('<mj-text font-size="28px">Winter is here</mj-text>')}</mj-body></mjml>`,
  });
  await page.reload();
  await expect(picture.getByText('Winter is here')).toBeVisible();
  await expect(picture.getByText('View in browser')).toHaveCount(0);
});

test('leaving a page while a draft is created stays left', async ({ page, api, organization }) => {
  const { brandId } = await prepareEmail(api, organization.id);
  await goTo(page, `/o/${organization.id}/emails/new?brand=${brandId}`);
  const left = Promise.withResolvers<void>();
  await page.route('**/api/touchpoints/*/email', async (route) => {
    await left.promise;
    await route.continue();
  });
  const saved = page.waitForResponse('**/api/touchpoints/*/email');
  await page.getByRole('button', { name: /^Offer/ }).click();
  await mainNavigation(page).getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  left.resolve();
  await (await saved).finished();
  await mainNavigation(page).getByRole('link', { name: 'Touchpoints' }).click();
  await expect(page.getByRole('link', { name: /^Offer, / })).toBeVisible();
  await expect(page).toHaveURL(/\/touchpoints$/);
});

test('an email has its own words, and templates are copies', async ({ page, api, organization }) => {
  const { touchpointId, templateId } = await prepareEmail(api, organization.id);
  const stored = async () => (await api.get<{ mjml: string }>(`/touchpoints/${touchpointId}/email`)).mjml;
  const preview = page.frameLocator('iframe[title="Live preview"]');
  await goTo(page, `/o/${organization.id}/touchpoints/${touchpointId}/email`);
  await expect(preview.getByText('this is Nordwind')).toBeVisible();

  await test.step('what is typed is saved in this email only', async () => {
    await typeIntoCodeEditor(
      page,
      mjmlWithLink('https://shop.example/own').replace('this is', 'these are words of'),
    );
    await expect(preview.getByText('these are words of Nordwind')).toBeVisible();
    // The preview may come before what is typed is saved.
    await expect.poll(stored).toContain('these are words of');
    const { mjml } = await api.get<{ mjml: string }>(`/content/${organization.id}/templates/${templateId}`);
    expect(mjml).not.toContain('these are words of');
  });

  await test.step('without images, their alternative text is shown', async () => {
    const image = '<mj-image src="https://shop.example/boat.png" alt="A boat" /><mj-button';
    await page.route('https://shop.example/boat.png', (route) =>
      route.fulfill({ path: 'apps/web/public/demo/academy.png' }),
    );
    await typeIntoCodeEditor(page, (await stored()).replace('<mj-button', image));
    const shown = preview.getByAltText('A boat');
    await expect(shown).not.toHaveJSProperty('naturalWidth', 0);
    await page.getByRole('switch', { name: 'Images' }).press('Space');
    await expect(shown).toHaveJSProperty('naturalWidth', 0);
    await page.getByRole('switch', { name: 'Images' }).press('Space');
    await expect.poll(stored).toContain('boat.png');
  });

  await test.step('kept as a template, it can be begun from', async () => {
    await page.getByRole('button', { name: 'Save as template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as template' });
    await dialog.getByLabel('Title of the template').fill('Own words');
    await dialog.getByRole('button', { name: 'Save as template' }).click();
    await expect(page.getByText('Template saved')).toBeVisible();
    const written = await stored();
    const start = page.getByRole('dialog', { name: 'Start over' });
    for (const [from, words] of [
      [/^Welcome/, 'Say where people get help.'],
      [/^Own words/, 'these are words of'],
    ] as const) {
      await page.getByRole('button', { name: 'Start over' }).click();
      await start.getByRole('button', { name: from }).click();
      await expect(start).toBeHidden();
      await expect(preview.getByText(words)).toBeVisible();
    }
    await expect.poll(stored).toBe(written);
  });

  await test.step('starting over can be undone in the editor', async () => {
    await page.getByRole('textbox', { name: 'MJML source' }).click();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(preview.getByText('Say where people get help.')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect(preview.getByText('these are words of Nordwind')).toBeVisible();
  });

  await test.step('a template names the emails that began from it', async () => {
    await goTo(page, `/o/${organization.id}/templates`);
    await page.getByRole('link', { name: 'Own words' }).click();
    await expect(page.getByText('1 email began from this template')).toBeVisible();
    await page.getByRole('link', { name: 'Nordwind news' }).click();
    await expect(page).toHaveURL(new RegExp(`/touchpoints/${touchpointId}/email$`));
  });
});

test('a draft saves itself and never overwrites another person’s changes', async ({
  page,
  api,
  organization,
}) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const path = `/o/${organization.id}/touchpoints/${touchpointId}/email`;
  const subject = page.getByLabel('Subject', { exact: true });
  const sender = page.getByLabel('Sender address');
  const stored = async () =>
    (await api.get<{ subject: string }>(`/touchpoints/${touchpointId}/email`)).subject;
  await goTo(page, path);

  await test.step('saved by itself, and before the page is left', async () => {
    await subject.fill('Typed');
    await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
    expect(await stored()).toBe('Typed');
    await subject.fill('Typed, and gone on');
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('heading', { name: 'Delete touchpoint' })).toBeVisible();
    expect(await stored()).toBe('Typed, and gone on');
  });

  await test.step('what cannot be saved is there again after a reload', async () => {
    await goTo(page, path);
    await sender.fill('half@');
    await subject.click();
    await expect(page.getByText('Some changes are not saved: check the marked fields.')).toBeVisible();
    await page.reload();
    await expect(sender).toHaveValue('half@');
    await sender.fill('news@nordwind.example');
    await expect(page.getByText('Some changes are not saved: check the marked fields.')).toBeHidden();
  });

  await test.step('a point of the review leads to its field', async () => {
    await subject.fill('');
    await page.getByRole('button', { name: 'Fix: Subject' }).click();
    await expect(subject).toBeFocused();
    await subject.fill('News {{ contact.nobody }}');
    // Listed in the preview and in the checklist.
    const places = page.getByRole('button', { name: 'Subject:' });
    await expect(places).toHaveCount(2);
    for (const place of await places.all()) {
      await sender.focus();
      await place.click();
      await expect(subject).toBeFocused();
    }
    await expect(page).toHaveURL(path);
  });

  await test.step('the audience leads back to the email', async () => {
    await page.getByRole('link', { name: 'Edit audience' }).click();
    await page.getByRole('link', { name: 'Back to the email' }).click();
    await expect(page).toHaveURL(path);
  });

  await test.step('changed elsewhere: the person decides', async () => {
    const keep = page.getByRole('button', { name: 'Keep my version' }).first();
    // No request is pending when the other user saves.
    await goTo(page, path);
    await expect(subject).toHaveValue('News {{ contact.nobody }}');
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await page.route('**/email', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await api.patch(`/touchpoints/${touchpointId}/email`, { subject: 'Theirs' });
    await subject.fill('Mine');
    await expect(page.getByText('Someone else changed this email after you opened it').first()).toBeVisible();
    expect(await stored()).toBe('Theirs');
    await page.unroute('**/email');
    await keep.click();
    await expect.poll(stored).toBe('Mine');
    await expect(subject).toHaveValue('Mine');
  });
});

test('the first campaign also creates its brand and client', async ({ page, organization }) => {
  await goTo(page, `/o/${organization.id}/campaigns`);
  await pressCreate(page, 'New campaign');
  const form = page.getByRole('dialog', { name: 'New campaign' });
  await form.getByLabel('Campaign name').fill('Spring');
  await form.getByRole('button', { name: 'New campaign' }).click();
  await expect(form.getByText('Choose a brand.')).toBeVisible();
  await form.getByLabel('Client name').fill('Nordwind Outdoor');
  await form.getByLabel('Brand name').fill('Nordwind');
  await form.getByRole('radio', { name: 'Everyone' }).click();
  await form.getByRole('button', { name: 'New campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Spring' })).toBeVisible();
  await expect(page.getByRole('main').getByText('Nordwind Outdoor › ')).toBeVisible();

  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Copy of Spring' })).toBeVisible();
});
