import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { apiOf, newPerson, readMail, type Person } from './api.ts';
import { countingHand } from './counting-hand.ts';
import { endWaitingTime } from './database.ts';
import { expect, fillSignUp, openContext, test as base } from './fixtures.ts';
import { addPersonAt, providerName, type Server } from './server.ts';
import { startServer, type StartedServer } from './start-server.ts';

/** A separate server, with a demo, which is only created when there are no accounts, and on which only invited users can sign up. */
const test = base.extend<object, { server: StartedServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner reads which fixtures are needed from the pattern
    async ({}, use) => {
      const server = await startServer({ SIGN_UP: 'invited' }, ['--demo']);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

// Runs the tests one at a time in one worker: otherwise each would start a server.
test.describe.configure({ mode: 'default' });

test('the demo sends an email in at most 12 interactions (OPS-5)', async ({ page, server }) => {
  const hand = countingHand();
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dashboard = page.getByRole('heading', { level: 1, name: 'Dashboard' });

  await test.step('the dashboard has figures, a running send and what needs attention', async () => {
    await page.goto('/sign-in');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Look at the demo' })).toBeHidden();
    await page.goto(server.demoUrl ?? '');
    await expect(dashboard).toBeVisible();
    await expect(page.getByText(/^\d+ of \d+ processed/).first()).toBeVisible();
    await expect(page.getByText(/paused itself; \d+ recipients are waiting/)).toBeVisible();
    await expect(page.getByRole('row', { name: /^Nordwind Outdoor/ })).toBeVisible();
  });

  await test.step('an email goes out', async () => {
    await hand.click(page.getByRole('link', { name: 'New email' }));
    await hand.click(page.getByRole('combobox', { name: 'Brand' }));
    await hand.click(page.getByRole('option', { name: 'Morrow Coffee' }));
    await hand.click(page.getByRole('region', { name: 'Earlier email' }).getByRole('button').first());
    await hand.fill(page.getByLabel('Subject', { exact: true }), 'Fresh from the roastery');
    await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
    // The review is read again, and may move what is below it.
    await expect(page.locator('#test')).toContainText('Fresh from the roastery');
    await hand.click(button('Send me a test'));
    await expect(page.getByText('A test was sent since the last change.')).toBeVisible();
    await hand.click(button('Send now'));
    const dialog = page.getByRole('dialog', { name: /^Send to \d+ recipients for Morrow Coffee\?$/ });
    await hand.click(dialog.getByRole('button', { name: /^Send to \d+ recipients$/ }));
    await page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
    await endWaitingTime(server.databaseUrl, page.url().split('/').at(-1)!);
    await expect(page.getByText(/^Sent: (\d+) of \1$/).first()).toBeVisible({ timeout: 60_000 });
    expect(hand.done.length, hand.done.join('\n')).toBeLessThanOrEqual(12);
  });

  await test.step('an email with own words goes out', async () => {
    const writing = countingHand();
    await page.goto(page.url().replace(/(\/o\/[^/]+).*/, '$1'));
    await writing.click(page.getByRole('link', { name: 'New email' }));
    await writing.click(page.getByRole('combobox', { name: 'Brand' }));
    await writing.click(page.getByRole('option', { name: 'Morrow Coffee' }));
    await writing.click(button(/^Blank/));
    await writing.fill(page.getByLabel('Subject', { exact: true }), 'The harvest has arrived');
    await expect(page.getByRole('treeitem', { name: 'Button: Read more' })).toBeVisible();
    // From the subject to the heading, and on to the text, which is replaced.
    await writing.press(page, 'Tab');
    await expect(page.getByRole('textbox', { name: 'Heading', exact: true })).toBeFocused();
    await writing.press(page, 'Tab');
    await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toBeFocused();
    await writing.type(page, 'Our beans from Huila are here.');
    await writing.press(page, 'Enter');
    await writing.type(page, 'Come by and taste them.');
    await writing.press(page, 'Tab');
    await expect(page.getByRole('textbox', { name: 'Button', exact: true })).toBeFocused();
    await writing.type(page, 'See the beans');
    await writing.fill(page.getByLabel('Link address'), 'https://morrow-coffee.example/huila');
    await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
    const preview = page.frameLocator('iframe[title="Live preview"]');
    await expect(preview.getByText('Come by and taste them.')).toBeVisible();
    await expect(preview.getByRole('link', { name: 'See the beans' })).toBeVisible();
    await writing.click(button('Send now'));
    const dialog = page.getByRole('dialog', { name: /^Send to \d+ recipients for Morrow Coffee\?$/ });
    await writing.click(dialog.getByRole('button', { name: /^Send to \d+ recipients$/ }));
    await page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
    expect(writing.done.length, writing.done.join('\n')).toBeLessThanOrEqual(15);
  });

  await test.step('a domain that fails is shown where people look', async () => {
    const organization = page.url().replace(/(\/o\/[^/]+).*/, '$1');
    await page.goto(organization);
    await page.getByRole('link', { name: 'solara-business.example is failing' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'solara-business.example' })).toBeVisible();
    const brands = await page.request.get(
      `/api/brands?organization_id=${organization.split('/').at(-1)}&page_size=100`,
    );
    const { items } = (await brands.json()) as { items: { id: string; name: string }[] };
    const brand = items.find(({ name }) => name === 'Solara Business');
    await page.goto(`${organization}/brands/${brand?.id}/campaigns`);
    const domains = page.getByRole('region', { name: 'Domains' });
    await expect(domains).toHaveText(/solara-business\.example.*Failing/);
    await expect(domains.getByRole('link')).toHaveCount(1);
  });

  await test.step('who has signed out gets back in without the terminal', async () => {
    await page.request.post('/api/auth/sign-out', { headers: { origin: server.url } });
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Look at the demo' }).click();
    await expect(dashboard).toBeVisible();
  });
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Fills the form of the current page and opens the link in the email. */
async function finishSignUp(page: Page, server: Server, person: Person): Promise<void> {
  await fillSignUp(page, person);
  await expect(heading(page, 'Check your inbox')).toBeVisible();
  const { links } = await readMail(page.request, server, person.email, 'Confirm your email address');
  await page.goto(links[0]!);
}

test('sign-up without an invitation is rejected with advice (OPS-1)', async ({ page, server }) => {
  const stranger = newPerson();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByText('New accounts need an invitation.')).toBeVisible();
  await fillSignUp(page, stranger);
  // Only the email discloses whether the address was invited.
  await expect(page.getByRole('status')).toContainText(
    `If ${stranger.email} was invited, an email is on its way.`,
  );

  await addPersonAt(server, {
    sub: crypto.randomUUID(),
    email: stranger.email,
    name: stranger.name,
    email_verified: true,
  });
  await page.goto('/sign-up');
  await page.getByRole('button', { name: `Continue with ${providerName}` }).click();
  await page.waitForURL(`${server.issuer}/**`);
  await page.getByLabel('Email').fill(stranger.email);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(heading(page, 'Sign-in failed')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText(
    'New accounts need an invitation, and there is no valid one for this address. Use the address that was invited, or ask for an invitation.',
  );
  await page.goto('/organizations');
  await expect(heading(page, 'Sign in')).toBeVisible();
});

test('operator, email and link invitations each allow sign-up (OPS-1)', async ({ page, server, browser }) => {
  const first = newPerson('Mina Murray');
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/invite.ts', first.email], {
    env: server.env,
  });
  await page.goto(/http\S+/.exec(stdout)![0]);
  await expect(page.getByLabel('Email address')).toHaveValue(first.email);
  await finishSignUp(page, server, first);
  await expect(heading(page, 'Your organization')).toBeVisible();

  const api = apiOf(page.request, server.url);
  const { id: organization_id } = await api.post<{ id: string }>('/organizations', { name: 'Carfax' });
  const colleague = newPerson('Jonathan Harker');
  const { items } = await api.post<{ items: { url: string }[] }>('/organizations/invitations/create', {
    organization_id,
    emails: [colleague.email],
    role: 'analyst',
    client_ids: [],
  });
  const client = await api.post<{ id: string }>('/clients', { organization_id, name: 'Hillingham' });
  const link = await api.put<{ url: string }>(`/organizations/${organization_id}/invitation_link`, {
    client_ids: [client.id],
  });
  const title = `${first.name} invites you to Carfax`;
  const ways = [
    {
      person: colleague,
      url: items[0]!.url,
      hint: /Use the address that was invited/,
      accept: 'Accept',
    },
    {
      person: newPerson('Lucy Westenra'),
      url: link.url,
      hint: 'You can join with your invitation link.',
      accept: 'Join',
    },
  ];
  for (const { person, url, hint, accept } of ways) {
    const context = await openContext(browser, server);
    const other = await context.newPage();
    await other.goto(url);
    await expect(heading(other, title)).toBeVisible();
    await other.getByRole('link', { name: 'Create an account' }).click();
    await expect(other.getByText(hint)).toBeVisible();
    await finishSignUp(other, server, person);
    await expect(heading(other, title)).toBeVisible();
    await other.getByRole('button', { name: accept }).click();
    await expect(heading(other, 'Dashboard')).toBeVisible();
    await context.close();
  }

  // The options of an installation with closed sign-up; server tests cover its responses to sign-ups.
  const context = await openContext(browser, server);
  await context.route('**/api/auth/options', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), sign_up: 'closed' } });
  });
  const late = await context.newPage();
  await late.goto(link.url);
  await expect(late.getByText('No new accounts can be created here.')).toBeVisible();
  await expect(late.getByRole('link', { name: 'Create an account' })).toHaveCount(0);
  await late.getByRole('link', { name: 'Sign in to join' }).click();
  await expect(heading(late, 'Sign in')).toBeVisible();
  await expect(late.getByRole('link', { name: 'Create an account' })).toHaveCount(0);
  await late.goto('/sign-up');
  await expect(heading(late, 'No new accounts')).toBeVisible();
  await expect(late.getByText('Ask its operator if you need one.')).toBeVisible();
  await expect(late.getByRole('textbox')).toHaveCount(0);
  await context.close();
});
