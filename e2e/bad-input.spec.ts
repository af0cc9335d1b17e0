import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { newPerson, prepareEmail, readMail } from './api.ts';
import { forgetAttempts, runSql } from './database.ts';
import { expect, fillSignUp, test } from './fixtures.ts';
import { drawer, pressCreate, typeIntoCodeEditor } from './steps.ts';

const tooLong = 'n'.repeat(121);

/** Expects that the field has an error that screen readers announce, and keeps its input. */
async function expectRefused(field: Locator, value: string, reason: string | RegExp): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(reason);
  await expect(field).toHaveValue(value);
}

/** Checks a drawer with only a name: empty, blank and too long input is rejected at the field, and stays in it. */
async function checkNameDrawer(page: Page, label: string, submit: string): Promise<void> {
  const field = drawer(page).getByLabel(label);
  const button = drawer(page).getByRole('button', { name: submit, exact: true });
  await button.click();
  await expectRefused(field, '', /Required\./);
  await expect(field).toBeFocused();
  await field.fill('   ');
  await button.click();
  await expectRefused(field, '   ', /Required\./);
  await field.fill('');
  await page.keyboard.insertText(tooLong);
  await button.click();
  await expectRefused(field, tooLong, /at most 120 characters/);
}

test('a sign-up shows what is invalid, and never who has an account', async ({
  page,
  server,
  newBrowser,
}) => {
  await test.step('each invalid sign-up field shows its error', async () => {
    await page.goto('/sign-up');
    const submit = page.getByRole('button', { name: 'Create account' });
    await submit.click();
    const summary = page.getByRole('alert');
    await expect(summary).toContainText('3 fields need attention');
    await expect(summary.getByRole('listitem')).toHaveText([
      'Your name: Required.',
      /^Email address: Enter an email address/,
      /^Password: Use at least/,
    ]);
    await summary.getByRole('link', { name: /^Password/ }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    // Label, field and help are stacked without overlapping.
    const field = page.locator('.mantine-PasswordInput-root');
    const smallestGap = async () => {
      const selectors = [
        'label',
        'input',
        '.mantine-PasswordInput-description',
        '.mantine-PasswordInput-error',
      ];
      const boxes = await Promise.all(selectors.map((part) => field.locator(part).boundingBox()));
      const gaps = boxes.slice(1).map((box, index) => box!.y - boxes[index]!.y - boxes[index]!.height);
      return Math.min(...gaps);
    };
    await expect.poll(smallestGap).toBeGreaterThanOrEqual(2);
    await expectRefused(page.getByLabel('Your name'), '', /Required\./);
    await page.getByLabel('Your name').fill('   ');
    await page.getByLabel('Email address').fill('robin@');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await submit.click();
    await expectRefused(page.getByLabel('Your name'), '   ', /Required\./);
    await expectRefused(page.getByLabel('Email address'), 'robin@', /such as name@example\.com/);
    await expectRefused(page.getByLabel('Password', { exact: true }), 'short', /Use at least 8 characters\./);
  });

  await test.step('a known address is only reported to its owner by email', async () => {
    const { person: known } = await newBrowser();
    await forgetAttempts(server.databaseUrl);
    await page.goto('/sign-up');
    for (const email of [known.email.toUpperCase(), newPerson().email]) {
      await page.goto('/sign-up');
      await fillSignUp(page, { ...newPerson(), email });
      await expect(page.getByRole('heading', { level: 1, name: 'Check your inbox' })).toBeVisible();
      await expect(page.getByRole('status')).toContainText(`We sent an email to ${email}.`);
    }
    await readMail(page.request, server, known.email, 'You already have an account');
  });
});

test('invalid input of records is kept and explained at its field', async ({
  page,
  api,
  organization,
  server,
}) => {
  const { filterId } = await prepareEmail(api, organization.id);

  await test.step('names are required and limited to 120 characters', async () => {
    await page.goto(`/o/${organization.id}/clients`);
    await pressCreate(page, 'New client');
    await checkNameDrawer(page, 'Client name', 'New client');
  });

  await test.step('a campaign needs a brand, a touchpoint a campaign', async () => {
    await page.goto(`/o/${organization.id}/campaigns`);
    await pressCreate(page, 'New campaign');
    await drawer(page).getByLabel('Campaign name').fill('Autumn');
    await drawer(page).getByRole('button', { name: 'New campaign' }).click();
    await expectRefused(page.getByRole('combobox', { name: 'Brand' }), '', /Choose a brand\./);
    await expect(drawer(page).getByLabel('Campaign name')).toHaveValue('Autumn');

    await page.goto(`/o/${organization.id}/touchpoints`);
    await pressCreate(page, 'New touchpoint');
    await drawer(page).getByLabel('Touchpoint name').fill('Autumn news');
    await drawer(page).getByRole('button', { name: 'Create touchpoint' }).click();
    await expectRefused(
      page.getByRole('combobox', { name: 'Campaign', exact: true }),
      '',
      /Choose a campaign\./,
    );
    await expect(drawer(page).getByLabel('Touchpoint name')).toHaveValue('Autumn news');
  });

  await test.step('a name that exists is rejected at the field', async () => {
    await page.goto(`/o/${organization.id}/templates`);
    await pressCreate(page, 'New template');
    await drawer(page).getByLabel('Title').fill('Nordwind letter');
    await drawer(page).getByRole('button', { name: 'New template' }).click();
    await expectRefused(drawer(page).getByLabel('Title'), 'Nordwind letter', /already taken/);
  });

  await test.step('a required field of an item is asked for', async () => {
    await page.goto(`/o/${organization.id}/contacts`);
    await pressCreate(page, 'Add contact');
    const form = drawer(page);
    const save = form.getByRole('button', { name: 'Save' });
    await form.getByLabel(/^First name/).fill('Ada');
    await save.click();
    await expectRefused(form.getByLabel('Email', { exact: true }), '', /Required\./);
    await expect(form.getByLabel(/^First name/)).toHaveValue('Ada');
  });

  await test.step('an audience with an unfinished rule is not saved', async () => {
    await page.goto(`/o/${organization.id}/audiences?new=true`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectRefused(page.getByLabel('Audience name'), '', /Required\./);
    await page.getByLabel('Audience name').fill('Young ones');
    await page.getByRole('button', { name: 'Add condition' }).click();
    const field = page.getByRole('combobox', { name: 'Field', exact: true });
    await field.selectOption({ label: 'Birthday' });
    await page.getByRole('combobox', { name: 'Operator' }).selectOption('_between');
    await expect(page.getByLabel('Audience name')).toHaveValue('Young ones');
    // A range without an end is rejected instead of selecting everybody.
    await page.getByLabel('from', { exact: true }).fill('2000-01-01');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const to = page.getByLabel('to', { exact: true });
    await expectRefused(to, '', /Required\./);
    await expect(to).toBeFocused();
    await expect(page.getByLabel('from', { exact: true })).toHaveValue('2000-01-01');
    await expect(page.getByLabel('Audience name')).toHaveValue('Young ones');
    await to.fill('2010-01-01');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Young ones' })).toBeVisible();
  });

  await test.step('an audience with too many conditions shows the limit', async () => {
    const searches = Array.from({ length: 84 }, (_, index) => ({ first_name: { _icontains: `a${index}` } }));
    // Stored before the limit existed.
    await runSql(server.databaseUrl, 'update filters set rule = $2 where id = $1', [
      filterId,
      JSON.stringify({ _or: searches }),
    ]);
    await page.goto(`/o/${organization.id}/audiences/${filterId}`);
    await expect(page.getByRole('alert')).toContainText(
      'This rule has too many conditions. It can have up to 250 comparisons, or up to 83 searches within texts',
    );
  });
});

test('what is wrong with an email is said where it is written and reviewed', async ({
  page,
  api,
  organization,
}) => {
  const email = await prepareEmail(api, organization.id);

  await test.step('invalid sender fields of an email are kept and explained', async () => {
    await page.goto(`/o/${organization.id}/touchpoints/${email.touchpointId}/email`);
    const fields = {
      subject: page.getByLabel('Subject', { exact: true }),
      fromName: page.getByLabel('Sender name'),
      fromEmail: page.getByLabel('Sender address'),
      replyTo: page.getByLabel('Reply-to address'),
    };
    await fields.subject.fill('A subject that stays');
    await fields.fromName.fill('Robin @ Nordwind');
    await fields.fromEmail.fill('news at nordwind.example');
    await fields.replyTo.fill('@nordwind.example');
    await fields.subject.press('ControlOrMeta+s');
    await expectRefused(fields.fromName, 'Robin @ Nordwind', /can’t contain @/);
    await expectRefused(fields.fromEmail, 'news at nordwind.example', /such as name@example\.com/);
    await expectRefused(fields.replyTo, '@nordwind.example', /such as name@example\.com/);
    await expect(fields.subject).toHaveValue('A subject that stays');
    await expect(fields.fromName).toBeFocused();

    await fields.subject.fill('');
    await fields.subject.focus();
    await page.keyboard.insertText('s'.repeat(301));
    await fields.subject.press('ControlOrMeta+s');
    await expectRefused(fields.subject, 's'.repeat(301), /at most 300 characters/);

    // Leaving the page does not lose the input either.
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
    await expect(fields.fromEmail).toHaveValue('news at nordwind.example');
  });

  await test.step('an incomplete email cannot be sent, and the review says why', async () => {
    await api.patch(`/touchpoints/${email.touchpointId}/email`, {
      subject: '',
      from_email: '',
      filter_id: null,
      mjml: '',
    });
    await page.goto(`/o/${organization.id}/touchpoints/${email.touchpointId}/email`);
    await expect(page.getByText('The subject is missing.')).toBeVisible();
    await expect(page.getByText('The sender name or address is missing.')).toBeVisible();
    await expect(page.getByText('Nothing is written yet, or it has errors.')).toBeVisible();
    await expect(page.getByText('No audience is selected, or it has no recipients.')).toBeVisible();
    const send = page.getByRole('button', { name: 'Send now' });
    await expect(send).toBeDisabled();
    await send.click({ force: true });
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('template errors show their line and keep the source', async () => {
    await page.goto(`/o/${organization.id}/templates/${email.templateId}`);
    const problems = page.getByRole('main').getByRole('alert');
    const cases = [
      ['<mjml><mj-body>\n<mj-nothing></mj-nothing>\n</mj-body></mjml>', 'Line 2:'],
      [
        '<mjml><mj-body><mj-section><mj-column>\n<mj-text>\n{% if contact.vip %}yes\n</mj-text></mj-column></mj-section></mj-body></mjml>',
        'Line 3:',
      ],
      ['{{ contact.first_name', 'Line 1:'],
      ['This is no MJML at all', /mjml/i],
      ['', /mjml/i],
    ] as const;
    for (const [source, said] of cases) {
      await typeIntoCodeEditor(page, source === '' ? ' ' : source);
      await expect(problems.filter({ hasText: said })).toBeVisible();
    }
    await typeIntoCodeEditor(page, '<mjml><mj-body>{{ unfinished');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(/^Saved \d/)).toBeVisible();
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'MJML source' })).toContainText(
      '<mjml><mj-body>{{ unfinished',
    );
  });
});

