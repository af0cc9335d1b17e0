import type { Page } from '@playwright/test';
import { addMember, newPerson, prepareEmail, readMail, sendAtOnce } from './api.ts';
import { expect, test } from './fixtures.ts';
import { chooseInRow, drawer, goTo, mainNavigation, openMail, pressCreate, readDownload } from './steps.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Expects a loaded page without an action that the role never permits. */
async function expectNoAction(page: Page, title: string, action: string): Promise<void> {
  await expect(heading(page, title)).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('button', { name: action, exact: true })).toHaveCount(0);
}

test('people are invited, and sign up or decline', async ({
  page,
  api,
  person: owner,
  organization,
  server,
  browser,
  newVisitor,
}) => {
  await test.step('an invited person signs up and has the invited role', async () => {
    const invited = newPerson('Mina Murray');
    await goTo(page, `/o/${organization.id}/settings/members`);
    await page.getByRole('button', { name: 'Invite people' }).click();
    await drawer(page).getByLabel('Email addresses').fill(`${invited.email} nobody@`);
    await drawer(page).getByRole('radio', { name: 'Analyst' }).check();
    await drawer(page).getByRole('button', { name: 'Send invitations' }).click();
    await expect(drawer(page).getByText('This is not an email address: nobody@')).toBeVisible();
    await drawer(page).getByRole('button', { name: 'Remove nobody@' }).click();
    await drawer(page).getByRole('button', { name: 'Send invitations' }).click();
    await expect(page.getByText('1 invitation sent')).toBeVisible();

    const mailbox = await newVisitor();
    await mailbox.goto(server.mailboxUrl);
    await openMail(mailbox, invited.email, `Invitation to ${organization.name} on Reachout`);
    const followed = mailbox.waitForEvent('popup');
    await mailbox.getByRole('link', { name: /^View invitation/ }).click();
    const invitation = await followed;
    const title = `${owner.name} invites you to ${organization.name}`;
    await expect(heading(invitation, title)).toBeVisible();
    await expect(invitation.getByText('Your role will be “Analyst”.')).toBeVisible();
    // The email has proven the address, so it is neither asked for nor confirmed again.
    await expect(invitation.getByText(`to join as ${invited.email}`)).toBeVisible();
    await expect(invitation.getByLabel('Email address')).toHaveCount(0);
    const join = invitation.getByRole('button', { name: `Join ${organization.name}` });
    await invitation.getByLabel('Your name').fill(invited.name);
    await invitation.getByLabel('Password', { exact: true }).fill('short');
    await join.click();
    await expect(invitation.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /Use at least 8 characters\./,
    );
    await invitation.getByLabel('Password', { exact: true }).fill(invited.password);
    await join.click();
    await expect(heading(invitation, 'Dashboard')).toBeVisible();
    await mainNavigation(invitation).getByRole('link', { name: 'Clients' }).click();
    await expectNoAction(invitation, 'Clients', 'New client');

    await page.reload();
    await expect(page.getByRole('row').filter({ hasText: invited.email })).toContainText('Analyst');
    await goTo(page, `/o/${organization.id}/settings/invitations`);
    await expect(page.getByText('No pending invitations')).toBeVisible();
  });

  await test.step('an invitation can be declined without an account', async () => {
    const { email } = newPerson();
    const { items } = await api.post<{ items: { url: string }[] }>('/organizations/invitations/create', {
      organization_id: organization.id,
      emails: [email],
      role: 'editor',
    });
    const visitor = await newVisitor();
    await visitor.goto(items[0]!.url);
    await visitor.getByRole('button', { name: 'Decline' }).click();
    await visitor.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await expect(heading(visitor, 'You declined this invitation')).toBeVisible();
    await visitor.reload();
    await expect(heading(visitor, 'You declined this invitation')).toBeVisible();
    await expect(visitor.getByRole('button', { name: 'Accept' })).toBeHidden();
    await goTo(page, `/o/${organization.id}/settings/invitations?view=all`);
    await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Declined');
  });

  await test.step('an invitation shows one expiry in every time zone', async () => {
    const { email } = newPerson();
    const { items } = await api.post<{ items: { url: string; expires_at: string }[] }>(
      '/organizations/invitations/create',
      { organization_id: organization.id, emails: [email], role: 'editor' },
    );
    const { url, expires_at } = items[0]!;
    const inUtc = (month: 'long' | 'short') =>
      new Intl.DateTimeFormat('en', {
        dateStyle: month === 'long' ? 'long' : 'medium',
        timeZone: 'UTC',
      }).format(new Date(expires_at));
    const mail = await readMail(page.request, server, email, 'Invitation to');
    expect(mail.text).toMatch(new RegExp(`expires on ${inUtc('long')} at \\d+:\\d\\d [AP]M UTC`));
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const context = await browser.newContext({ baseURL: server.url, timezoneId });
      const visitor = await context.newPage();
      await visitor.goto(url);
      await expect(visitor.getByText(/^Valid until .* GMT[+-]\d+/)).toContainText(inUtc('short'));
      await context.close();
    }
  });
});

