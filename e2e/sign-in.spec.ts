import type { Page } from '@playwright/test';
import { apiOf, newPerson, readMail, untilServed } from './api.ts';
import { endLockout, forgetAttempts, restartLockout, runSql } from './database.ts';
import { expect, fillSignUp, test } from './fixtures.ts';
import { addPersonAt, providerName } from './server.ts';
import { drawer, openMail, pressCreate } from './steps.ts';

const isSignedIn = (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name: 'Your organization', exact: true })).toBeVisible();

const signIn = async (page: Page, { email, password }: { email: string; password: string }) => {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

test('a sign-up link works once, and in another browser with the password', async ({
  page,
  server,
  newVisitor,
}) => {
  await test.step('the sign-up link from the system mailbox works once', async () => {
    const person = newPerson();
    await forgetAttempts(server.databaseUrl);
    await page.goto('/sign-up');
    // The rule is shown before any input.
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /At least \d+ characters\./,
    );
    await page.getByLabel('Password', { exact: true }).fill('aaaaaaaaaa');
    await expect(page.getByText('Weak: easy to guess.')).toBeVisible();
    await fillSignUp(page, person);
    await expect(page.getByRole('heading', { level: 1, name: 'Check your inbox' })).toBeVisible();
    await expect(page.getByRole('status')).toContainText(person.email);

    // Without the key of the system inbox, the page says where its link is, and does not link to a locked page.
    const toInbox = page.getByRole('link', { name: /^Open system inbox/ });
    await expect(page.getByText('npm start printed in the terminal')).toBeVisible();
    await expect(toInbox).toHaveCount(0);
    const mailbox = await page.context().newPage();
    await mailbox.goto('/mailbox');
    await expect(mailbox.getByRole('heading', { name: 'The system inbox is locked' })).toBeVisible();
    await mailbox.goto(server.mailboxUrl);
    await expect(mailbox.getByRole('heading', { level: 1, name: 'System inbox' })).toBeVisible();
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await expect(toInbox).toHaveAttribute('href', '/mailbox');
    await openMail(mailbox, person.email, 'Confirm your email address');
    const followed = mailbox.waitForEvent('popup');
    await mailbox.getByRole('link', { name: /^Confirm email address/ }).click();
    const confirmed = await followed;
    await isSignedIn(confirmed);
    // The original tab continues automatically.
    await isSignedIn(page);

    await mailbox.bringToFront();
    const again = mailbox.waitForEvent('popup');
    await mailbox.getByRole('link', { name: /^Confirm email address/ }).click();
    await expect(
      (await again).getByRole('heading', { level: 1, name: 'This link no longer works' }),
    ).toBeVisible();
  });

  await test.step('a sign-up link in another browser asks for the password', async () => {
    const person = newPerson();
    await apiOf(page.request, server.url).post('/auth/sign-up', person);
    const { links } = await readMail(page.request, server, person.email, 'Confirm your email address');
    const other = await newVisitor();
    await other.goto(links[0]!);
    const password = other.getByLabel('Password', { exact: true });
    await password.fill('not the password');
    await other.getByRole('button', { name: 'Confirm' }).click();
    await expect(password).toHaveAccessibleDescription('This is not the password you chose when signing up.');
    await expect(password).toBeFocused();
    await password.fill(person.password);
    await other.getByRole('button', { name: 'Confirm' }).click();
    await isSignedIn(other);
  });
});

