import type { Page } from '@playwright/test';
import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';
import { drawer, mainNavigation, pressCreate } from './steps.ts';

const failure = {
  status: 500,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Internal Server Error',
    status: 500,
    code: 'internal',
  }),
};

test('what cannot be loaded or saved says so, and can be tried again', async ({
  page,
  api,
  organization,
  context,
}) => {
  await prepareEmail(api, organization.id, { contacts: [] });

  await test.step('a list that fails to load can be retried in place', async () => {
    const calls = '**/api/campaigns?**';
    await page.route(calls, (route) => route.fulfill(failure));
    await page.goto(`/o/${organization.id}/campaigns`);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The campaigns could not be loaded. Your data is safe.');
    await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
    await expect(mainNavigation(page)).toBeVisible();
    await page.unroute(calls);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('link', { name: 'Nordwind spring' })).toBeVisible();
    await expect(alert).toBeHidden();
  });

  await test.step('a reached limit shows its number and links to the limits', async () => {
    await page.goto(`/o/${organization.id}/templates`);
    await pressCreate(page, 'New template');
    await drawer(page).getByLabel('Title').fill('Spring letter');
    const data = { quota: 'templates', limit: 1_000, used: 1_000 };
    const body = JSON.stringify({ status: 409, code: 'quota_exceeded', title: 'Conflict', data });
    await page.route('**/api/**', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ ...failure, status: 409, body })
        : route.fallback(),
    );
    await drawer(page).getByRole('button', { name: 'New template' }).click();
    const alert = drawer(page).getByRole('alert');
    await expect(alert).toContainText(
      'has reached a limit. The operator of this installation can raise it. Limit for templates: 1,000 of 1,000 are used. Delete templates that you no longer need.',
    );
    const link = alert.getByRole('link', { name: 'See the limits' });
    await page.unrouteAll();
    await expect(link).toHaveAttribute('href', `/o/${organization.id}/settings/general#limits`);
  });

  await test.step('losing the connection keeps loaded data and typed input', async () => {
    await page.goto(`/o/${organization.id}/clients`);
    await expect(page.getByText('Nordwind Outdoor')).toBeVisible();
    await page.getByRole('button', { name: 'New client' }).click();
    await drawer(page).getByLabel('Client name').fill('Typed offline');

    await context.setOffline(true);
    const submit = drawer(page).getByRole('button', { name: 'New client' });
    await submit.click();
    await expect(drawer(page).getByRole('alert')).toContainText('Can’t reach the server.');
    await expect(drawer(page).getByLabel('Client name')).toHaveValue('Typed offline');
    await expect(page.getByText('Nordwind Outdoor')).toBeVisible();

    await context.setOffline(false);
    await submit.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Typed offline' })).toBeVisible();
  });

  await test.step('the offline notice appears at once and disappears again', async () => {
    // Disables the cache, so that the scripts of the next page cannot be loaded either.
    await page.route('**/*', (route) => route.continue());
    await page.goto(`/o/${organization.id}/clients`);
    await expect(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
    const notice = page.getByText('You’re offline.');
    await context.setOffline(true);
    await expect(notice).toBeVisible();
    await mainNavigation(page).getByRole('link', { name: 'Audiences' }).click();
    await expect(page.getByRole('main').getByText('Can’t reach the server.')).toBeVisible();
    // Shown for three seconds, regardless of what else has loaded by then: the wait begins before.
    const isBack = page.getByText('Back online').waitFor();
    await context.setOffline(false);
    await isBack;
    await expect(page.getByRole('heading', { level: 1, name: 'Audiences' })).toBeVisible();
    await expect(notice).toBeHidden();
    await expect(page.getByText('Something went wrong')).toHaveCount(0);
  });
});

