import type { Page } from '@playwright/test';
import { totpCode } from '../apps/server/src/testing/totp.ts';
import type { Person } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';

const signIn = async (page: Page, { email, password }: Person, next = '/me/security') => {
  await page.goto(`/sign-in?next=${next}`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

test('an authenticator app is required at the next sign-in', async ({ page, person, server, newVisitor }) => {
  await page.goto('/me/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  const setup = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(setup.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const key = (await setup.locator('code').innerText()).replaceAll(' ', '');
  const code = setup.getByLabel('Code from the app');
  await code.fill('000000');
  await setup.getByRole('button', { name: 'Confirm' }).click();
  await expect(code).toHaveAccessibleDescription(/This is not the current code\./);
  await code.fill(totpCode(key));
  await page.keyboard.press('Enter');
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(saved.locator('code')).toHaveCount(10);
  const codes = await saved.locator('code').allInnerTexts();
  const downloaded = page.waitForEvent('download');
  await saved.getByRole('button', { name: 'Download' }).click();
  expect((await downloaded).suggestedFilename()).toBe('reachout-recovery-codes.txt');
  await saved.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 codes left')).toBeVisible();

  const other = await newVisitor();
  await signIn(other, person);
  await expect(other.getByRole('heading', { level: 1, name: 'Confirm that it’s you' })).toBeVisible();
  const entered = other.getByLabel('Code from your authenticator app');
  await expect(entered).toBeFocused();
  await entered.fill('000000');
  await other.getByRole('button', { name: 'Verify' }).click();
  await expect(other.getByRole('alert')).toContainText('Wrong or used code.');
  await other.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.getByLabel('Recovery code', { exact: true }).fill(codes[0] ?? '');
  await other.getByRole('button', { name: 'Verify' }).click();
  await expect(other).toHaveURL('/me/security');
  await expect(other.getByText('9 codes left')).toBeVisible();

  // More than an hour later, the same page requires both steps again.
  await runSql(
    server.databaseUrl,
    `update sessions set created_at = now() - interval '2 hours'
      where user_id = (select id from users where email = $1)`,
    [person.email],
  );
  await other.getByRole('button', { name: 'Remove' }).click();
  const removal = other.getByRole('dialog', { name: 'Remove the authenticator app?' });
  await removal.getByLabel('Code from the app, or a recovery code').fill(codes[1] ?? '');
  await removal.getByRole('button', { name: 'Remove' }).click();
  const again = other.getByRole('dialog', { name: 'Confirm that it’s you' });
  await again.getByLabel('Password', { exact: true }).fill(person.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.getByLabel('Recovery code', { exact: true }).fill(codes[2] ?? '');
  await again.getByRole('button', { name: 'Verify' }).click();
  await expect(other.getByRole('button', { name: 'Set up' })).toBeVisible();
});

test('an organization can require a second factor', async ({ page, api, organization, newBrowser }) => {
  const at = `/o/${organization.id}`;
  await page.goto(`${at}/settings/general`);
  const required = page.getByRole('switch', { name: 'Require a second step of all members' });
  await expect(required).toBeDisabled();
  const { key } = await api.post<{ key: string }>('/me/second_factor/totp', {});
  await api.post('/me/second_factor/totp/confirm', { code: totpCode(key) });
  await page.reload();
  // By keyboard: the limits above load later and move the checkbox.
  await expect(required).toBeEnabled();
  await required.press('Space');
  await expect(required).toBeChecked();

  const { page: other, api: otherApi, person } = await newBrowser();
  const { items } = await api.post<{ items: { url: string }[] }>('/organizations/invitations/create', {
    organization_id: organization.id,
    emails: [person.email],
    role: 'editor',
  });
  await otherApi.put(`/organizations/invitations/${items[0]?.url.split('/').at(-1) ?? ''}`, {});
  await other.goto(`${at}/clients`);
  const heading = `${organization.name} requires a second step at sign-in`;
  await expect(other.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  // All pages would show the same.
  const entry = other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Campaigns/ });
  await expect(entry).toHaveAttribute('aria-disabled', 'true');
  await expect(entry).toHaveText(
    'Campaigns: Set up an authenticator app or a passkey in your account to continue.',
  );
  await other.getByRole('link', { name: 'Set it up' }).click();
  await other.getByRole('button', { name: 'Set up' }).click();
  const setup = other.getByRole('dialog', { name: 'Set up an authenticator app' });
  const otherKey = (await setup.locator('code').innerText()).replaceAll(' ', '');
  await setup.getByLabel('Code from the app').fill(totpCode(otherKey));
  await setup.getByRole('button', { name: 'Confirm' }).click();
  await other.getByRole('button', { name: 'I have saved them' }).click();
  await other.goto(`${at}/clients`);
  await expect(other.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
});

test('a passkey can be added and signs in alone', async ({ page, person }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/me/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('My laptop');
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('dialog', { name: 'Save your recovery codes' }).locator('code')).toHaveCount(
    10,
  );
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeFocused();
  await page.getByRole('button', { name: 'Create new codes' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByRole('button', { name: 'Create new codes' })).toBeFocused();
  const rows = page.getByRole('table', { name: 'Passkeys' }).getByRole('row');
  await expect(rows.filter({ hasText: 'My laptop' })).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/sign-in?next=/me/security');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/me/security');
  await expect(rows).toHaveCount(2);

  // After the password, it is the second step.
  await page.context().clearCookies();
  await signIn(page, person);
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm that it’s you' })).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/me/security');

  await page.getByRole('button', { name: 'More actions for My laptop' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove the passkey “My laptop”?' });
  await removal.getByRole('button', { name: 'Remove' }).click();
  await expect(rows).toHaveCount(0);
});