test('a guest who joins by link sees only their client', async ({ page, api, organization, newBrowser }) => {
  const ours = await prepareEmail(api, organization.id);
  const hidden = await prepareEmail(api, organization.id, { contacts: [], brand: 'Geheimrat' });
  await goTo(page, `/o/${organization.id}/settings/invitations`);
  await page.getByRole('button', { name: 'Create link' }).click();
  await drawer(page).getByRole('combobox', { name: 'Clients' }).fill('Nordwind');
  await page.getByRole('option', { name: 'Nordwind Outdoor' }).click();
  await drawer(page).getByLabel('Maximum number of uses').fill('1');
  await drawer(page).getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('textbox', { name: 'Link' });
  await expect(link).toHaveValue(/\/join\//);
  await expect(page.getByText('Only Nordwind Outdoor')).toBeVisible();

  const { page: guest } = await newBrowser();
  await guest.goto(await link.inputValue());
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(heading(guest, 'Dashboard')).toBeVisible();
  const main = guest.getByRole('main');
  await expect(main.getByText('Nordwind spring').first()).toBeVisible();
  await expect(main.getByText('Geheimrat')).toHaveCount(0);
  const lists = {
    Clients: ['Nordwind Outdoor', 'New client'],
    Campaigns: ['Nordwind spring', 'New campaign'],
    Touchpoints: ['Nordwind news', 'New touchpoint'],
  } as const;
  for (const [list, [shown, action]] of Object.entries(lists)) {
    await mainNavigation(guest).getByRole('link', { name: list }).click();
    await expect(main.getByText(shown, { exact: true }).first()).toBeVisible();
    await expect(main.getByText('Geheimrat')).toHaveCount(0);
    await expectNoAction(guest, list, action);
    await expect(main.getByRole('button', { name: /^More actions/ })).toHaveCount(0);
  }
  // All contacts are shared by all clients, so the guest sees none, and no entry leads to them.
  for (const name of ['Contacts', 'Collections'])
    await expect(mainNavigation(guest).getByRole('link', { name })).toHaveCount(0);
  const at = `/o/${organization.id}`;
  await goTo(guest, `${at}/contacts`);
  await expect(main.getByRole('heading', { name: 'No contacts' })).toBeVisible();
  await goTo(guest, `${at}/clients/${ours.clientId}/settings`);
  await expect(guest.getByText('Client name')).toBeVisible();
  await expect(guest.getByRole('textbox')).toHaveCount(0);
  // Guests cannot read contacts shared by all clients, so the preview has no contact.
  await goTo(guest, `${at}/touchpoints/${ours.touchpointId}/email`);
  await expect(
    guest.frameLocator('iframe[title="Live preview"]').getByText('Hello there, this is Nordwind.'),
  ).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Start over' })).toHaveCount(0);
  for (const path of [
    `clients/${hidden.clientId}/overview`,
    `clients/${hidden.clientId}/contacts`,
    `brands/${hidden.brandId}/campaigns`,
    `campaigns/${hidden.campaignId}`,
    `touchpoints/${hidden.touchpointId}/email`,
  ]) {
    await goTo(guest, `${at}/${path}`);
    await expect(guest.getByRole('heading', { name: 'Not found' }), path).toBeVisible();
  }

  // The link was for one person.
  const { page: late } = await newBrowser();
  await late.goto(await link.inputValue());
  await expect(heading(late, 'This link has been used up')).toBeVisible();
});

test('roles hold with the next request, and an owner stays', async ({
  page,
  api,
  person,
  organization,
  newBrowser,
}) => {
  const at = `/o/${organization.id}/settings/members`;

  await test.step('a role change or removal takes effect with the next request', async () => {
    const member = await newBrowser('Lucy Westenra');
    await addMember(api, organization.id, member, 'editor');
    await goTo(member.page, `/o/${organization.id}/clients`);
    await pressCreate(member.page, 'New client');
    await drawer(member.page).getByLabel('Client name').fill('Too late');

    await goTo(page, at);
    await chooseInRow(page, 'Lucy Westenra', 'Change role');
    await drawer(page).getByRole('radio', { name: 'Analyst' }).check();
    await drawer(page).getByRole('button', { name: 'Change role' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Lucy Westenra' })).toContainText('Analyst');

    await drawer(member.page).getByRole('button', { name: 'New client' }).click();
    await expect(drawer(member.page).getByRole('alert')).toContainText(
      'You don’t have permission to do this.',
    );
    await expect(drawer(member.page).getByLabel('Client name')).toHaveValue('Too late');
    await member.page.keyboard.press('Escape');
    await member.page.reload();
    await expectNoAction(member.page, 'Clients', 'New client');

    await chooseInRow(page, 'Lucy Westenra', 'Remove Lucy Westenra');
    await page
      .getByRole('dialog', { name: `Remove Lucy Westenra from “${organization.name}”?` })
      .getByRole('button', { name: 'Remove Lucy Westenra' })
      .click();
    await expect(page.getByRole('row').filter({ hasText: 'Lucy Westenra' })).toHaveCount(0);
    await mainNavigation(member.page).getByRole('link', { name: 'Campaigns' }).click();
    await expect(member.page.getByRole('heading', { name: 'Not found' })).toBeVisible();
    await goTo(member.page, '/organizations');
    await expect(member.page.getByText('No organizations yet')).toBeVisible();
    // There is no dashboard to go back to.
    await expect(member.page.getByRole('link', { name: 'Back to the dashboard' })).toBeHidden();
  });

  await test.step('a custom role is edited by keyboard and limits its members', async () => {
    await goTo(page, `/o/${organization.id}/settings/roles`);
    await page.getByRole('button', { name: 'Create role' }).click();
    await drawer(page).getByLabel('Role name').fill('Trainee');
    await drawer(page).getByRole('button', { name: 'Create role' }).click();
    await expect(heading(page, 'Trainee')).toBeVisible();
    const role = new URL(page.url()).pathname.split('/').at(-1)!;

    const table = page.getByRole('grid', { name: 'Permissions of Trainee' });
    const cell = (name: string) => table.getByRole('button', { name, exact: true });
    await cell('View organization: allowed').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(cell('View clients: allowed')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await expect(cell('Create clients: allowed')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    await expect(cell('Create brands: not allowed')).toBeFocused();
    await expect(page.getByText('1 unsaved change')).toBeVisible();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(/^Saved \d/)).toBeVisible();
    await page.reload();
    await expect(cell('Create clients: allowed')).toBeVisible();

    const trainee = await newBrowser('Trainee Person');
    await addMember(api, organization.id, trainee, role);
    await goTo(trainee.page, `/o/${organization.id}/campaigns`);
    await expectNoAction(trainee.page, 'Campaigns', 'New campaign');
    await mainNavigation(trainee.page).getByRole('link', { name: 'Clients' }).click();
    await expect(trainee.page.getByText('Add your first client')).toBeVisible();
    await pressCreate(trainee.page, 'New client');
    await drawer(trainee.page).getByLabel('Client name').fill('First try');
    await drawer(trainee.page).getByRole('button', { name: 'New client' }).click();
    await expect(heading(trainee.page, 'First try')).toBeVisible();
    await expectNoAction(trainee.page, 'First try', 'New brand');
  });

  await test.step('the last owner cannot be removed and sees the reason', async () => {
    await goTo(page, at);
    const own = page.getByRole('row').filter({ hasText: person.email });
    const reason = /An organization needs at least one owner\./;
    await expect(own).toContainText(reason);
    await own.getByRole('button', { name: /^More actions/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Change role' })).toBeDisabled();
    await expect(page.getByRole('menuitem', { name: 'Leave' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await goTo(page, `/o/${organization.id}/settings/general`);
    await expect(page.getByRole('button', { name: 'Leave', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );

    const second = await newBrowser('Second Owner');
    await addMember(api, organization.id, second, 'owner');
    await goTo(page, at);
    await expect(own).toBeVisible();
    await expect(own).not.toContainText(reason);
    await chooseInRow(page, person.name, 'Leave');
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await expect(heading(page, 'Your organizations')).toBeVisible();
    await expect(page.getByText(organization.name)).toHaveCount(0);
  });
});

test('the audit log says who did what', async ({ page, api, person, organization, newBrowser }) => {
  await test.step('the audit log lists and exports who did what', async () => {
    const other = await newBrowser('Renfield');
    await addMember(api, organization.id, other, 'editor');
    const made = { organization_id: organization.id };
    await api.post('/clients', { ...made, name: 'Carfax' });
    const { id } = await other.api.post<{ id: string }>('/clients', { ...made, name: '=HYPERLINK("x")' });
    await other.api.delete(`/clients/${id}`);

    await goTo(page, `/o/${organization.id}/settings/audit-log`);
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await expect(rows.filter({ hasText: 'Created a client' }).filter({ hasText: 'Carfax' })).toContainText(
      person.name,
    );
    await page.getByRole('combobox', { name: 'User' }).click();
    await page.getByRole('option', { name: 'Renfield' }).click();
    await expect(rows.filter({ hasText: 'Carfax' })).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Clients' }).click();
    await expect(rows.nth(1)).toContainText('Deleted a client');
    await expect(rows.nth(2)).toContainText('Created a client');
    await expect(rows).toHaveCount(3);

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const csv = await readDownload(await download);
    expect(csv).toContain('clients.delete');
    expect(csv).toContain('Renfield');
    expect(csv).not.toContain('Carfax');
    // Spreadsheets interpret cells that begin with = as formulas.
    expect(csv).not.toMatch(/(^|,|")=HYPERLINK/m);
  });

  await test.step('the audit log says what was sent to whom', async () => {
    const { touchpointId } = await prepareEmail(api, organization.id);
    await sendAtOnce(api, touchpointId);
    await goTo(page, `/o/${organization.id}/settings/audit-log`);
    const row = page.getByRole('row').filter({ hasText: 'Sent “Nordwind news” to 3 contacts for Nordwind' });
    await expect(row.getByRole('link', { name: 'Nordwind news' })).toHaveAttribute(
      'href',
      new RegExp(`/touchpoints/${touchpointId}$`),
    );
    const changed = page.getByRole('row').filter({ hasText: 'Changed an email' });
    await changed.getByText('Changed an email').click();
    await expect(changed).toContainText('Template');
    await expect(changed).toContainText('Nordwind letter');
    // Codes and the names of inputs are not shown.
    await expect(page.getByRole('table')).not.toContainText(/expected_|\b[a-z]+\.[a-z]+[A-Z]/);
  });
});

test('keys and tokens are shown once, have their scopes and can be revoked', async ({
  page,
  api,
  organization,
  server,
}) => {
  await test.step('an API key is shown once, limited to its scopes and revocable', async () => {
    await api.post('/clients', { organization_id: organization.id, name: 'Carfax' });
    await goTo(page, `/o/${organization.id}/settings/api-keys`);
    await pressCreate(page, 'Create key');
    await drawer(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Reports');
    await drawer(page).getByRole('button', { name: 'Create key' }).click();
    await expect(drawer(page).getByText('Choose at least one permission.')).toBeVisible();
    await drawer(page).getByRole('checkbox', { name: 'View clients and brands' }).check();
    await drawer(page).getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy this key now' });
    const secret = (await dialog.locator('pre').innerText()).trim();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
    const row = page.getByRole('row').filter({ hasText: 'Reports' });
    await expect(row).toContainText('Never');
    await expect.poll(() => page.content()).not.toContain(secret);

    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}/api${path}`, {
        ...init,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      });
    const list = `/clients?organization_id=${organization.id}`;
    const response = await ask(list);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ items: [{ name: 'Carfax' }] });
    const refused = await ask('/clients', {
      method: 'POST',
      body: JSON.stringify({ organization_id: organization.id, name: 'Not mine' }),
    });
    expect(refused.status).toBe(403);

    await page.reload();
    await expect(row).not.toContainText('Never');
    expect(await page.content()).not.toContain(secret);
    await chooseInRow(page, 'Reports', 'Revoke');
    await page
      .getByRole('dialog', { name: 'Revoke the key “Reports”?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await expect(row).toContainText('Revoked');
    expect((await ask(list)).status).toBe(401);
  });

  await test.step('a content token is shown once, reads own contacts and is revocable', async () => {
    await api.post(`/content/${organization.id}/items/contacts`, { email: 'mine@contacts.example' });
    await goTo(page, '/me/api-keys');
    await page.getByRole('button', { name: 'Create content token' }).click();
    await drawer(page).getByRole('combobox', { name: 'Organization' }).click();
    await page.getByRole('option', { name: organization.name }).click();
    await drawer(page).getByRole('textbox', { name: 'Name', exact: true }).fill('My script');
    await drawer(page).getByRole('button', { name: 'Create content token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy this token now' });
    const secret = (await dialog.locator('pre').innerText()).trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'My script' });
    await expect(row).toContainText('reads the items that you created');
    await expect.poll(() => page.content()).not.toContain(secret);

    const read = () =>
      fetch(`${server.url}/content/${organization.id}/items/contacts?fields=email`, {
        headers: { authorization: `Bearer ${secret}` },
      });
    expect(await (await read()).json()).toEqual({ data: [{ email: 'mine@contacts.example' }] });
    await chooseInRow(page, 'My script', 'Revoke');
    await page
      .getByRole('dialog', { name: 'Revoke the key “My script”?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await expect(row).toBeHidden();
    expect((await read()).status).toBe(401);
  });
});
