import { countingHand } from './counting-hand.ts';
import { endWaitingTime } from './database.ts';
import { expect, test as base } from './fixtures.ts';
import { startServer, type StartedServer } from './start-server.ts';

/** A separate server, since the demo is only created when there are no accounts. */
const test = base.extend<object, { server: StartedServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner reads which fixtures are needed from the pattern
    async ({}, use) => {
      const server = await startServer({}, ['--demo']);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

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