test('an email is neither lost nor sent twice when requests fail', async ({
  page,
  api,
  organization,
  context,
}) => {
  const email = await prepareEmail(api, organization.id);

  await test.step('a failed save keeps the form and can be repeated', async () => {
    const calls = `**/api/touchpoints/${email.touchpointId}/email`;
    await page.goto(`/o/${organization.id}/touchpoints/${email.touchpointId}/email`);
    await page.route(calls, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill(failure) : route.fallback(),
    );
    const subject = page.getByLabel('Subject', { exact: true });
    await subject.fill('Worth keeping');
    const alert = page.getByRole('alert').filter({ hasText: 'Not saved' }).first();
    await expect(alert).toContainText('Something went wrong on our side.');
    await expect(subject).toHaveValue('Worth keeping');
    await page.unroute(calls);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
    await page.reload();
    await expect(subject).toHaveValue('Worth keeping');
  });

  await test.step('leaving during a save waits and asks only on failure', async () => {
    let arrived = Promise.withResolvers<void>();
    let isFailing = true;
    await page.route(`**/api/touchpoints/${email.touchpointId}/email`, async (route) => {
      if (route.request().method() !== 'PATCH') return await route.fallback();
      await arrived.promise;
      await (isFailing ? route.fulfill(failure) : route.continue());
    });
    // Delays the request that follows a save.
    await page.route('**/emails/preview/*', async (route) => {
      if (!isFailing) await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    await page.goto(`/o/${organization.id}/touchpoints/${email.touchpointId}/email`);
    const subject = page.getByLabel('Subject', { exact: true });
    await subject.fill('Worth waiting for');
    const saving = page.getByText('Saving…').first();
    const next = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' });
    const question = page.getByRole('dialog', { name: 'You have unsaved changes' });
    await expect(saving).toBeVisible();
    await next.click();
    await expect(question).toHaveCount(0);
    arrived.resolve();
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Not saved' }).first()).toBeVisible();
    await expect(subject).toHaveValue('Worth waiting for');

    isFailing = false;
    arrived = Promise.withResolvers<void>();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(saving).toBeVisible();
    await next.click();
    await expect(subject).toHaveValue('Worth waiting for');
    arrived.resolve();
    await expect(page.getByRole('heading', { name: 'Delete touchpoint' })).toBeVisible();
    await page.goBack();
    await expect(subject).toHaveValue('Worth waiting for');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  await test.step('only words that are saved and were reviewed are sent', async () => {
    const path = `/touchpoints/${email.touchpointId}`;
    const stored = async () => (await api.get<{ subject: string }>(`${path}/email`)).subject;
    await page.goto(`/o/${organization.id}${path}/email`);
    const subject = page.getByLabel('Subject', { exact: true });
    const send = page.getByRole('button', { name: 'Send now' });
    const testMessage = page.getByRole('button', { name: 'Send me a test' });
    await expect(send).toBeEnabled();

    const family = '👩‍👩‍👧‍👦';
    const words = `${'Typed offline '.padEnd(44, '.')}${family}!`;
    await context.setOffline(true);
    await subject.fill(words);
    await expect(
      page.getByRole('alert').filter({ hasText: 'Can’t reach the server.' }).first(),
    ).toBeVisible();
    await expect(page.getByText('Not everything that you see is saved yet.')).toBeVisible();
    await expect(send).toBeDisabled();
    await expect(testMessage).toBeDisabled();
    await context.setOffline(false);
    await expect.poll(stored).toBe(words);
    await expect(send).toBeEnabled();
    // Cut where phones do, but never within a character.
    const inbox = page.getByRole('region', { name: 'Inbox preview' });
    await expect(inbox).toContainText(words);
    const parts = await inbox.locator('p > span').allTextContents();
    expect(parts).toEqual([words.slice(0, words.indexOf('!')), '!']);

    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Send to 3 recipients' });
    await send.click();
    await expect(dialog).toContainText(words);
    await api.patch(`${path}/email`, { subject: 'Words of another tab' });
    await confirm.click();
    const refused = dialog.getByRole('alert').filter({ hasText: 'was changed after you reviewed it' });
    await expect(refused).toContainText('nothing was sent or scheduled. Go back, look at it again');
    expect((await api.get<{ count: number }>(`${path}/sends`)).count).toBe(0);
    await dialog.getByRole('button', { name: 'Not yet' }).click();
    await expect(subject).toHaveValue('Words of another tab');
    await send.click();
    await expect(dialog).toContainText('Words of another tab');
    await confirm.click();
    await page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
  });

  await test.step('a send with a lost response is started once', async () => {
    const { touchpointId } = await prepareEmail(api, organization.id, { contacts: [], brand: 'Südwind' });
    await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/email`);
    let lost = 0;
    await page.route(`**/api/touchpoints/${touchpointId}/sends`, async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return await route.fallback();
      lost += 1;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Send now' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Send to 3 recipients' });
    await confirm.click();
    await expect(page.getByRole('dialog').getByText('Can’t reach the server.')).toBeVisible();
    await confirm.click();
    await page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
    const { count } = await api.get<{ count: number }>(`/touchpoints/${touchpointId}/sends`);
    expect(count).toBe(1);
  });
});

test('a page that failed to load offline is loaded when the server is back', async ({
  page,
  organization,
}) => {
  const audiences = page.getByRole('heading', { level: 1, name: 'Audiences' });
  const offline = page.getByText('Can’t reach the server.');
  const failToOpen = async () => {
    await page.goto(`/o/${organization.id}/clients`);
    await expect(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
    await page.route('**/*', (route) => route.abort('internetdisconnected'));
    await mainNavigation(page).getByRole('link', { name: 'Audiences' }).click();
    await expect(offline.first()).toBeVisible();
    await expect(page.getByText('A new version is available.')).toHaveCount(0);
    await expect(audiences).toHaveCount(0);
  };
  await page.clock.install();

  await test.step('by itself', async () => {
    await failToOpen();
    await page.unroute('**/*');
    await expect(audiences).toBeVisible();
    await expect(offline).toHaveCount(0);
  });

  await test.step('when retried', async () => {
    await failToOpen();
    const tryAgain = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await expect(tryAgain).toBeVisible();
    // Prevents an automatic retry before the click, unless the last attempt before the pause is still pending.
    // The clock of the page differs from that of the test, and can only be moved forward.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.unroute('**/*');
    await expect(async () => {
      if (!(await audiences.isVisible())) await tryAgain.click({ timeout: 5_000 });
    }).toPass();
    await expect(audiences).toBeVisible();
    await page.clock.resume();
    await expect(offline).toHaveCount(0);
  });
});

test('the developer panel lists requests by id and forces states of screens', async ({
  page,
  api,
  organization,
}) => {
  await prepareEmail(api, organization.id, { contacts: [] });
  await page.goto(`/o/${organization.id}/campaigns`);
  const campaign = page.getByRole('link', { name: 'Nordwind spring' });
  await expect(campaign).toBeVisible();
  await openDeveloperPanel(page);
  const panel = page.getByRole('region', { name: 'Developer panel' });
  // The palette that opened the panel may have searched campaigns as well, and given up.
  const row = panel
    .getByRole('row')
    .filter({ hasText: 'GET /api/campaigns' })
    .filter({ has: page.getByRole('cell', { name: '200', exact: true }) })
    .first();
  await expect(row.getByRole('button', { name: 'Copy id' })).toBeVisible();
  await panel.getByText('Queries').click();
  await expect(panel.getByRole('row').filter({ hasText: '"campaigns","list"' })).toBeVisible();

  await panel.getByText('Forced states').click();
  const status = panel.getByRole('combobox', { name: 'Status' });
  await status.click();
  await expect(page.getByRole('option', { name: 'Empty' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option', { name: 'Empty' })).toBeHidden();
  await expect(status).toBeVisible();
  const force = async (state: string) => {
    await status.click();
    await page.getByRole('option', { name: state }).click();
    await panel.getByRole('button', { name: 'Force' }).click();
  };
  await force('Error 500');
  await expect(page.getByText('The campaigns could not be loaded.')).toBeVisible();
  await force('Denied 403');
  await expect(page.getByRole('heading', { name: 'You don’t have access to this' })).toBeVisible();
  await force('Empty');
  await expect(campaign).toBeHidden();
  await expect(page.getByRole('alert')).toBeHidden();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '1 forced state' }).click();
  await panel.getByRole('button', { name: 'Clear all' }).click();
  await expect(campaign).toBeVisible();
});

test('in production no states can be forced', async ({ page, organization, server }) => {
  const production = 'https://reachout.example';
  const panel = page.getByRole('region', { name: 'Developer panel' });
  const openPanel = async (host: string) => {
    await page.goto(`${host}/o/${organization.id}`);
    // The frame of the app is visible shortly before it handles keys.
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await openDeveloperPanel(page);
    await expect(panel.getByText('Requests', { exact: true })).toBeVisible();
  };
  const requested: string[] = [];
  await page.route(`${production}/**`, async (route) => {
    const { pathname, href } = new URL(route.request().url());
    requested.push(pathname);
    await route.fulfill({ response: await route.fetch({ url: href.replace(production, server.url) }) });
  });
  await openPanel(production);
  await expect(panel.getByText('Forced states')).toBeHidden();

  const forcing = page.waitForResponse(
    async (response) =>
      response.url().endsWith('.js') && (await response.text()).includes('data-forced-states'),
  );
  await openPanel(server.url);
  expect(requested).not.toContain(new URL((await forcing).url()).pathname);
});

async function openDeveloperPanel(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search pages, records and actions' }).fill('developer');
  await page.getByRole('option', { name: 'Developer panel' }).click();
}