test('a sign-in keeps the address, tells nothing, and accepts only the code from the email', async ({
  page,
  context,
  server,
  newBrowser,
}) => {
  const { person } = await newBrowser();
  await forgetAttempts(server.databaseUrl);

  await test.step('a sign-in page being left is inert and keeps the address', async () => {
    const { email } = newPerson();
    await page.goto('/sign-in');
    const field = page.getByLabel('Email address');
    await field.fill(email);
    // The script of the next page loads slowly.
    const requested = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      requested.resolve();
      await arrived.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await requested.promise;
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await field.click({ force: true });
    await page.keyboard.type('nobody reads this');
    await expect(field).toHaveValue(email);

    arrived.resolve();
    await expect(page.getByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible();
    await expect(page.getByLabel('Email address')).toHaveValue(email);
    await expect(page.getByLabel('Email address')).toBeFocused();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  await test.step('a wrong password and an unknown address show one message', async () => {
    await page.goto('/sign-in');
    for (const email of [person.email, newPerson().email]) {
      await signIn(page, { email, password: 'not the password' });
      // First, since the message to the attempt before is the same.
      await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
      await expect(page.getByRole('alert')).toHaveText(
        'Email and password don’t match. Try again or request a code.',
      );
      await expect(page.getByLabel('Email address')).toHaveValue(email);
    }
  });

  await test.step('only the code from the email signs in', async () => {
    await page.goto('/sign-in?next=/me/profile');
    await page.getByLabel('Email address').fill(person.email);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible();

    const mailbox = await context.newPage();
    await mailbox.goto(server.mailboxUrl);
    await openMail(mailbox, person.email, 'Your sign-in code');
    const shown = mailbox.locator('iframe[title="Message"]').contentFrame();
    const code = (await shown.getByText(/^\s*\d{6}\s*$/).innerText()).trim();

    const boxes = page.getByRole('textbox', { name: /^Digit/ });
    await boxes.first().click();
    await page.keyboard.type(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
    await expect(page.getByRole('alert')).toHaveText('Wrong code. Check the latest email and try again.');
    await expect(boxes.first()).toBeFocused();
    await page.keyboard.type(code);
    await expect(page).toHaveURL('/me/profile');
    await expect(page.getByLabel('Full name')).toHaveValue(person.name);
  });
});

test('resetting a password ends sessions and offers the API keys', async ({
  page,
  context,
  server,
  newBrowser,
}) => {
  const { page: other, person, api } = await newBrowser();
  const { id } = await api.post<{ id: string }>('/organizations', { name: 'Carfax' });
  const keys: string[] = [];
  for (const name of ['Reports', 'Nightly export']) {
    const key = { name, scopes: ['clients:read'] };
    keys.push((await api.post<{ secret: string }>(`/organizations/${id}/api_keys`, key)).secret);
  }
  await other.goto('/me/profile');
  await expect(other.getByLabel('Full name')).toHaveValue(person.name);
  await forgetAttempts(server.databaseUrl);

  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Check your inbox' })).toBeVisible();
  const mailbox = await context.newPage();
  await mailbox.goto(server.mailboxUrl);
  await openMail(mailbox, person.email, 'Set a new password');
  const followed = mailbox.waitForEvent('popup');
  await mailbox.getByRole('link', { name: /^Set new password/ }).click();
  const reset = await followed;
  const changed = { ...person, password: `another ${person.password}` };
  await reset.getByLabel('New password', { exact: true }).fill(changed.password);
  await reset.getByRole('button', { name: 'Save password' }).click();
  await expect(reset.getByRole('status').first()).toContainText('Your password has been changed.');

  await other.reload();
  await expect(other).toHaveURL(/\/sign-in\?next=/);

  await signIn(reset, person);
  await expect(reset.getByRole('alert')).toContainText('Email and password don’t match.');
  await signIn(reset, changed);

  // API keys stay valid until the user revokes them.
  await expect(reset).toHaveURL('/me/api-keys?after=reset');
  await expect(reset.getByRole('status').first()).toContainText('These keys still work');
  const listed = reset.getByRole('table', { name: 'API keys' }).getByRole('row');
  await expect(listed).toHaveText([/^Name/, /^Nightly export.*Carfax/, /^Reports.*Carfax/]);
  const statuses = async () => {
    const responses = keys.map((key) =>
      fetch(`${server.url}/api/clients?organization_id=${id}`, {
        headers: { authorization: `Bearer ${key}` },
      }),
    );
    return (await Promise.all(responses)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200]);
  await reset.getByRole('button', { name: 'Revoke all' }).click();
  const question = reset.getByRole('dialog', { name: 'Revoke all 2 keys?' });
  await question.getByRole('button', { name: 'Revoke all' }).click();
  await expect(reset.getByText('No API keys')).toBeVisible();
  expect(await statuses()).toEqual([401, 401]);
});

test('sign-in at a provider fails with the reason, and shows the app', async ({ page, server }) => {
  await test.step('a failed provider sign-in returns with the reason', async () => {
    const { email, name } = newPerson();
    await addPersonAt(server, { sub: crypto.randomUUID(), email, name, email_verified: false });
    await page.goto('/sign-in');
    await page.getByRole('button', { name: `Continue with ${providerName}` }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign-in failed' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText('Access was denied. Try again, or sign in another way.');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();

    await page.getByRole('button', { name: `Continue with ${providerName}` }).click();
    await page.waitForURL(`${server.issuer}/**`);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toContainText(
      'Your email address is not verified with the provider.',
    );
    await page.goto('/me/profile');
    await expect(page).toHaveURL(/\/sign-in\?next=/);
  });

  await test.step('a new person signs in and sees the app', async () => {
    // The provider knows whoever has signed in before.
    await page.context().clearCookies();
    const { email, name } = newPerson('Wilhelmina Murray');
    await addPersonAt(server, { sub: crypto.randomUUID(), email, name, email_verified: true });
    await page.goto('/sign-in?next=/me/profile');
    await page.getByRole('button', { name: `Continue with ${providerName}` }).click();
    await page.waitForURL(`${server.issuer}/**`);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${server.url}/me/profile`);
    await expect(page.getByLabel('Full name')).toHaveValue(name);
    await expect(page.getByText(email)).toBeVisible();
    await page.goto('/me/password');
    await expect(page.getByRole('heading', { name: 'You have no password yet' })).toBeVisible();
  });
});

test('too many wrong passwords block sign-in with a countdown', async ({ page, server, newBrowser }) => {
  const { person } = await newBrowser();
  await forgetAttempts(server.databaseUrl);
  const wrong = { email: person.email, password: 'not the password' };
  for (let times = 0; times < 10; times += 1) {
    const response = await untilServed(() =>
      page.request.post(`${server.url}/api/auth/sign-in/email`, {
        headers: { origin: server.url },
        data: wrong,
      }),
    );
    expect(response.status()).toBe(401);
  }
  await page.clock.install();
  await page.goto('/sign-in');
  await restartLockout(server.databaseUrl);
  await signIn(page, person);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Too many attempts. Try again in 15 minutes.');
  await expect(page.getByLabel('Email address')).toHaveValue(person.email);
  await page.clock.fastForward('10:00');
  await expect(alert).toContainText('Try again in 5 minutes.');
  await page.clock.fastForward('05:00');
  await expect(alert).toBeHidden();
  // Fifteen minutes later.
  await endLockout(server.databaseUrl);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await isSignedIn(page);
});

test('an expired session is renewed without losing a form', async ({
  page,
  organization,
  person,
  server,
}) => {
  await page.goto(`/o/${organization.id}/clients`);
  await pressCreate(page, 'New client');
  const name = drawer(page).getByLabel('Client name');
  await name.fill('Typed for long');
  await runSql(
    server.databaseUrl,
    'delete from sessions where user_id = (select id from users where email = $1)',
    [person.email],
  );
  await drawer(page).getByRole('button', { name: 'New client' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog).toContainText('Your work is kept.');
  await expect(dialog).toContainText(person.email);
  await dialog.getByLabel('Password', { exact: true }).fill('not the password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Wrong password.');
  await expect(name).toHaveValue('Typed for long');
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
  await expect(name).toHaveValue('Typed for long');
  await drawer(page).getByRole('button', { name: 'New client' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Typed for long' })).toBeVisible();
});