const drop = (page: Page) => page.getByLabel('Drop a CSV or JSON file here, or click to choose one');
const open = async (page: Page, organizationId: string) =>
  await page.goto(`/o/${organizationId}/collections/contacts/import`);
const csv = (content: string | Buffer, name = 'people.csv', mimeType = 'text/csv') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

test('a file that cannot be imported is rejected with the reason', async ({ page, organization }) => {
  await open(page, organization.id);
  const check = () => page.getByRole('button', { name: 'Check file' }).click();
  const reason = page.getByRole('alert');

  await drop(page).setInputFiles(csv('email,first_name\n'));
  await expect(reason).toHaveText('This file has no rows below its header.');
  await expect(drop(page)).toBeAttached();
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await drop(page).setInputFiles(csv(png, 'photo.png', 'image/png'));
  await expect(reason).toHaveText('This is not a CSV or JSON file.');
  await drop(page).setInputFiles(csv('PK', 'people.xlsx', 'application/octet-stream'));
  await expect(reason).toContainText('Save it as CSV');
  // With the name of a CSV file, it is rejected as well.
  await drop(page).setInputFiles(csv(Buffer.concat([png, Buffer.alloc(2000, 0)]), 'photo.csv'));
  await expect(reason).toHaveText('This is not a CSV or JSON file.');
  await drop(page).setInputFiles(csv('["ada"]', 'people.json', 'application/json'));
  await expect(reason).toContainText('This file has no objects.');
  const directory = await mkdtemp(join(tmpdir(), 'reachout-e2e-'));
  const path = join(directory, 'huge.csv');
  await writeFile(path, '');
  await truncate(path, 50_000_001);
  await drop(page).setInputFiles(path);
  await expect(reason).toContainText('larger than 50');
  await rm(directory, { recursive: true });

  await drop(page).setInputFiles(csv('first_name,country\nAda,GB\n'));
  await check();
  await expect(reason).toContainText('Choose a column for “Email”; it is required.');
  await expect(page.getByRole('combobox', { name: 'Maps to: country' })).toHaveValue('country');

  await open(page, organization.id);
  await drop(page).setInputFiles(csv('email,name\nada@contacts.example,Ada\n'));
  await page.getByRole('combobox', { name: 'Maps to: name' }).selectOption('email');
  await check();
  await expect(reason).toContainText('Two columns map to “Email”. Choose one.');
});
